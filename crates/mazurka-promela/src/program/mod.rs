//! A Promela model as the engine sees it.
//!
//! A step is a macro-step of the machine: one statement, one rendezvous, or one way through an indivisible sequence. Pids depend on the
//! schedule, so a process is known by its place of birth; births and deaths conflict, because they decide who gets which pid. Processes
//! that may meet in a rendezvous are one process to the engine.

mod claims;
mod describe;
mod fingerprint;
mod footprints;
mod future;
mod locations;
mod moves;
mod states;
mod termination;
mod touched;

use crate::analysis::{Analysis, Fixed, Future};
use crate::machine::{Fault, FaultKind, Machine, Micro, Quiet, Scratch, State};
use crate::model::Op;
pub use states::PromelaStates;

use fingerprint::Hasher;
use future::Beginning;
use locations::Locations;
use mazurka_core::{
    Effects, Failure, FailureKind, Features, Footprint, Insights, Instruments, Names, Pending, Position, Process, Program, Transition,
    locked,
};
use mazurka_diagnostics::{SourceMap, Span};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// A model that can be explored.
#[derive(Debug)]
pub struct Promela {
    machine: Machine,
    analysis: Analysis,
    fixed: Fixed,
    sources: SourceMap,
    locations: Locations,
    /// Shared by the copies of workers: a process has the same id in all of them.
    names: Arc<Names>,
    /// Per cluster of process types that may meet: the process that they are to the engine.
    groups: Vec<u32>,
    /// The process type of each name, as last seen: what a process that has ended is called by.
    proctypes: Mutex<Vec<usize>>,
    terminating: OnceLock<bool>,
    /// What may follow from where, as far as anybody has asked.
    futures: Mutex<FxHashMap<Beginning, Arc<Future>>>,
    scratch: Mutex<Scratch>,
}

/// A state with the names of its processes.
#[derive(Debug, Default)]
pub struct Run {
    state: State,
    /// By pid: the name of the process.
    names: Vec<u32>,
    /// By pid: how many processes it has started.
    children: Vec<u32>,
    /// What went wrong before the first step, if something did: then there is no first step.
    fault: Option<Fault>,
    /// The sum of the errors so far. A failed assertion changes nothing else, and yet it matters whether it failed.
    failed: u64,
}

impl Clone for Run {
    fn clone(&self) -> Self {
        let mut run = Run::default();
        run.clone_from(self);
        run
    }

    fn clone_from(&mut self, other: &Self) {
        self.state.clone_from(&other.state);
        self.names.clear();
        self.names.extend_from_slice(&other.names);
        self.children.clear();
        self.children.extend_from_slice(&other.children);
        self.fault.clone_from(&other.fault);
        self.failed = other.failed;
    }
}

impl Run {
    /// The state itself.
    pub fn state(&self) -> &State {
        &self.state
    }
}

impl Promela {
    /// Prepares a model for exploration.
    pub fn new(machine: Machine, sources: SourceMap) -> Self {
        Promela::with_names(machine, sources, Arc::default())
    }

    /// The same model once more, for another worker.
    pub(super) fn copy(&self) -> impl Fn() -> Promela + Send + Sync + use<> {
        let (machine, sources, names) = (self.machine.clone(), self.sources.clone(), Arc::clone(&self.names));
        move || Promela::with_names(machine.clone(), sources.clone(), Arc::clone(&names))
    }

    fn with_names(machine: Machine, sources: SourceMap, names: Arc<Names>) -> Self {
        let fixed = Fixed::new(machine.model());
        let analysis = Analysis::new(&machine, &fixed);
        let locations = Locations::new(&machine, &analysis);
        // Names without parents: first those of the processes that are there from the start, then those of the groups.
        let alone = machine.model().active.len() as u32;
        for nth in 0..alone {
            names.root(nth);
        }
        let groups = (0..analysis.clusters.len() as u32).map(|c| names.root(alone + c)).collect();
        Promela {
            machine,
            analysis,
            fixed,
            sources,
            locations,
            names,
            groups,
            proctypes: Mutex::default(),
            terminating: OnceLock::new(),
            futures: Mutex::default(),
            scratch: Mutex::default(),
        }
    }

