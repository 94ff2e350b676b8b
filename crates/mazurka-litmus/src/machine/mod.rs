//! A [`Model`] compiled for the engine: flat states, flat code, footprints known in advance.
//!
//! A state is one vector of cells: the shared variables, then for each process its program counter and locals. Copying a state into an
//! old one is a `memcpy`; a step changes the cells it writes and the fingerprint with them.

mod addressing;
mod births;
mod code;
mod comparable;
mod compile;
mod describe;
mod emit;
mod failure;
#[cfg(test)]
mod fingerprint_tests;
mod guards;
mod hash;
mod insights;
mod interpreter;
mod liveness;
mod may_touch;
#[cfg(test)]
mod may_touch_tests;
mod meter;
mod monotone;
mod origins;
#[cfg(test)]
mod origins_tests;
mod overwrites;
mod predicates;
mod run;
mod space;
mod step;
mod values;

pub use run::Run;

use crate::model::{Model, ModelError};
use crate::text::{self, ParseError};
use births::{Births, Slot};
use code::Fault;
use compile::{CompiledBody, CompiledStep};
use hash::Key;
use liveness::Liveness;
use may_touch::MayTouch;
use mazurka_core::{Effects, Failure, Features, Fingerprint, Footprint, Insights, Pending, Position, Process, Program, Transition};
use meter::Meter;
use predicates::Predicates;
use std::sync::{Arc, OnceLock};

/// Which accesses [`Program::footprint`] reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Footprints {
    /// Everything that the step may touch given its process's locals.
    #[default]
    Static,
    /// What the step would really touch from this state. Most algorithms are unsound with these; tests show which.
    Dynamic,
}

/// A compiled program.
#[derive(Debug)]
pub struct Machine {
    model: Model,
    footprints: Footprints,
    features: Features,
    bodies: Vec<CompiledBody>,
    /// For each variable, its first cell.
    bases: Vec<u32>,
    shared: usize,
    shared_key: Key,
    roots: Vec<Slot>,
    /// Shared by the copies of workers: a process has the same id in all of them.
    births: Arc<Births>,
    start: Run,
    predicates: Predicates,
    /// Whether spawned tasks leave no trace of their names in shared variables.
    exchangeable: bool,
    /// Where the steps are in the text, if there is one.
    positions: text::StepPositions,
    /// Which shared cells some guard may read.
    guard_cells: Vec<bool>,
    /// Computed when it is asked for.
    liveness: OnceLock<Liveness>,
    /// Whether some step may replace a shared value without using it.
    overwrites: bool,
}

impl Machine {
    /// Compiles a program.
    ///
    /// # Errors
    /// What [`Model::check`] finds.
    pub fn new(model: Model) -> Result<Self, ModelError> {
        model.check()?;
        Ok(Machine::compile(model))
    }

    /// Compiles a program that was checked.
    fn compile(model: Model) -> Self {
        Machine::compile_with(model, None)
    }

    /// Compiles a program that was compiled before, whose processes are `known`.
    fn compile_with(model: Model, known: Option<Arc<Births>>) -> Self {
        let bases = compile::layout(&model);
        let shared = model.variables().iter().map(|v| v.initial.len()).sum();
        let (bodies, predicates) = compile::compile(&model, &bases);
        let guard_cells = guards::guard_cells(&bodies, &bases, shared);
        let births = known.unwrap_or_else(|| Arc::new(Births::new(bodies.len(), shared)));
        let features = Features {
            terminating: model.bounded || !has_cycle(&bodies),
            ..Features::STATIC
        };
        let spawned = model.spawned_bodies();
        let overwrites = overwrites::overwrites(&model);
        let exchangeable = !(0..spawned.len()).any(|b| spawned[b] && bodies[b].takes_locks());
        let start = Run::new(model.variables().iter().flat_map(|v| v.initial.iter().copied()).collect());
        let mut machine = Machine {
            model,
            footprints: Footprints::Static,
            features,
            bodies,
            bases,
            shared,
            shared_key: Key::shared(),
            roots: Vec::new(),
            births,
            start,
            predicates,
            exchangeable,
            positions: text::StepPositions::default(),
            guard_cells,
            liveness: OnceLock::new(),
            overwrites,
        };
        machine.start.fingerprint = machine
            .start
            .cells
            .iter()
            .enumerate()
            .fold(0, |f, (i, v)| f ^ machine.shared_key.cell(i).hash(*v));
        machine.start.shared = machine.start.fingerprint;
        for (nth, body) in (0..spawned.len()).filter(|b| !spawned[*b]).enumerate() {
            let (_, slot) = machine.births.root(nth, body, machine.bodies[body].cells);
            machine.roots.push(slot);
            let mut start = std::mem::take(&mut machine.start);
            machine.place(&mut start, slot, &[]);
            machine.start = start;
        }
        machine
    }

