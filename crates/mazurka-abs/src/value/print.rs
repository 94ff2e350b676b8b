//! Values as `toString` and `println` show them.

use super::number::{self, NumberError};
use super::{Ctor, Value, known};
use crate::code::Symbols;
use crate::run::identity::Identities;
use std::fmt::Write;

/// What printing needs to know.
#[derive(Clone, Copy)]
pub struct Printer<'a> {
    /// The constructors' and classes' names.
    pub symbols: &'a Symbols,
    /// The births of objects and futures.
    pub ids: &'a Identities,
    /// Whether objects get the short names that reports use.
    pub short: bool,
}

/// The longest texts, in bytes.
pub const MOST_BYTES: usize = 1 << 26;

/// The longest texts that are shown to people, in bytes.
const SHOWN: usize = 1 << 12;

/// Numbers with more words than this are not shown to people: it takes long, and nobody reads them.
const SHOWN_WORDS: u64 = 1 << 8;

/// What is still to be written.
enum Piece<'v> {
    Value(&'v Value),
    Text(&'static str),
    /// The elements of a list, set or map that come after the first.
    Rest(Ctor, &'v Value),
}

impl Printer<'_> {
    /// The text of a value for people; a string is itself. A long one is cut.
    pub fn show(&self, v: &Value) -> String {
        match v {
            Value::Str(s) if s.len() <= SHOWN => s.to_string(),
            Value::Str(s) => cut(s.to_string()),
            _ => self.show_quoted(v),
        }
    }

    /// The text of a value inside another, for people: strings are quoted. A long one is cut.
    pub fn show_quoted(&self, v: &Value) -> String {
        let mut out = String::new();
        // What was written until there were enough letters is what is shown.
        let _ = self.write(v, SHOWN, &mut |words| words <= SHOWN_WORDS, &mut out);
        cut(out)
    }

    /// The text of a value as the model sees it; a string is itself. It is taken from `budget`.
    ///
    /// # Errors
    /// It is too long, or the budget is too small.
    pub fn text(&self, v: &Value, budget: &mut u64) -> Result<String, NumberError> {
        let mut out = String::new();
        if let Value::Str(s) = v {
            out.push_str(s);
        } else {
            // Writing a number takes time quadratic in its length.
            let mut affordable = |words: u64| {
                *budget = budget.saturating_sub(words * words / 16);
                *budget > 0
            };
            self.write(v, MOST_BYTES, &mut affordable, &mut out)?;
        }
        *budget = budget.saturating_sub(out.len() as u64 / 64);
        if *budget == 0 { Err(NumberError::TooLong) } else { Ok(out) }
    }

    /// Writes a value of at most about so many bytes. `affordable` is asked whether to write a number of so many words. Works off a list of
    /// its own: values may be nested deeper than the stack.
    fn write(&self, v: &Value, most: usize, affordable: &mut dyn FnMut(u64) -> bool, out: &mut String) -> Result<(), NumberError> {
        let mut todo = vec![Piece::Value(v)];
        while let Some(piece) = todo.pop() {
            if out.len() > most {
                return Err(NumberError::TooLarge);
            }
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Rest(link, rest) => {
                    if let (Some(ctor), [element, tail]) = (rest.ctor(), rest.args())
                        && ctor == link
                    {
                        todo.extend([Piece::Rest(link, tail), Piece::Value(element), Piece::Text(",")]);
                    }
                }
                Piece::Value(Value::Data(n)) => {
                    let chain = match n.ctor {
                        known::CONS => Some("list["),
                        known::INSERT => Some("set["),
                        known::INSERT_ASSOC => Some("map["),
                        _ => None,
                    };
                    if let (Some(word), [element, tail]) = (chain, &n.args[..]) {
                        out.push_str(word);
                        todo.extend([Piece::Text("]"), Piece::Rest(n.ctor, tail), Piece::Value(element)]);
                        continue;
                    }
                    out.push_str(self.symbols.ctor_name(n.ctor));
                    out.push('(');
                    todo.push(Piece::Text(")"));
                    for (i, arg) in n.args.iter().enumerate().rev() {
                        todo.push(Piece::Value(arg));
                        todo.extend((i > 0).then_some(Piece::Text(",")));
                    }
                }
                Piece::Value(v @ (Value::Big(_) | Value::Rat(_))) if number::words(v) > 1 && !affordable(number::words(v)) => {
                    out.push('…');
                    return Err(NumberError::TooLong);
                }
                Piece::Value(v) => self.write_flat(v, out),
            }
        }
        Ok(())
    }

    fn write_flat(&self, v: &Value, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = match v {
            Value::Int(n) => write!(out, "{n}"),
            Value::Big(n) => write!(out, "{n}"),
            Value::Rat(r) => write!(out, "{}/{}", r.numer(), r.denom()),
            Value::Float(x) => write!(out, "{}", float(*x)),
            Value::Str(s) => write!(out, "\"{}\"", s.replace('\\', "\\\\").replace('"', "\\\"")),
            Value::Null => write!(out, "null"),
            Value::Object(r) if self.short => write!(out, "{}", self.ids.short_object_name(r.id, self.symbols)),
            Value::Object(r) => write!(out, "{}", self.ids.object_name(r.id, self.symbols)),
            Value::Future(r) => write!(out, "Fut:{}", self.ids.tasks.path(r.id)),
            Value::Atom(known::NIL) => write!(out, "list[]"),
            Value::Atom(c) => write!(out, "{}", self.symbols.ctor_name(*c)),
            Value::Term(term) => term.write(out, &mut |value, out| self.write_flat(value, out)),
            Value::Data(_) => Ok(()),
        };
    }
}

/// The beginning of a text that is too long to be shown.
fn cut(mut text: String) -> String {
    if text.len() > SHOWN {
        let end = (0..=SHOWN).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    text
}

/// The shortest digits that give the number back, in plain or in exponent notation, whichever is shorter.
pub fn float(x: f64) -> String {
    if !x.is_finite() {
        return format!("{x}");
    }
    let text = format!("{x:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let exponent: i64 = exponent.parse().unwrap_or(0);
    if digits == "0" {
        return format!("{sign}0.0");
    }
    let count = digits.len() as i64;
    // The decimal point stands `place` digits to the right of the first digit's left side.
    let place = exponent + 1;
    let exponent_cost = exponent.to_string().len() as i64 + 1 + if count == 1 { 2 } else { 1 };
    let body = if place > 0 && place < count {
        let (whole, part) = digits.split_at(place as usize);
        format!("{whole}.{part}")
    } else if place == 0 {
        format!("0.{digits}")
    } else if place < 0 && 2 - place <= exponent_cost {
        format!("0.{}{digits}", "0".repeat((-place) as usize))
    } else if place >= count && place - count + 2 <= exponent_cost {
        format!("{digits}{}.0", "0".repeat((place - count) as usize))
    } else {
        let (first, rest) = digits.split_at(1);
        format!("{first}.{}e{exponent}", if rest.is_empty() { "0" } else { rest })
    };
    format!("{sign}{body}")
}

#[cfg(test)]
mod tests {
    use super::float;

    #[test]
    fn floats_take_the_shorter_notation() {
        for (x, text) in [
            (0.0, "0.0"),
            (1.0, "1.0"),
            (-2.5, "-2.5"),
            (100.0, "100.0"),
            (1e6, "1.0e6"),
            (0.001, "0.001"),
            (1e-7, "1.0e-7"),
            (123456.789, "123456.789"),
            (0.1, "0.1"),
        ] {
            assert_eq!(float(x), text);
        }
    }
}
