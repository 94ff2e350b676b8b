//! The states of a model for stateful search: the machine's own, without the names that tell processes apart over time, so that a
//! process that ends and is started again comes back to the state it was in. A process is known by its pid here.

use super::fingerprint::Hasher;
use super::{Promela, Run};
use crate::machine::{Micro, Scratch, State};
use crate::model::Location;
use crate::statics::{Contexts, LocalOrder, Watched};
use mazurka_core::{
    Alternatives, AnyProgram, Crew, Effects, Failure, Fingerprint, Graph, Process, Program, Property, Reading, Seat, StateSpace, Statement,
    States, Successor, Transition, any, graph_of,
};
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

/// The states of a model.
#[derive(Debug)]
pub struct PromelaStates<'p> {
    pub(super) promela: &'p Promela,
    /// What went wrong before the first step: then there is none.
    broken: Option<Failure>,
    pub(super) contexts: Contexts,
    order: LocalOrder,
    /// What each claim can see, once somebody asks.
    pub(super) watched: Vec<OnceCell<Watched>>,
    statements: Vec<Statement>,
    /// By process type and location: the statements that a process comes to there.
    numbers: Vec<Vec<Vec<u32>>>,
    scratch: RefCell<Scratch>,
    key: RefCell<Vec<u8>>,
    executed: RefCell<Vec<u32>>,
}

impl<'p> PromelaStates<'p> {
    /// Those of this model.
    pub fn new(promela: &'p Promela) -> Self {
        let (statements, numbers) = statements(promela);
        PromelaStates {
            promela,
            broken: promela.machine.initial().1.map(|f| promela.failure(&f)),
            contexts: Contexts::new(promela.machine.model()),
            order: LocalOrder::new(promela.machine.model()),
            watched: promela.machine.model().claims.iter().map(|_| OnceCell::new()).collect(),
            statements,
            numbers,
            scratch: RefCell::default(),
            key: RefCell::default(),
            executed: RefCell::default(),
        }
    }

    /// The statements that a macro-step comes to: those inside of an indivisible sequence, and those where it leaves its processes.
    fn number(&self, before: &State, path: &[Micro], after: &State, out: &mut Vec<u32>) {
        out.clear();
        let mut come_to = |proctype: usize, location: u32| out.extend_from_slice(&self.numbers[proctype][location as usize]);
        for (i, micro) in path.iter().enumerate() {
            if i > 0 && micro.slot < before.processes() {
                come_to(before.proctype(micro.slot), micro.location);
            }
            for slot in std::iter::once(micro.slot).chain(micro.partner.map(|p| p.slot)) {
                if slot < after.processes() {
                    come_to(after.proctype(slot), after.location(slot));
                }
            }
        }
        for slot in before.processes()..after.processes() {
            come_to(after.proctype(slot), after.location(slot));
        }
    }
}

/// The statements of a model in the order of its text, and for each process type and location those that a process comes to there. What
/// processes stand before in the first state is not among them.
fn statements(promela: &Promela) -> (Vec<Statement>, Vec<Vec<Vec<u32>>>) {
    let model = promela.machine.model();
    let (mut statements, mut numbers) = (Vec::new(), Vec::new());
    for (index, proctype) in model.proctypes.iter().enumerate() {
        let at_start: &[u32] = match model.active.contains(&index) {
            true => &proctype.locations[proctype.start as usize].listed,
            false => &[],
        };
        let mut number_of = vec![None; proctype.listed.len()];
        let mut in_order: Vec<usize> = (0..proctype.listed.len())
            .filter(|&nth| !at_start.contains(&(nth as u32)))
            .collect();
        in_order.sort_by_key(|&nth| promela.machine.origin(proctype.listed[nth].span).start);
        for nth in in_order {
            let listed = &proctype.listed[nth];
            number_of[nth] = Some(statements.len() as u32);
            statements.push(Statement {
                part: proctype.name.to_string(),
                text: if listed.is_end {
                    "-end-".to_owned()
                } else {
                    promela.text(listed.span)
                },
                at: promela.position(listed.span),
            });
        }
        let of_location = |l: &Location| l.listed.iter().filter_map(|&n| number_of[n as usize]).collect();
        numbers.push(proctype.locations.iter().map(of_location).collect());
    }
    (statements, numbers)
}

