//! Macro-steps as transitions: how a choice number names one.
//!
//! The first way through an indivisible sequence has the number of its first edge, so that a sequence that is blocked now and one that
//! can be taken later are the same transition. A rendezvous is named by the sender's edge, the receiver's place of birth and the
//! receiver's edge; further ways through a sequence by the turns they take.

use super::fingerprint::Hasher;
use super::{Promela, Run};
use crate::analysis::ChannelRef;
use crate::machine::{Eval, Fault, Micro, Partner, Readiness, State};
use crate::model::{Ex, Op};
use mazurka_core::{Effects, Pending, Process, Transition};

/// Marks a choice number that is not the number of an edge.
const NAMED: u32 = 1 << 31;
/// The edge that a choice number starts with, where it fits.
const EDGE_SHIFT: u32 = 24;
const EDGE_MASK: u32 = 0x7f;

/// The edge that a choice starts with; `None` if there are too many edges to tell.
pub(super) fn first_edge(choice: u32) -> Option<u32> {
    match choice & NAMED {
        0 => Some(choice),
        _ => Some(choice >> EDGE_SHIFT & EDGE_MASK).filter(|&e| e < EDGE_MASK),
    }
}

fn named(edge: u32, hasher: &Hasher) -> u32 {
    NAMED | edge.min(EDGE_MASK) << EDGE_SHIFT | hasher.short() & ((1 << EDGE_SHIFT) - 1)
}

impl Promela {
    /// A number for a name that is the same in every search.
    fn stable(&self, name: u32, hasher: &mut Hasher) {
        let (parent, nth) = self.names.birth(name);
        hasher.word(u64::from(nth) + 1);
        if let Some(parent) = parent {
            self.stable(parent, hasher);
        }
    }

    /// The choice of a step that starts with a rendezvous.
    pub(super) fn meeting(&self, run: &Run, edge: u32, partner: &Partner) -> u32 {
        let mut hasher = Hasher::new();
        self.hash_partner(run, partner, &mut hasher);
        named(edge, &hasher)
    }

    fn hash_partner(&self, run: &Run, partner: &Partner, hasher: &mut Hasher) {
        self.stable(run.names[partner.slot], hasher);
        hasher.word(u64::from(partner.location) << 32 | u64::from(partner.edge));
    }

    /// The choice that the head of a path has.
    fn head(&self, run: &Run, micro: &Micro) -> u32 {
        match &micro.partner {
            None => micro.edge,
            Some(partner) => self.meeting(run, micro.edge, partner),
        }
    }

    /// The choice of a path that is not the first with its head: the turns it takes.
    fn turns(&self, run: &Run, path: &[Micro]) -> u32 {
        let mut hasher = Hasher::new();
        for micro in path {
            hasher.word(u64::from(micro.location) << 32 | u64::from(micro.edge));
            if let Some(partner) = micro.partner.as_ref().filter(|p| p.slot < run.names.len()) {
                self.hash_partner(run, partner, &mut hasher);
            }
        }
        named(path[0].edge, &hasher)
    }

    /// Calls `visit` for every macro-step of a process with its choice number.
    pub(super) fn paths(&self, run: &Run, slot: usize, timeout: bool, mut visit: impl FnMut(u32, &[Micro], &State, Option<&Fault>)) {
        let mut scratch = self.scratch.take();
        let mut used: Vec<u32> = Vec::new();
        self.machine
            .process_steps(&run.state, slot, timeout, &mut scratch, &mut |path, state, fault| {
                let head = self.head(run, &path[0]);
                let mut choice = if used.contains(&head) { self.turns(run, path) } else { head };
                while used.contains(&choice) {
                    choice = (choice & !0xff_ffff) | (choice.wrapping_add(1) & 0xff_ffff) | NAMED;
                }
                used.push(choice);
                visit(choice, path, state, fault);
            });
        self.scratch.replace(scratch);
    }

    /// Lists the transitions of all processes.
    pub(super) fn list(&self, run: &Run, timeout: bool, out: &mut Vec<Pending>) {
        for slot in 0..run.state.processes() {
            self.list_process(run, slot, timeout, out);
        }
    }

