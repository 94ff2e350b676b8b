//! An actor's state, field by field: what checking a declaration needs to know.

use crate::hash::Hash128;
use std::fmt::Debug;
use std::hash::Hash;

/// The values of the fields that handlers declare, by name; filled by [`crate::Actor::values`].
#[derive(Debug, Default)]
pub struct Values {
    fields: Vec<(String, u128)>,
}

impl Values {
    /// The value of the field that handlers call `name`.
    pub fn of(&mut self, name: &str, value: &(impl Hash + ?Sized)) -> &mut Self {
        self.fields.push((name.to_owned(), Hash128::of(value)));
        self
    }
}

/// A state as fields with the hashes of their values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Projection(Vec<(String, u128)>);

impl Projection {
    /// As the actor's type says, or else read off the text that a derived `Debug` writes; `None` if neither can be done.
    pub fn new(values: Values, state: &dyn Debug) -> Option<Self> {
        if values.fields.is_empty() {
            of_text(&format!("{state:#?}")).map(Projection)
        } else {
            Some(Projection(values.fields))
        }
    }

    /// The names of all fields.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Whether there is a field of that name.
    pub fn has(&self, name: &str) -> bool {
        self.names().any(|n| n == name)
    }

    /// The fields in which two states of one actor differ; `None` if they do not have the same fields.
    pub fn differences<'s>(&'s self, other: &Projection) -> Option<Vec<&'s str>> {
        let same_fields = self.names().eq(other.names());
        let pairs = self.0.iter().zip(&other.0);
        same_fields.then(|| pairs.filter(|(a, b)| a.1 != b.1).map(|(a, _)| a.0.as_str()).collect())
    }
}

/// The fields of `Type {` … `}` in the alternate format: one per line, indented by four spaces, what belongs to them deeper.
fn of_text(text: &str) -> Option<Vec<(String, u128)>> {
    let mut lines = text.lines();
    if !lines.next()?.ends_with(" {") {
        return None;
    }
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in lines {
        if line == "}" {
            break;
        }
        let line = line.strip_prefix("    ")?;
        if line.starts_with([' ', '}', ']', ')']) {
            fields.last_mut()?.1.push_str(line);
            continue;
        }
        let (name, value) = line.split_once(": ")?;
        if !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return None;
        }
        fields.push((name.to_owned(), value.to_owned()));
    }
    Some(fields.into_iter().map(|(name, value)| (name, Hash128::of(value))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone)]
    struct State {
        number: u32,
        list: Vec<(u8, Option<&'static str>)>,
        inner: Inner,
    }

    #[derive(Debug, Clone)]
    struct Inner {
        number: u32,
    }

    fn projection(state: &dyn Debug) -> Option<Projection> {
        Projection::new(Values::default(), state)
    }

    #[test]
    fn fields_are_read_off_a_derived_text() {
        let one = State {
            number: 1,
            list: vec![(2, Some("a\n    b: c"))],
            inner: Inner { number: 4 },
        };
        let first = projection(&one).unwrap();
        assert_eq!(first.names().collect::<Vec<_>>(), ["number", "list", "inner"]);
        assert!(first.has("list") && !first.has("lists"));
        let changed = |change: &dyn Fn(&mut State)| {
            let mut other = one.clone();
            change(&mut other);
            let other = projection(&other).unwrap();
            first.differences(&other).unwrap().join(" ")
        };
        assert_eq!(changed(&|_| {}), "");
        assert_eq!(changed(&|s| s.number = 2), "number");
        assert_eq!(changed(&|s| s.list[0].0 = 3), "list");
        assert_eq!(changed(&|s| s.list.clear()), "list");
        assert_eq!(changed(&|s| s.inner.number = 5), "inner");
    }

    #[test]
    fn a_text_without_fields_says_nothing() {
        assert_eq!(projection(&7), None);
        assert_eq!(projection(&Some(7)), None);
        assert_eq!(projection(&(1, 2)), None);
    }
}
