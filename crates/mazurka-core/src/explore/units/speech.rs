//! Messages between processes of the system: processes of the program are called by their names there, because each has its own numbers for them.

use crate::names::Names;
use crate::program::{Process, Transition};
use crate::saved::{Decoder, Encoder, Misfit};
use rustc_hash::FxHashMap;

/// Writes a message. A name is written once, where it first occurs.
pub(super) struct Speaker<'p> {
    names: Option<&'p Names>,
    known: FxHashMap<Process, u64>,
    pub out: Encoder,
}

impl<'p> Speaker<'p> {
    pub fn new(names: Option<&'p Names>) -> Self {
        Speaker {
            names,
            known: FxHashMap::default(),
            out: Encoder::default(),
        }
    }

    pub fn step(&mut self, transition: Transition) {
        let process = transition.process;
        let next = self.known.len() as u64;
        let number = *self.known.entry(process).or_insert(next);
        self.out.number(number);
        if number == next {
            let path = path(self.names, process);
            self.out.list(path.iter(), |out, nth| out.number((*nth).into()));
        }
        self.out.number(transition.choice.into());
    }

    pub fn steps(&mut self, steps: &[Transition]) {
        self.out.number(steps.len() as u64);
        steps.iter().for_each(|step| self.step(*step));
    }
}

/// The places of birth of a process, from the root.
pub(super) fn path(names: Option<&Names>, process: Process) -> Vec<u32> {
    let Some(names) = names else { return vec![process.0] };
    let mut path = Vec::new();
    let mut at = Some(process.0);
    while let Some(id) = at {
        let (parent, nth) = names.birth(id);
        path.push(nth);
        at = parent;
    }
    path.reverse();
    path
}

/// Reads a message.
pub(super) struct Listener<'p, 'b> {
    names: Option<&'p Names>,
    known: Vec<Process>,
    pub from: Decoder<'b>,
}

impl<'p, 'b> Listener<'p, 'b> {
    pub fn new(names: Option<&'p Names>, bytes: &'b [u8]) -> Self {
        Listener {
            names,
            known: Vec::new(),
            from: Decoder::new(bytes),
        }
    }

    pub fn step(&mut self) -> Result<Transition, Misfit> {
        let number: usize = self.from.small()?;
        if number == self.known.len() {
            let path: Vec<u32> = self.from.list(Decoder::small)?;
            let (first, rest) = path.split_first().ok_or(Misfit::Garbled)?;
            let id = match self.names {
                Some(names) => rest.iter().fold(names.root(*first), |parent, nth| names.child(parent, *nth)),
                None => *first,
            };
            self.known.push(Process(id));
        }
        Ok(Transition {
            process: *self.known.get(number).ok_or(Misfit::Garbled)?,
            choice: self.from.small()?,
        })
    }

    pub fn steps(&mut self) -> Result<Vec<Transition>, Misfit> {
        let count = self.from.count()?;
        (0..count).map(|_| self.step()).collect()
    }
}