    /// Reads and compiles a program in the notation of [`crate::text`].
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        Self::parse_file("program", text)
    }

    /// As [`Machine::parse`], with the name of the file for messages.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse_file(file: &str, text: &str) -> Result<Self, ParseError> {
        Self::parse_file_with(file, text, &[])
    }

    /// As [`Machine::parse_file`], with other values for some of the constants.
    ///
    /// # Errors
    /// What is wrong with the text, or with the settings.
    pub fn parse_file_with(file: &str, text: &str, settings: &[(String, i64)]) -> Result<Self, ParseError> {
        let (model, positions) = text::parse_with_positions(file, text, settings)?;
        let mut machine = Machine::compile(model);
        machine.positions = positions;
        Ok(machine)
    }

    fn liveness(&self) -> &Liveness {
        self.liveness.get_or_init(|| Liveness::new(&self.bodies, &self.bases, self.shared))
    }

    /// Where a step of a body is in its text, if it was read from one.
    fn position(&self, body: usize, step: usize) -> Option<Position> {
        self.positions.of(body, step)
    }

    /// The same program with another kind of footprints.
    #[must_use]
    pub fn with_footprints(mut self, footprints: Footprints) -> Self {
        self.footprints = footprints;
        self.features.static_footprints = footprints == Footprints::Static;
        self
    }

    /// The program as it was written.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The value of a shared variable or array element, by its name as [`mazurka_core::Describe::location_name`] gives it.
    pub fn value(&self, run: &Run, name: &str) -> Option<i32> {
        (0..self.shared).find(|i| self.cell_name(*i) == name).map(|i| run.cells[i])
    }

    /// The locals of a process of this run, in the order of their declaration.
    pub fn locals<'r>(&self, run: &'r Run, process: Process) -> &'r [i32] {
        let slot = self.slot(process);
        let base = slot.base as usize + 1;
        &run.cells[base..base + self.model.bodies()[slot.body as usize].locals.len()]
    }

    /// All processes that exist in this run, finished ones too, oldest first.
    pub fn processes<'r>(&self, run: &'r Run) -> impl Iterator<Item = Process> + 'r {
        (0..self.roots.len() as u32).chain(run.spawned.iter().copied()).map(Process)
    }

    /// A fingerprint of what the processes themselves know: where each of them is and the values of its locals, no shared variable.
    pub fn outcome(&self, run: &Run) -> Fingerprint {
        self.processes(run).fold(0, |f, p| {
            let slot = self.slot(p);
            (0..self.bodies[slot.body as usize].cells).fold(f, |f, i| f ^ slot.key.cell(i).hash(run.cells[slot.base as usize + i]))
        })
    }

    fn cell_name(&self, cell: usize) -> String {
        let v = self.bases.iter().rposition(|b| *b as usize <= cell).unwrap_or(0);
        let variable = &self.model.variables()[v];
        if variable.array {
            format!("{}[{}]", variable.name, cell - self.bases[v] as usize)
        } else {
            variable.name.clone()
        }
    }

    #[inline]
    fn slot(&self, process: Process) -> Slot {
        match self.roots.get(process.index()) {
            Some(slot) => *slot,
            None => self.births.slot(process),
        }
    }

    /// The step that a process takes next; `None` if it has ended.
    #[inline]
    fn next_step(&self, run: &Run, slot: Slot) -> Option<&CompiledStep> {
        let pc = run.cells[slot.base as usize];
        if pc < 0 {
            None
        } else {
            self.bodies[slot.body as usize].steps.get(pc as usize)
        }
    }

    #[inline(always)]
    fn list(&self, run: &Run, process: Process, slot: &Slot, out: &mut Vec<Pending>) {
        let Ok(pc) = usize::try_from(run.cells[slot.base as usize]) else {
            return;
        };
        let Some(step) = self.bodies[slot.body as usize].steps.get(pc) else {
            return;
        };
        if step.guard.is_none() && step.choose.is_none() {
            out.push(Pending {
                transition: Transition::of(process),
                enabled: true,
            });
        } else {
            self.list_alternatives(run, process, *slot, step, out);
        }
    }

    fn list_alternatives(&self, run: &Run, process: Process, slot: Slot, step: &CompiledStep, out: &mut Vec<Pending>) {
        for choice in 0..compile::alternatives(step.choose) {
            out.push(Pending {
                transition: Transition { process, choice },
                enabled: self.is_enabled(run, slot, step, choice),
            });
        }
    }

    /// Whether the guard holds. One that cannot be evaluated lets the step run, which then reports that.
    fn is_enabled(&self, run: &Run, slot: Slot, step: &CompiledStep, choice: u32) -> bool {
        self.guard_value(run, slot, step, choice, &mut ()) != Ok(0)
    }

    /// The value of the guard; a step without one has a guard that is always 1.
    fn guard_value<M: Meter>(&self, run: &Run, slot: Slot, step: &CompiledStep, choice: u32, meter: &mut M) -> Result<i32, Fault> {
        let Some(guard) = &step.guard else { return Ok(1) };
        let chosen = step.choose.map(|(local, _)| (local, choice as i32));
        values::value_of(guard, step.deep, &run.cells, slot.base as usize + 1, chosen, meter)
    }
}

