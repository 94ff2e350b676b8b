//! The accesses of all statements of one process, with its constants known: computed once per process and kept.

use super::accesses::Statement;
use super::constants::{Constants, Known};
use super::shared::Shared;
use crate::machine::{Machine, State, load};
use crate::model::{Ex, Meaning, Model, Op, Proctype};
use crate::visit::visit_model;
use mazurka_core::AccessSet;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// What may be accessed by going on with one edge.
#[derive(Clone, Debug, Default)]
pub struct EdgeAccesses {
    /// What decides whether it can be taken.
    pub guard: AccessSet,
    /// What the macro-step that it begins can access.
    pub init: AccessSet,
    /// What the process, and those it starts, can access from then on.
    pub future: AccessSet,
}

/// The accesses of a process: per location, per edge.
pub type Context = Vec<Vec<EdgeAccesses>>;

/// The accesses of the processes of a model, found when they are first asked for.
#[derive(Debug)]
pub struct Contexts {
    shared: Shared,
    constants: Constants,
    /// What the receiving half of a rendezvous may access.
    handshake: AccessSet,
    /// What a process of each type may access in its life.
    lives: Vec<AccessSet>,
    /// Whether processes look into each other: then every step may matter to every other.
    remote: bool,
    known: RefCell<FxHashMap<Vec<u8>, Rc<Context>>>,
    key: RefCell<Vec<u8>>,
}

impl Contexts {
    /// For the processes of a model.
    pub fn new(model: &Model) -> Self {
        let mut remote = model.ranked;
        visit_model(&mut model.clone(), &mut |ex| {
            remote |= matches!(ex, Ex::RemoteLabel { .. } | Ex::RemoteVariable { .. } | Ex::Enabled(_));
        });
        let mut contexts = Contexts {
            shared: Shared::new(model),
            constants: Constants::new(model),
            handshake: AccessSet::new(),
            lives: vec![AccessSet::new(); model.proctypes.len()],
            remote,
            known: RefCell::default(),
            key: RefCell::default(),
        };
        while contexts.grow(model) {}
        contexts
    }

    /// The accesses of the process in this slot.
    pub fn of(&self, machine: &Machine, state: &State, slot: usize) -> Rc<Context> {
        let model = machine.model();
        let proctype = state.proctype(slot);
        let mut key = self.key.borrow_mut();
        key.clear();
        key.extend([proctype as u8, slot as u8]);
        for cell in self.constants.of(model, proctype) {
            let value = load(state.bytes(), state.frame(slot) + cell.offset as usize, cell.kind);
            key.extend(value.to_le_bytes());
            if cell.meaning == Meaning::Channel {
                key.push(state.channel(value).map_or(u8::MAX, |at| at.channel as u8));
                key.push(u8::from(state.lasts(slot, value)));
            }
        }
        key.extend(state.own_channels(slot).next().map(|first| first as u8));
        if let Some(known) = self.known.borrow().get(&*key) {
            return Rc::clone(known);
        }
        let context = Rc::new(self.context(model, proctype, Some((state, slot))));
        self.known.borrow_mut().insert(key.clone(), Rc::clone(&context));
        context
    }

    /// What an expression over globals reads.
    pub(super) fn read(&self, model: &Model, state: &State, ex: &Ex, out: &mut AccessSet) {
        let somebody = (state.processes() > 0).then_some((state, 0));
        self.statement(model, 0, somebody).read(ex, out);
    }