    fn list_process(&self, run: &Run, slot: usize, timeout: bool, out: &mut Vec<Pending>) {
        let process = Process(run.names[slot]);
        let accesses = &self.analysis.proctypes[run.state.proctype(slot)][run.state.location(slot) as usize];
        // Sequences with several ways, and meetings, have to be tried; for all else looking at the edges is enough.
        let mut enabled = smallvec::SmallVec::<[u32; 8]>::new();
        if accesses.edges.iter().any(|e| e.branches || e.offers) {
            self.paths(run, slot, timeout, |choice, _, _, _| enabled.push(choice));
        } else {
            self.machine.ready_edges(&run.state, slot, timeout, |edge, _, _| {
                enabled.push(edge);
                true
            });
        }
        let mut push = |choice: u32, enabled: bool| {
            out.push(Pending {
                transition: Transition { process, choice },
                enabled,
            });
        };
        for (i, edge) in self.machine.edges(&run.state, slot).iter().enumerate() {
            let i = i as u32;
            let offered = match accesses.edges[i as usize].offers {
                true => self.offered(&run.state, slot, &edge.op),
                false => None,
            };
            let Some(channel) = offered else {
                push(i, enabled.contains(&i));
                continue;
            };
            let mut met = false;
            self.possible_partners(run, slot, channel, |partner| {
                let choice = self.meeting(run, i, &partner);
                met = true;
                push(choice, enabled.contains(&choice));
            });
            if !met {
                push(i, enabled.contains(&i));
            }
        }
        // Further ways through a sequence are listed only where they can be taken.
        let first = out.iter().rposition(|p| p.transition.process != process).map_or(0, |i| i + 1);
        for choice in enabled {
            if !out[first..].iter().any(|p| p.transition.choice == choice) {
                out.push(Pending {
                    transition: Transition { process, choice },
                    enabled: true,
                });
            }
        }
    }

    /// The rendezvous channel that a send offers on now.
    pub(super) fn offered(&self, state: &State, slot: usize, op: &Op) -> Option<i32> {
        match self.machine.readiness(state, slot, op, false, false) {
            Readiness::Offers(channel) => Some(channel),
            _ => None,
        }
    }

    /// Calls `visit` for every edge of every other process that might take a message from this channel, whether it can now or not.
    pub(super) fn possible_partners(&self, run: &Run, sender: usize, channel: i32, mut visit: impl FnMut(Partner)) {
        for slot in (0..run.state.processes()).filter(|&s| s != sender) {
            let proctype = run.state.proctype(slot);
            if !self.analysis.accepting[proctype] {
                continue;
            }
            let locations = &self.machine.model().proctypes[proctype].locations;
            for (location, accesses) in self.analysis.proctypes[proctype].iter().enumerate() {
                for (edge, _) in accesses.edges.iter().enumerate().filter(|(_, e)| e.accepts) {
                    if self.may_listen(&run.state, slot, &locations[location].edges[edge].op, channel) {
                        visit(Partner {
                            slot,
                            location: location as u32,
                            edge: edge as u32,
                        });
                    }
                }
            }
        }
    }

    /// Whether a receive may be about the channel, as far as what never changes tells.
    fn may_listen(&self, state: &State, slot: usize, op: &Op, channel: i32) -> bool {
        let receives: &Ex = match op {
            Op::Receive { channel, .. } => channel,
            _ => return true,
        };
        match self.fixed_channel(state.proctype(slot), receives) {
            ChannelRef::Any => true,
            _ => Eval::new(&self.machine, state, slot, false).value(receives) == channel,
        }
    }

    fn fixed_channel(&self, proctype: usize, channel: &Ex) -> ChannelRef {
        let fixed = self.fixed.get_or_init(|| crate::analysis::Fixed::new(self.machine.model()));
        crate::analysis::Collector::new(&self.machine, fixed, proctype).channel(channel)
    }

    /// Takes a transition; returns what went wrong.
    pub(super) fn take(&self, run: &mut Run, transition: Transition, effects: &mut Effects) -> Option<Fault> {
        let slot = self.slot(run, transition.process)?;
        let edges = self.machine.edges(&run.state, slot);
        if let Some(edge) = edges.get(transition.choice as usize).filter(|e| !e.atomic) {
            let timeout = match self.machine.readiness(&run.state, slot, &edge.op, false, false) {
                Readiness::Offers(_) => None,
                Readiness::Ready => Some(false),
                Readiness::Blocked => Some(true),
            };
            if let Some(timeout) = timeout {
                let micro = Micro {
                    slot,
                    location: run.state.location(slot),
                    edge: transition.choice,
                    partner: None,
                };
                let fault = self.machine.execute(&mut run.state, slot, edge, timeout);
                self.rename(run, &[micro], Some(effects));
                return fault;
            }
        }
        let mut found = None;
        for timeout in [false, true] {
            self.paths(run, slot, timeout, |choice, path, state, fault| {
                if choice == transition.choice {
                    found = Some((state.clone(), path.to_vec(), fault.cloned()));
                }
            });
            if found.is_some() || !self.machine.uses_timeout() {
                break;
            }
        }
        let (state, path, fault) = found?;
        run.state = state;
        self.rename(run, &path, Some(effects));
        fault
    }

    /// The path that a transition takes, for those who describe it.
    pub(super) fn path(&self, run: &Run, transition: Transition) -> Option<Vec<Micro>> {
        let slot = self.slot(run, transition.process)?;
        let mut found = None;
        for timeout in [false, true] {
            self.paths(run, slot, timeout, |choice, path, _, _| {
                if choice == transition.choice {
                    found = Some(path.to_vec());
                }
            });
            if found.is_some() {
                break;
            }
        }
        found
    }
}
