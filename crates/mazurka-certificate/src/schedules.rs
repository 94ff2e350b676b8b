//! Schedules: what the numbers in a certificate stand for, and certificates of violations, which are schedules that fail.

use crate::Rejection;
use crate::actions::Actions;
use crate::claims::{anywhere, read_failure};
use crate::execution::Execution;
use crate::format::In;
use crate::verified::{Evidence, Proved, Verified};
use mazurka_core::{Describe, Effects, Failure, FailureKind, Pending, Process, Transition};
use rustc_hash::FxHashMap;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The steps that numbers stand for. A process is named by its key; its number in this run of the program is found when it is first pending.
#[derive(Default)]
pub(crate) struct Symbols {
    list: Vec<Transition>,
    processes: FxHashMap<String, Process>,
    seen: Vec<bool>,
}

impl Symbols {
    /// Reads a step of an execution.
    pub fn read<P: Describe + ?Sized, R: Read>(
        &mut self,
        input: &mut In<R>,
        program: &P,
        execution: &Execution<'_, P>,
        actions: &Actions,
    ) -> Result<Transition, Rejection>
    where
        P::State: Clone,
    {
        let pending = execution.top().offers.iter().map(|o| actions.process(o.action));
        self.next(input, program, pending)
    }

    fn next<P: Describe + ?Sized, R: Read>(
        &mut self,
        input: &mut In<R>,
        program: &P,
        pending: impl Iterator<Item = Process>,
    ) -> Result<Transition, Rejection> {
        let number = input.number()?;
        if let Some(known) = usize::try_from(number).ok().and_then(|n| self.list.get(n)) {
            return Ok(*known);
        }
        if number != self.list.len() as u64 {
            return Err(Rejection::unreadable("it uses a step before it says which"));
        }
        let (key, choice) = (input.text()?, input.small()?);
        for process in pending {
            self.meet(program, process)?;
        }
        let process = *(self.processes.get(&key)).ok_or_else(|| Rejection::refused("a process in it does not exist"))?;
        let transition = Transition { process, choice };
        self.list.push(transition);
        Ok(transition)
    }

    /// Asks for the key of a process, once.
    fn meet<P: Describe + ?Sized>(&mut self, program: &P, process: Process) -> Result<(), Rejection> {
        if self.seen.len() <= process.index() {
            self.seen.resize(process.index() + 1, false);
        }
        if !std::mem::replace(&mut self.seen[process.index()], true)
            && self.processes.insert(program.process_key(process), process).is_some()
        {
            return Err(Rejection::refused("two processes have the same key"));
        }
        Ok(())
    }
}

/// Checks a certificate of a violation: every schedule can be run, and fails as it says.
pub(crate) fn violation<P: Describe + ?Sized, R: Read>(
    program: &P,
    deadlock_is_error: bool,
    algorithm: String,
    mut input: In<R>,
) -> Result<Verified, Rejection>
where
    P::State: Clone,
{
    let mut symbols = Symbols::default();
    let (mut failures, mut steps) = (Vec::new(), 0);
    for number in 0..input.number()? {
        let claimed = read_failure(&mut input)?;
        steps += fails(program, deadlock_is_error, &claimed, &mut symbols, &mut input).map_err(|r| r.in_execution(number))?;
        failures.push(claimed);
    }
    input.end()?;
    if failures.is_empty() {
        return Err(Rejection::refused("it says that something fails, but not what"));
    }
    Ok(Verified {
        algorithm,
        ..Verified::new(Proved::Violation(failures), steps, Evidence::Run)
    })
}

/// Runs a schedule that must fail in its last step or at its end; its length.
fn fails<P: Describe + ?Sized, R: Read>(
    program: &P,
    deadlock_is_error: bool,
    claimed: &Failure,
    symbols: &mut Symbols,
    input: &mut In<R>,
) -> Result<u64, Rejection> {
    let length = input.number()?;
    let mut state = program.start();
    let mut pending: Vec<Pending> = Vec::new();
    let mut effects = Effects::default();
    for at in 1..=length {
        pending.clear();
        program.pending(&state, &mut pending);
        let transition = symbols.next(input, program, pending.iter().map(|p| p.transition.process))?;
        if !pending.iter().any(|p| p.enabled && p.transition == transition) {
            return Err(Rejection::refused("a step in it cannot be taken"));
        }
        effects.clear();
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| program.step(&mut state, transition, &mut effects))) {
            let said = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
            let said = said.or_else(|| payload.downcast_ref::<String>().cloned());
            let same = said.is_none_or(|said| said == claimed.message);
            if at == length && claimed.kind == FailureKind::Panic && same {
                return Ok(length);
            }
            return Err(Rejection::refused("a step panics"));
        }
    }
    let happened = effects.failure.take().map(anywhere);
    if happened.as_ref() == Some(claimed) && claimed.kind != FailureKind::Limit {
        return Ok(length);
    }
    pending.clear();
    program.pending(&state, &mut pending);
    let mut at_end = Vec::new();
    if !pending.iter().any(|p| p.enabled) {
        program.failures_at_end(&state, &mut at_end);
    }
    let is_error = deadlock_is_error || claimed.kind != FailureKind::Deadlock;
    if is_error && at_end.into_iter().map(anywhere).any(|failure| failure == *claimed) {
        Ok(length)
    } else {
        Err(Rejection::refused("a schedule does not fail as it says"))
    }
}
