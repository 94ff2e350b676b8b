//! The judge of a program: what there is to find in it, by the reference and by brute force, and whether a search keeps its promises.
//!
//! The reference says which final states, deadlocks and failures there are; brute force on the machine says which traces. The machine
//! itself is judged first: all its interleavings together have to yield exactly what the reference says.

use super::check::check_and_tell;
use super::found::{Found, Promise, told};
use super::merging::{Merged, Reached, check_merged_and_tell, check_plain};
use super::reference;
use crate::bounded;
use crate::claims::Claims;
use crate::compare::Difference;
use crate::enumerate::{Budget, Exceeded, Truth, enumerate};
use crate::order_free;
use crate::parallel;
use crate::saved;
use mazurka_core::laws::{self, Effort};
use mazurka_core::{Algorithm, Bound, Options, Order, Outcome, Program, StatefulOptions, Status, stateful_search};
use mazurka_litmus::{Footprints, Machine, Model};
use std::cell::RefCell;

/// Programs that are larger than this are left out.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// For brute force.
    pub budget: Budget,
    /// At most so many interleavings.
    pub interleavings: u128,
    /// At most so many states.
    pub states: usize,
}

impl Size {
    /// As large as brute force takes a moment.
    pub const USUAL: Size = Size {
        budget: Budget {
            prefixes: 4_000,
            depth: 60,
        },
        interleavings: 20_000,
        states: 3_000,
    };
    /// So small that there can be many.
    pub const SMALL: Size = Size {
        budget: Budget { prefixes: 400, depth: 60 },
        interleavings: 500,
        states: 300,
    };
}

/// One search that is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trial {
    /// An algorithm, stateless or stateful.
    Algorithm(Algorithm, Order),
    /// A way of merging, against brute force.
    Merged(Merged, Order),
    /// A way of merging, against the plain algorithm.
    Plain(Merged, Order),
    /// A search within a bound, against every schedule within it.
    Bounded(Bound, Order),
    /// `optimal` in a random order of branches and messages, and with several workers.
    AnyOrder(u64),
}

impl Trial {
    /// The difference that it shows.
    fn differs(self, what: String) -> Difference {
        let (algorithm, order) = match self {
            Trial::Algorithm(algorithm, order) => (algorithm.name().to_owned(), order),
            Trial::Merged(merged, order) | Trial::Plain(merged, order) => (merged.to_string(), order),
            Trial::Bounded(bound, order) => (bound.to_string(), order),
            Trial::AnyOrder(seed) => ("optimal in any order".to_owned(), Order::Random(seed)),
        };
        Difference { algorithm, order, what }
    }
}

/// A program, and what there is to find in it.
#[derive(Debug)]
pub struct Judge {
    machine: Machine,
    expected: Found,
    states: Reached,
    /// Not for merging alone.
    traces: Option<Truth>,
}

/// How far every program is walked with an eye on the laws.
const WALKS: Effort = Effort::new().walks(1).steps(40).seed(1);

/// A difference between the machine and the reference.
fn wrong(what: String) -> Difference {
    Difference {
        algorithm: "the machine".to_owned(),
        order: Order::Fifo,
        what,
    }
}

impl Judge {
    /// Looks at everything that the program can do, at its traces only if asked to; `None` if that is too much.
    ///
    /// # Errors
    /// If the machine does not do what the reference says.
    pub fn new(model: &Model, footprints: Footprints, size: Size, traces: bool) -> Result<Option<Judge>, Difference> {
        if model.check().is_err() {
            return Ok(None);
        }
        let Some(answer) = reference::answer(model, size.states) else {
            return Ok(None);
        };
        let text = model.to_string();
        // The machine gets the program by its text: what is printed or read wrongly shows as well.
        let machine = Machine::parse_file("program", &text).map_err(|e| wrong(format!("its text cannot be read again: {e}")))?;
        let machine = machine.with_footprints(footprints);
        // The machine keeps more in a state: how a process failed.
        let Some(states) = Reached::from(&machine, size.states.saturating_mul(4)) else {
            return Ok(None);
        };
        let expected = Found::expected(model, &text, answer);
        let mut found = Found::default();
        states.finals().iter().for_each(|run| found.end(&machine, run));
        found.failures.extend(states.failures().map(told));
        found.keeps(Promise::ALL, &expected).map_err(wrong)?;
        // Where only merging is asked for, the program is one of a kind that is walked elsewhere.
        if footprints == Footprints::Static && traces {
            laws::check(&machine, &WALKS).map_err(|broken| wrong(broken.explain(&machine)))?;
        }
        let mut judge = Judge {
            machine,
            expected,
            states,
            traces: None,
        };
        if traces {
            judge.traces = match enumerate(&judge.machine, size.budget, Machine::outcome) {
                Ok(truth) if truth.interleavings <= size.interleavings => Some(truth),
                Ok(_) | Err(Exceeded::Budget) => return Ok(None),
                Err(Exceeded::WrongFootprints(schedule)) => {
                    return Err(wrong(format!("an execution equivalent to {schedule:?} leads to another state")));
                }
            };
        }
        Ok(Some(judge))
    }

