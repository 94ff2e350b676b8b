//! One number for a set of traces: whoever runs the same ones gets the same number, on any machine and in any order.

use super::speech::path;
use crate::names::Names;
use crate::program::Process;
use crate::trace::{At, Trace};

/// The sum of the hashes of traces.
#[derive(Default)]
pub(crate) struct TraceSum {
    pub sum: u64,
    /// The hash of each process's name; 0 where it was not needed yet.
    processes: Vec<u64>,
    events: Vec<u64>,
}

impl TraceSum {
    /// Adds an execution: every event is hashed with its immediate predecessors in happens-before, which are the same in all executions of the trace.
    pub fn add(&mut self, trace: &Trace, names: Option<&Names>) {
        self.events.clear();
        let mut all = 0u64;
        for at in 0..trace.len() as At {
            let transition = trace.event(at).transition;
            let own = mix(self.process(transition.process, names) ^ u64::from(transition.choice));
            let past = trace.predecessors(at).iter();
            let past = past.fold(0u64, |sum, e| sum.wrapping_add(mix(self.events[*e as usize])));
            let event = mix(past ^ own);
            all = all.wrapping_add(mix(event.wrapping_add(1)));
            self.events.push(event);
        }
        self.sum = self.sum.wrapping_add(mix(all));
    }

    fn process(&mut self, process: Process, names: Option<&Names>) -> u64 {
        if process.index() >= self.processes.len() {
            self.processes.resize(process.index() + 1, 0);
        }
        let known = &mut self.processes[process.index()];
        if *known == 0 {
            *known = path(names, process).iter().fold(1, |hash, nth| mix(hash ^ u64::from(*nth))) | 1;
        }
        *known
    }
}

/// Spreads every bit over all others.
fn mix(z: u64) -> u64 {
    let z = (z ^ (z >> 32))
        .wrapping_add(0x9E37_79B9_7F4A_7C15)
        .wrapping_mul(0xD6E8_FEB8_6659_FD93);
    let z = (z ^ (z >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z ^ (z >> 32)
}
