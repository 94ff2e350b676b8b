//! Code from text with holes.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// The tokens of a text, in which some words stand for other tokens.
pub(crate) struct Template {
    holes: Vec<(String, TokenStream)>,
}

impl Template {
    /// Without holes.
    pub fn new() -> Self {
        Template { holes: Vec::new() }
    }

    /// This word stands for these tokens.
    pub fn hole(mut self, word: impl Into<String>, tokens: TokenStream) -> Self {
        self.holes.push((word.into(), tokens));
        self
    }

    /// This word stands for an expression, which stays one.
    pub fn expression(self, word: impl Into<String>, tokens: TokenStream) -> Self {
        let group = TokenTree::from(Group::new(Delimiter::None, tokens));
        self.hole(word, group.into())
    }

    /// The tokens of a text.
    pub fn fill(&self, text: &str) -> TokenStream {
        self.replace(text.parse().unwrap_or_default())
    }

    fn replace(&self, tokens: TokenStream) -> TokenStream {
        let mut out = TokenStream::new();
        for token in tokens {
            match &token {
                TokenTree::Ident(word) => {
                    let word = word.to_string();
                    match self.holes.iter().find(|(name, _)| *name == word) {
                        Some((_, tokens)) => out.extend(tokens.clone()),
                        None => out.extend([token]),
                    }
                }
                TokenTree::Group(group) => {
                    let mut filled = Group::new(group.delimiter(), self.replace(group.stream()));
                    filled.set_span(group.span());
                    out.extend([TokenTree::from(filled)]);
                }
                _ => out.extend([token]),
            }
        }
        out
    }
}