/// Whether some process can come back to a step, or spawn itself: then executions may be infinite.
fn has_cycle(bodies: &[CompiledBody]) -> bool {
    let leads = |b: usize| bodies[b].leads(b);
    // Bodies that spawn each other in a circle: remove bodies that spawn only removed ones until nothing changes.
    let mut removed = vec![false; bodies.len()];
    for _ in 0..bodies.len() {
        for b in 0..bodies.len() {
            removed[b] |= !leads(b).any(|(_, (to, _))| to != b && !removed[to]);
        }
    }
    let mut all = (0..bodies.len()).flat_map(|b| leads(b).map(move |(from, to)| (b, from, to)));
    removed.contains(&false) || all.any(|(b, from, (to, step))| to == b && step <= from)
}

impl Program for Machine {
    type State = Run;

    fn start(&self) -> Run {
        self.start.clone()
    }

    fn pending(&self, run: &Run, out: &mut Vec<Pending>) {
        for (i, slot) in self.roots.iter().enumerate() {
            self.list(run, Process(i as u32), slot, out);
        }
        for id in &run.live {
            let process = Process(*id);
            self.list(run, process, &self.births.slot(process), out);
        }
    }

    fn footprint(&self, run: &Run, transition: Transition, out: &mut Footprint) {
        let slot = self.slot(transition.process);
        let Some(step) = self.next_step(run, slot) else { return };
        if self.footprints == Footprints::Static
            && let Some(known) = step.footprints.get(transition.choice as usize).or(step.footprints.first())
        {
            if out.accesses().is_empty() {
                out.clone_from(known);
            } else {
                known.accesses().iter().for_each(|a| out.add(*a));
            }
            return;
        }
        let base = slot.base as usize + 1;
        let memory = (self.footprints == Footprints::Dynamic).then_some(&run.cells[..]);
        let locals = &run.cells[base..base + self.bodies[slot.body as usize].locals];
        MayTouch::with_locals(locals, memory).add_footprint(step, transition.choice, out);
    }

    fn step(&self, run: &mut Run, transition: Transition, effects: &mut Effects) {
        self.take(run, transition, effects);
    }

    fn fingerprint(&self, run: &Run) -> Fingerprint {
        run.fingerprint
    }

    fn failures_at_end(&self, run: &Run, out: &mut Vec<Failure>) {
        out.extend(self.deadlock(run));
    }

    fn features(&self) -> Features {
        self.features
    }

    fn insights(&self) -> Insights<'_, Run> {
        Insights {
            futures: Some(self),
            guard_locations: Some(self),
            liveness: Some(self),
            comparable: Some(self),
            enabling: None,
            actors: None,
            names: Some(self.births.names()),
            objects: None,
            properties: None,
            instruments: Some(self),
        }
    }
}
