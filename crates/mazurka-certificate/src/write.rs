//! Writing certificates, while the search runs.
//!
//! A certificate begins with a line that says what it is, the version of the tool, the digest of program and options, the
//! algorithm and the kind of proof. Executions follow in the order of the search: how many steps of the last one are taken
//! back, how many are new, and these. A step is a number; a number that was not there before is followed by what it stands for, the key of
//! a process and a choice. At the end are the claims, and a sum of all bytes.

use crate::claims::{Claims, anywhere, write_failure};
use crate::format::{MAGIC, Out};
use mazurka_core::{Failure, FoundFailure, Transition};
use rustc_hash::FxHashMap;
use std::io::{Result, Write};

/// What a certificate is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    /// The version of the tool.
    pub version: String,
    /// Stands for the program and the options that change what it does; see [`digest`](crate::digest).
    pub digest: u128,
}

/// What proves the verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// One execution of each trace.
    Executions = 1,
    /// Schedules that fail.
    Failures = 2,
    /// Executions that end where a state was explored before.
    Merged = 3,
    /// For each state the successors that are explored.
    States = 4,
}

/// The numbers of steps.
#[derive(Default)]
struct Symbols(FxHashMap<Transition, u64>);

impl Symbols {
    fn write<W: Write>(&mut self, transition: Transition, key: &dyn Fn(Transition) -> String, out: &mut Out<W>) -> Result<()> {
        let next = self.0.len() as u64;
        let number = *self.0.entry(transition).or_insert(next);
        out.number(number)?;
        if number == next {
            out.text(&key(transition))?;
            out.number(u64::from(transition.choice))?;
        }
        Ok(())
    }
}

fn begin<W: Write>(to: W, subject: &Subject, algorithm: &str, kind: Kind) -> Result<Out<W>> {
    let mut out = Out::new(to);
    out.bytes(MAGIC)?;
    out.text(&subject.version)?;
    out.bytes(&subject.digest.to_le_bytes())?;
    out.text(algorithm)?;
    out.number(kind as u64)?;
    Ok(out)
}

/// Writes one execution after the other.
pub struct Writer<W> {
    out: Out<W>,
    symbols: Symbols,
    last: Vec<Transition>,
}

impl<W: Write> Writer<W> {
    /// Begins a certificate of a search through executions.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(to: W, subject: &Subject, algorithm: &str) -> Result<Self> {
        Self::of(Kind::Executions, to, subject, algorithm)
    }

    /// Begins a certificate of a search that merges: its executions may end where a state was explored before, or where everything sleeps.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn merging(to: W, subject: &Subject, algorithm: &str) -> Result<Self> {
        Self::of(Kind::Merged, to, subject, algorithm)
    }

    fn of(kind: Kind, to: W, subject: &Subject, algorithm: &str) -> Result<Self> {
        Ok(Writer {
            out: begin(to, subject, algorithm, kind)?,
            symbols: Symbols::default(),
            last: Vec::new(),
        })
    }

    /// Adds a maximal execution; `key` names the process of a transition.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn execution(&mut self, schedule: &[Transition], key: &dyn Fn(Transition) -> String) -> Result<()> {
        let shared = self.last.iter().zip(schedule).take_while(|(a, b)| a == b).count();
        // Numbers from 1: 0 is the end.
        self.out.number((self.last.len() - shared) as u64 + 1)?;
        self.out.number((schedule.len() - shared) as u64)?;
        for &transition in &schedule[shared..] {
            self.symbols.write(transition, key, &mut self.out)?;
        }
        self.last.truncate(shared);
        self.last.extend_from_slice(&schedule[shared..]);
        Ok(())
    }

    /// Ends the certificate with what the search found out; failures in any order.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self, claims: &Claims) -> Result<W> {
        self.out.number(0)?;
        claims.in_order().write(&mut self.out)?;
        self.out.end()
    }
}

/// Writes which successors of each state are explored.
pub struct StatesWriter<W>(Out<W>);

impl<W: Write> StatesWriter<W> {
    /// Begins a certificate of a search that stores states.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(to: W, subject: &Subject, algorithm: &str) -> Result<Self> {
        begin(to, subject, algorithm, Kind::States).map(StatesWriter)
    }

    /// Adds the next state: the numbers of the successors that are explored, the smallest first, of so many.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn state(&mut self, chosen: &[u32], all: usize) -> Result<()> {
        if chosen.len() == all {
            return self.0.number(0);
        }
        self.0.number(chosen.len() as u64)?;
        let mut next = 0;
        for &number in chosen {
            self.0.number(u64::from(number - next))?;
            next = number + 1;
        }
        Ok(())
    }

    /// Ends the certificate with what the search found out; failures in any order.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self, claims: &Claims) -> Result<W> {
        claims.in_order().write(&mut self.0)?;
        self.0.end()
    }
}

/// Writes a certificate of a violation: schedules that fail. `key` names the process of a transition.
///
/// # Errors
/// If it cannot be written.
pub fn write_violation<W: Write>(
    to: W,
    subject: &Subject,
    algorithm: &str,
    failures: &[FoundFailure],
    key: &dyn Fn(Transition) -> String,
) -> Result<W> {
    let mut out = begin(to, subject, algorithm, Kind::Failures)?;
    let mut symbols = Symbols::default();
    let mut different: Vec<(Failure, &FoundFailure)> = Vec::new();
    for found in failures {
        let failure = anywhere(found.failure.clone());
        if different.iter().all(|(other, _)| *other != failure) {
            different.push((failure, found));
        }
    }
    out.number(different.len() as u64)?;
    for (failure, found) in different {
        write_failure(&failure, &mut out)?;
        out.number(found.schedule.len() as u64)?;
        for &transition in &found.schedule {
            symbols.write(transition, key, &mut out)?;
        }
    }
    out.end()
}
