//! Validates JSON against a JSON Schema: the part of draft 7 that the schema of SARIF uses.
//!
//! A crate that knows all of JSON Schema takes longer to compile than the rest of these tests. Nothing is left out silently: a keyword,
//! pattern or format that is not known here is an error.

use serde_json::{Map, Value};
use std::collections::HashSet;

/// Where `value` does not obey the schema, and why.
pub fn errors(schema: &Value, value: &Value) -> Vec<String> {
    let mut validator = Validator {
        root: schema,
        errors: Vec::new(),
    };
    validator.check(schema, value, "");
    validator.errors
}

struct Validator<'s> {
    root: &'s Value,
    errors: Vec<String>,
}

impl<'s> Validator<'s> {
    fn check(&mut self, schema: &'s Value, value: &Value, at: &str) {
        match schema {
            Value::Bool(true) => {}
            Value::Object(keywords) => {
                for (keyword, wanted) in keywords {
                    if let Err(why) = self.keyword(keywords, keyword, wanted, value, at) {
                        self.errors.push(format!("{at}: {why}"));
                    }
                }
            }
            _ => self.errors.push(format!("{at}: nothing is allowed here")),
        }
    }

    /// Whether the value obeys one keyword; what is wrong inside of it is recorded with its own place.
    fn keyword(&mut self, all: &'s Map<String, Value>, keyword: &str, wanted: &'s Value, value: &Value, at: &str) -> Result<(), String> {
        let fails = |holds: bool| {
            if holds {
                Ok(())
            } else {
                Err(format!("{keyword} {wanted}: {value}"))
            }
        };
        match keyword {
            "$schema" | "$id" | "title" | "description" | "default" | "definitions" => Ok(()),
            "$ref" => {
                let path = wanted
                    .as_str()
                    .and_then(|r| r.strip_prefix('#'))
                    .ok_or("a reference to elsewhere")?;
                let target = self.root.pointer(path).ok_or_else(|| format!("no {path} in the schema"))?;
                self.check(target, value, at);
                Ok(())
            }
            "type" => fails(has_type(value, wanted)),
            "enum" => fails(wanted.as_array().is_some_and(|values| values.contains(value))),
            "minimum" => fails(value.as_f64().is_none_or(|v| wanted.as_f64().is_some_and(|least| v >= least))),
            "maximum" => fails(value.as_f64().is_none_or(|v| wanted.as_f64().is_some_and(|most| v <= most))),
            "minItems" => fails(
                value
                    .as_array()
                    .is_none_or(|v| v.len() as u64 >= wanted.as_u64().unwrap_or(u64::MAX)),
            ),
            "uniqueItems" => fails(wanted == false || value.as_array().is_none_or(|v| are_different(v))),
            "required" => {
                let names = wanted.as_array().into_iter().flatten().filter_map(Value::as_str);
                fails(value.as_object().is_none_or(|v| names.into_iter().all(|name| v.contains_key(name))))
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    self.check(wanted, item, &format!("{at}/{index}"));
                }
                Ok(())
            }
            "properties" => {
                for (name, part) in value.as_object().into_iter().flatten() {
                    if let Some(schema) = wanted.get(name) {
                        self.check(schema, part, &format!("{at}/{name}"));
                    }
                }
                Ok(())
            }
            "additionalProperties" => {
                let known = all.get("properties");
                for (name, part) in value.as_object().into_iter().flatten() {
                    if known.and_then(|k| k.get(name)).is_none() {
                        self.check(wanted, part, &format!("{at}/{name}"));
                    }
                }
                Ok(())
            }
            "anyOf" => fails(self.how_many_hold(wanted, value) > 0),
            "oneOf" => fails(self.how_many_hold(wanted, value) == 1),
            "format" => match (value.as_str(), wanted.as_str()) {
                (None, _) => Ok(()),
                (Some(text), Some("uri")) => fails(is_uri_reference(text) && has_scheme(text)),
                (Some(text), Some("uri-reference")) => fails(is_uri_reference(text)),
                _ => Err(format!("this format is not known here: {wanted}")),
            },
            "pattern" if !value.is_string() => Ok(()),
            _ => Err(format!("this keyword is not known here: {keyword} {wanted}")),
        }
    }

    fn how_many_hold(&self, schemas: &Value, value: &Value) -> usize {
        let holds = |schema: &&Value| {
            let mut validator = Validator {
                root: self.root,
                errors: Vec::new(),
            };
            validator.check(schema, value, "");
            validator.errors.is_empty()
        };
        schemas.as_array().into_iter().flatten().filter(holds).count()
    }
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_i64() || value.is_u64(),
        _ => false,
    }
}

fn are_different(values: &[Value]) -> bool {
    let texts: HashSet<String> = values.iter().map(Value::to_string).collect();
    texts.len() == values.len()
}

/// RFC 3986: nothing but these characters, and two hexadecimal digits after each `%`.
fn is_uri_reference(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c);
    let escapes = || text.split('%').skip(1);
    let is_hexadecimal = |escape: &str| escape.len() >= 2 && escape.bytes().take(2).all(|b| b.is_ascii_hexdigit());
    text.chars().all(allowed) && escapes().all(is_hexadecimal)
}

fn has_scheme(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}
