//! Named constants, and the numbers that they may stand for.

use super::{Parsed, Parser};
use crate::text::ParseError;
use crate::text::lexer::Token;

/// The value of a constant.
pub(super) struct Constant {
    value: i32,
    /// What the text says, if the value was given from outside.
    replaced: Option<i32>,
}

impl Parser<'_> {
    /// `N=3, LIMIT=10;`.
    pub(super) fn constant_declarations(&mut self) -> Parsed<()> {
        loop {
            let at = self.at;
            let name = self.name("the name of a constant")?;
            self.check_new(&name, at)?;
            self.want("=", "after the name of the constant")?;
            let written = self.int("a value")?;
            let constant = match self.settings.iter().find(|(set, _)| *set == name) {
                None => Constant {
                    value: written,
                    replaced: None,
                },
                Some((_, value)) => Constant {
                    value: i32::try_from(*value).map_err(|_| self.setting_error("too-large", too_large(&format!("{name}={value}"))))?,
                    replaced: Some(written),
                },
            };
            self.constants.insert(name, constant);
            if self.accept(";") {
                return Ok(());
            }
            if !self.accept(",") {
                return self.unexpected("`,` or `;`");
            }
        }
    }

    /// Whether every constant that is set exists, and is set once.
    pub(super) fn check_settings(&self) -> Parsed<()> {
        for (i, (name, _)) in self.settings.iter().enumerate() {
            if !self.constants.contains_key(name) {
                let error = self.setting_error("unknown-parameter", format!("{} has no constant `{name}`", self.file));
                let mut known: Vec<&str> = self.constants.keys().map(String::as_str).collect();
                known.sort_unstable();
                return Err(error.did_you_mean(name, known.iter().copied()).with_help(if known.is_empty() {
                    format!("constants are declared before the processes: `const {name}=3;`")
                } else {
                    format!("it declares {}", known.join(", "))
                }));
            }
            if self.settings[..i].iter().any(|(other, _)| other == name) {
                return Err(self.setting_error("duplicate", format!("`{name}` is set twice")));
            }
        }
        Ok(())
    }

    fn setting_error(&self, code: &'static str, message: String) -> ParseError {
        ParseError::without_place(self.file, code, message)
    }

    /// The value of the constant of that name.
    pub(super) fn constant_value(&self, name: &str) -> Option<i32> {
        self.constants.get(name).map(|constant| constant.value)
    }

    /// A constant by its name, which is consumed.
    pub(super) fn accept_constant(&mut self) -> Option<i32> {
        let Token::Name(name) = self.peek() else { return None };
        let value = self.constant_value(name)?;
        self.next();
        Some(value)
    }

    /// A number or a constant, perhaps with a minus sign.
    pub(super) fn int(&mut self, what: &str) -> Parsed<i32> {
        let negative = self.accept("-");
        let at = self.at;
        let value = match self.peek() {
            Token::Int(value) => *value,
            Token::Name(name) if self.constants.contains_key(name) => self.constants[name].value.into(),
            Token::Name(name) if !super::KEYWORDS.contains(&name.as_str()) => {
                let error = self.error(
                    self.span(at),
                    "unknown-name",
                    format!("expected {what}, but {name} is not a constant"),
                );
                return Err(error
                    .did_you_mean(name, self.constants.keys().map(String::as_str))
                    .with_help(format!("constants are declared before the processes: `const {name}=3;`")));
            }
            _ => return self.unexpected(what),
        };
        self.constant(if negative { -value } else { value })
    }

    /// Consumes the number that was looked at.
    pub(super) fn constant(&mut self, value: i64) -> Parsed<i32> {
        match i32::try_from(value) {
            Ok(v) => {
                self.next();
                Ok(v)
            }
            Err(_) => self.error_at(self.at, "too-large", too_large(&value.to_string())),
        }
    }

    /// A number from 1 to `most` of the parts that something has.
    pub(super) fn count(&mut self, what: &str, most: usize, owner: &str, parts: &str) -> Parsed<usize> {
        let at = self.at;
        let n = self.int(what)?;
        if let Some(count) = usize::try_from(n).ok().filter(|n| (1..=most).contains(n)) {
            return Ok(count);
        }
        let error = self.error(
            self.span_since(at),
            "out-of-range",
            format!("{owner} can have 1 to {most} {parts}, not {n}"),
        );
        let Token::Name(name) = &self.tokens[self.at - 1].token else {
            return Err(error);
        };
        Err(match self.constants.get(name) {
            Some(Constant {
                replaced: Some(written),
                value,
            }) => error.with_help(format!("`{name}` is set to {value}; the file says {written}")),
            _ => error,
        })
    }
}

fn too_large(number: &str) -> String {
    format!("{number} is too large; numbers go from {} to {}", i32::MIN, i32::MAX)
}
