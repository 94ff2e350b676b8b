//! Macro definitions and their expansion.
//!
//! Expansion is Prosser's algorithm: a token remembers the macros it came from and is not expanded by them again, so it always ends.

use crate::lexer;
use crate::token::{Token, TokenKind};
use crate::words::counted;
use mazurka_diagnostics::{Diagnostic, Diagnostics, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// More tokens than this from one expansion are an explosion, not a model.
const MAX_TOKENS: usize = 2_000_000;
/// Macro calls nested in arguments of macro calls.
const MAX_DEPTH: usize = 100;

/// What a macro stands for.
#[derive(Clone, Debug)]
pub struct Macro {
    /// `None` for a macro without parentheses.
    parameters: Option<Vec<Arc<str>>>,
    body: Vec<Token>,
    defined: Span,
}

impl Macro {
    /// A macro without parameters.
    pub fn object(body: Vec<Token>, defined: Span) -> Self {
        Macro {
            parameters: None,
            body,
            defined,
        }
    }

    /// The macro of a `#define` line, given what follows its name.
    pub fn parse(line: &[Token], defined: Span) -> Result<Self, (Span, String)> {
        if !line.first().is_some_and(|t| t.is("(") && !t.spaced) {
            return Ok(Macro::object(line.to_vec(), defined));
        }
        let mut parameters: Vec<Arc<str>> = Vec::new();
        let mut i = 1;
        loop {
            let Some(token) = line.get(i) else {
                return Err((defined, "the parameter list of this macro is not closed".into()));
            };
            if token.is(")") && parameters.is_empty() {
                break;
            }
            if token.kind != TokenKind::Name {
                return Err((token.span, format!("expected the name of a parameter, found `{}`", token.text)));
            }
            parameters.push(token.text.clone());
            match line.get(i + 1) {
                Some(t) if t.is(",") => i += 2,
                Some(t) if t.is(")") => {
                    i += 1;
                    break;
                }
                Some(t) => return Err((t.span, format!("expected `,` or `)`, found `{}`", t.text))),
                None => return Err((defined, "the parameter list of this macro is not closed".into())),
            }
        }
        Ok(Macro {
            parameters: Some(parameters),
            body: line[i + 1..].to_vec(),
            defined,
        })
    }
}

/// The macros that a token may no longer be expanded by.
#[derive(Debug)]
struct Hidden {
    name: Arc<str>,
    rest: Option<Arc<Hidden>>,
}

type HideSet = Option<Arc<Hidden>>;

fn hides(mut set: &HideSet, name: &str) -> bool {
    while let Some(hidden) = set {
        if &*hidden.name == name {
            return true;
        }
        set = &hidden.rest;
    }
    false
}

/// All macros known at a point of the text.
#[derive(Debug, Default)]
pub struct Macros {
    table: FxHashMap<Arc<str>, Macro>,
    /// Given from outside; the text cannot change them.
    pinned: FxHashSet<Arc<str>>,
    exploded: bool,
}

impl Macros {
    /// Defines a macro that the text cannot redefine.
    pub fn pin(&mut self, name: &str, value: Macro) {
        self.table.insert(name.into(), value);
        self.pinned.insert(name.into());
    }

    /// Defines a macro; another meaning than before is worth a warning.
    pub fn define(&mut self, name: &Arc<str>, value: Macro, diagnostics: &mut Diagnostics) {
        if self.pinned.contains(name) {
            return;
        }
        if let Some(old) = self.table.get(name) {
            let same = |a: &[Token], b: &[Token]| a.iter().map(|t| &t.text).eq(b.iter().map(|t| &t.text));
            if !same(&old.body, &value.body) || old.parameters != value.parameters {
                diagnostics.push(
                    Diagnostic::warning("redefined-macro", format!("the macro `{name}` gets another meaning"))
                        .label(value.defined, "defined again here")
                        .label(old.defined, "defined before here"),
                );
            }
        }
        self.table.insert(name.clone(), value);
    }

    /// Forgets a macro.
    pub fn remove(&mut self, name: &str) {
        if !self.pinned.contains(name) {
            self.table.remove(name);
        }
    }

    /// Whether the name is a macro now.
    pub fn is_defined(&self, name: &str) -> bool {
        self.table.contains_key(name)
    }

    /// The tokens with all macro calls replaced.
    pub fn expand(&mut self, tokens: Vec<Token>, diagnostics: &mut Diagnostics) -> Vec<Token> {
        if self.table.is_empty() {
            return tokens;
        }
        let input = tokens.into_iter().map(|t| (t, None)).collect();
        let mut budget = MAX_TOKENS;
        let out = self.expand_list(input, &mut budget, 0, diagnostics);
        out.into_iter().map(|(t, _)| t).collect()
    }

    fn explosion(&mut self, at: &Token, diagnostics: &mut Diagnostics) {
        if !self.exploded {
            self.exploded = true;
            diagnostics.push(
                Diagnostic::error(
                    "macro-explosion",
                    format!("expanding the macro `{}` does not come to an end", at.text),
                )
                .label(at.span, "")
                .with_note(format!("more than {MAX_TOKENS} tokens, or calls nested deeper than {MAX_DEPTH}")),
            );
        }
    }

    fn expand_list(
        &mut self,
        mut input: Vec<(Token, HideSet)>,
        budget: &mut usize,
        depth: usize,
        diagnostics: &mut Diagnostics,
    ) -> Vec<(Token, HideSet)> {
        input.reverse();
        let mut out = Vec::new();
        while let Some((token, hide)) = input.pop() {
            let known = token.kind == TokenKind::Name && !hides(&hide, &token.text) && self.table.contains_key(&token.text);
            if !known || self.exploded {
                out.push((token, hide));
                continue;
            }
            let definition = self.table[&token.text].clone();
            let arguments = match &definition.parameters {
                None => Vec::new(),
                Some(_) if !input.last().is_some_and(|(t, _)| t.is("(")) => {
                    out.push((token, hide));
                    continue;
                }
                Some(parameters) => match take_arguments(&mut input, parameters.len()) {
                    Ok(arguments) => arguments,
                    Err(message) => {
                        diagnostics.push(
                            Diagnostic::error("macro-call", format!("{message} in the call of macro `{}`", token.text))
                                .label(token.span, "called here")
                                .label(definition.defined, "defined here"),
                        );
                        continue;
                    }
                },
            };
            if depth >= MAX_DEPTH {
                self.explosion(&token, diagnostics);
                continue;
            }
            let hide = Some(Arc::new(Hidden {
                name: token.text.clone(),
                rest: hide,
            }));
            let mut body = self.substitute(&definition, &arguments, token.span, &hide, budget, depth, diagnostics);
            // What a call at the start of a line stands for starts a line too.
            for (i, (t, _)) in body.iter_mut().enumerate() {
                t.first = i == 0 && token.first;
            }
            if body.len() > *budget {
                self.explosion(&token, diagnostics);
                continue;
            }
            *budget -= body.len();
            input.extend(body.into_iter().rev());
        }
        out
    }

    /// The body with its parameters replaced; all of it stands where the macro was called.
    #[allow(clippy::too_many_arguments)]
    fn substitute(
        &mut self,
        definition: &Macro,
        arguments: &[Vec<(Token, HideSet)>],
        call: Span,
        hide: &HideSet,
        budget: &mut usize,
        depth: usize,
        diagnostics: &mut Diagnostics,
    ) -> Vec<(Token, HideSet)> {
        let no_parameters = Vec::new();
        let parameters = definition.parameters.as_ref().unwrap_or(&no_parameters);
        let argument = |token: &Token| {
            let place = (token.kind == TokenKind::Name).then(|| parameters.iter().position(|p| *p == token.text))?;
            place.and_then(|i| arguments.get(i))
        };
        let mut expanded: Vec<Option<Vec<(Token, HideSet)>>> = vec![None; arguments.len()];
        let mut out: Vec<(Token, HideSet)> = Vec::new();
        let body = &definition.body;
        let mut i = 0;
        while i < body.len() {
            let token = &body[i];
            let pasted = i > 0 && body[i - 1].is("##") || body.get(i + 1).is_some_and(|t| t.is("##"));
            if token.is("##") {
                let next = body.get(i + 1).map_or_else(Vec::new, |t| match argument(t) {
                    Some(raw) => raw.clone(),
                    None => vec![(moved(t, call), hide.clone())],
                });
                paste(&mut out, next, call);
                i += 2;
                continue;
            }
            if token.is("#") && body.get(i + 1).is_some_and(|t| argument(t).is_some()) {
                let raw = body.get(i + 1).and_then(argument).map_or(&[][..], Vec::as_slice);
                let words: Vec<&str> = raw.iter().map(|(t, _)| &*t.text).collect();
                let text = format!("\"{}\"", words.join(" ").replace('"', "\\\""));
                out.push((
                    Token {
                        kind: TokenKind::Text,
                        text: text.into(),
                        span: call,
                        first: false,
                        spaced: true,
                    },
                    hide.clone(),
                ));
                i += 2;
                continue;
            }
            match parameters.iter().position(|p| token.kind == TokenKind::Name && *p == token.text) {
                Some(place) if place < arguments.len() => {
                    let tokens = if pasted {
                        arguments[place].clone()
                    } else {
                        if expanded[place].is_none() {
                            let list = self.expand_list(arguments[place].clone(), budget, depth + 1, diagnostics);
                            expanded[place] = Some(list);
                        }
                        expanded[place].clone().unwrap_or_default()
                    };
                    out.extend(tokens);
                }
                _ => out.push((moved(token, call), hide.clone())),
            }
            if out.len() > *budget {
                return out;
            }
            i += 1;
        }
        out
    }
}

fn moved(token: &Token, call: Span) -> Token {
    Token {
        span: call,
        first: false,
        ..token.clone()
    }
}

/// Joins the last token of `out` with the first of `next` into one word.
fn paste(out: &mut Vec<(Token, HideSet)>, mut next: Vec<(Token, HideSet)>, call: Span) {
    if let (Some((left, hide)), false) = (out.pop(), next.is_empty()) {
        let (right, _) = next.remove(0);
        let joined = format!("{}{}", left.text, right.text);
        let mut tokens = lexer::tokens(&joined, 0, &mut Diagnostics::new());
        tokens.pop();
        out.extend(tokens.iter().map(|t| (moved(t, call), hide.clone())));
    }
    out.extend(next);
}

/// Takes `( a, b, … )` from the end of the reversed input.
fn take_arguments(input: &mut Vec<(Token, HideSet)>, expected: usize) -> Result<Vec<Vec<(Token, HideSet)>>, String> {
    input.pop();
    let mut arguments = vec![Vec::new()];
    let mut depth = 0usize;
    loop {
        let Some((token, hide)) = input.pop() else {
            return Err("`)` is missing".into());
        };
        if token.is(")") && depth == 0 {
            break;
        }
        if token.is(",") && depth == 0 {
            arguments.push(Vec::new());
            continue;
        }
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            depth -= 1;
        }
        if let Some(last) = arguments.last_mut() {
            last.push((token, hide));
        }
    }
    if expected == 0 && arguments.len() == 1 && arguments[0].is_empty() {
        arguments.clear();
    }
    if arguments.len() != expected {
        return Err(format!("{} instead of {expected}", counted(arguments.len(), "argument")));
    }
    Ok(arguments)
}
