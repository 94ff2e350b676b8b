//! Values as `toString` and `println` show them.

use super::{Value, known};
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

impl Printer<'_> {
    /// The text of a value; a string is itself.
    pub fn show(&self, v: &Value) -> String {
        match v {
            Value::Str(s) => s.to_string(),
            _ => {
                let mut out = String::new();
                self.write(v, &mut out);
                out
            }
        }
    }

    /// The text of a value inside another: strings are quoted.
    pub fn show_quoted(&self, v: &Value) -> String {
        let mut out = String::new();
        self.write(v, &mut out);
        out
    }

    fn write(&self, v: &Value, out: &mut String) {
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
            Value::Data(n) => {
                match n.ctor {
                    known::CONS => self.chain("list", known::CONS, v, out),
                    known::INSERT => self.chain("set", known::INSERT, v, out),
                    known::INSERT_ASSOC => self.chain("map", known::INSERT_ASSOC, v, out),
                    ctor => {
                        out.push_str(self.symbols.ctor_name(ctor));
                        out.push('(');
                        self.separated(&n.args, out);
                        out.push(')');
                    }
                }
                Ok(())
            }
        };
    }

    fn separated(&self, args: &[Value], out: &mut String) {
        for (i, arg) in args.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            self.write(arg, out);
        }
    }

    /// A list, set or map by its elements.
    fn chain(&self, word: &str, link: super::Ctor, v: &Value, out: &mut String) {
        out.push_str(word);
        out.push('[');
        let mut rest = v;
        let mut first = true;
        while let (Some(ctor), [element, tail]) = (rest.ctor(), rest.args()) {
            if ctor != link {
                break;
            }
            if !std::mem::take(&mut first) {
                out.push(',');
            }
            self.write(element, out);
            rest = tail;
        }
        out.push(']');
    }
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
