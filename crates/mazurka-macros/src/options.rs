//! The options of the attribute.

use crate::Error;
use proc_macro::{Literal, Span, TokenStream, TokenTree};

/// What the attribute says.
pub(crate) struct Options {
    /// Calls of methods of `Check`, as text.
    pub calls: String,
    /// Those that come after all others.
    pub last_calls: String,
    /// The time, as an expression of type `Option<Duration>`.
    pub time: String,
    /// Whether a limit was named.
    pub limited: bool,
    /// Whether everything must be covered all the same.
    pub complete: bool,
    /// The path of `mazurka`.
    pub krate: TokenStream,
}

/// What kind of value an option has.
#[derive(Clone, Copy, PartialEq)]
enum Value {
    None,
    Count,
    Seconds,
    Text,
    Path,
}

/// Every option, with its value and an example.
const KNOWN: [(&str, Value, &str); 17] = [
    ("seconds", Value::Seconds, "seconds = 60"),
    ("executions", Value::Count, "executions = 10_000"),
    ("depth", Value::Count, "depth = 1_000"),
    ("algorithm", Value::Text, "algorithm = \"source\""),
    ("model", Value::Text, "model = \"rc11\""),
    ("preemptions", Value::Count, "preemptions = 2"),
    ("delays", Value::Count, "delays = 2"),
    ("random", Value::Count, "random = 10_000"),
    ("pct", Value::Count, "pct = 10_000"),
    ("pos", Value::Count, "pos = 10_000"),
    ("urw", Value::Count, "urw = 10_000"),
    ("seed", Value::Count, "seed = 7"),
    ("complete", Value::None, "complete"),
    ("ignore_deadlocks", Value::None, "ignore_deadlocks"),
    ("allow_panics", Value::None, "allow_panics"),
    ("keep_going", Value::None, "keep_going"),
    ("crate", Value::Path, "crate = ::mazurka"),
];

impl Options {
    /// Of the tokens between the parentheses.
    pub fn parse(tokens: TokenStream) -> Result<Self, Error> {
        let mut options = Options {
            calls: String::new(),
            last_calls: String::new(),
            time: "::core::option::Option::None".to_owned(),
            limited: false,
            complete: false,
            krate: path("::mazurka"),
        };
        let mut seen: Vec<String> = Vec::new();
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for part in tokens.split(|token| is_punct(token, ',')).filter(|part| !part.is_empty()) {
            let name = part[0].to_string();
            let Some((_, value, example)) = KNOWN.iter().find(|(known, ..)| *known == name) else {
                let names: Vec<String> = KNOWN.iter().map(|(known, ..)| format!("`{known}`")).collect();
                return Err(Error::new(
                    part[0].span(),
                    format!("`#[mazurka::test]` has no option `{name}`; expected one of {}", names.join(", ")),
                ));
            };
            if seen.contains(&name) {
                return Err(Error::new(part[0].span(), format!("`{name}` is given twice")));
            }
            let wrong = || Error::new(span_of(part), format!("expected `{example}`"));
            match (value, part) {
                (Value::None, [_]) => options.flag(&name),
                (Value::Path, [_, equals, path @ ..]) if is_punct(equals, '=') && !path.is_empty() => {
                    options.krate = path.iter().cloned().collect();
                }
                (_, [_, equals, TokenTree::Literal(literal)]) if is_punct(equals, '=') => {
                    options.value(&name, *value, literal).ok_or_else(wrong)?;
                }
                _ => return Err(wrong()),
            }
            seen.push(name);
        }
        let given = |names: &[&str]| seen.iter().filter(|name| names.contains(&name.as_str())).count();
        let drawn = given(&["random", "pct", "pos", "urw"]);
        if drawn + given(&["preemptions", "delays", "algorithm", "model"]) > 1 {
            return Err(Error::new(
                Span::call_site(),
                "`random`, `pct`, `pos`, `urw`, `preemptions`, `delays`, `algorithm` and `model` exclude each other",
            ));
        }
        if drawn == 0 && given(&["seed"]) > 0 {
            return Err(Error::new(
                Span::call_site(),
                "`seed` says which random executions are run; add `random`, `pct`, `pos` or `urw`",
            ));
        }
        Ok(options)
    }

    fn flag(&mut self, name: &str) {
        match name {
            "complete" => self.complete = true,
            method => self.calls.push_str(&format!(".{method}()")),
        }
    }

    /// `None` if the literal is no such value.
    fn value(&mut self, name: &str, value: Value, literal: &Literal) -> Option<()> {
        let text = literal.to_string();
        let digits = text.replace('_', "");
        self.limited |= !["algorithm", "model"].contains(&name);
        match value {
            Value::Count => {
                let count: u64 = digits.parse().ok()?;
                let least = u64::from(["random", "pct", "pos", "urw"].contains(&name));
                (count >= least).then_some(())?;
                match name {
                    "depth" => self.calls.push_str(&format!(".max_depth({count})")),
                    "executions" => self.calls.push_str(&format!(".max_executions({count})")),
                    // A usual depth, as on the command line.
                    "pct" => self.calls.push_str(&format!(".pct({count}, 3)")),
                    // It is about the executions that another option asks for, wherever that comes.
                    "seed" => self.last_calls.push_str(&format!(".seed({count})")),
                    method => self.calls.push_str(&format!(".{method}({count})")),
                }
            }
            Value::Seconds => {
                let seconds: f64 = digits.parse().ok().filter(|s| (0.0..1e15).contains(s))?;
                let time = format!("::core::time::Duration::from_millis({})", (seconds * 1e3) as u64);
                self.calls.push_str(&format!(".timeout({time})"));
                self.time = format!("::core::option::Option::Some({time})");
            }
            Value::Text => {
                text.starts_with('"').then_some(())?;
                self.calls.push_str(&format!(".{name}({text})"));
            }
            Value::None | Value::Path => return None,
        }
        Some(())
    }
}

fn is_punct(token: &TokenTree, c: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == c)
}

/// Where some tokens are, as well as stable compilers can tell.
fn span_of(tokens: &[TokenTree]) -> Span {
    tokens.last().map_or_else(Span::call_site, TokenTree::span)
}

fn path(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}
