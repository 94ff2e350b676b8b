//! The three ratios of `--stats`.

use crate::drive::{drive, interrupted};
use crate::observe::{StepRecorder, Steps};
use crate::start::start;
use mazurka_core::{Algorithm, AnyProgram, AnyState, Effects, Options, Outcome, StatefulOptions, Verdict};
use mazurka_report::Stats;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Longer searches are not remembered step by step.
const MOST_STEPS: u64 = 50_000_000;

/// Measures how far from the limit the run with this outcome was, by exploring once more.
pub fn measure(program: &dyn AnyProgram, options: &Options, outcome: &Outcome, elapsed: Duration) -> Stats {
    let c = &outcome.counts;
    let seconds = elapsed.as_secs_f64().max(1e-9);
    Stats {
        bookkeeping: floor(program, options, outcome).map(|floor| seconds / floor.as_secs_f64().max(1e-9)),
        reexecution: (c.steps + c.extra_steps) as f64 / c.steps.max(1) as f64,
        redundancy: traces(program, options, outcome).map(|t| (c.executions + c.blocked + c.cut) as f64 / t.max(1) as f64),
        executions_per_second: c.executions as f64 / seconds,
        steps_per_second: c.steps as f64 / seconds,
    }
}

/// The time to run the same new steps with all bookkeeping off: one copy of the state and one step per node of the tree.
fn floor(program: &dyn AnyProgram, options: &Options, outcome: &Outcome) -> Option<Duration> {
    if outcome.verdict == Verdict::Incomplete || outcome.counts.steps > MOST_STEPS || options.algorithm.is_stateful() {
        return None;
    }
    let steps = Rc::new(RefCell::new(Steps::default()));
    let recorder = Box::new(StepRecorder(Rc::clone(&steps)));
    let mut again = start(program, options, StatefulOptions::default(), Some(recorder)).ok()?;
    drive(again.search(), &mut |_, _| {});
    drop(again);
    if interrupted() {
        return None;
    }
    let steps = steps.borrow();
    let mut stack: Vec<AnyState> = vec![program.start()];
    let mut effects = Effects::default();
    // The states of a path are kept and reused, as a search with snapshots does.
    let start = Instant::now();
    for &(depth, transition) in &steps.taken {
        let depth = depth as usize;
        if stack.len() == depth + 1 {
            let copy = stack[depth].clone();
            stack.push(copy);
        } else if stack.len() > depth + 1 {
            let (before, after) = stack.split_at_mut(depth + 1);
            after[0].clone_from(&before[depth]);
        } else {
            return None;
        }
        effects.clear();
        program.step(&mut stack[depth + 1], transition, &mut effects);
    }
    Some(start.elapsed())
}

/// The number of traces, which is the number of executions of `optimal`.
fn traces(program: &dyn AnyProgram, options: &Options, outcome: &Outcome) -> Option<u64> {
    if outcome.verdict == Verdict::Incomplete || (outcome.verdict == Verdict::Violation && !options.keep_going) {
        return None;
    }
    if options.algorithm.is_stateful() {
        return None;
    }
    if options.algorithm.is_optimal() {
        return Some(outcome.counts.executions);
    }
    let optimal = options
        .clone()
        .algorithm(Algorithm::parse("optimal").ok()?)
        .keep_going(true)
        .limits(options.limits.executions(10_000_000).time(Duration::from_secs(60)));
    let mut counting = start(program, &optimal, StatefulOptions::default(), None).ok()?;
    let (outcome, _) = drive(counting.search(), &mut |_, _| {});
    (outcome.limit.is_none()).then_some(outcome.counts.executions)
}
