//! Running transitions without writing anything down: the footprints and causes of an execution, and whether a changed schedule still fails.

use super::causes::Causes;
use super::record::signature;
use crate::effects::Effects;
use crate::footprint::Footprint;
use crate::outcome::{Failure, FailureKind};
use crate::program::{Pending, Program, Transition};

/// What makes two failures the same, see [`signature`].
pub(super) type Signature = (FailureKind, String);

/// Which failure is looked for.
pub(super) enum Target {
    /// This very one: to show another would be to lose it.
    This(Failure),
    /// One like it, in another process or with other values.
    Alike(Signature),
}

impl Target {
    /// Whether a failure is one of them.
    pub fn is(&self, failure: &Failure) -> bool {
        match self {
            Target::This(this) => this == failure,
            Target::Alike(like) => signature(failure) == *like,
        }
    }
}

/// The steps of an execution with what they touch.
pub(super) struct Events {
    pub steps: Vec<(Transition, Footprint)>,
    pub causes: Causes,
    /// What is pending after the last step, with its footprint.
    pub pending: Vec<(Pending, Footprint)>,
}

impl Events {
    /// Runs `schedule` up to the first transition that cannot be taken.
    pub fn of<P: Program + ?Sized>(program: &P, schedule: &[Transition]) -> Self {
        let mut state = program.start();
        let mut events = Events {
            steps: Vec::with_capacity(schedule.len()),
            causes: Causes::new(),
            pending: Vec::new(),
        };
        let (mut pending, mut effects) = (Vec::new(), Effects::default());
        for &transition in schedule {
            if !is_enabled(program, &state, transition, &mut pending) {
                break;
            }
            let mut footprint = Footprint::new();
            program.footprint(&state, transition, &mut footprint);
            effects.clear();
            program.step(&mut state, transition, &mut effects);
            events
                .causes
                .push(transition.process, footprint.accesses(), &effects.births, &effects.after);
            events.steps.push((transition, footprint));
        }
        pending.clear();
        program.pending(&state, &mut pending);
        events.pending = pending
            .into_iter()
            .map(|p| {
                let mut footprint = Footprint::new();
                program.footprint(&state, p.transition, &mut footprint);
                (p, footprint)
            })
            .collect();
        events
    }
}

/// Whether `transition` can be taken at `state`.
pub(super) fn is_enabled<P: Program + ?Sized>(program: &P, state: &P::State, transition: Transition, pending: &mut Vec<Pending>) -> bool {
    pending.clear();
    program.pending(state, pending);
    pending.iter().any(|p| p.transition == transition && p.enabled)
}

/// What became of a changed schedule.
pub(super) struct Attempt {
    /// What was run: the transitions that could be taken, up to the failure.
    pub schedule: Vec<Transition>,
    /// Whether the failure was met.
    pub failed: bool,
    /// The first other failure that was met.
    pub other: Option<Failure>,
    /// Whether it is a failure of the whole execution, known when nothing can move any more.
    pub at_end: bool,
    /// How many of the asked transitions could not be taken.
    pub skipped: usize,
}

/// How an attempt goes on after its transitions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Afterwards {
    /// Not at all.
    Stop,
    /// The last process goes on for as long as it can, then the oldest that can, for at most this many steps.
    Run(usize),
}

/// Runs `schedule` leaving out what cannot be taken, until it fails as wanted.
pub(super) fn attempt<P: Program + ?Sized>(program: &P, schedule: &[Transition], wanted: &Target, afterwards: Afterwards) -> Attempt {
    let mut state = program.start();
    let mut result = Attempt {
        schedule: Vec::with_capacity(schedule.len()),
        failed: false,
        other: None,
        at_end: false,
        skipped: 0,
    };
    let (mut pending, mut effects) = (Vec::new(), Effects::default());
    let mut take = |state: &mut P::State, transition: Transition, result: &mut Attempt| {
        effects.clear();
        program.step(state, transition, &mut effects);
        result.schedule.push(transition);
        result.failed = effects.failure.as_ref().is_some_and(|f| wanted.is(f));
        if !result.failed && result.other.is_none() {
            result.other = effects.failure.take();
        }
    };
    for &transition in schedule {
        if is_enabled(program, &state, transition, &mut pending) {
            take(&mut state, transition, &mut result);
            if result.failed {
                return result;
            }
        } else {
            result.skipped += 1;
        }
    }
    let more = match afterwards {
        Afterwards::Stop => 0,
        Afterwards::Run(steps) => steps,
    };
    for taken in 0..=more {
        pending.clear();
        program.pending(&state, &mut pending);
        let last = result.schedule.last().map(|t| t.process);
        let next = pending
            .iter()
            .find(|p| p.enabled && Some(p.transition.process) == last)
            .or_else(|| pending.iter().find(|p| p.enabled));
        match next {
            None => {
                let mut failures = Vec::new();
                program.failures_at_end(&state, &mut failures);
                result.failed = failures.iter().any(|f| wanted.is(f));
                result.at_end = result.failed;
                result.other = result.other.take().or(failures.into_iter().next());
                return result;
            }
            Some(next) if taken < more => {
                take(&mut state, next.transition, &mut result);
                if result.failed {
                    return result;
                }
            }
            Some(_) => {}
        }
    }
    result
}

/// Whether an execution that ends at `state`, where nothing is enabled, fails as wanted.
pub(super) fn ends_in<P: Program + ?Sized>(program: &P, state: &P::State, wanted: &Target) -> bool {
    let mut failures = Vec::new();
    program.failures_at_end(state, &mut failures);
    failures.iter().any(|f| wanted.is(f))
}
