//! Macro-steps as transitions: how a choice number names one.
//!
//! The first way through an indivisible sequence is named by its first edge, so that a sequence that is blocked now and one that can be
//! taken later are the same transition. Further ways are named by the turns they take. In a group of processes that may meet, the name
//! also tells who moves, and with whom.

use super::fingerprint::Hasher;
use super::{Promela, Run};
use crate::machine::{Fault, Micro, Partner, Readiness, State};
use mazurka_core::{Effects, Pending, Process, Transition, locked};
use rustc_hash::FxHashSet;

/// Marks a choice number that is not the number of an edge.
const NAMED: u32 = 1 << 31;

/// The first statement of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Head {
    pub slot: usize,
    pub edge: u32,
    pub partner: Option<Partner>,
}

fn named(hasher: &Hasher) -> u32 {
    NAMED | hasher.short()
}

impl Promela {
    /// Hashes a name to the same number in every search.
    fn stable(&self, name: u32, hasher: &mut Hasher) {
        let (parent, nth) = self.names.birth(name);
        hasher.word(u64::from(nth) + 1);
        if let Some(parent) = parent {
            self.stable(parent, hasher);
        }
    }

    fn hash_partner(&self, run: &Run, partner: &Partner, hasher: &mut Hasher) {
        if let Some(&name) = run.names.get(partner.slot) {
            self.stable(name, hasher);
        }
        hasher.word(u64::from(partner.location) << 32 | u64::from(partner.edge));
    }

    /// The choice that a first statement has.
    pub(super) fn choice(&self, run: &Run, head: &Head) -> u32 {
        if self.analysis.cluster_of[run.state.proctype(head.slot)].is_none() {
            return head.edge;
        }
        let mut hasher = Hasher::new();
        self.stable(run.names[head.slot], &mut hasher);
        hasher.word(u64::from(run.state.location(head.slot)) << 32 | u64::from(head.edge));
        if let Some(partner) = &head.partner {
            self.hash_partner(run, partner, &mut hasher);
        }
        named(&hasher)
    }

    /// The choice of a path that is not the first with its head: the turns it takes.
    fn turns(&self, run: &Run, path: &[Micro]) -> u32 {
        let mut hasher = Hasher::new();
        if let Some(&name) = run.names.get(path[0].slot) {
            self.stable(name, &mut hasher);
        }
        for micro in path {
            hasher.word(u64::from(micro.location) << 32 | u64::from(micro.edge));
            if let Some(partner) = &micro.partner {
                self.hash_partner(run, partner, &mut hasher);
            }
        }
        named(&hasher)
    }

    /// Calls `visit` for every macro-step of a process with its choice number.
    pub(super) fn paths(
        &self,
        run: &Run,
        process: Process,
        timeout: bool,
        mut visit: impl FnMut(u32, Head, &[Micro], &State, Option<&Fault>),
    ) {
        let mut scratch = std::mem::take(&mut *locked(&self.scratch));
        let mut used: FxHashSet<u32> = FxHashSet::default();
        for slot in self.slots(run, process) {
            self.machine
                .process_steps(&run.state, slot, timeout, &mut scratch, &mut |path, state, fault| {
                    let head = Head {
                        slot,
                        edge: path[0].edge,
                        partner: path[0].partner,
                    };
                    let mut choice = self.choice(run, &head);
                    if used.contains(&choice) {
                        choice = self.turns(run, path);
                    }
                    while used.contains(&choice) {
                        choice = choice.wrapping_add(1) | NAMED;
                    }
                    used.insert(choice);
                    visit(choice, head, path, state, fault);
                });
        }
        *locked(&self.scratch) = scratch;
    }

    /// Lists the transitions of all processes.
    pub(super) fn list(&self, run: &Run, timeout: bool, out: &mut Vec<Pending>) {
        for slot in 0..run.state.processes() {
            let process = self.process_at(run, slot);
            if self.slots(run, process).next() == Some(slot) {
                self.list_process(run, process, timeout, out);
            }
        }
    }

