//! What a person sees of a litmus program.

use super::{Machine, Run};
use crate::model::{Place, Statement};
use crate::text;
use mazurka_core::{Describe, Footprint, Location, Process, StepText, Transition, Wait};

impl Machine {
    /// `p0`, or `p0/k` and `p0/k#2` for what it spawned.
    fn name_of(&self, process: Process) -> String {
        let slot = self.slot(process);
        let name = &self.model.bodies()[slot.body as usize].name;
        match self.births.birth(process) {
            (None, _) => name.clone(),
            (Some(parent), 0) => format!("{}/{name}", self.name_of(parent)),
            (Some(parent), nth) => format!("{}/{name}#{nth}", self.name_of(parent)),
        }
    }
}

impl Describe for Machine {
    fn process_key(&self, process: Process) -> String {
        self.name_of(process)
    }

    fn process_name(&self, _: &Run, process: Process) -> String {
        self.name_of(process)
    }

    fn describe(&self, run: &Run, transition: Transition) -> StepText {
        let slot = self.slot(transition.process);
        let body = &self.model.bodies()[slot.body as usize];
        let Some(step) = usize::try_from(run.cells[slot.base as usize])
            .ok()
            .and_then(|pc| body.steps.get(pc))
        else {
            return StepText::default();
        };
        let mut label = if step.statements.is_empty() {
            "skip".to_string()
        } else {
            text::step_text(&self.model, body, step)
        };
        if let Some(Statement::Choose(local, _)) = step.statements.first() {
            label = format!("{} (chooses {}={})", label, body.locals[local.0].name, transition.choice);
        }
        StepText {
            label,
            at: self.position(slot.body as usize, run.cells[slot.base as usize] as usize),
            sends: Vec::new(),
        }
    }

    fn location_name(&self, location: Location) -> String {
        self.cell_name(location.index())
    }

    fn waits(&self, run: &Run) -> Vec<Wait> {
        let mut waits = Vec::new();
        for process in self.processes(run) {
            let slot = self.slot(process);
            let Some(step) = self.next_step(run, slot) else { continue };
            if (0..step.choose.map_or(1, |(_, n)| n)).any(|c| self.is_enabled(run, slot, step, c)) {
                continue;
            }
            let body = &self.model.bodies()[slot.body as usize];
            let source = &body.steps[run.cells[slot.base as usize] as usize];
            let mut what = Vec::new();
            let mut on = None;
            for s in &source.statements {
                match s {
                    Statement::Await(e) => what.push(text::expression_text(&self.model, body, e)),
                    Statement::Lock(Place::Shared(v, index)) => {
                        let e = crate::model::Expr::Shared(*v, index.clone());
                        what.push(text::expression_text(&self.model, body, &e));
                        // The lock itself is what the guard reads; its value is the token of the holder.
                        let mut touched = Footprint::new();
                        self.add_guard_reads(run, Transition::of(process), &mut touched);
                        let taken = |p: Process| {
                            touched
                                .accesses()
                                .iter()
                                .any(|a| a.guard && run.cells[a.location.index()] == self.token(p))
                        };
                        on = on.or(self.processes(run).find(|p| !self.model.is_assigned(*v) && taken(*p)));
                    }
                    Statement::Choose(..) => {}
                    _ => break,
                }
            }
            waits.push(Wait {
                process,
                agent: None,
                what: what.join(" and "),
                on,
                at: self.position(slot.body as usize, run.cells[slot.base as usize] as usize),
            });
        }
        waits
    }

    fn values(&self, run: &Run) -> Vec<(String, String)> {
        let mut out: Vec<(String, String)> = (0..self.shared).map(|i| (self.cell_name(i), run.cells[i].to_string())).collect();
        for process in self.processes(run) {
            let body = &self.model.bodies()[self.slot(process).body as usize];
            for (local, value) in body.locals.iter().zip(self.locals(run, process)) {
                out.push((format!("{}.{}", self.name_of(process), local.name), value.to_string()));
            }
        }
        out
    }
}
