//! What solvers write.

use mazurka_abs::value::Value;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

/// A word, a string, or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    Word(String),
    Text(String),
    List(Vec<Expression>),
}

impl Expression {
    pub fn list(&self) -> &[Expression] {
        match self {
            Expression::List(list) => list,
            _ => &[],
        }
    }

    pub fn word(&self) -> Option<&str> {
        match self {
            Expression::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// Whether every parenthesis and every string that begins also ends.
pub(super) fn balanced(text: &str) -> bool {
    let (mut depth, mut quoted) = (0i64, false);
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            _ => {}
        }
    }
    depth <= 0 && !quoted
}

/// Reads one expression.
pub(super) fn read(text: &str) -> Option<Expression> {
    let mut open: Vec<Vec<Expression>> = vec![Vec::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '(' => open.push(Vec::new()),
            ')' => {
                let list = open.pop()?;
                open.last_mut()?.push(Expression::List(list));
            }
            '"' => {
                let mut string = String::new();
                loop {
                    match (chars.next()?, chars.peek()) {
                        ('"', Some('"')) => {
                            chars.next();
                            string.push('"');
                        }
                        ('"', _) => break,
                        (c, _) => string.push(c),
                    }
                }
                open.last_mut()?.push(Expression::Text(string));
            }
            c if c.is_whitespace() => {}
            c => {
                let mut word = c.to_string();
                while let Some(c) = chars.next_if(|c| !c.is_whitespace() && !matches!(c, '(' | ')')) {
                    word.push(c);
                }
                open.last_mut()?.push(Expression::Word(word));
            }
        }
    }
    let top = open.pop()?;
    match <[Expression; 1]>::try_from(top) {
        Ok([only]) if open.is_empty() => Some(only),
        _ => None,
    }
}

/// The number or string that an expression is.
pub(super) fn value(expression: &Expression) -> Option<Value> {
    match expression {
        Expression::Text(text) => Some(Value::string(unescaped(text)?)),
        other => number(other).map(Value::from),
    }
}

fn number(expression: &Expression) -> Option<BigRational> {
    match expression {
        Expression::Word(word) => match word.split_once('.') {
            None => word.parse::<BigInt>().ok().map(BigRational::from_integer),
            Some((whole, part)) => {
                let digits: BigInt = format!("{whole}{part}").parse().ok()?;
                let power = u32::try_from(part.len()).ok()?;
                Some(BigRational::new(digits, BigInt::from(10).pow(power)))
            }
        },
        Expression::List(list) => match list.as_slice() {
            [Expression::Word(minus), of] if minus == "-" => Some(-number(of)?),
            [Expression::Word(over), above, below] if over == "/" => {
                let below = number(below)?;
                (!below.is_zero()).then_some(number(above)? / below)
            }
            _ => None,
        },
        Expression::Text(_) => None,
    }
}

/// `\u{7f}` and `\u007f` are characters.
fn unescaped(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        out.push_str(&rest[..at]);
        let after = &rest[at + 2..];
        let (digits, end) = match after.strip_prefix('{') {
            Some(braced) => {
                let end = braced.find('}')?;
                (&braced[..end], &braced[end + 1..])
            }
            None => (after.get(..4)?, after.get(4..)?),
        };
        out.push(u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)?);
        rest = end;
    }
    out.push_str(rest);
    Some(out)
}

/// A string as solvers read it.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\"\""),
            ' '..='~' if c != '\\' => out.push(c),
            c => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_value(text: &str) -> String {
        match value(&read(text).expect("one expression")) {
            Some(Value::Int(n)) => n.to_string(),
            Some(Value::Rat(r)) => r.to_string(),
            Some(Value::Str(s)) => format!("{s:?}"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn numbers_and_strings_are_read_as_solvers_write_them() {
        for (text, value) in [
            ("5", "5"),
            ("(- 5)", "-5"),
            ("2.0", "2"),
            ("2.5", "5/2"),
            ("(/ 1.0 3.0)", "1/3"),
            ("(- (/ 1 3))", "-1/3"),
            ("(/ (- 1) 3)", "-1/3"),
            ("\"a\"\"b\"", "\"a\\\"b\""),
            ("\"\\u{41}\\u0042\"", "\"AB\""),
        ] {
            assert_eq!(read_value(text), value, "{text}");
        }
        assert_eq!(read("(a"), None);
        assert_eq!(read("a b"), None);
    }

    #[test]
    fn what_is_quoted_is_read_back() {
        for text in ["", "plain", "\"", "back\\slash", "ä\n"] {
            assert_eq!(read_value(&quoted(text)), format!("{text:?}"));
        }
    }

    #[test]
    fn an_answer_ends_where_its_parentheses_do() {
        assert!(balanced("sat"));
        assert!(!balanced("((i0 5)"));
        assert!(balanced("((i0 \"(\"))"));
    }
}
