//! Rules: operations on objects whose states are a few numbers, for models of primitives that are not written with the others in [`super::op`].
//!
//! A rule says in one place what a step may touch, when it can be taken, what it does and what it answers. Outside of a check the same rule
//! is what really happens, under a lock.

use super::op::{Facts, Object, Shape};
use mazurka_core::{Footprint, Location};
use smallvec::SmallVec;

/// One kind of step on an object.
#[derive(Clone, Copy)]
pub struct Rule {
    /// What it does, as words before the name of the object: `send to`.
    pub name: &'static str,
    /// What it waits for, as words before the name of the object: `room in`. Empty if it never waits.
    pub awaits: &'static str,
    /// What it may touch, in any state. What decides whether it can be taken is a guard.
    pub touches: fn(&mut Touches<'_>),
    /// Whether it can be taken.
    pub enabled: fn(&State, Call) -> bool,
    /// What it does to the state, and what it answers.
    pub apply: fn(&mut State, Call) -> u32,
    /// Where the steps that it had to wait for are known, if it is all that its process waits for.
    pub alone: Option<Alone>,
    /// Whether it only looks, as long as it does not change the state: a loop that does nothing else waits for news.
    pub looks: bool,
    /// Whether it is no more than a part of waiting: a loop that does nothing else waits for news.
    pub idles: bool,
    /// Whether who took it last has what those who wait for it want.
    pub holds: bool,
    /// Whether it is lost on those who do not wait yet: the story of a deadlock tells which came too early.
    pub signals: bool,
}

impl Rule {
    /// A step that touches nothing, does nothing and never waits: for all that a rule does not say.
    pub const STEP: Rule = Rule {
        name: "",
        awaits: "",
        touches: |_| {},
        enabled: |_, _| true,
        apply: |_, _| 0,
        alone: None,
        looks: false,
        idles: false,
        holds: false,
        signals: false,
    };
}

/// How a step is ordered by what it waits for, rather than by what it touches.
#[derive(Clone, Copy)]
pub struct Alone {
    /// What it may touch then.
    pub touches: fn(&mut Touches<'_>),
    /// What it comes after, in every execution.
    pub after: fn(&State, Call) -> After,
}

/// The steps that a step had to wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After {
    /// None.
    Nothing,
    /// That which raised this counter above `n`.
    Nth {
        /// Which of [`State::counts`].
        counter: usize,
        /// The number.
        n: u32,
    },
    /// All that raised this counter.
    All {
        /// Which of [`State::counts`].
        counter: usize,
    },
}

/// What a step is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    /// Given by the caller.
    pub argument: u64,
    /// Who takes it; outside of a check 0.
    pub process: u32,
    /// Of the object: how much it holds.
    pub size: u32,
    /// Of the object: how many handles to it there ever were.
    pub members: u32,
}

/// What is known of an object.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// Numbers that only grow, except when a step is taken back. It is remembered which step made each of them grow.
    pub counts: [u32; 3],
    /// Other numbers.
    pub numbers: [u32; 4],
    /// Who waits, or another list.
    pub list: SmallVec<[u64; 2]>,
}

impl State {
    /// A number that changes with the state.
    pub(crate) fn value(&self) -> u64 {
        let words = self.counts.iter().chain(&self.numbers).map(|n| u64::from(*n));
        let words = words.chain(self.list.iter().copied());
        words.fold(1, |hash, word| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95))
    }
}

/// The parts of an object that a step may touch. There are four, for what must not conflict.
pub struct Touches<'a> {
    pub(crate) object: Object,
    pub(crate) out: &'a mut Footprint,
}

impl Touches<'_> {
    fn part(&self, part: u32) -> Location {
        Location(self.object.first().0 + part)
    }

    /// What the step does depends on this part.
    pub fn read(&mut self, part: u32) -> &mut Self {
        self.out.read(self.part(part));
        self
    }

    /// The step may change this part.
    pub fn update(&mut self, part: u32) -> &mut Self {
        self.out.update(self.part(part));
        self
    }

    /// The step changes this part in a way that commutes with all others who do that, and does not look at it.
    pub fn accumulate(&mut self, part: u32) -> &mut Self {
        self.out.accumulate(self.part(part));
        self
    }

    /// This part decides whether the step can be taken.
    pub fn guard(&mut self, part: u32) -> &mut Self {
        self.out.guard(self.part(part));
        self
    }
}

/// A rule as a part of an operation.
#[derive(Clone, Copy)]
pub(crate) struct Taken(pub &'static Rule);

impl PartialEq for Taken {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Taken {}

impl std::fmt::Debug for Taken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.name)
    }
}

impl Facts {
    /// What a rule is told.
    pub fn call(self, argument: u64, process: u32) -> Call {
        Call {
            argument,
            process,
            size: self.nature.size,
            members: self.senders,
        }
    }
}

impl Shape {
    /// The state of an object with rules.
    pub fn ruled(&mut self) -> &mut State {
        if !matches!(self, Shape::Ruled(_)) {
            *self = Shape::Ruled(State::default());
        }
        match self {
            Shape::Ruled(state) => state,
            _ => unreachable!("made above"),
        }
    }
}
