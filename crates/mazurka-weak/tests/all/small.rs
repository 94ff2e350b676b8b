//! Small programs: straight-line threads with forward branches, as tests write them.

use mazurka_weak::{Answer, Counts, Ending, Fault, Graph, Limits, Location, Next, Order, Program, Search, Seen, model};
use std::collections::BTreeMap;

/// One thing that a thread does. Registers are numbered; a value is a number or a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instruction {
    Load(usize, u32, Order),
    Store(u32, Value, Order),
    /// Compare-exchange: the register gets what was read.
    Exchange(usize, u32, u64, u64, Order, Order),
    /// Adds; the register gets what was there before.
    Add(usize, u32, u64, Order),
    Fence(Order),
    /// Takes a lock, which is a location that is 1 while it is held.
    Lock(u32),
    Unlock(u32),
    /// Waits until the location has this value.
    Await(u32, u64, Order),
    Join(u32),
    /// Goes on after the next so many instructions if the register has another value.
    Unless(usize, u64, usize),
    /// Fails unless the register has this value.
    Assert(usize, u64),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    Number(u64),
    Register(usize),
}

pub const REGISTERS: usize = 4;

/// A program: the instructions of its threads. Every location starts as 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Small {
    pub threads: Vec<Vec<Instruction>>,
}

/// One thread.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Thread {
    pub at: usize,
    pub registers: [u64; REGISTERS],
    pub failed: bool,
}

impl Thread {
    /// Does what nobody else sees, up to the next event; that, if there is one.
    pub fn settle(&mut self, code: &[Instruction]) -> Option<Instruction> {
        while !self.failed {
            match *code.get(self.at)? {
                Instruction::Unless(register, value, skip) => self.at += if self.registers[register] == value { 1 } else { 1 + skip },
                Instruction::Assert(register, value) => {
                    self.failed = self.registers[register] != value;
                    self.at += 1;
                }
                instruction => return Some(instruction),
            }
        }
        None
    }

    pub fn value(&self, value: Value) -> u64 {
        match value {
            Value::Number(n) => n,
            Value::Register(r) => self.registers[r],
        }
    }

    /// The event was taken, and read this.
    pub fn took(&mut self, instruction: Instruction, read: u64) {
        if let Instruction::Load(r, ..) | Instruction::Exchange(r, ..) | Instruction::Add(r, ..) = instruction {
            self.registers[r] = read;
        }
        self.at += 1;
    }
}

impl Program for Small {
    type Run = Vec<Thread>;

    fn start(&self) -> Vec<Thread> {
        let mut run = vec![Thread::default(); self.threads.len()];
        run.iter_mut().zip(&self.threads).for_each(|(thread, code)| {
            thread.settle(code);
        });
        run
    }

    fn threads(&self, run: &Vec<Thread>) -> u32 {
        run.len() as u32
    }

    fn next(&self, run: &Vec<Thread>, thread: u32) -> Next {
        use Instruction::*;
        let state = &run[thread as usize];
        if state.failed {
            return Next::Done;
        }
        match self.threads[thread as usize].get(state.at).copied() {
            None => Next::Done,
            Some(Load(_, x, order)) => Next::read(Location(x), order),
            Some(Store(x, value, order)) => Next::Write {
                location: Location(x),
                order,
                value: state.value(value),
            },
            Some(Exchange(_, x, _, _, success, failure)) => Next::update(Location(x), success, failure),
            Some(Add(_, x, _, order)) => Next::update(Location(x), order, order),
            Some(Lock(x)) => Next::update(Location(x), Order::Acquire, Order::Acquire),
            Some(Unlock(x)) => Next::Write {
                location: Location(x),
                order: Order::Release,
                value: 0,
            },
            Some(Await(x, _, order)) => Next::read(Location(x), order),
            Some(Fence(order)) => Next::Fence(order),
            Some(Join(other)) => Next::Join(other),
            Some(Unless(..) | Assert(..)) => unreachable!("settled"),
        }
    }

    fn answer(&self, run: &Vec<Thread>, thread: u32, read: u64) -> Answer {
        use Instruction::*;
        match self.threads[thread as usize][run[thread as usize].at] {
            Exchange(_, _, expected, new, ..) if read == expected => Answer::Write(new),
            Add(_, _, by, _) => Answer::Write(read + by),
            Lock(_) if read == 0 => Answer::Write(1),
            Lock(_) => Answer::Wait,
            Await(_, value, _) if read != value => Answer::Wait,
            _ => Answer::Read,
        }
    }

    fn take(&self, run: &mut Vec<Thread>, thread: u32, seen: Seen<'_>) {
        let (state, code) = (&mut run[thread as usize], &self.threads[thread as usize]);
        state.took(code[state.at], seen.value);
        state.settle(code);
    }

    fn initial(&self, _: &Vec<Thread>, _: Location) -> u64 {
        0
    }

    fn fault(&self, run: &Vec<Thread>) -> Option<Fault> {
        let thread = run.iter().position(|t| t.failed)? as u32;
        Some(Fault {
            message: "assertion".into(),
            thread,
            is_last: false,
        })
    }
}

/// What identifies a graph.
pub type Shape = Vec<(u32, u32, u32, u32)>;
/// The registers of all threads.
pub type Outcome = Vec<[u64; REGISTERS]>;

/// All that a search found.
#[derive(Default, Debug)]
pub struct Found {
    /// How often each graph was visited, and what the threads knew in the end.
    pub graphs: BTreeMap<Shape, (u64, Outcome)>,
    pub counts: Counts,
    pub races: bool,
    pub faults: bool,
}

/// Searches.
pub fn search(program: &Small, name: &str) -> Found {
    let mut found = Found::default();
    let model = model(name).expect("a model");
    let mut search = Search::new(program, model, Limits::default());
    let (graphs, races, faults) = (&mut found.graphs, &mut found.races, &mut found.faults);
    search.run(&mut |graph: &Graph, run: &Vec<Thread>, ending: &Ending| {
        match ending {
            Ending::Complete | Ending::Deadlock => {
                graphs
                    .entry(graph.shape())
                    .or_insert((0, run.iter().map(|t| t.registers).collect()))
                    .0 += 1;
            }
            Ending::Race(_) => *races = true,
            Ending::Fault(_) => *faults = true,
            Ending::Strange(_) | Ending::Blocked | Ending::TooLarge => {}
        }
        true
    });
    found.counts = search.counts();
    found
}
