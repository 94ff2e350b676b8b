//! What an algorithm found, recorded at each execution it completes and recomputed from the schedule alone.

use crate::canonical::Canonical;
use crate::certified::{all_executions, merged_executions, merges_plainly};
use mazurka_core::{
    Counts, Covers, Describe, Ending, FailureKind, Fingerprint, Observer, Options, Outcome, Program, SearchError, Status, Transition,
    search,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// What an algorithm found.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The traces of its complete executions, with how often each was explored.
    pub traces: FxHashMap<u128, u32>,
    /// Their final states.
    pub finals: FxHashSet<Fingerprint>,
    /// The deadlocked ones.
    pub deadlocks: FxHashSet<Fingerprint>,
    /// What the processes knew in the end.
    pub outcomes: FxHashSet<Fingerprint>,
    /// The failures it reported, other than deadlocks.
    pub failures: FxHashSet<(FailureKind, String)>,
    /// What it counted.
    pub counts: Counts,
    /// What the checker of certificates says about its executions, if the algorithm has certificates, and about what is left of them when
    /// something is left out.
    pub certificate: Option<Result<(), String>>,
}

/// What the processes of a final state know, as a number.
type Knowing<'f, P> = &'f dyn Fn(&P, &<P as Program>::State) -> Fingerprint;

struct Recorder<'p, P: Program> {
    program: &'p P,
    outcome: Knowing<'p, P>,
    path: Canonical<P>,
    seen: Seen,
    /// All executions, if they are to be certified.
    executions: Option<Vec<Vec<Transition>>>,
}

struct Watch<'a, 'p, P: Program>(&'a RefCell<Recorder<'p, P>>);

impl<P> Observer<P::State> for Watch<'_, '_, P>
where
    P: Program,
    P::State: Clone,
{
    fn execution(&mut self, schedule: &[Transition], _: &P::State, ending: Ending) {
        if !matches!(ending, Ending::Finished | Ending::Deadlock) {
            return;
        }
        let recorder = &mut *self.0.borrow_mut();
        if let Some(executions) = &mut recorder.executions {
            executions.push(schedule.to_vec());
        }
        recorder.path.replay(recorder.program, schedule);
        let run = recorder.path.run();
        let state = recorder.program.fingerprint(run);
        let outcome = (recorder.outcome)(recorder.program, run);
        *recorder.seen.traces.entry(recorder.path.trace()).or_default() += 1;
        recorder.seen.finals.insert(state);
        recorder.seen.outcomes.insert(outcome);
        if ending == Ending::Deadlock {
            recorder.seen.deadlocks.insert(state);
        }
    }
}

/// Runs an algorithm to its end and records what it found.
///
/// # Errors
/// If the algorithm cannot be used on the program.
pub fn explore<P>(program: &P, options: &Options, outcome: impl Fn(&P, &P::State) -> Fingerprint) -> Result<(Seen, Outcome), SearchError>
where
    P: Describe,
    P::State: Clone,
{
    explore_knowing(program, options, &outcome)
}

/// The same for all who ask: the searches are compiled once for each kind of program.
fn explore_knowing<P>(program: &P, options: &Options, outcome: Knowing<'_, P>) -> Result<(Seen, Outcome), SearchError>
where
    P: Describe,
    P::State: Clone,
{
    let promise = options.algorithm.about().promise;
    let complete = options.bound.is_none() && options.sampling.is_none();
    let certified = complete && promise.once && promise.covers == Covers::Traces && program.features().static_footprints;
    let recorder = RefCell::new(Recorder {
        program,
        outcome,
        path: Canonical::new(program),
        seen: Seen::default(),
        executions: certified.then(Vec::new),
    });
    let outcome = {
        let mut search = search(program, options, Watch(&recorder))?;
        while search.advance(100_000) == Status::Running {}
        search.outcome()
    };
    let Recorder { mut seen, executions, .. } = recorder.into_inner();
    let ended = outcome.limit.is_none() && !outcome.ended_by_failure && outcome.failure_counts[FailureKind::Panic as usize] == 0;
    seen.certificate = executions
        .filter(|_| ended)
        .map(|list| all_executions(program, list, options.deadlock_is_error, &outcome));
    if ended && merges_plainly(program, options) {
        seen.certificate = Some(merged_executions(program, options));
    }
    seen.counts = outcome.counts;
    let failures = outcome.failures.iter().filter(|f| f.failure.kind != FailureKind::Deadlock);
    seen.failures = failures.map(|f| (f.failure.kind, f.failure.message.clone())).collect();
    Ok((seen, outcome))
}
