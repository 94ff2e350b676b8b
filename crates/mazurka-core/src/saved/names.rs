//! The table of names, so that everybody has the same number again.

use super::{Decoder, Encoder, Misfit};
use crate::names::Names;

/// All tables of names that a program has.
#[derive(Clone, Copy)]
pub(crate) struct Tables<'p>(pub [Option<&'p Names>; 2]);

impl Tables<'_> {
    /// Writes all names.
    pub fn save(self, out: &mut Encoder) {
        for names in self.0 {
            out.flag(names.is_some());
            if let Some(names) = names {
                names.save(out);
            }
        }
    }

    /// Gives everybody the number that it had.
    pub fn resume(self, from: &mut Decoder<'_>) -> Result<(), Misfit> {
        for names in self.0 {
            match (from.flag()?, names) {
                (true, Some(names)) => names.resume(from)?,
                (false, None) => {}
                _ => return Err(Misfit::OtherProgram),
            }
        }
        Ok(())
    }
}

impl Names {
    /// Writes all names in the order of their numbers.
    fn save(&self, out: &mut Encoder) {
        out.list(0..self.len() as u32, |out, id| {
            let (parent, nth) = self.birth(id);
            out.number(parent.map_or(0, |parent| u64::from(parent) + 1));
            out.number(nth.into());
        });
    }

    /// Gives everybody the number that it had; those that are there already must have theirs.
    fn resume(&self, from: &mut Decoder<'_>) -> Result<(), Misfit> {
        for expected in 0..from.count()? {
            let (parent, nth) = (from.number()?, from.small()?);
            let id = match parent.checked_sub(1) {
                None => self.root(nth),
                Some(parent) => self.child(u32::try_from(parent).map_err(|_| Misfit::Garbled)?, nth),
            };
            if id as usize != expected {
                return Err(Misfit::OtherProgram);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_has_the_same_number_again() {
        let names = Names::default();
        let main = names.root(0);
        let second = names.child(main, 1);
        let first = names.child(main, 0);
        let mut out = Encoder::default();
        names.save(&mut out);
        let bytes = out.into_bytes();
        let again = Names::default();
        assert_eq!(again.resume(&mut Decoder::new(&bytes)), Ok(()));
        assert_eq!((again.child(0, 0), again.child(0, 1)), (first, second));
        let other = Names::default();
        other.child(other.root(0), 0);
        assert_eq!(other.resume(&mut Decoder::new(&bytes)), Err(Misfit::OtherProgram));
    }
}
