//! JSON as far as schedule files and pages need it, read and written without another crate.
//!
//! Both are made inside of tests of other people's code, which is compiled together with all that this crate depends on. A larger crate would
//! be in its way: every implementation of a trait that it brings for a primitive type can make that code ambiguous.

#[cfg(feature = "html")]
mod write;

#[cfg(feature = "html")]
pub(crate) use write::{list, object};

/// How deep lists and objects may be nested.
const DEEPEST: usize = 100;

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// As it was written.
    Number(String),
    String(String),
    List(Vec<Value>),
    Object(Object),
}

/// The fields of an object, in their order.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Object(Vec<(String, Value)>);

impl Object {
    /// The value of a field; the last, if there are several of that name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().rev().find(|(field, _)| field == name).map(|(_, value)| value)
    }
}

impl Value {
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    pub fn as_u32(&self) -> Option<u32> {
        match self {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        }
    }
}

/// A string in JSON.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// What is wrong with a text, and where: line and column, from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SyntaxError {
    pub line: usize,
    pub column: usize,
    pub message: &'static str,
}

/// Reads a text.
pub(crate) fn read(text: &str) -> Result<Value, SyntaxError> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0).and_then(|value| match reader.next_byte() {
        None => Ok(value),
        Some(_) => Err("there is something after the end"),
    });
    value.map_err(|message| {
        let before = &text[..reader.at.min(text.len())];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        SyntaxError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message,
        }
    })
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

/// What was read, or what is wrong where the reader stands.
type Reading<T> = Result<T, &'static str>;

impl Reader<'_> {
    /// The next byte that is not white space.
    fn next_byte(&mut self) -> Option<u8> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\n', '\r', '\t']).len();
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.text[self.at..].starts_with(text);
        self.at += if found { text.len() } else { 0 };
        found
    }

    fn value(&mut self, depth: usize) -> Reading<Value> {
        if depth > DEEPEST {
            return Err("this is nested too deeply");
        }
        match self.next_byte() {
            None => Err("the text ends here"),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) if self.take("null") => Ok(Value::Null),
            Some(_) if self.take("true") => Ok(Value::Bool(true)),
            Some(_) if self.take("false") => Ok(Value::Bool(false)),
            Some(_) => Err("expected a value"),
        }
    }

    fn number(&mut self) -> Reading<Value> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E'));
        let text = &rest[..end.unwrap_or(rest.len())];
        if text.parse::<f64>().is_err() {
            return Err("this is not a number");
        }
        self.at += text.len();
        Ok(Value::Number(text.to_owned()))
    }

    fn list(&mut self, depth: usize) -> Reading<Value> {
        let mut list = Vec::new();
        self.at += 1;
        if self.next_byte() == Some(b']') {
            self.at += 1;
            return Ok(Value::List(list));
        }
        loop {
            list.push(self.value(depth + 1)?);
            match self.next_byte() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::List(list));
                }
                None => return Err("the text ends within a list"),
                Some(_) => return Err("expected `,` or `]`"),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Reading<Value> {
        let mut object = Object::default();
        self.at += 1;
        if self.next_byte() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(object));
        }
        loop {
            match self.next_byte() {
                Some(b'"') => {}
                None => return Err("the text ends within an object"),
                Some(_) => return Err("expected the name of a field in quotes"),
            }
            let name = self.string()?;
            if self.next_byte() != Some(b':') {
                return Err("expected `:`");
            }
            self.at += 1;
            object.0.push((name, self.value(depth + 1)?));
            match self.next_byte() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Value::Object(object));
                }
                None => return Err("the text ends within an object"),
                Some(_) => return Err("expected `,` or `}`"),
            }
        }
    }

    fn string(&mut self) -> Reading<String> {
        let mut out = String::new();
        self.at += 1;
        loop {
            let Some(c) = self.text[self.at..].chars().next() else {
                return Err("the text ends within a string");
            };
            match c {
                '"' => {
                    self.at += 1;
                    return Ok(out);
                }
                '\\' => out.push(self.escape()?),
                c if c < ' ' => return Err("there is a control character in a string"),
                c => {
                    out.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
    }

    fn escape(&mut self) -> Reading<char> {
        let escapes = [
            ("\\\"", '"'),
            ("\\\\", '\\'),
            ("\\/", '/'),
            ("\\b", '\u{8}'),
            ("\\f", '\u{c}'),
            ("\\n", '\n'),
            ("\\r", '\r'),
            ("\\t", '\t'),
        ];
        for (text, c) in escapes {
            if self.take(text) {
                return Ok(c);
            }
        }
        const WRONG: &str = "this is not an escape of JSON";
        let first = self.unit().ok_or(WRONG)?;
        // Characters beyond the first 65,536 are written as two.
        let code = match first {
            0xd800..0xdc00 => match self.unit() {
                Some(second @ 0xdc00..0xe000) => 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00),
                _ => return Err(WRONG),
            },
            code => code,
        };
        char::from_u32(code).ok_or(WRONG)
    }

    /// The number after `\u`.
    fn unit(&mut self) -> Option<u32> {
        let digits = self.text[self.at..].strip_prefix("\\u")?.get(..4)?;
        let number = digits
            .bytes()
            .all(|b| b.is_ascii_hexdigit())
            .then(|| u32::from_str_radix(digits, 16))?;
        self.at += 6;
        number.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_read_back_as_they_were() {
        let text = "a \"quote\", a \\, a \n, \u{1}, é and 🦀";
        assert_eq!(read(&quoted(text)), Ok(Value::String(text.to_owned())));
        assert_eq!(read(r#""\ud83e\udd80\u00e9\/""#), Ok(Value::String("🦀é/".to_owned())));
    }

    #[test]
    fn values_are_read() {
        let value = read(" {\"a\": [1, -2.5e3, true, null], \"b\": {}, \"a\": [] } ").unwrap();
        assert_eq!(value.as_object().unwrap().get("a"), Some(&Value::List(Vec::new())));
        assert_eq!(read("7").unwrap().as_u32(), Some(7));
        assert_eq!(read("-7").unwrap().as_u32(), None);
        assert_eq!(read("1.5").unwrap().as_u32(), None);
    }

    #[test]
    fn wrong_texts_are_refused_at_their_places() {
        let wrong = |text: &str| {
            let error = read(text).unwrap_err();
            format!("{}:{} {}", error.line, error.column, error.message)
        };
        assert_eq!(wrong("{"), "1:2 the text ends within an object");
        assert_eq!(wrong("{\n  a: 1}"), "2:3 expected the name of a field in quotes");
        assert_eq!(wrong("[1 2]"), "1:4 expected `,` or `]`");
        assert_eq!(wrong("{\"a\" 1}"), "1:6 expected `:`");
        assert_eq!(wrong("é"), "1:1 expected a value");
        assert_eq!(wrong("\"é\\x\""), "1:3 this is not an escape of JSON");
        assert_eq!(wrong("\"\\ud83e\""), "1:8 this is not an escape of JSON");
        assert_eq!(wrong("1-2"), "1:1 this is not a number");
        assert_eq!(wrong("[] x"), "1:4 there is something after the end");
        assert_eq!(wrong("\"a"), "1:3 the text ends within a string");
        assert_eq!(wrong(&"[".repeat(1_000)), "1:102 this is nested too deeply");
    }
}
