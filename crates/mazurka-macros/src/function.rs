//! The parts of a test function.

use crate::Error;
use proc_macro::{Delimiter, Ident, TokenStream, TokenTree};

/// A function without arguments.
pub(crate) struct Function {
    /// Attributes and visibility.
    pub before: TokenStream,
    /// Whether it is `async`.
    pub is_async: bool,
    pub name: Ident,
    /// `-> T`, or nothing.
    pub returns: TokenStream,
    pub body: TokenTree,
}

impl Function {
    /// Takes a function apart.
    pub fn parse(tokens: TokenStream) -> Result<Self, Error> {
        let mut tokens = tokens.into_iter().peekable();
        let mut before = TokenStream::new();
        let mut is_async = false;
        loop {
            let Some(token) = tokens.next() else {
                return Err(Error::new(
                    proc_macro::Span::call_site(),
                    "`#[mazurka::test]` belongs to a function",
                ));
            };
            match (&token, token.to_string().as_str()) {
                (TokenTree::Ident(_), "fn") => break,
                (TokenTree::Ident(_), "async") => is_async = true,
                (TokenTree::Ident(word), "unsafe" | "const" | "extern") => {
                    return Err(Error::new(word.span(), format!("a test cannot be `{word}`")));
                }
                (TokenTree::Ident(word), "struct" | "enum" | "mod" | "impl" | "trait" | "static" | "type" | "use") => {
                    return Err(Error::new(word.span(), "`#[mazurka::test]` belongs to a function"));
                }
                (TokenTree::Group(group), _) if is_test(&group.stream()) => {
                    return Err(Error::new(
                        group.span(),
                        "`#[mazurka::test]` makes the function a test; leave `#[test]` out",
                    ));
                }
                _ => before.extend([token]),
            }
        }
        let Some(TokenTree::Ident(name)) = tokens.next() else {
            return Err(Error::new(proc_macro::Span::call_site(), "expected the name of the function"));
        };
        match tokens.next() {
            Some(TokenTree::Group(arguments)) if arguments.delimiter() == Delimiter::Parenthesis => {
                if !arguments.stream().is_empty() {
                    return Err(Error::new(arguments.span(), "a test has no arguments"));
                }
            }
            other => {
                let at = other.map_or_else(|| name.span(), |token| token.span());
                return Err(Error::new(at, "a test cannot be generic"));
            }
        }
        let mut rest: Vec<TokenTree> = tokens.collect();
        match rest.pop() {
            Some(body) if matches!(&body, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace) => Ok(Function {
                before,
                is_async,
                name,
                returns: rest.into_iter().collect(),
                body,
            }),
            _ => Err(Error::new(name.span(), "a test needs a body")),
        }
    }
}

/// Whether an attribute is `test`, or `…::prelude::v1::test`.
fn is_test(attribute: &TokenStream) -> bool {
    let text = attribute.to_string().replace(' ', "");
    text == "test" || text.ends_with("prelude::v1::test")
}
