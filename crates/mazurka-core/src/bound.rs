//! Bounds on how often a schedule departs from the simplest one: a search that covers all executions within a bound, and says so.

use std::fmt;

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Departure {
    /// Preemptions: the process that moved last could move again, and another one does (Musuvathi, Qadeer; PLDI'07).
    Preemption,
    /// Delays: processes that could move are passed over by a scheduler that otherwise lets each run until it cannot go on, and then takes the
    /// next one in turn (Emmi, Qadeer, Rakamarić; POPL'11).
    Delay,
}

impl Departure {
    /// The word for more than one, as in options and reports.
    pub fn plural(self) -> &'static str {
        match self {
            Departure::Preemption => "preemptions",
            Departure::Delay => "delays",
        }
    }
}

/// The most departures of a schedule that is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// What is counted.
    pub counted: Departure,
    /// The first bound that is tried.
    pub first: u32,
    /// The last one. If it is larger, the search begins again with the next bound whenever one has left something out.
    pub last: u32,
}

impl Bound {
    /// At most so many preemptions.
    pub fn preemptions(most: u32) -> Self {
        Bound {
            counted: Departure::Preemption,
            first: most,
            last: most,
        }
    }

    /// At most so many delays.
    pub fn delays(most: u32) -> Self {
        Bound {
            counted: Departure::Delay,
            first: most,
            last: most,
        }
    }

    /// The same, but every bound from 0 on in turn, so that what fails with few departures is found with few.
    #[must_use]
    pub fn deepening(self) -> Self {
        Bound { first: 0, ..self }
    }
}

impl fmt::Display for Bound {
    /// As a report names it: `preemptions:2`, or `preemptions:..2` where every bound is tried in turn.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from = if self.first < self.last { ".." } else { "" };
        write!(f, "{}:{from}{}", self.counted.plural(), self.last)
    }
}

/// What a bounded search covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Bounded {
    /// What was asked for.
    pub bound: Bound,
    /// The bound at which the search ended. All smaller ones were searched to the end.
    pub reached: u32,
    /// How many steps were not taken at this bound because they would have exceeded it. If it is 0 at the end, everything is covered.
    pub cut: u64,
}
