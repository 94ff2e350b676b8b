//! The heads of processes, and processes that there are several of: `worker[3]:`, or `worker[id<3]:` if each knows its number.
//!
//! A process with copies becomes as many processes, named `worker 0`, `worker 1` and so on, which is also how they can be written one by one.

use super::places::BodyPlace;
use super::{KEYWORDS, MAX_PROCESSES, Parsed, Parser};
use crate::model::{Body, LocalVariable};
use crate::text::lexer::Token;

/// All copies of a process may have so many words together: more would fill the memory before the search begins.
const MAX_COPIED: usize = 1_000_000;

/// Where a process is defined, and what it becomes.
pub(super) struct Header {
    /// The first token of its name.
    pub at: usize,
    /// The index of its body, or of the first copy's.
    pub body: usize,
    /// Whether it has copies.
    pub copied: bool,
}

/// How many copies a process has.
pub(super) struct Copies {
    pub number: usize,
    /// Whether the first local is the number of the copy.
    numbered: bool,
}

impl Parser<'_> {
    /// Finds the heads of all processes, which are names outside all brackets, so that `spawn` can mention processes that come later.
    pub(super) fn find_processes(&mut self) {
        let (mut open, mut next) = (0i32, 0);
        for at in self.at..self.tokens.len() {
            match &self.tokens[at].token {
                Token::Sign("[" | "(" | "{") => open += 1,
                Token::Sign("]" | ")" | "}") => open -= 1,
                Token::Name(name) if open == 0 && !KEYWORDS.contains(&name.as_str()) => {
                    if at > 0 && self.tokens[at - 1].token == Token::Sign("#") || self.at_never(at) {
                        continue;
                    }
                    let (name, copied) = match &self.tokens[at + 1].token {
                        Token::Int(number) => (numbered(name, *number), false),
                        after => (name.clone(), *after == Token::Sign("[")),
                    };
                    let body = next;
                    next += if copied { self.likely_copies(at + 1) } else { 1 };
                    self.bodies.entry(name).or_insert(Header { at, body, copied });
                }
                _ => {}
            }
        }
    }

    /// How many copies the bracket at `at` says there are; what is wrong with it is said when it is read.
    fn likely_copies(&self, at: usize) -> usize {
        let inside = self.tokens[at + 1..].iter().take_while(|t| t.token != Token::Sign("]"));
        let number = match inside.take(4).last().map(|t| &t.token) {
            Some(Token::Int(number)) => usize::try_from(*number).ok(),
            Some(Token::Name(name)) => self.constant_value(name).and_then(|value| usize::try_from(value).ok()),
            _ => None,
        };
        number.unwrap_or(1).clamp(1, MAX_PROCESSES)
    }

    /// The name of a process: a word, and perhaps a number that tells it from others.
    pub(super) fn process_name(&mut self) -> Parsed<String> {
        let name = self.name("the name of a process")?;
        match *self.peek() {
            Token::Int(number) => Ok(numbered(&name, self.constant(number)?.into())),
            _ => Ok(name),
        }
    }

    /// The copies that the head of the process asks for, if any; the number of the copy becomes the first local of `body`.
    pub(super) fn copies(&mut self, body: &mut Body) -> Parsed<Option<Copies>> {
        let named_by_number = matches!(self.tokens[self.at - 1].token, Token::Int(_));
        if !self.accept("[") {
            return Ok(None);
        }
        if named_by_number {
            let (from, word) = (self.at - 3, &self.tokens[self.at - 3].token);
            let message = format!(
                "expected `:` after {}, which is one process: copies are numbered by themselves",
                body.name
            );
            let error = self.error(self.span(from).to(self.span(self.at - 1)), "syntax", message);
            return Err(match word {
                Token::Name(word) => error.with_help(format!("copies are written `{word}[2]:`, one process `{}:[x=1]`", body.name)),
                _ => error,
            });
        }
        let at = self.at;
        let is_name = |token: &Token| matches!(token, Token::Name(_));
        let numbered = is_name(self.peek()) && self.tokens[at + 1].token == Token::Sign("<");
        if numbered {
            let name = self.name("the name of a local")?;
            self.check_new(&name, at)?;
            self.want("<", "after the number of the copy")?;
            self.locals.insert(name.clone(), 0);
            body.locals.push(LocalVariable { name, initial: 0 });
        }
        let number = self.count("the number of copies", MAX_PROCESSES, &body.name, "copies")?;
        self.want("]", "after the number of copies")?;
        Ok(Some(Copies { number, numbered }))
    }

    /// Refuses a process, whose name is at `place`, if another has the same name; a copy may have the name of one that is written alone.
    pub(super) fn claim(&mut self, name: &str, place: &BodyPlace) -> Parsed<()> {
        if self.taken.insert(name.to_owned()) {
            return Ok(());
        }
        Err(self.error(place.name, "duplicate", format!("process {name} is defined twice")))
    }

    /// Adds the copies of a process that was read since `from`.
    pub(super) fn add_copies(
        &mut self,
        copies: &Copies,
        body: &Body,
        positions: &[(u32, u32)],
        place: &BodyPlace,
        from: usize,
    ) -> Parsed<()> {
        if (self.at - from).saturating_mul(copies.number) > MAX_COPIED {
            let message = format!(
                "{} copies of {} have more than {MAX_COPIED} words together",
                copies.number, body.name
            );
            return Err(self.error(place.name, "too-large", message));
        }
        for number in 0..copies.number {
            let mut copy = body.clone();
            copy.name = numbered(&body.name, number as i64);
            self.claim(&copy.name, place)?;
            if copies.numbered {
                copy.locals[0].initial = number as i32;
            }
            self.add(copy, positions.to_vec(), place.clone());
        }
        Ok(())
    }
}

fn numbered(name: &str, number: i64) -> String {
    format!("{name} {number}")
}
