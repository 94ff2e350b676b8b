//! What a text declares, found by its form, so that it is known while the text does not parse; and where a name comes from.

use crate::Language;
use crate::tokens::{Token, tokens, word_at};
use std::ops::Range;

/// What is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A module.
    Module,
    /// A class, an interface, a record.
    Type,
    /// A process, a proctype.
    Process,
    /// A function, a method, an inline, a macro.
    Function,
    /// A constant, a constructor, a message type.
    Constant,
    /// A variable, a field, a channel, a parameter.
    Variable,
    /// A label.
    Label,
}

/// A name that is declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// The name.
    pub name: String,
    /// As what.
    pub kind: Kind,
    /// Where the name begins, in bytes.
    pub start: usize,
    /// The text in which it is known.
    pub scope: Range<usize>,
    /// The line of text that declares it, with its type.
    pub line: String,
    /// How deep it is inside of others: 0 is known everywhere.
    pub depth: usize,
}

impl Declaration {
    /// Where the name is.
    pub fn name_range(&self) -> Range<usize> {
        self.start..self.start + self.name.len()
    }
}

/// Everything that the text declares, in its order.
pub fn declarations(language: Language, text: &str) -> Vec<Declaration> {
    let tokens = tokens(text);
    let mut finder = Finder {
        text,
        tokens: &tokens,
        found: Vec::new(),
    };
    match language {
        Language::Litmus => finder.litmus(),
        Language::Abs => finder.abs(),
        Language::Promela => finder.promela(),
    }
    finder.found.sort_by_key(|d| d.start);
    finder.found.dedup_by_key(|d| d.start);
    finder.found
}

/// Where the name at a place of the text is declared: of several, the innermost.
pub fn definition(language: Language, text: &str, at: usize) -> Option<Declaration> {
    let all = tokens(text);
    let word = word_at(&all, at)?;
    let mut known: Vec<Declaration> = declarations(language, text);
    known.retain(|d| d.name == word.text);
    let inside = |d: &&Declaration| d.scope.contains(&word.start) || d.start == word.start;
    let innermost = known.iter().filter(inside).min_by_key(|d| (d.start != word.start, d.scope.len()));
    // The field of another class, the method of another object: known by its name only.
    innermost.or(known.first()).cloned()
}

/// What there is to say about the name at a place of the text: the line that declares it, and the comment above that.
pub fn hover(language: Language, text: &str, at: usize) -> Option<String> {
    let declared = definition(language, text, at)?;
    let mut above: Vec<&str> = Vec::new();
    let line_start = text[..declared.start].rfind('\n').map_or(0, |n| n + 1);
    for line in text[..line_start].lines().rev() {
        match line.trim().strip_prefix("//") {
            Some(comment) => above.push(comment.trim()),
            None => break,
        }
    }
    above.reverse();
    let mut said = declared.line;
    if !above.is_empty() {
        said.push('\n');
        said.push_str(&above.join("\n"));
    }
    Some(said)
}

struct Finder<'t> {
    text: &'t str,
    tokens: &'t [Token<'t>],
    found: Vec<Declaration>,
}

