//! One algorithm on one program against brute force.

use crate::claims::Claims;
use crate::compare::{Difference, compare};
use crate::enumerate::{Budget, Exceeded, Truth, enumerate};
use crate::seen::explore;
use mazurka_core::{Algorithm, Options, Order, Outcome};
use mazurka_litmus::{Machine, Run};

/// Runs an algorithm on a program and compares. An algorithm that cannot be used on the program, or claims nothing, passes.
///
/// # Errors
/// What differs.
pub fn check(machine: &Machine, truth: &Truth, options: &Options) -> Result<(), Difference> {
    check_and_tell(machine, truth, options, &|_| {}).map(|_| ())
}

/// As [`check`], telling each final state; returns the outcome if the algorithm could be run.
pub(super) fn check_and_tell(
    machine: &Machine,
    truth: &Truth,
    options: &Options,
    end: &dyn Fn(&Run),
) -> Result<Option<Outcome>, Difference> {
    let name = options.algorithm.name();
    let Some(mut claims) = Claims::of(name) else { return Ok(None) };
    if options.algorithm.merges() && machine.model().spawned_bodies().contains(&true) {
        // Tasks are merged up to their names: `check_merged` compares states in that sense.
        (claims.finals, claims.outcomes, claims.one_per_final) = (false, false, false);
    }
    let differs = |what| Difference {
        algorithm: name.to_string(),
        order: options.order,
        what,
    };
    // No sound search completes more executions than there are interleavings; one that never ends is a difference too.
    let mut options = options.clone();
    options.limits.executions = Some(u64::try_from(truth.interleavings).unwrap_or(u64::MAX).saturating_add(1));
    let outcome = |machine: &Machine, run: &Run| {
        end(run);
        machine.outcome(run)
    };
    match explore(machine, &options, outcome) {
        Err(_) => Ok(None),
        Ok((seen, outcome)) => compare(truth, &seen, claims).map(|()| Some(outcome)).map_err(differs),
    }
}

/// Compares an algorithm with brute force on a program in the notation of [`mazurka_litmus::text`]. For tests.
///
/// # Panics
/// If they differ, or if there is no such algorithm or program.
pub fn check_text(algorithm: &str, order: Order, text: &str) {
    let machine = Machine::parse(text).unwrap_or_else(|e| panic!("{e}"));
    let truth = match enumerate(&machine, Budget::default(), Machine::outcome) {
        Ok(truth) => truth,
        Err(Exceeded::Budget) => panic!("too large for brute force: {text}"),
        Err(Exceeded::WrongFootprints(schedule)) => panic!("wrong footprints after {schedule:?}: {text}"),
    };
    let algorithm = Algorithm::parse(algorithm).unwrap_or_else(|e| panic!("{e}"));
    let options = Options::new(algorithm).order(order).keep_going(true);
    if let Err(difference) = check(&machine, &truth, &options) {
        panic!("{difference}\n{text}");
    }
}
