//! `inline`: a body of tokens with parameters that are replaced as text, as in SPIN.

use super::{Failed, Parsed, Parser};
use crate::ast::{Stmt, StmtKind, VarRef};
use crate::expansion::Word;
use crate::token::{Token, TokenKind};
use crate::words::counted;
use mazurka_diagnostics::{Diagnostic, Span};
use std::sync::Arc;

/// Inlines calling inlines deeper than this are refused.
const MAX_DEPTH: usize = 40;
/// All expansions together.
const MAX_TOKENS: usize = 2_000_000;

/// A named sequence.
#[derive(Debug)]
pub(crate) struct Inline {
    parameters: Vec<Arc<str>>,
    /// From `{` to `}`.
    body: Vec<Token>,
    defined: Span,
}

impl Parser<'_> {
    pub(super) fn inline_definition(&mut self) -> Parsed<()> {
        self.next();
        let name = self.name("the name of the inline")?;
        self.want("(")?;
        let mut parameters = Vec::new();
        while !self.peek().is(")") {
            parameters.push(self.name("the name of a parameter")?.text);
            if !self.eat(",") {
                break;
            }
        }
        self.want(")")?;
        if !self.peek().is("{") {
            return self.unexpected("`{`");
        }
        let from = self.at;
        self.skip_braces();
        let body = self.tokens[from..self.at].to_vec();
        if !body.last().is_some_and(|t| t.is("}")) {
            return self.unexpected("`}`");
        }
        let inline = Inline {
            parameters,
            body,
            defined: name.span,
        };
        if let Some(old) = self.inlines.insert(name.text.clone(), Arc::new(inline)) {
            self.report(
                Diagnostic::error("duplicate", format!("the inline `{}` is defined twice", name.text))
                    .label(name.span, "defined again here")
                    .label(old.defined, "defined before here"),
            );
        }
        Ok(())
    }

    /// Whether the next tokens call an inline.
    pub(super) fn at_inline_call(&self, offset: usize) -> bool {
        let token = self.peek_at(offset);
        token.kind == TokenKind::Name && self.inlines.contains_key(&token.text) && self.peek_at(offset + 1).is("(")
    }

    /// Reads `name(args)` and the statements it stands for; `target` receives what it returns.
    pub(super) fn inline_call(&mut self, target: Option<VarRef>) -> Parsed<Stmt> {
        let name = self.next();
        let args = self.inline_args()?;
        let span = name.span.to(self.last_span());
        let Some(inline) = self.inlines.get(&name.text).cloned() else {
            return self.unexpected("an inline");
        };
        if args.len() != inline.parameters.len() {
            return self.fail(
                Diagnostic::error(
                    "arguments",
                    format!(
                        "`{}` takes {}, not {}",
                        name.text,
                        counted(inline.parameters.len(), "argument"),
                        args.len()
                    ),
                )
                .label(span, "called here")
                .label(inline.defined, "defined here"),
            );
        }
        if self.expanding.contains(&name.text) || self.expanding.len() >= MAX_DEPTH {
            return self.fail(
                Diagnostic::error("recursive-inline", format!("the inline `{}` calls itself", name.text))
                    .label(span, "called from its own body")
                    .with_help("an inline is replaced by its text; use a proctype for recursion"),
            );
        }
        let mut body = Vec::with_capacity(inline.body.len());
        for token in &inline.body {
            let gap = token.spaced || token.first;
            let place = (token.kind == TokenKind::Name).then(|| inline.parameters.iter().position(|p| *p == token.text));
            match place.flatten() {
                Some(i) => body.extend(args[i].iter().enumerate().map(|(nth, word)| Word {
                    token: word.clone(),
                    parameter: Some(token.span),
                    gap: if nth == 0 { gap } else { word.spaced || word.first },
                })),
                None => body.push(Word {
                    token: token.clone(),
                    parameter: None,
                    gap,
                }),
            }
        }
        self.expanded_tokens += body.len();
        let tokens = match self.expanded_tokens > MAX_TOKENS {
            true => None,
            false => self.expansions.add(self.sources, span, body),
        };
        let Some(mut tokens) = tokens else {
            return self.fail(Diagnostic::error("inline-explosion", "the inlines expand to too much text").label(span, "here"));
        };
        tokens.push(Token {
            kind: TokenKind::End,
            text: "".into(),
            span,
            first: true,
            spaced: true,
        });
        self.expand(name.text, tokens, target, span)
    }

    /// Reads the replaced body in place of the call.
    fn expand(&mut self, name: Arc<str>, tokens: Vec<Token>, target: Option<VarRef>, call: Span) -> Parsed<Stmt> {
        let outer = std::mem::replace(&mut self.tokens, tokens.into());
        let at = std::mem::replace(&mut self.at, 0);
        let returns_to = std::mem::replace(&mut self.returns_to, target);
        self.expanding.push(name);
        let body = self.deeper(|parser| {
            let (body, _) = parser.body()?;
            if parser.at_end() {
                Ok(body)
            } else {
                parser.unexpected("the end of the inline")
            }
        });
        self.expanding.pop();
        self.returns_to = returns_to;
        self.at = at;
        self.tokens = outer;
        match body {
            Ok(body) => Ok(Stmt {
                kind: StmtKind::Block(body),
                span: call,
            }),
            Err(Failed) => Err(Failed),
        }
    }

    /// `(a, b, …)` as pieces of text: commas inside brackets belong to the piece.
    fn inline_args(&mut self) -> Parsed<Vec<Vec<Token>>> {
        self.want("(")?;
        let mut args: Vec<Vec<Token>> = Vec::new();
        let mut current = Vec::new();
        let mut depth = 0usize;
        loop {
            if self.at_end() {
                return self.unexpected("`)`");
            }
            let token = self.next();
            if depth == 0 && token.is(")") {
                break;
            }
            if depth == 0 && token.is(",") {
                args.push(std::mem::take(&mut current));
                continue;
            }
            if token.is("(") || token.is("[") || token.is("{") {
                depth += 1;
            } else if token.is(")") || token.is("]") || token.is("}") {
                depth = depth.saturating_sub(1);
            }
            current.push(token);
        }
        if !(args.is_empty() && current.is_empty()) {
            args.push(current);
        }
        Ok(args)
    }
}