    /// The machine that runs the model.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// What the text says about accesses.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// The texts of the model.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    fn position(&self, span: Span) -> Option<Position> {
        if span == Span::default() {
            return None;
        }
        let at = self.sources.position(self.machine.origin(span));
        Some(Position {
            file: at.file.to_string(),
            line: at.line,
            column: at.column,
        })
    }

    /// The text of a span; of what an inline stands for, with the arguments in place.
    fn source_text(&self, span: Span) -> &str {
        self.machine.model().expansions.text(&self.sources, span)
    }

    /// The calls of inlines that a statement comes from, as a part of a sentence.
    fn calls(&self, span: Span) -> String {
        let mut text = String::new();
        for call in self.machine.model().expansions.calls(span) {
            let at = self.sources.position(self.machine.origin(call));
            text.push_str(&format!(", in {} called at {}:{}", self.text(call), at.line, at.column));
        }
        text
    }

    /// The statement as one line of text.
    fn text(&self, span: Span) -> String {
        let text = self.source_text(span).split_whitespace().collect::<Vec<_>>().join(" ");
        match text.char_indices().nth(70) {
            Some((end, _)) => format!("{} …", &text[..end]),
            None => text,
        }
    }

    fn failure(&self, fault: &Fault) -> Failure {
        let kind = match fault.kind {
            FaultKind::Assertion => FailureKind::Assertion,
            FaultKind::Endless | FaultKind::TooManyProcesses | FaultKind::TooManyChannels => FailureKind::Limit,
            _ => FailureKind::Exception,
        };
        let message = match self.text(fault.span) {
            text if text.is_empty() => fault.kind.message(),
            text => format!("{}: {text}{}", fault.kind.message(), self.calls(fault.span)),
        };
        Failure {
            kind,
            message,
            at: self.position(fault.span),
        }
    }

    /// Hashes what a state is made of besides its bytes.
    fn hash_rest(&self, run: &Run, mut hasher: Hasher) -> u128 {
        for (&name, &children) in run.names.iter().zip(&run.children) {
            hasher.word(u64::from(name) << 32 | u64::from(children));
        }
        hasher.word(run.failed);
        hasher.finish()
    }

    /// The process that the one in this slot is, or belongs to, for the engine.
    fn process_at(&self, run: &Run, slot: usize) -> Process {
        match self.analysis.cluster_of[run.state.proctype(slot)] {
            Some(cluster) => Process(self.groups[cluster]),
            None => Process(run.names[slot]),
        }
    }

    /// The slots of a process of the engine: one, or those of its group.
    fn slots<'a>(&'a self, run: &'a Run, process: Process) -> impl Iterator<Item = usize> + 'a {
        (0..run.state.processes()).filter(move |&slot| self.process_at(run, slot) == process)
    }

    fn remember(&self, name: u32, proctype: usize) {
        let mut proctypes = locked(&self.proctypes);
        if proctypes.len() <= name as usize {
            proctypes.resize(name as usize + 1, 0);
        }
        proctypes[name as usize] = proctype;
    }

    /// Brings the names up to date after a macro-step: processes that were started get theirs from their parents, in order.
    fn rename(&self, run: &mut Run, path: &[Micro], effects: Option<&mut Effects>) {
        let alive = run.state.processes();
        run.names.truncate(alive);
        run.children.truncate(alive);
        let old = run.names.len();
        if old == alive {
            return;
        }
        let mut births = smallvec::SmallVec::<[Process; 4]>::new();
        let locations = |m: &Micro| (m.slot, m.location, m.edge);
        for (parent, location, edge) in path.iter().map(locations) {
            let proctype = run.state.proctype(parent);
            let edge = &self.machine.model().proctypes[proctype].locations[location as usize].edges[edge as usize];
            if matches!(edge.op, Op::Run { .. }) && run.names.len() < alive {
                let name = self.names.child(run.names[parent], run.children[parent]);
                run.children[parent] += 1;
                self.remember(name, run.state.proctype(run.names.len()));
                run.names.push(name);
                run.children.push(0);
                // A group comes to life with its first member, and again with the first after errors have stopped all the others.
                let process = self.process_at(run, run.names.len() - 1);
                let lives = |slot| self.process_at(run, slot) == process && !self.machine.edges(&run.state, slot).is_empty();
                let moves = self.process_at(run, path[0].slot) == process;
                if !moves && !(0..old).any(lives) && !births.contains(&process) {
                    births.push(process);
                }
            }
        }
        if let Some(effects) = effects {
            effects.births.extend(births);
        }
    }
}

