//! What names stand for.
//!
//! Programs of the literature are terse: names of one letter, perhaps with digits, need no declaration. A longer name does, since a slip of the
//! fingers would otherwise be another variable, and the program `complete` for that reason.

use super::{Parsed, Parser};
use crate::model::{Body, Expr, Label, LabelPosition, Local, LocalVariable, Place, Variable};
use crate::text::lexer::{Token, shortened};

/// Whether the name needs no declaration: a letter, and nothing but digits after it.
fn is_terse(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic()) && letters.all(|c| c.is_ascii_digit())
}

impl Parser<'_> {
    /// Refuses to declare a name, read at `at`, that already stands for something here.
    pub(super) fn check_new(&self, name: &str, at: usize) -> Parsed<()> {
        let already = if self.constants.contains_key(name) {
            "a constant"
        } else if self.variables.contains_key(name) {
            "a shared variable"
        } else if self.locals.contains_key(name) {
            "a local"
        } else {
            return Ok(());
        };
        self.error_at(at, "duplicate", format!("{name} is already {already}"))
    }

    /// The variable of that name, which was read at `at`, with the index that follows it if it is an array.
    pub(super) fn named(&mut self, body: &mut Body, name: String, at: usize) -> Parsed<Place> {
        if self.constants.contains_key(&name) {
            return self.error_at(
                at,
                "not-allowed-here",
                format!("{name} is a constant: only variables can be changed"),
            );
        }
        if self.in_never && matches!(self.peek(), Token::Sign(".")) {
            return self.local_of_process(body, &name, at);
        }
        if let Some(&local) = self.locals.get(&name) {
            return Ok(Place::Local(Local(local)));
        }
        let indexed = matches!(self.peek(), Token::Sign("["));
        let variable = match self.variables.get(&name) {
            Some(&known) => known,
            None if indexed => return self.no_such_array(&name, at),
            None if !is_terse(&name) => return self.undeclared(body, &name, at),
            None if name.starts_with('l') => {
                self.locals.insert(name.clone(), body.locals.len());
                body.locals.push(LocalVariable { name, initial: 0 });
                return Ok(Place::Local(Local(body.locals.len() - 1)));
            }
            None => {
                self.variables.insert(name.clone(), self.model.variables.len());
                self.model.variables.push(Variable {
                    name: name.clone(),
                    array: false,
                    initial: vec![0],
                });
                self.model.variables.len() - 1
            }
        };
        let Variable { array, ref initial, .. } = self.model.variables[variable];
        let length = initial.len();
        if array {
            if !indexed {
                return self.error_at(at, "not-allowed-here", format!("{name} is an array: write {name}[i]"));
            }
            self.next();
            let at = self.at;
            let index = self.expression(body)?;
            let span = self.span_since(at);
            self.want("]", "after the index")?;
            if let Expr::Int(i) = index
                && usize::try_from(i).map_or(true, |i| i >= length)
            {
                let message = format!("{name}[{i}] is outside the array of {length} elements");
                return Err(self.error(span, "outside-the-array", message));
            }
            return Ok(Place::Shared(variable, Some(Box::new(index))));
        }
        if indexed {
            return self.error_at(at, "not-allowed-here", format!("{name} is no array"));
        }
        Ok(Place::Shared(variable, None))
    }

    fn no_such_array<T>(&self, name: &str, at: usize) -> Parsed<T> {
        let arrays = self.model.variables.iter().filter(|v| v.array).map(|v| v.name.as_str());
        Err(self
            .error(self.span(at), "unknown-name", format!("there is no array {name}"))
            .did_you_mean(name, arrays)
            .with_help(format!("arrays are declared before the processes: `init {name}[4];`")))
    }

    fn undeclared<T>(&self, body: &Body, name: &str, at: usize) -> Parsed<T> {
        let known = self.variables.keys().chain(self.locals.keys()).chain(self.constants.keys());
        let (shown, process) = (shortened(name), shortened(&body.name));
        Err(self
            .error(self.span(at), "unknown-name", format!("{shown} is not declared"))
            .did_you_mean(name, known.map(String::as_str))
            .with_help(format!(
                "declare it before the processes if it is shared, `init {shown}=0;`, or as a local of this one, `{process}({shown}=0):`"
            )))
    }

    /// The label of that name, new if it was not mentioned before.
    pub(super) fn label(&mut self, body: &mut Body, name: &str, at: usize) -> Label {
        if let Some(&known) = self.labels.get(name) {
            return Label(known);
        }
        let label = body.labels.len();
        self.labels.insert(name.to_string(), label);
        self.mentions.push(at);
        body.labels.push(LabelPosition {
            name: name.to_string(),
            step: None,
        });
        Label(label)
    }
}