impl<'t> Finder<'t> {
    fn text(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |t| t.text)
    }

    fn is_word(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(Token::is_word)
    }

    /// Where the bracket that opens at `at` is closed; the end of the text if nowhere.
    fn closing(&self, at: usize) -> usize {
        let mut depth = 0usize;
        for (place, token) in self.tokens.iter().enumerate().skip(at) {
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return place;
                    }
                }
                _ => {}
            }
        }
        self.tokens.len().saturating_sub(1)
    }

    /// The first of these signs at or after `at`, outside of brackets.
    fn next(&self, at: usize, signs: &[&str]) -> Option<usize> {
        let mut place = at;
        while place < self.tokens.len() {
            let text = self.text(place);
            if signs.contains(&text) {
                return Some(place);
            }
            place = if matches!(text, "(" | "[" | "{") {
                self.closing(place) + 1
            } else {
                place + 1
            };
        }
        None
    }

    fn end_of(&self, token: usize) -> usize {
        self.tokens.get(token).map_or(self.text.len(), |t| t.range().end)
    }

    fn add(&mut self, at: usize, kind: Kind, scope: Range<usize>, depth: usize) {
        let Some(token) = self.tokens.get(at).filter(|t| t.is_word()) else {
            return;
        };
        let from = self.text[..token.start].rfind('\n').map_or(0, |n| n + 1);
        let to = self.text[token.start..].find('\n').map_or(self.text.len(), |n| token.start + n);
        self.found.push(Declaration {
            name: token.text.to_owned(),
            kind,
            start: token.start,
            scope,
            line: self.text[from..to].trim().to_owned(),
            depth,
        });
    }

    fn everywhere(&self) -> Range<usize> {
        0..self.text.len() + 1
    }

    fn litmus(&mut self) {
        let (mut at, whole) = (0, self.everywhere());
        while at < self.tokens.len() {
            match self.text(at) {
                word @ ("const" | "init") => {
                    let kind = if word == "const" { Kind::Constant } else { Kind::Variable };
                    let end = self.next(at, &[";"]).unwrap_or(self.tokens.len());
                    let mut name = at + 1;
                    while name < end {
                        self.add(name, kind, whole.clone(), 0);
                        name = self.next(name, &[",", ";"]).map_or(end, |comma| comma + 1);
                    }
                    at = end + 1;
                }
                _ if self.is_word(at) => at = self.litmus_process(at),
                _ => at += 1,
            }
        }
    }

    /// A process: its name, its parameters, its steps up to the next process.
    fn litmus_process(&mut self, at: usize) -> usize {
        let mut head = at + 1;
        let parameters = head + 1;
        if matches!(self.text(head), "(" | "[") {
            head = self.closing(head) + 1;
        }
        if self.text(head) != ":" {
            return at + 1;
        }
        let mut end = head + 1;
        while matches!(self.text(end), "#" | "[") {
            end = if self.text(end) == "#" { end + 2 } else { self.closing(end) + 1 };
        }
        let scope = self.tokens[at].start..self.end_of(end.saturating_sub(1));
        let whole = self.everywhere();
        self.add(at, Kind::Process, whole, 0);
        let mut parameter = parameters;
        while parameter + 1 < head {
            self.add(parameter, Kind::Variable, scope.clone(), 1);
            parameter = match self.next(parameter, &[","]) {
                Some(comma) if comma < head => comma + 1,
                _ => head,
            };
        }
        for place in head..end {
            if self.text(place) == "#" {
                self.add(place + 1, Kind::Label, scope.clone(), 1);
            } else if self.is_word(place) && self.text(place + 1) == "=" && matches!(self.text(place - 1), "[" | ";" | "{") {
                // Names of one letter are locals that nobody declares; the first assignment stands for it.
                let local = self.text(place).trim_end_matches(|c: char| c.is_ascii_digit()).chars().count() == 1;
                let known = |d: &Declaration| d.name == self.text(place) && (d.depth == 0 || d.scope == scope);
                if local && !self.found.iter().any(known) {
                    self.add(place, Kind::Variable, scope.clone(), 1);
                }
            }
        }
        end.max(at + 1)
    }

    fn abs(&mut self) {
        let whole = self.everywhere();
        // Who is inside of what: the tokens at which the enclosing blocks end.
        let mut blocks: Vec<usize> = Vec::new();
        // What belongs to the block that opens next: parameters.
        for at in 0..self.tokens.len() {
            blocks.retain(|&end| at <= end);
            let depth = blocks.len();
            let scope = match blocks.last() {
                Some(&end) => self.opening_of(end)..self.end_of(end),
                None => whole.clone(),
            };
            match self.text(at) {
                "{" => blocks.push(self.closing(at)),
                "module" => self.add(at + 1, Kind::Module, whole.clone(), 0),
                "interface" | "type" => self.add(at + 1, Kind::Type, whole.clone(), 0),
                "class" => {
                    self.add(at + 1, Kind::Type, whole.clone(), 0);
                    let end = self.body_end(at);
                    self.parameters(at + 2, self.tokens[at].start..self.end_of(end));
                }
                "data" => {
                    self.add(at + 1, Kind::Type, whole.clone(), 0);
                    let end = self.next(at, &[";"]).unwrap_or(at);
                    let mut constructor = self.next(at, &["="]).filter(|equals| *equals < end).map(|equals| equals + 1);
                    while let Some(name) = constructor {
                        self.add(name, Kind::Constant, whole.clone(), 1);
                        constructor = self.next(name, &["|"]).filter(|bar| *bar < end).map(|bar| bar + 1);
                    }
                }
                "def" => {
                    if let Some(open) = (at..self.tokens.len()).find(|&place| self.text(place) == "(") {
                        let name = self.before_type_parameters(open);
                        self.add(name, Kind::Function, whole.clone(), 0);
                        let end = self.next(at, &[";"]).unwrap_or(open);
                        self.parameters(open, self.tokens[at].start..self.end_of(end));
                    }
                }
                _ => self.abs_typed(at, scope, depth),
            }
        }
    }

    /// `Type name` in front of `=`, `;` or `(`: a variable, a field or a method.
    fn abs_typed(&mut self, at: usize, scope: Range<usize>, depth: usize) {
        let is_type = self.is_word(at) && self.text(at).starts_with(char::is_uppercase) || self.text(at) == ">";
        if !is_type || !self.is_word(at + 1) || !self.text(at + 1).starts_with(char::is_lowercase) {
            return;
        }
        match self.text(at + 2) {
            "(" => {
                let close = self.closing(at + 2);
                if matches!(self.text(close + 1), "{" | ";") {
                    self.add(at + 1, Kind::Function, scope, depth);
                    let end = if self.text(close + 1) == "{" {
                        self.closing(close + 1)
                    } else {
                        close
                    };
                    self.parameters(at + 2, self.tokens[at].start..self.end_of(end));
                }
            }
            "=" | ";" => self.add(at + 1, Kind::Variable, scope, depth),
            "in" => self.add(at + 1, Kind::Variable, scope, depth),
            _ => {}
        }
    }

    /// The parameters in the brackets at `open`, if there are any: the last word before each comma.
    fn parameters(&mut self, open: usize, scope: Range<usize>) {
        if self.text(open) != "(" {
            return;
        }
        let close = self.closing(open);
        for at in open + 1..close {
            if self.is_word(at) && (self.is_word(at - 1) || self.text(at - 1) == ">") && matches!(self.text(at + 1), "," | ")" | ";") {
                self.add(at, Kind::Variable, scope.clone(), 2);
            }
        }
    }

    /// The end of the block that begins after `at`.
    fn body_end(&self, at: usize) -> usize {
        match self.next(at, &["{"]) {
            Some(open) => self.closing(open),
            None => self.tokens.len().saturating_sub(1),
        }
    }

    fn before_type_parameters(&self, open: usize) -> usize {
        let mut at = open.saturating_sub(1);
        if self.text(at) == ">" {
            while at > 0 && self.text(at) != "<" {
                at -= 1;
            }
            at = at.saturating_sub(1);
        }
        at
    }

    /// Where the block that is closed at a token was opened, in bytes.
    fn opening_of(&self, close: usize) -> usize {
        let mut depth = 0usize;
        for at in (0..=close.min(self.tokens.len().saturating_sub(1))).rev() {
            match self.text(at) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return self.tokens[at].start;
                    }
                }
                _ => {}
            }
        }
        0
    }

    fn promela(&mut self) {
        const TYPES: [&str; 10] = ["bit", "bool", "byte", "short", "int", "unsigned", "pid", "chan", "mtype", "local"];
        let whole = self.everywhere();
        let mut blocks: Vec<usize> = Vec::new();
        let mut types: Vec<&str> = TYPES.to_vec();
        for at in 0..self.tokens.len() {
            blocks.retain(|&end| at <= end);
            let (depth, scope) = match blocks.first() {
                Some(&end) => (1, self.opening_of(end)..self.end_of(end)),
                None => (0, whole.clone()),
            };
            match self.text(at) {
                "{" => blocks.push(self.closing(at)),
                word @ ("proctype" | "inline") => {
                    let kind = if word == "proctype" { Kind::Process } else { Kind::Function };
                    self.add(at + 1, kind, whole.clone(), 0);
                    let end = self.body_end(at);
                    let inner = self.tokens[at].start..self.end_of(end);
                    let close = self.closing(at + 2);
                    for place in at + 3..close {
                        if self.is_word(place) && matches!(self.text(place + 1), "," | ")" | ";") {
                            self.add(place, Kind::Variable, inner.clone(), 1);
                        }
                    }
                }
                "define" if at > 0 && self.text(at - 1) == "#" => self.add(at + 1, Kind::Function, whole.clone(), 0),
                "ltl" => self.add(at + 1, Kind::Function, whole.clone(), 0),
                "typedef" => {
                    self.add(at + 1, Kind::Type, whole.clone(), 0);
                    types.push(self.text(at + 1));
                }
                "mtype" if matches!(self.text(at + 1), "=" | "{") => {
                    let open = if self.text(at + 1) == "{" { at + 1 } else { at + 2 };
                    for place in open + 1..self.closing(open) {
                        self.add(place, Kind::Constant, whole.clone(), 0);
                    }
                }
                word if types.contains(&word) && self.is_word(at + 1) => {
                    // `chan c = [2] of { byte }, d; ` declares c and d.
                    let end = self.next(at, &[";", "-", "}", ")"]).unwrap_or(self.tokens.len());
                    let mut name = at + 1;
                    while name < end {
                        self.add(name, Kind::Variable, scope.clone(), depth);
                        name = match self.next(name, &[","]) {
                            Some(comma) if comma < end => comma + 1,
                            _ => end,
                        };
                    }
                }
                _ if self.is_word(at) && self.text(at + 1) == ":" && self.text(at + 2) != ":" && depth > 0 => {
                    if matches!(self.text(at.wrapping_sub(1)), "{" | ";" | "}" | ">" | ":") {
                        self.add(at, Kind::Label, scope, 1);
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(language: Language, text: &str) -> Vec<(String, Kind, usize)> {
        let all = declarations(language, text).into_iter();
        all.map(|d| (d.name, d.kind, d.depth)).collect()
    }

    fn named(list: &[(&str, Kind, usize)]) -> Vec<(String, Kind, usize)> {
        list.iter().map(|(name, kind, depth)| ((*name).to_owned(), *kind, *depth)).collect()
    }

    /// Where the name at the mark `^` in the line below is declared, as `line: name`.
    fn from(language: Language, text: &str, word: &str, nth: usize) -> Option<(usize, String)> {
        let at = text.match_indices(word).nth(nth).expect("the word occurs").0;
        let found = definition(language, text, at)?;
        Some((text[..found.start].matches('\n').count() + 1, found.line))
    }

    #[test]
    fn shared_variable_programs() {
        let text =
            "// how many\nconst N=3;\ninit fork[N], x=1;\nphilosopher[id<N]:#top[lock fork[id]; l=x]\n  [x=l; goto top]\nk(n):[x=n]\n";
        assert_eq!(
            names(Language::Litmus, text),
            named(&[
                ("N", Kind::Constant, 0),
                ("fork", Kind::Variable, 0),
                ("x", Kind::Variable, 0),
                ("philosopher", Kind::Process, 0),
                ("id", Kind::Variable, 1),
                ("top", Kind::Label, 1),
                ("l", Kind::Variable, 1),
                ("k", Kind::Process, 0),
                ("n", Kind::Variable, 1),
            ])
        );
        assert_eq!(from(Language::Litmus, text, "top", 1).map(|(line, _)| line), Some(4));
        assert_eq!(
            hover(Language::Litmus, text, text.find("N]").unwrap()).as_deref(),
            Some("const N=3;\nhow many")
        );
    }

    #[test]
    fn abs_models() {
        let text = "module M;\ndata Colour = Red | Blue(Int n);\ndef Int twice(Int n) = n + n;\ninterface Fork { Unit take(Int who); }\n\
                    class Fork(Int size) implements Fork {\n  Bool free = True;\n  Unit take(Int who) {\n    await free;\n    free = False;\n  }\n}\n\
                    {\n  Fork f = new Fork(1);\n  Fut<Unit> t = f!take(2);\n}\n";
        let all = names(Language::Abs, text);
        for (name, kind) in [
            ("M", Kind::Module),
            ("Colour", Kind::Type),
            ("Blue", Kind::Constant),
            ("twice", Kind::Function),
            ("free", Kind::Variable),
            ("take", Kind::Function),
            ("f", Kind::Variable),
            ("t", Kind::Variable),
            ("size", Kind::Variable),
        ] {
            assert!(all.iter().any(|(n, k, _)| n == name && *k == kind), "{name} {kind:?}: {all:?}");
        }
        assert_eq!(from(Language::Abs, text, "free", 2), Some((6, "Bool free = True;".to_owned())));
        assert_eq!(
            from(Language::Abs, text, "n + n", 0).map(|(line, _)| line),
            Some(3),
            "not that of Blue"
        );
    }

    #[test]
    fn promela_models() {
        let text = "#define N 2\nmtype = { ping, pong };\ntypedef Pair { byte left }\nchan c = [1] of { byte }, d = [0] of { mtype };\nbyte x;\n\
                    active [N] proctype p(byte me) {\n  byte x;\nagain: x = me; goto again\n}\ninline reset() { x = 0 }\n";
        let all = names(Language::Promela, text);
        for (name, kind) in [
            ("N", Kind::Function),
            ("pong", Kind::Constant),
            ("Pair", Kind::Type),
            ("c", Kind::Variable),
            ("d", Kind::Variable),
            ("p", Kind::Process),
            ("me", Kind::Variable),
            ("again", Kind::Label),
            ("reset", Kind::Function),
        ] {
            assert!(all.iter().any(|(n, k, _)| n == name && *k == kind), "{name} {kind:?}: {all:?}");
        }
        assert_eq!(
            from(Language::Promela, text, "x = me", 0).map(|(line, _)| line),
            Some(7),
            "the inner one"
        );
        assert_eq!(
            from(Language::Promela, text, "x = 0", 0).map(|(line, _)| line),
            Some(5),
            "the outer one"
        );
    }

    #[test]
    fn no_text_is_too_strange() {
        for text in [
            "",
            "{",
            "}",
            "const",
            "init x",
            "p[",
            "p:",
            "p:#",
            "data",
            "def",
            "class",
            "def (",
            "proctype",
            "mtype = {",
            "int",
            "chan c = [",
            ")",
            "ä:ö",
        ] {
            for language in [Language::Litmus, Language::Abs, Language::Promela] {
                for at in 0..=text.len() {
                    let _ = hover(language, text, at);
                }
            }
        }
    }
}