impl Program for Promela {
    type State = Run;

    fn start(&self) -> Run {
        let (state, fault) = self.machine.initial();
        let names: Vec<u32> = (0..state.processes()).map(|slot| self.names.root(slot as u32)).collect();
        for (slot, &name) in names.iter().enumerate() {
            self.remember(name, state.proctype(slot));
        }
        Run {
            children: vec![0; names.len()],
            state,
            names,
            fault,
            failed: 0,
        }
    }

    fn pending(&self, run: &Run, out: &mut Vec<Pending>) {
        if run.fault.is_some() {
            // What could not even start does not go on.
            return;
        }
        let before = out.len();
        self.list(run, false, out);
        if self.machine.uses_timeout() && !out[before..].iter().any(|p| p.enabled) {
            out.truncate(before);
            self.list(run, true, out);
        }
    }

    fn footprint(&self, run: &Run, transition: Transition, out: &mut Footprint) {
        self.add_footprint(run, transition, out);
    }

    fn step(&self, run: &mut Run, transition: Transition, effects: &mut Effects) {
        let notes = effects.report_touched.then(|| {
            let mut declared = Footprint::new();
            self.add_footprint(run, transition, &mut declared);
            (self.notes_of(run, transition), declared, run.names.clone())
        });
        let fault = self.take(run, transition, effects);
        if let Some((notes, declared, mut names)) = notes {
            names.extend(run.names.iter().skip(names.len()));
            self.add_notes(&notes, &names, &declared, &mut effects.touched);
        }
        if let Some(fault) = &fault {
            let mut hasher = Hasher::new();
            hasher.word(u64::from(fault.span.start) << 32 | u64::from(fault.span.end));
            hasher.bytes(fault.kind.message().as_bytes());
            run.failed = run.failed.wrapping_add(hasher.finish() as u64);
        }
        effects.failure = fault.map(|f| self.failure(&f));
    }

    fn fingerprint(&self, run: &Run) -> u128 {
        let mut hasher = Hasher::new();
        let mut buffer = Vec::new();
        hasher.bytes(self.machine.key(&run.state, &mut buffer));
        self.hash_rest(run, hasher)
    }

    fn failures_at_end(&self, run: &Run, out: &mut Vec<Failure>) {
        if let Some(fault) = &run.fault {
            out.push(self.failure(fault));
            return;
        }
        if self.machine.rest(&run.state) != Quiet::Deadlock {
            return;
        }
        let blocked = self.blocked(run);
        let at = blocked.first().and_then(|&slot| self.position(self.here(run, slot).span));
        let names: Vec<String> = blocked.iter().map(|&slot| self.name_of(run, slot)).collect();
        let verb = if names.len() == 1 { "waits" } else { "wait" };
        out.push(Failure {
            kind: FailureKind::Deadlock,
            message: format!("invalid end state: {} {verb} for ever", names.join(", ")),
            at,
        });
    }

    fn features(&self) -> Features {
        Features {
            // Who meets whom in a group depends on what is sent and on who has joined.
            static_alternatives: self.analysis.clusters.is_empty(),
            terminating: *self.terminating.get_or_init(|| termination::ends(&self.machine)),
            ..Features::STATIC
        }
    }

    fn insights(&self) -> Insights<'_, Run> {
        Insights {
            futures: Some(self),
            liveness: Some(self),
            names: Some(&self.names),
            properties: Some(self),
            instruments: Some(self),
            ..Insights::default()
        }
    }
}

impl Instruments<Run> for Promela {
    fn guard_reads(&self, run: &Run, transition: Transition, out: &mut Footprint) -> bool {
        self.add_guard_reads(run, transition, out);
        true
    }

    fn perturb(&self, run: &mut Run, location: mazurka_core::Location, seed: u64) -> bool {
        self.change(run, location, seed)
    }
}

/// Threads may share a model; its states are theirs alone.
const _: () = {
    const fn is_shared<T: Sync>() {}
    is_shared::<Promela>();
};
