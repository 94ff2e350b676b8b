//! Values made from those of Rust, and their text.

use super::{Object, Value, quoted};
use std::fmt;

/// An object: names of fields, and anything that is a [`Value`].
macro_rules! object {
    ($($name:literal: $value:expr),* $(,)?) => {
        $crate::plain_json::Value::object([$(($name.to_owned(), $crate::plain_json::Value::from($value))),*])
    };
}

/// A list of anything that is a [`Value`].
macro_rules! list {
    ($($value:expr),* $(,)?) => {
        $crate::plain_json::Value::List(vec![$($crate::plain_json::Value::from($value)),*])
    };
}

pub(crate) use {list, object};

impl Value {
    /// An object with these fields.
    pub fn object(fields: impl IntoIterator<Item = (String, Value)>) -> Self {
        Value::Object(Object(fields.into_iter().collect()))
    }

    /// The same with every string and name of a field changed.
    pub fn with_strings(self, change: &impl Fn(&str) -> String) -> Self {
        match self {
            Value::String(text) => Value::String(change(&text)),
            Value::List(list) => Value::List(list.into_iter().map(|value| value.with_strings(change)).collect()),
            Value::Object(Object(fields)) => {
                Value::object(fields.into_iter().map(|(name, value)| (change(&name), value.with_strings(change))))
            }
            other => other,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Bool(value) => value.fmt(f),
            Value::Number(text) => f.write_str(text),
            Value::String(text) => f.write_str(&quoted(text)),
            Value::List(list) => {
                f.write_str("[")?;
                for (i, value) in list.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { "," })?;
                    value.fmt(f)?;
                }
                f.write_str("]")
            }
            Value::Object(Object(fields)) => {
                f.write_str("{")?;
                for (i, (name, value)) in fields.iter().enumerate() {
                    write!(f, "{}{}:{value}", if i == 0 { "" } else { "," }, quoted(name))?;
                }
                f.write_str("}")
            }
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::String(text.to_owned())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Value::String(text.clone())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::String(text)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

macro_rules! numbers {
    ($($type:ty)*) => {
        $(
            impl From<$type> for Value {
                fn from(number: $type) -> Self {
                    Value::Number(number.to_string())
                }
            }
        )*
    };
}

numbers!(u32 u64 usize);

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(list: Vec<T>) -> Self {
        list.into_iter().collect()
    }
}

impl<A: Into<Value>, B: Into<Value>> From<(A, B)> for Value {
    fn from((a, b): (A, B)) -> Self {
        Value::List(vec![a.into(), b.into()])
    }
}

impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Value::List(values.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::plain_json::read;

    #[test]
    fn what_was_written_is_read_again() {
        let value = object! {
            "words": list!["a \"quoted\" one", "two\nlines", "\u{1}"],
            "none": None::<u32>,
            "pairs": vec![("a", true), ("b", false)],
            "inner": object! { "n": 7usize, "empty": Vec::<String>::new() },
        };
        assert_eq!(read(&value.to_string()), Ok(value));
    }

    #[test]
    fn all_strings_are_changed() {
        let value = object! { "a": list!["b", object! { "c": "d" }, 1u32] };
        assert_eq!(value.with_strings(&|s| s.to_uppercase()).to_string(), r#"{"A":["B",{"C":"D"},1]}"#);
    }
}