    fn statement<'a>(&'a self, model: &'a Model, proctype: usize, state: Option<(&'a State, usize)>) -> Statement<'a> {
        Statement {
            shared: &self.shared,
            known: Known {
                model,
                constants: &self.constants,
                proctype,
                state,
            },
            handshake: &self.handshake,
            lives: &self.lives,
        }
    }

    /// Adds to `lives` and `handshake` what follows from what is known of them; false if nothing does.
    fn grow(&mut self, model: &Model) -> bool {
        let (mut lives, mut handshake) = (self.lives.clone(), self.handshake.clone());
        let mut grown = false;
        for (p, proctype) in model.proctypes.iter().enumerate() {
            let statement = self.statement(model, p, None);
            for (location, accesses) in proctype.locations.iter().zip(self.context(model, p, None)) {
                for (edge, accesses) in location.edges.iter().zip(accesses) {
                    grown |= lives[p].union(&accesses.future);
                    if may_receive(&statement, &edge.op) {
                        grown |= handshake.union(&accesses.init);
                    }
                }
            }
        }
        (self.lives, self.handshake) = (lives, handshake);
        grown
    }

    fn context(&self, model: &Model, proctype: usize, state: Option<(&State, usize)>) -> Context {
        let statement = self.statement(model, proctype, state);
        let definition = &model.proctypes[proctype];
        let mut context: Context = (0..definition.locations.len())
            .map(|l| self.location(&statement, definition, l))
            .collect();
        close(definition, &mut context);
        context
    }

    /// The edges of a location, each by itself.
    fn location(&self, statement: &Statement<'_>, proctype: &Proctype, location: usize) -> Vec<EdgeAccesses> {
        let edges = &proctype.locations[location].edges;
        let (mut all_guards, mut here) = (AccessSet::new(), AccessSet::new());
        for edge in edges {
            statement.guard(&edge.op, &mut all_guards);
            statement.offers(&edge.op, &mut here);
        }
        let escapes = edges.iter().any(|e| e.escape > 0);
        let mut accesses: Vec<EdgeAccesses> = Vec::with_capacity(edges.len());
        for edge in edges {
            let mut a = EdgeAccesses::default();
            statement.guard(&edge.op, &mut a.guard);
            if escapes || waits_for_others(&edge.op) {
                a.guard.union(&all_guards);
            }
            if let Some(provided) = &proctype.provided {
                statement.read(provided, &mut a.guard);
                statement.read(provided, &mut a.init);
            }
            // To come to a rendezvous and to leave it are events for those who wait for a partner.
            a.init.union(&here);
            if let Some(target) = proctype.locations.get(edge.target as usize) {
                target.edges.iter().for_each(|e| statement.offers(&e.op, &mut a.init));
            }
            if edge.op != Op::End {
                a.init.union(&a.guard);
            }
            statement.execution(&edge.op, &mut a.init);
            if self.remote {
                a.guard.union(&AccessSet::everything());
                a.init.union(&AccessSet::everything());
                a.init.insert(Shared::COUNT, mazurka_core::Mode::Write);
            }
            a.future.union(&a.init);
            statement.consequences(&edge.op, &mut a.future);
            accesses.push(a);
        }
        accesses
    }
}

/// Whether the statement can be the receiving half of a rendezvous.
fn may_receive(statement: &Statement<'_>, op: &Op) -> bool {
    match op {
        Op::Receive { channel, .. } => statement.may_be_rendezvous(channel),
        Op::Deterministic(inside) => inside
            .nodes
            .first()
            .is_some_and(|start| start.edges.iter().any(|(op, _)| may_receive(statement, op))),
        _ => false,
    }
}

/// Whether the statement can be executed only if its alternatives cannot.
fn waits_for_others(op: &Op) -> bool {
    match op {
        Op::Else => true,
        Op::Deterministic(inside) => inside
            .nodes
            .first()
            .is_some_and(|start| start.edges.iter().any(|(op, _)| *op == Op::Else)),
        _ => false,
    }
}

/// Adds to each edge what its process may go on with: inside of `atomic` at once, otherwise in the future.
fn close(proctype: &Proctype, context: &mut Context) {
    loop {
        let mut changed = false;
        for (l, location) in proctype.locations.iter().enumerate().rev() {
            for (e, edge) in location.edges.iter().enumerate() {
                let target = edge.target as usize;
                if target >= context.len() || edge.op == Op::End {
                    continue;
                }
                let mut accesses = std::mem::take(&mut context[l][e]);
                for next in &context[target] {
                    changed |= accesses.future.union(&next.future);
                    if edge.atomic {
                        changed |= accesses.init.union(&next.init);
                    }
                }
                context[l][e] = accesses;
            }
        }
        if !changed {
            return;
        }
    }
}
