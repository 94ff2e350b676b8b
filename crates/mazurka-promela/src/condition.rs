//! The integer expressions of `#if` and `#elif`.

use crate::token::{BINARY_OPERATORS, Token, TokenKind};

/// Parentheses nested deeper than this are refused.
const MAX_DEPTH: usize = 100;

/// Replaces `defined X` and `defined(X)` by 1 or 0.
pub fn resolve_defined(tokens: &[Token], is_defined: impl Fn(&str) -> bool) -> Vec<Token> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let name = match &tokens[i..] {
            [d, open, name, close, ..] if d.is_name("defined") && open.is("(") && close.is(")") => Some((name, 4)),
            [d, name, ..] if d.is_name("defined") && name.kind == TokenKind::Name => Some((name, 2)),
            _ => None,
        };
        match name {
            Some((name, length)) => {
                let value = i32::from(is_defined(&name.text));
                out.push(Token {
                    kind: TokenKind::Number(value),
                    text: value.to_string().into(),
                    ..tokens[i].clone()
                });
                i += length;
            }
            None => {
                out.push(tokens[i].clone());
                i += 1;
            }
        }
    }
    out
}

/// The value of a condition whose macros are expanded; names that are left count as 0, as in C.
pub fn evaluate(tokens: &[Token]) -> Result<i64, String> {
    let mut parser = Condition { tokens, at: 0, depth: 0 };
    let value = parser.binary(0)?;
    match tokens.get(parser.at) {
        None => Ok(value),
        Some(token) => Err(format!("unexpected `{}` in the condition", token.text)),
    }
}

struct Condition<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

impl Condition<'_> {
    fn binary(&mut self, strength: u8) -> Result<i64, String> {
        let mut left = self.unary()?;
        while let Some(token) = self.tokens.get(self.at) {
            let Some(&(op, s)) = BINARY_OPERATORS.iter().find(|(op, s)| token.is(op) && *s > strength) else {
                break;
            };
            self.at += 1;
            let right = self.binary(s)?;
            left = apply(op, left, right)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<i64, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the condition is nested too deeply".into());
        }
        let token = self.tokens.get(self.at).ok_or("the condition is incomplete")?;
        self.at += 1;
        let value = match token.kind {
            TokenKind::Number(value) => i64::from(value),
            TokenKind::Name if &*token.text == "true" => 1,
            TokenKind::Name => 0,
            _ if token.is("!") => i64::from(self.unary()? == 0),
            _ if token.is("-") => self.unary()?.wrapping_neg(),
            _ if token.is("~") => !self.unary()?,
            _ if token.is("+") => self.unary()?,
            _ if token.is("(") => {
                let value = self.binary(0)?;
                if !self.tokens.get(self.at).is_some_and(|t| t.is(")")) {
                    return Err("`)` is missing in the condition".into());
                }
                self.at += 1;
                value
            }
            _ => return Err(format!("unexpected `{}` in the condition", token.text)),
        };
        self.depth -= 1;
        Ok(value)
    }
}

fn apply(op: &str, a: i64, b: i64) -> Result<i64, String> {
    Ok(match op {
        "||" => i64::from(a != 0 || b != 0),
        "&&" => i64::from(a != 0 && b != 0),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "<<" => a.wrapping_shl(b as u32),
        ">>" => a.wrapping_shr(b as u32),
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" | "%" if b == 0 => return Err("division by zero in the condition".into()),
        "/" => a.wrapping_div(b),
        _ => a.wrapping_rem(b),
    })
}