impl States for PromelaStates<'_> {
    type State = State;

    fn start(&self) -> (State, Option<Failure>) {
        (self.promela.machine.initial().0, self.broken.clone())
    }

    /// As in SPIN, whose states are counted.
    fn remembers_failures(&self) -> bool {
        false
    }

    fn successors(&self, state: &State, mut visit: impl FnMut(Successor<'_, State>)) {
        if self.broken.is_some() {
            return;
        }
        let mut scratch = self.scratch.take();
        let (mut slot, mut choice) = (usize::MAX, 0);
        let mut executed = self.executed.take();
        self.promela.machine.successors(state, &mut scratch, |path, after, fault| {
            let mover = path[0].slot;
            choice = if mover == slot { choice + 1 } else { 0 };
            slot = mover;
            self.number(state, path, after, &mut executed);
            visit(Successor {
                transition: Transition {
                    process: Process(slot as u32),
                    choice,
                },
                alternative: path[0].edge,
                after,
                failure: fault.map(|f| self.promela.failure(f)),
                statements: &executed,
            });
        });
        self.scratch.replace(scratch);
        self.executed.replace(executed);
    }

    fn fingerprint(&self, state: &State) -> Fingerprint {
        let mut hasher = Hasher::new();
        hasher.bytes(self.promela.machine.key(state, &mut self.key.borrow_mut()));
        hasher.finish()
    }

    fn failures_at_end(&self, state: &State, out: &mut Vec<Failure>) {
        if self.broken.is_some() {
            // Told by `start`.
            return;
        }
        let run = Run {
            state: state.clone(),
            ..Run::default()
        };
        self.promela.failures_at_end(&run, out);
    }

    fn encode(&self, state: &State, out: &mut Vec<u8>) -> bool {
        out.extend_from_slice(self.promela.machine.key(state, &mut self.key.borrow_mut()));
        true
    }

    fn knows_alternatives(&self) -> bool {
        true
    }

    fn alternatives(&self, state: &State, out: &mut Alternatives) {
        for slot in 0..state.processes() {
            let context = self.contexts.of(&self.promela.machine, state, slot);
            for (edge, accesses) in context[state.location(slot) as usize].iter().enumerate() {
                let transition = Transition {
                    process: Process(slot as u32),
                    choice: edge as u32,
                };
                let alternative = out.push(transition, false);
                alternative.guard.union(&accesses.guard);
                alternative.init.union(&accesses.init);
                alternative.future.union(&accesses.future);
            }
        }
    }

    fn advances(&self, before: &State, _process: Process, after: &State) -> bool {
        self.order.goes_upwards(before, after)
    }

    fn schedule(&self, schedule: Vec<Transition>) -> Vec<Transition> {
        let mut run = self.promela.start();
        let mut named = Vec::with_capacity(schedule.len());
        for Transition { process, choice } in schedule {
            let Some(transition) = self.promela.nth_step(&run, process.index(), choice as usize) else {
                break;
            };
            self.promela.step(&mut run, transition, &mut Effects::default());
            named.push(transition);
        }
        named
    }

    fn statements(&self) -> Vec<Statement> {
        self.statements.clone()
    }

    fn properties(&self) -> Vec<Property> {
        self.promela.claimed()
    }

    fn read(&self, property: usize, state: &State, at: u32, out: &mut Vec<Reading>) {
        self.promela.readings(property, state, at, out);
    }

    fn accepts(&self, property: usize, state: &State, at: u32) -> bool {
        let machine = &self.promela.machine;
        machine.claim_accepts(&machine.model().claims[property], state, at)
    }

    fn watch(&self, property: usize, state: &State, out: &mut Alternatives) {
        self.mark_visible(property, state, out);
    }
}

impl Promela {
    /// The transition that is the `nth` macro-step of the process with this pid.
    fn nth_step(&self, run: &Run, slot: usize, nth: usize) -> Option<Transition> {
        if slot >= run.state.processes() {
            return None;
        }
        let process = self.process_at(run, slot);
        let mut scratch = Scratch::default();
        let mut moves = false;
        for other in 0..run.state.processes() {
            moves |= self
                .machine
                .process_steps(&run.state, other, false, &mut scratch, &mut |_, _, _| {});
        }
        let mut choices = Vec::new();
        self.paths(run, process, !moves, |choice, head, _, _, _| {
            if head.slot == slot {
                choices.push(choice);
            }
        });
        choices.get(nth).map(|&choice| Transition { process, choice })
    }
}

impl Promela {
    /// A program whose type is forgotten. Searches of it are compiled here, beside what they call most.
    #[must_use]
    pub fn boxed(self) -> Box<dyn AnyProgram> {
        any(self)
    }

    /// What workers of a parallel search of this model do: each has a copy.
    #[must_use]
    pub fn crew(&self) -> Crew {
        let copy = self.copy();
        Arc::new(move |seat: Seat<'_>| seat.work(copy()))
    }
}

impl StateSpace for Promela {
    fn graph<'p>(&'p self) -> Box<dyn Graph + 'p> {
        graph_of(PromelaStates::new(self))
    }
}
