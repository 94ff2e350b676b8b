//! What merging asks of a shared-variable program: values, and guards evaluated in other contexts.

use super::code::{Stack, Values, compute};
use super::{Machine, Run};
use mazurka_core::{Comparable, Location, Predicate, Process};
use smallvec::SmallVec;

impl Comparable for Machine {
    fn value(&self, run: &Run, location: Location) -> i64 {
        i64::from(run.cells[location.index()])
    }

    fn guard(&self, run: &Run, process: Process, locals: &mut Vec<i64>) -> Predicate {
        locals.extend(self.locals(run, process).iter().map(|l| i64::from(*l)));
        let slot = self.slot(process);
        self.step_predicate(slot.body as usize, run.cells[slot.base as usize] as usize)
    }

    fn evaluate(&self, run: &Run, predicate: Predicate, locals: &[i64], instead: &[(Location, i64)]) -> u64 {
        let (body, step) = self.step_of(predicate);
        let step = &self.bodies[body].steps[step];
        let Some(guard) = &step.guard else { return 1 };
        let mut cells: SmallVec<[i32; 64]> = SmallVec::from_slice(&run.cells[..self.shared]);
        for (location, value) in instead {
            // Values are kept in 32 bits; sums of them agree modulo 2³².
            cells[location.index()] = *value as i32;
        }
        cells.extend(locals.iter().map(|l| *l as i32));
        let mut enabled: u64 = 0;
        for choice in 0..step.choose.map_or(1, |(_, n)| n) {
            let values = Values {
                cells: &cells,
                locals: self.shared,
                chosen: step.choose.map(|(local, _)| (local, choice as i32)),
            };
            let mut stack = Stack::new();
            let failed = guard.iter().any(|op| matches!(compute(*op, values, &mut stack), Some(Err(_))));
            if failed || stack.pop() != 0 {
                enabled = enabled.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(u64::from(choice) + 1) | 1;
            }
        }
        enabled
    }
}

impl Machine {
    /// The number of the guard of a step: steps are numbered through all bodies.
    fn step_predicate(&self, body: usize, step: usize) -> Predicate {
        let before: usize = self.bodies[..body].iter().map(|b| b.steps.len()).sum();
        Predicate((before + step) as u32)
    }

    /// The body and the step that have this number.
    fn step_of(&self, predicate: Predicate) -> (usize, usize) {
        let mut rest = predicate.0 as usize;
        let body = self.bodies.iter().position(|b| {
            let here = rest < b.steps.len();
            if !here {
                rest -= b.steps.len();
            }
            here
        });
        (body.unwrap_or(0), rest)
    }
}
