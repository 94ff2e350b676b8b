//! The steps of a certificate: numbers, for what was written with them when they first occurred.

use crate::Rejection;
use crate::format::In;
use mazurka_core::{Describe, Process, Transition};
use rustc_hash::{FxHashMap, FxHashSet};
use std::io::Read;
use std::sync::Arc;

/// A step as it is written.
pub(crate) type Symbol = u32;

/// What they stand for: the key of a process, and which of its alternatives.
#[derive(Default)]
pub(crate) struct Symbols {
    list: Vec<(Arc<str>, u32)>,
    known: FxHashSet<(Arc<str>, u32)>,
}

impl Symbols {
    /// Reads a step, and what it stands for if that was not said before.
    pub fn read<R: Read>(&mut self, input: &mut In<R>) -> Result<Symbol, Rejection> {
        let number = input.number()?;
        if number < self.list.len() as u64 {
            return Ok(number as Symbol);
        }
        if number != self.list.len() as u64 || number >= u64::from(Symbol::MAX) {
            return Err(Rejection::unreadable("it uses a step before it says which"));
        }
        let step = (Arc::from(input.text()?), input.small()?);
        if !self.known.insert(step.clone()) {
            return Err(Rejection::unreadable("two numbers in it are the same step"));
        }
        self.list.push(step);
        Ok(number as Symbol)
    }

    /// What comes after those that are known to somebody already.
    pub fn after(&self, known: usize) -> &[(Arc<str>, u32)] {
        &self.list[known..]
    }
}

/// What steps are in this run of the program. The number of a process is found when it is first pending.
#[derive(Default)]
pub(crate) struct Meanings {
    steps: Vec<(Arc<str>, u32)>,
    found: Vec<Option<Transition>>,
    processes: FxHashMap<String, Process>,
    seen: Vec<bool>,
}

impl Meanings {
    /// How many steps it has heard of.
    pub fn known(&self) -> usize {
        self.steps.len()
    }

    /// More of them.
    pub fn learn(&mut self, steps: &[(Arc<str>, u32)]) {
        self.steps.extend_from_slice(steps);
        self.found.resize(self.steps.len(), None);
    }

    /// What a step is, where these processes are pending.
    pub fn of<P: Describe + ?Sized>(
        &mut self,
        symbol: Symbol,
        program: &P,
        pending: impl Iterator<Item = Process>,
    ) -> Result<Transition, Rejection> {
        if let Some(found) = self.found[symbol as usize] {
            return Ok(found);
        }
        for process in pending {
            self.meet(program, process)?;
        }
        let (key, choice) = &self.steps[symbol as usize];
        let process = *(self.processes.get(&**key)).ok_or_else(|| Rejection::refused("a process in it does not exist"))?;
        let transition = Transition { process, choice: *choice };
        self.found[symbol as usize] = Some(transition);
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

/// Both together, for whoever reads and runs by turns.
#[derive(Default)]
pub(crate) struct Steps {
    symbols: Symbols,
    meanings: Meanings,
}

impl Steps {
    /// Reads a step that is taken where these processes are pending.
    pub fn read<P: Describe + ?Sized, R: Read>(
        &mut self,
        input: &mut In<R>,
        program: &P,
        pending: impl Iterator<Item = Process>,
    ) -> Result<Transition, Rejection> {
        let symbol = self.symbols.read(input)?;
        self.meanings.learn(self.symbols.after(self.meanings.known()));
        self.meanings.of(symbol, program, pending)
    }
}