    /// The program.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Runs a search and says whether it found all that it promises and nothing else. What
    /// cannot be used on the program, or promises nothing, passes.
    ///
    /// # Errors
    /// What differs.
    pub fn judge(&self, trial: Trial) -> Result<(), Difference> {
        let found = RefCell::new(Found::default());
        let end = |run: &_| found.borrow_mut().end(&self.machine, run);
        let (outcome, promise) = match trial {
            Trial::Algorithm(algorithm, _) if algorithm.is_stateful() => {
                return self.stateful(algorithm).map_err(|what| trial.differs(what));
            }
            Trial::Plain(merged, order) if self.machine.features().terminating => {
                return check_plain(&self.machine, merged, order).map_err(|what| trial.differs(what));
            }
            Trial::Plain(..) => return Ok(()),
            Trial::Bounded(bound, order) => {
                let Some(traces) = &self.traces else { return Ok(()) };
                return bounded::check(&self.machine, traces, bound, order).map_err(|what| trial.differs(what));
            }
            Trial::AnyOrder(seed) => {
                let Some(traces) = &self.traces else { return Ok(()) };
                if !self.machine.features().static_footprints {
                    return Ok(());
                }
                return order_free::check(&self.machine, traces, seed)
                    .and_then(|()| parallel::check(&self.machine.crew(), self.machine.features(), traces, seed))
                    .and_then(|()| saved::check(&self.machine, seed))
                    .map_err(|what| trial.differs(what));
            }
            Trial::Algorithm(algorithm, order) => {
                let options = Options::new(algorithm).order(order).keep_going(true);
                let Some(claims) = Claims::of(algorithm.name()) else {
                    return Ok(());
                };
                let Some(traces) = &self.traces else { return Ok(()) };
                let Some(outcome) = check_and_tell(&self.machine, traces, &options, &end)? else {
                    return Ok(());
                };
                (outcome, claims)
            }
            Trial::Merged(merged, order) => {
                if !self.machine.features().terminating {
                    return Ok(());
                }
                let checked = check_merged_and_tell(&self.machine, &self.states, merged, order, &end);
                match checked.map_err(|what| trial.differs(what))? {
                    None => return Ok(()),
                    Some(outcome) => (outcome, Claims::default()),
                }
            }
        };
        let mut found = found.into_inner();
        found.outcome(&outcome);
        found
            .keeps(promised(promise, &outcome), &self.expected)
            .map_err(|what| trial.differs(what))
    }

    /// A search that stores every state meets every final state and every failure.
    fn stateful(&self, algorithm: Algorithm) -> Result<(), String> {
        let options = Options::new(algorithm).keep_going(true).final_states(true);
        let Ok(mut search) = stateful_search(&self.machine, &options, StatefulOptions::default()) else {
            return Ok(());
        };
        while search.advance(100_000) == Status::Running {}
        let outcome = search.outcome();
        let mut found = Found::default();
        found.finals.clone_from(&self.expected.finals);
        found.deadlocks.clone_from(&self.expected.deadlocks);
        found.outcome(&outcome);
        found.keeps(Promise::ALL, &self.expected)?;
        let (finals, counted) = (self.states.finals().len() as u64, outcome.distinct_final_states);
        if counted != Some(finals) || outcome.counts.executions != finals {
            return Err(format!("counts {counted:?} final states where there are {finals}"));
        }
        Ok(())
    }
}

/// What the note under the verdict promises.
fn promised(claims: Claims, outcome: &Outcome) -> Promise {
    if let Some(merged) = &outcome.merged {
        return Promise::of_merging(merged.observe, merged.tasks_exchanged);
    }
    let mut promise = Promise::ALL;
    promise.view.shared = claims.finals;
    promise.failure_values = claims.failure_values;
    promise
}
