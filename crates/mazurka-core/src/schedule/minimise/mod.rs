//! A schedule that fails in the same way and is easier to read: fewest context switches, then fewest steps.
//!
//! Three ways are tried one after the other within a budget of steps:
//! 1. *Equivalent schedules*: keep only the steps in the causal past of the failure and put them in an order with few switches ([`cone`]).
//! 2. *Shorter schedules nearby*: leave out pieces, or stop early and let each process run for as long as it can ([`shrink`]).
//! 3. *All schedules*, best first, with equal states merged ([`shortest`]); when the budget suffices the result is the best there is.
//!
//! Readers count steps before they count switches when the difference is large, so a schedule with fewer switches is taken only if it is at
//! most a fifth longer than the shortest one found.

mod cone;
mod pool;
mod shortest;
mod shrink;

use super::events::{Afterwards, Target, attempt};
use crate::outcome::{Failure, FailureKind};
use crate::program::{Program, Transition};
use pool::Pool;

/// How much work [`minimise`] may do.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Budget {
    /// Steps run, all in all (about).
    pub steps: usize,
    /// Whether the result may be a little longer than the shortest schedule found if it has fewer context switches.
    pub may_lengthen: bool,
}

impl Default for Budget {
    /// A fraction of a second for interpreted programs.
    fn default() -> Self {
        Budget {
            steps: 200_000,
            may_lengthen: true,
        }
    }
}

impl Budget {
    /// Sets [`Budget::steps`].
    #[must_use]
    pub fn steps(self, steps: usize) -> Self {
        Budget { steps, ..self }
    }

    /// Sets [`Budget::may_lengthen`].
    #[must_use]
    pub fn may_lengthen(self, may_lengthen: bool) -> Self {
        Budget { may_lengthen, ..self }
    }
}

/// What [`minimise`] found.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Minimised {
    /// The schedule, up to and including the failing step.
    pub schedule: Vec<Transition>,
    /// How long the schedule was that it was made from.
    pub from_steps: usize,
    /// How many context switches that one had.
    pub from_switches: usize,
    /// Whether no schedule that fails in this way has fewer context switches, or as many and fewer steps.
    pub best: bool,
}

/// The failure that a schedule must end in.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    target: &'a Target,
    /// Whether it is one of the whole execution: then every step counts, and everything has to run to its end.
    at_end: bool,
    /// Says when to be content with what was found.
    stop: &'a dyn Fn() -> bool,
}

/// How often the process changes from one transition to the next.
pub fn switches(schedule: &[Transition]) -> usize {
    schedule.windows(2).filter(|w| w[0].process != w[1].process).count()
}

/// A schedule that ends in the same failure, with few context switches and few steps.
pub fn minimise<P: Program + ?Sized>(program: &P, schedule: &[Transition], failure: &Failure, budget: Budget) -> Minimised
where
    P::State: Clone,
{
    minimise_until(program, schedule, failure, budget, &|| false)
}

/// As [`minimise`], but takes the best schedule found so far as soon as `stop` says so: a budget of steps may take long where steps do.
pub fn minimise_until<P: Program + ?Sized>(
    program: &P,
    schedule: &[Transition],
    failure: &Failure,
    budget: Budget,
    stop: &dyn Fn() -> bool,
) -> Minimised
where
    P::State: Clone,
{
    let shortest = |wanted: Wanted<'_>, pool: &mut Pool, steps: usize| {
        let best = shortest::search(program, wanted, shortest::Goal::FewestSwitches, pool, steps);
        shortest::search(program, wanted, shortest::Goal::FewestSteps, pool, steps);
        best
    };
    minimise_with(program, schedule, failure, budget, stop, shortest)
}

/// As [`minimise`], for programs whose states cannot be copied: by changing the schedule and running it again.
pub fn minimise_by_running<P: Program + ?Sized>(program: &P, schedule: &[Transition], failure: &Failure, budget: Budget) -> Minimised {
    minimise_with(program, schedule, failure, budget, &|| false, |_, _, _| false)
}

fn minimise_with<P: Program + ?Sized>(
    program: &P,
    schedule: &[Transition],
    failure: &Failure,
    budget: Budget,
    stop: &dyn Fn() -> bool,
    shortest: impl FnOnce(Wanted<'_>, &mut Pool, usize) -> bool,
) -> Minimised {
    let wanted = Target::This(failure.clone());
    let mut pool = Pool::new(schedule, budget.may_lengthen);
    // One step is as short as it gets.
    let mut best = schedule.len() == 1;
    // A program that behaves differently each time has no schedule that is worth making shorter.
    if !best && failure.kind != FailureKind::Nondeterminism && !stop() {
        let at_end = attempt(program, schedule, &wanted, Afterwards::Stop).at_end;
        let wanted = Wanted {
            target: &wanted,
            at_end,
            stop,
        };
        let mut left = budget.steps / 4;
        cone::straighten(program, schedule, wanted, &mut pool);
        shrink::shrink(program, wanted, &mut pool, &mut left);
        best = shortest(wanted, &mut pool, budget.steps * 3 / 8);
    }
    let chosen = pool.choose();
    Minimised {
        best: best && pool.is_best(&chosen),
        from_steps: schedule.len(),
        from_switches: switches(schedule),
        schedule: chosen,
    }
}
