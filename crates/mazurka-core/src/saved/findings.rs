//! What a search has found.

use super::{Decoder, Encoder, Misfit};
use crate::describe::Position;
use crate::findings::Findings;
use crate::outcome::{Failure, FailureKind, FoundFailure, Limit};
use crate::program::Fingerprint;
use rustc_hash::FxHashSet;

/// Every kind of failure by its number.
const KINDS: [FailureKind; 10] = [
    FailureKind::Assertion,
    FailureKind::Deadlock,
    FailureKind::Exception,
    FailureKind::Panic,
    FailureKind::Nondeterminism,
    FailureKind::Livelock,
    FailureKind::DataRace,
    FailureKind::Leak,
    FailureKind::Property,
    FailureKind::Limit,
];

/// The limits that a search goes on after, or has ended at, by their numbers.
const LIMITS: [Limit; 9] = [
    Limit::Executions,
    Limit::Depth,
    Limit::Time,
    Limit::Memory,
    Limit::Interrupt,
    Limit::Step,
    Limit::Budget,
    Limit::Preemptions,
    Limit::Delays,
];

impl Failure {
    /// Writes it.
    pub fn save(&self, out: &mut Encoder) {
        out.number(self.kind as u64);
        out.text(&self.message);
        out.flag(self.at.is_some());
        if let Some(at) = &self.at {
            out.text(&at.file);
            out.number(at.line.into());
            out.number(at.column.into());
        }
    }

    /// Reads one.
    pub fn resumed(from: &mut Decoder<'_>) -> Result<Self, Misfit> {
        Ok(Failure {
            kind: *KINDS.get(from.small::<usize>()?).ok_or(Misfit::Garbled)?,
            message: from.text()?,
            at: match from.flag()? {
                false => None,
                true => Some(Position {
                    file: from.text()?,
                    line: from.small()?,
                    column: from.small()?,
                }),
            },
        })
    }
}

impl FoundFailure {
    pub(crate) fn save(&self, out: &mut Encoder) {
        self.failure.save(out);
        out.list(self.schedule.iter(), |out, t| out.transition(*t));
        out.number(self.after_executions);
        out.number(self.repeats.map_or(0, |steps| steps as u64 + 1));
    }

    pub(crate) fn resumed(from: &mut Decoder<'_>) -> Result<Self, Misfit> {
        Ok(FoundFailure {
            failure: Failure::resumed(from)?,
            schedule: from.list(Decoder::transition)?,
            after_executions: from.number()?,
            repeats: from.small::<usize>()?.checked_sub(1),
        })
    }
}

/// Writes a limit, or that there is none.
pub(crate) fn save_limit(limit: Option<Limit>, out: &mut Encoder) {
    let number = limit.and_then(|limit| LIMITS.iter().position(|l| *l == limit));
    out.number(number.map_or(0, |n| n as u64 + 1));
}

/// Reads a limit, or that there is none.
pub(crate) fn resumed_limit(from: &mut Decoder<'_>) -> Result<Option<Limit>, Misfit> {
    match from.small::<usize>()?.checked_sub(1) {
        None => Ok(None),
        Some(number) => Ok(Some(*LIMITS.get(number).ok_or(Misfit::Garbled)?)),
    }
}

impl Findings {
    /// Writes all but the limit.
    pub(crate) fn save(&self, out: &mut Encoder) {
        out.flag(self.large_step.is_some());
        if let Some(failure) = &self.large_step {
            failure.save(out);
        }
        out.flag(self.final_states.is_some());
        if let Some(states) = &self.final_states {
            out.list(states.iter(), |out, state| out.wide(*state));
        }
        out.list(self.failures.iter(), |out, found| found.save(out));
        for count in self.failure_counts {
            out.number(count);
        }
    }

    /// Writes what means the same in every process: all but the limit, and the failures with their schedules.
    pub(crate) fn speak(&self, out: &mut Encoder) {
        out.flag(self.large_step.is_some());
        if let Some(failure) = &self.large_step {
            failure.save(out);
        }
        out.flag(self.final_states.is_some());
        if let Some(states) = &self.final_states {
            out.list(states.iter(), |out, state| out.wide(*state));
        }
        for count in self.failure_counts {
            out.number(count);
        }
    }

    /// Reads what another process has found of the same search.
    pub(crate) fn heard(from: &mut Decoder<'_>, same: &Findings) -> Result<Self, Misfit> {
        let mut found = same.empty();
        found.large_step = if from.flag()? { Some(Failure::resumed(from)?) } else { None };
        match (from.flag()?, &mut found.final_states) {
            (true, Some(states)) => states.extend(from.list(Decoder::wide)?),
            (false, None) => {}
            _ => return Err(Misfit::OtherSearch),
        }
        for count in &mut found.failure_counts {
            *count = from.number()?;
        }
        Ok(found)
    }

    /// Finds what another one had found.
    pub(crate) fn resume(&mut self, from: &mut Decoder<'_>) -> Result<(), Misfit> {
        self.large_step = if from.flag()? { Some(Failure::resumed(from)?) } else { None };
        let states: Option<FxHashSet<Fingerprint>> = match from.flag()? {
            true => Some(from.list(Decoder::wide)?.into_iter().collect()),
            false => None,
        };
        if states.is_some() != self.final_states.is_some() {
            return Err(Misfit::OtherSearch);
        }
        self.final_states = states;
        self.failures = from.list(FoundFailure::resumed)?;
        for count in &mut self.failure_counts {
            *count = from.number()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_and_limit_has_its_number() {
        for (number, kind) in KINDS.iter().enumerate() {
            assert_eq!(*kind as usize, number);
        }
        for limit in LIMITS.map(Some).into_iter().chain([None]) {
            let mut out = Encoder::default();
            save_limit(limit, &mut out);
            assert_eq!(resumed_limit(&mut Decoder::new(&out.into_bytes())), Ok(limit));
        }
    }
}
