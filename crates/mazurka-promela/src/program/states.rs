//! The states of a model for stateful search: the machine's own, without the names that tell processes apart over time, so that a
//! process that ends and is started again comes back to the state it was in. A process is known by its pid here.

use super::fingerprint::Hasher;
use super::{Promela, Run};
use crate::machine::{Micro, Scratch, State};
use crate::model::Op;
use crate::statics::{Contexts, LocalOrder};
use mazurka_core::{
    Alternatives, Effects, Failure, Fingerprint, Options, Process, Program, SearchError, StateSpace, StatefulOptions, StatefulSearch,
    Statement, States, Successor, Transition, search_states,
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// The states of a model.
#[derive(Debug)]
pub struct PromelaStates<'p> {
    promela: &'p Promela,
    contexts: Contexts,
    order: LocalOrder,
    statements: Vec<Statement>,
    /// By process type and location: the statement of each edge.
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
            contexts: Contexts::new(promela.machine.model()),
            order: LocalOrder::new(promela.machine.model()),
            statements,
            numbers,
            scratch: RefCell::default(),
            key: RefCell::default(),
            executed: RefCell::default(),
        }
    }

    /// The statements that a macro-step executes.
    fn number(&self, before: &State, path: &[Micro], out: &mut Vec<u32>) {
        out.clear();
        for micro in path {
            let partner = micro.partner.map(|p| (p.slot, p.location, p.edge));
            for (slot, location, edge) in std::iter::once((micro.slot, micro.location, micro.edge)).chain(partner) {
                if slot < before.processes() {
                    let of_proctype = self.numbers.get(before.proctype(slot));
                    let of_location = of_proctype.and_then(|n| n.get(location as usize));
                    out.extend(of_location.and_then(|n| n.get(edge as usize)));
                }
            }
        }
    }
}

/// The statements of a model in the order of its text, and which of them each edge stands for: an escape stands at many locations.
fn statements(promela: &Promela) -> (Vec<Statement>, Vec<Vec<Vec<u32>>>) {
    let (mut statements, mut numbers) = (Vec::new(), Vec::new());
    for proctype in &promela.machine.model().proctypes {
        let mut known = FxHashMap::default();
        let mut of_proctype = Vec::new();
        for location in &proctype.locations {
            let mut of_location = Vec::new();
            for edge in &location.edges {
                let ends = edge.op == Op::End;
                let number = *known.entry((edge.span, ends)).or_insert_with(|| {
                    statements.push(Statement {
                        part: proctype.name.to_string(),
                        text: if ends { "-end-".to_owned() } else { promela.text(edge.span) },
                        at: promela.position(edge.span),
                    });
                    statements.len() as u32 - 1
                });
                of_location.push(number);
            }
            of_proctype.push(of_location);
        }
        numbers.push(of_proctype);
    }
    (statements, numbers)
}

impl States for PromelaStates<'_> {
    type State = State;

    fn start(&self) -> (State, Option<Failure>) {
        let (state, fault) = self.promela.machine.initial();
        (state, fault.map(|f| self.promela.failure(&f)))
    }

    fn successors(&self, state: &State, mut visit: impl FnMut(Successor<'_, State>)) {
        let mut scratch = self.scratch.take();
        let (mut slot, mut choice) = (usize::MAX, 0);
        let mut executed = self.executed.take();
        self.promela.machine.successors(state, &mut scratch, |path, after, fault| {
            let mover = path[0].slot;
            choice = if mover == slot { choice + 1 } else { 0 };
            slot = mover;
            self.number(state, path, &mut executed);
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

    fn failure_at_end(&self, state: &State) -> Option<Failure> {
        let run = Run {
            state: state.clone(),
            ..Run::default()
        };
        self.promela.failure_at_end(&run, state.processes())
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

impl StateSpace for Promela {
    fn stateful_search<'p>(&'p self, options: &Options, stateful: StatefulOptions) -> Result<Box<dyn StatefulSearch + 'p>, SearchError> {
        search_states(PromelaStates::new(self), options, stateful)
    }
}
