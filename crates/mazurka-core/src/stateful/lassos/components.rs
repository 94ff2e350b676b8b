//! Strongly connected components on the fly, each with what it has of acceptance: J.-M. Couvreur, On-the-fly Verification of Linear
//! Temporal Logic (FM 1999), with the names of J. Geldenhuys and A. Valmari, More Efficient On-the-fly LTL Verification with Tarjan's
//! Algorithm (2005).

use crate::program::Process;

/// How many processes fairness can tell apart. Promela has at most 255; a further one would share its mark with an earlier one.
const MOST_PROCESSES: usize = 256;

/// What an execution must show again and again to be accepted: an accepting pair, and for each process that it moves or is not enabled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Marks {
    pub accepting: bool,
    /// A bit for each process.
    fair: [u64; MOST_PROCESSES / 64],
}

impl Marks {
    /// Nothing.
    pub const NONE: Marks = Marks {
        accepting: false,
        fair: [0; 4],
    };
    /// All that fairness asks for.
    const FAIR: Marks = Marks {
        accepting: false,
        fair: [u64::MAX; 4],
    };
    /// Everything.
    pub const ALL: Marks = Marks {
        accepting: true,
        fair: [u64::MAX; 4],
    };

    /// What a pair has where nothing is enabled.
    pub fn at_rest(accepting: bool) -> Self {
        Marks { accepting, ..Marks::FAIR }
    }

    /// That a process moves.
    pub fn moves(process: Process) -> Self {
        let mut marks = Marks::NONE;
        let at = process.index() % MOST_PROCESSES;
        marks.fair[at / 64] |= 1 << (at % 64);
        marks
    }

    /// Without what stands for a process: it is enabled.
    pub fn enabled(&mut self, process: Process) {
        let at = process.index() % MOST_PROCESSES;
        self.fair[at / 64] &= !(1 << (at % 64));
    }

    /// What is in either.
    pub fn or(self, other: Marks) -> Self {
        let mut fair = self.fair;
        fair.iter_mut().zip(other.fair).for_each(|(a, b)| *a |= b);
        Marks {
            accepting: self.accepting || other.accepting,
            fair,
        }
    }

    /// What of `other` is missing here, if anything is.
    pub fn lacks(self, other: Marks) -> bool {
        self.or(other) != self
    }
}

/// A component as far as it is known: where it was entered, and what it has.
struct Root {
    number: u32,
    marks: Marks,
    /// What the transition has that leads into it from the component below.
    entry: Marks,
}

/// The components of the current path, and which pairs are in one that was left.
#[derive(Default)]
pub(super) struct Components {
    roots: Vec<Root>,
    /// The pairs in components of the path, in the order in which they were met.
    live: Vec<u32>,
    left: Vec<bool>,
}

impl Components {
    /// A new pair, reached by a transition with these marks: a component of its own.
    pub fn open(&mut self, number: u32, marks: Marks, entry: Marks) {
        self.roots.push(Root { number, marks, entry });
        self.live.push(number);
        self.left.resize(number as usize + 1, false);
    }

    /// Whether nothing more is found through this pair.
    pub fn is_left(&self, number: u32) -> bool {
        self.left[number as usize]
    }

    /// The path comes back to a pair by a transition with these marks: all components from there on are one. Returns what it has, and its
    /// first pair.
    pub fn join(&mut self, number: u32, mut marks: Marks) -> Option<(Marks, u32)> {
        while let Some(root) = self.roots.pop_if(|root| root.number > number) {
            marks = marks.or(root.marks).or(root.entry);
        }
        let root = self.roots.last_mut()?;
        root.marks = root.marks.or(marks);
        Some((root.marks, root.number))
    }

    /// Everything from this pair on was explored. If a component began with it, that is left for good.
    pub fn close(&mut self, number: u32) {
        if self.roots.pop_if(|root| root.number == number).is_some() {
            while let Some(member) = self.live.pop_if(|member| *member >= number) {
                self.left[member as usize] = true;
            }
        }
    }
}
