//! Parts of the work, for several threads.

use crate::tree::Node;
use std::io::Read;

/// One of several equal parts of the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    pub(crate) nth: u64,
    of: u64,
}

impl Part {
    /// All of it.
    pub const WHOLE: Part = Part { nth: 0, of: 1 };

    /// So many parts, at least one.
    pub fn all(of: usize) -> impl Iterator<Item = Part> {
        let of = of.max(1) as u64;
        (0..of).map(move |nth| Part { nth, of })
    }

    /// Whether the neighbours in an execution are looked at here.
    pub(crate) fn has_neighbours_of(self, execution: u64) -> bool {
        execution / 64 % self.of == self.nth
    }

    /// The nodes whose reversals are looked for here, of so many.
    pub(crate) fn nodes(self, all: Node) -> std::ops::Range<Node> {
        let begin = |nth: u64| (u64::from(all) * nth / self.of) as Node;
        begin(self.nth)..begin(self.nth + 1)
    }
}

/// Keeps what is read.
pub(crate) struct Copied<'r> {
    pub from: &'r mut dyn Read,
    pub into: &'r mut Vec<u8>,
}

impl Read for Copied<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let read = self.from.read(bytes)?;
        self.into.extend_from_slice(&bytes[..read]);
        Ok(read)
    }
}