    fn list_process(&self, run: &Run, process: Process, timeout: bool, out: &mut Vec<Pending>) {
        // Sequences with several ways, and meetings, have to be tried; for all else looking at the edges is enough.
        let has_ways = |slot: usize| {
            let here = &self.analysis.proctypes[run.state.proctype(slot)][run.state.location(slot) as usize];
            here.edges.iter().any(|e| e.branches || e.offers || e.wild)
        };
        let mut enabled = smallvec::SmallVec::<[u32; 8]>::new();
        if self.slots(run, process).any(has_ways) {
            self.paths(run, process, timeout, |choice, _, _, _, _| enabled.push(choice));
        } else {
            for slot in self.slots(run, process) {
                self.machine.ready_edges(&run.state, slot, timeout, |edge, _, _| {
                    let partner = None;
                    enabled.push(self.choice(run, &Head { slot, edge, partner }));
                    true
                });
            }
        }
        let first = out.len();
        self.each_head(run, process, |head| {
            let choice = self.choice(run, &head);
            out.push(Pending {
                transition: Transition { process, choice },
                enabled: enabled.contains(&choice),
            });
        });
        // Further ways through a sequence are listed only where they can be taken.
        let heads = out.len();
        for choice in enabled {
            if !out[first..heads].iter().any(|p| p.transition.choice == choice) {
                out.push(Pending {
                    transition: Transition { process, choice },
                    enabled: true,
                });
            }
        }
    }

    /// Calls `visit` for every first statement that a process may take, now or when others have moved.
    fn each_head(&self, run: &Run, process: Process, mut visit: impl FnMut(Head)) {
        for slot in self.slots(run, process) {
            for (edge, it) in self.machine.edges(&run.state, slot).iter().enumerate() {
                let edge = edge as u32;
                let partner = None;
                let offered = match self.machine.readiness(&run.state, slot, &it.op, false, false) {
                    Readiness::Offers(channel) => channel,
                    _ => {
                        visit(Head { slot, edge, partner });
                        continue;
                    }
                };
                let mut met = false;
                for other in (0..run.state.processes()).filter(|&s| s != slot) {
                    for partner in self.listening(&run.state, other, offered) {
                        met = true;
                        let partner = Some(partner);
                        visit(Head { slot, edge, partner });
                    }
                }
                if !met {
                    visit(Head { slot, edge, partner });
                }
            }
        }
    }

    /// The edges where a process is that receive from the channel, whether the message fits or not.
    fn listening(&self, state: &State, slot: usize, channel: i32) -> impl Iterator<Item = Partner> {
        let location = state.location(slot);
        self.machine
            .edges(state, slot)
            .iter()
            .enumerate()
            .filter(move |(_, edge)| self.machine.listens(state, slot, &edge.op, channel))
            .map(move |(edge, _)| Partner {
                slot,
                location,
                edge: edge as u32,
            })
    }

    /// The first statements that a transition may begin with: usually one, all of the process if its choice is a way through a sequence.
    pub(super) fn heads(&self, run: &Run, transition: Transition) -> Vec<Head> {
        let (mut exact, mut all) = (Vec::new(), Vec::new());
        self.each_head(run, transition.process, |head| {
            all.push(head);
            // An offer that goes wrong is nobody's to accept, though somebody listens.
            let alone = Head { partner: None, ..head };
            if self.choice(run, &head) == transition.choice {
                exact.push(head);
            } else if self.choice(run, &alone) == transition.choice && !exact.contains(&alone) {
                exact.push(alone);
            }
        });
        if exact.is_empty() { all } else { exact }
    }

    /// Takes a transition; returns what went wrong.
    pub(super) fn take(&self, run: &mut Run, transition: Transition, effects: &mut Effects) -> Option<Fault> {
        let slot = self.slots(run, transition.process).next()?;
        let edges = self.machine.edges(&run.state, slot);
        // Alone and with one statement there is nothing to look for.
        if let Some(edge) = edges.get(transition.choice as usize).filter(|e| !e.atomic) {
            let ready = self.machine.readiness(&run.state, slot, &edge.op, false, false);
            let micro = Micro {
                slot,
                location: run.state.location(slot),
                edge: transition.choice,
                partner: None,
            };
            let fault = self.machine.execute(&mut run.state, slot, edge, ready == Readiness::Blocked);
            self.rename(run, &[micro], Some(effects));
            return fault;
        }
        let (state, path, fault) = self.find(run, transition, |state, path, fault| (state.clone(), path.to_vec(), fault.cloned()))?;
        run.state = state;
        self.rename(run, &path, Some(effects));
        fault
    }

    /// The path that a transition takes, for those who describe it.
    pub(super) fn path(&self, run: &Run, transition: Transition) -> Option<Vec<Micro>> {
        self.find(run, transition, |_, path, _| path.to_vec())
    }

    /// What `answer` says about the macro-step that the transition names.
    fn find<T>(&self, run: &Run, transition: Transition, answer: impl Fn(&State, &[Micro], Option<&Fault>) -> T) -> Option<T> {
        let mut found = None;
        for timeout in [false, true] {
            self.paths(run, transition.process, timeout, |choice, _, path, state, fault| {
                if choice == transition.choice {
                    found = Some(answer(state, path, fault));
                }
            });
            if found.is_some() || !self.machine.uses_timeout() {
                break;
            }
        }
        found
    }
}
