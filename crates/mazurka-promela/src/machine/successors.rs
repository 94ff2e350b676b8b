//! Macro-steps: from one state that SPIN would store to the next.
//!
//! An ordinary statement is one. A rendezvous is one for both partners. A process inside of `atomic` goes on alone until the sequence
//! ends or blocks, and every way through it is a macro-step of its own.

use super::execute::Readiness;
use super::{Fault, FaultKind, Machine, State};
use crate::model::Edge;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// An atomic sequence of more statements than this does not end.
const MAX_ATOMIC_STEPS: usize = 100_000;

/// What finding all ways through the atomic sequences of a process may cost; a statement costs one, and more if the state is large. Ways multiply
/// with every choice: without a bound a sequence of thirty choices would take for ever, and nothing could interrupt it.
const MAX_WORK: usize = 4_000_000;

/// So many bytes of a state are copied in the time of one statement.
const COPIED: usize = 256;

/// What a way costs besides finding it: it becomes a transition, which is named by all its statements and tells which they were.
const WAY: usize = 100;

/// So many statements of a way are told of in the time of finding one.
const TOLD: usize = 8;

/// So many bytes of a state are kept where a loop begins for what finding one statement costs, so that no step keeps more than a search may have.
const KEPT: usize = 16;

/// The receiver of a rendezvous.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Partner {
    /// Its pid.
    pub slot: usize,
    /// Where it was.
    pub location: u32,
    /// Which of its edges it took.
    pub edge: u32,
}

/// One statement of a macro-step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Micro {
    /// The pid of the process that moves.
    pub slot: usize,
    /// Where it was.
    pub location: u32,
    /// Which of its edges it took.
    pub edge: u32,
    /// Who received, if it was a rendezvous.
    pub partner: Option<Partner>,
}

/// Why no process can move, or that one can.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quiet {
    /// Some process moved.
    No,
    /// Every process has ended or rests at an `end` label.
    ValidEnd,
    /// Some process waits for ever: SPIN's invalid end state.
    Deadlock,
}

/// Memory that the enumeration reuses.
#[derive(Debug, Default)]
pub struct Scratch {
    pool: Vec<State>,
    work: Vec<Pending>,
    path: Vec<Micro>,
    rounds: Vec<Round>,
    /// By the hash of a state: the round that began in it.
    begun: FxHashMap<u64, usize>,
}

/// A place on the path where a round through a loop may have begun.
#[derive(Debug)]
struct Round {
    state: State,
    hash: u64,
    owner: usize,
    fault: Option<Fault>,
    /// How many statements came before.
    depth: usize,
    /// How many ways had been found before.
    ways: usize,
    /// Whether the path came back to this very state.
    closed: bool,
}

/// A state in the middle of, or at the end of, a macro-step.
#[derive(Debug)]
struct Pending {
    micro: Micro,
    state: State,
    /// Who goes on alone from here.
    owner: Option<usize>,
    fault: Option<Fault>,
    /// How many statements came before.
    depth: usize,
}

impl Scratch {
    fn state(&mut self, from: &State) -> State {
        let mut state = self.pool.pop().unwrap_or_default();
        state.clone_from(from);
        state
    }

    /// Whether the path comes back to a state that it went through; otherwise a round begins here.
    fn comes_back(&mut self, pending: &Pending, owner: usize, ways: usize) -> bool {
        let mut hasher = FxHasher::default();
        hasher.write(pending.state.bytes());
        let hash = hasher.finish();
        if let Some(&begun) = self.begun.get(&hash) {
            let round = &mut self.rounds[begun];
            if round.owner == owner && round.fault == pending.fault && round.state.bytes() == pending.state.bytes() {
                round.closed = true;
                return true;
            }
        }
        let state = self.state(&pending.state);
        self.begun.insert(hash, self.rounds.len());
        self.rounds.push(Round {
            state,
            hash,
            owner,
            fault: pending.fault.clone(),
            depth: pending.depth,
            ways,
            closed: false,
        });
        false
    }

    /// Takes the innermost round if it began no earlier than after so many statements: nothing is left to try in it.
    fn end_round(&mut self, depth: usize) -> Option<Round> {
        let round = self.rounds.pop_if(|r| r.depth >= depth)?;
        if self.begun.get(&round.hash) == Some(&self.rounds.len()) {
            self.begun.remove(&round.hash);
        }
        Some(round)
    }
}

impl Machine {
    /// The edges where the process is.
    pub fn edges(&self, state: &State, slot: usize) -> &[Edge] {
        let proctype = &self.model().proctypes[state.proctype(slot)];
        &proctype.locations[state.location(slot) as usize].edges
    }

    /// Calls `visit` for every macro-step from `state`: the statements, the state after them, the first error on the way. The state may be
    /// kept by leaving another in its place.
    pub fn successors(&self, state: &State, scratch: &mut Scratch, mut visit: impl FnMut(&[Micro], &mut State, Option<&Fault>)) -> Quiet {
        let mut moved = self.all_processes(state, false, scratch, &mut visit);
        if !moved && self.uses_timeout() {
            moved = self.all_processes(state, true, scratch, &mut visit);
        }
        if moved { Quiet::No } else { self.rest(state) }
    }

    fn all_processes(
        &self,
        state: &State,
        timeout: bool,
        scratch: &mut Scratch,
        visit: &mut impl FnMut(&[Micro], &mut State, Option<&Fault>),
    ) -> bool {
        let mut moved = false;
        for slot in 0..state.processes() {
            moved |= self.process_steps(state, slot, timeout, scratch, visit);
        }
        moved
    }

    /// How it stands with a state from which nothing moves.
    pub fn rest(&self, state: &State) -> Quiet {
        let at_end = |slot: usize| {
            let proctype = &self.model().proctypes[state.proctype(slot)];
            proctype.locations[state.location(slot) as usize].is_end
        };
        if (0..state.processes()).all(at_end) {
            Quiet::ValidEnd
        } else {
            Quiet::Deadlock
        }
    }

    /// The macro-steps that one process starts; true if there is one.
    pub fn process_steps(
        &self,
        state: &State,
        slot: usize,
        timeout: bool,
        scratch: &mut Scratch,
        visit: &mut impl FnMut(&[Micro], &mut State, Option<&Fault>),
    ) -> bool {
        self.micro_steps(state, slot, timeout, 0, None, scratch);
        let moved = !scratch.work.is_empty();
        scratch.work.reverse();
        let (mut left, mut ways) = (MAX_WORK, 0);
        while let Some(mut pending) = scratch.work.pop() {
            while let Some(round) = scratch.end_round(pending.depth) {
                ways += self.leave(round, ways, scratch, visit);
            }
            scratch.path.truncate(pending.depth);
            scratch.path.push(pending.micro);
            if let Some(owner) = pending.owner {
                let size = pending.state.bytes().len();
                left = left.saturating_sub(1 + size / COPIED);
                if self.may_come_back(&pending.state, owner) {
                    if scratch.comes_back(&pending, owner, ways) {
                        // Whatever follows follows where the round began, too.
                        scratch.pool.push(pending.state);
                        continue;
                    }
                    left = left.saturating_sub(size / KEPT);
                }
                if pending.depth >= MAX_ATOMIC_STEPS {
                    left = 0;
                }
                if left == 0 {
                    // The search ends where this one is taken. What else the process could begin with is still listed.
                    scratch.work.retain(|other| other.depth == 0);
                    self.give_up(&mut pending.state, owner, &mut pending.fault);
                } else {
                    let first = scratch.work.len();
                    self.micro_steps(&pending.state, owner, false, pending.depth + 1, pending.fault.as_ref(), scratch);
                    if scratch.work.len() > first {
                        scratch.work[first..].reverse();
                        scratch.pool.push(pending.state);
                        continue;
                    }
                }
            }
            left = left.saturating_sub(WAY + scratch.path.len() / TOLD);
            ways += 1;
            visit(&scratch.path, &mut pending.state, pending.fault.as_ref());
            scratch.pool.push(pending.state);
        }
        while let Some(round) = scratch.end_round(0) {
            ways += self.leave(round, ways, scratch, visit);
        }
        moved
    }

    /// Ends a round in which there is nothing left to try: one that came back to its beginning and that nothing leads out of is told of, as
    /// a way that does not end. Returns how many ways that makes.
    fn leave(
        &self,
        mut round: Round,
        ways: usize,
        scratch: &mut Scratch,
        visit: &mut impl FnMut(&[Micro], &mut State, Option<&Fault>),
    ) -> usize {
        let endless = round.closed && round.ways == ways;
        if endless {
            scratch.path.truncate(round.depth + 1);
            self.give_up(&mut round.state, round.owner, &mut round.fault);
            visit(&scratch.path, &mut round.state, round.fault.as_ref());
        }
        scratch.pool.push(round.state);
        usize::from(endless)
    }

    /// Whether the process is where a round through a loop of its text may begin.
    fn may_come_back(&self, state: &State, slot: usize) -> bool {
        let proctype = &self.model().proctypes[state.proctype(slot)];
        proctype.locations[state.location(slot) as usize].begins_loop
    }

    /// The process goes no further. What went wrong on the way still did.
    fn give_up(&self, state: &mut State, owner: usize, fault: &mut Option<Fault>) {
        let span = self.edges(state, owner).first().map_or_else(Default::default, |e| e.span);
        let location = state.location(owner);
        let endless = self.arrive(state, owner, location, Some(FaultKind::Endless.into()), span);
        *fault = fault.take().or(endless);
    }

    /// Calls `visit` for every edge that the process could take, in order; `visit` says whether an offered rendezvous has a partner.
    ///
    /// `else` is only for when no other edge can be taken, and once an edge of an escape can be taken edges of others cannot.
    pub(crate) fn ready_edges(&self, state: &State, slot: usize, timeout: bool, mut visit: impl FnMut(u32, &Edge, Readiness) -> bool) {
        let waits = || !self.is_provided(state, slot, timeout) || self.model().ranked && self.is_outranked(state, slot, timeout);
        if self.recorder.deciding(waits) {
            return;
        }
        let (mut moved, mut escape) = (false, 0);
        for (i, edge) in self.edges(state, slot).iter().enumerate() {
            if escape > 0 && edge.escape != escape {
                break;
            }
            let readiness = self.recorder.deciding(|| self.readiness(state, slot, &edge.op, timeout, moved));
            if readiness != Readiness::Blocked && visit(i as u32, edge, readiness) {
                moved = true;
                escape = edge.escape;
            }
        }
    }

    /// Pushes what the process can do next onto the work list.
    fn micro_steps(&self, state: &State, slot: usize, timeout: bool, depth: usize, failed: Option<&Fault>, scratch: &mut Scratch) {
        let location = state.location(slot);
        self.ready_edges(state, slot, timeout, |i, edge, readiness| {
            let micro = Micro {
                slot,
                location,
                edge: i,
                partner: None,
            };
            if let Readiness::Offers(_) = readiness {
                return self.handshakes(state, slot, edge, micro, depth, failed, scratch);
            }
            let mut next = scratch.state(state);
            let fault = self.execute(&mut next, slot, edge, timeout);
            scratch.work.push(Pending {
                micro,
                state: next,
                owner: edge.atomic.then_some(slot),
                fault: failed.cloned().or(fault),
                depth,
            });
            true
        });
    }

    /// Pushes every way to complete a rendezvous that `slot` starts; true if there is one.
    #[allow(clippy::too_many_arguments)]
    fn handshakes(
        &self,
        state: &State,
        slot: usize,
        edge: &Edge,
        micro: Micro,
        depth: usize,
        failed: Option<&Fault>,
        scratch: &mut Scratch,
    ) -> bool {
        let mut offered = scratch.state(state);
        let offer = match self.recorder.deciding(|| self.offer(state, slot, edge)) {
            Ok(offer) => offer,
            Err(kind) => {
                let fault = self.arrive(&mut offered, slot, edge.target, Some(kind.into()), edge.span);
                scratch.work.push(Pending {
                    micro,
                    state: offered,
                    owner: None,
                    fault: failed.cloned().or(fault),
                    depth,
                });
                return true;
            }
        };
        offered.set_location(slot, edge.target);
        let mut partners = smallvec::SmallVec::<[_; 4]>::new();
        let mut meet = |partner, _: &Edge, alternative| partners.push((partner, alternative));
        self.recorder.deciding(|| self.accepting_edges(&offered, slot, &offer, &mut meet));
        for &(partner, alternative) in &partners {
            let accepting = &self.edges(&offered, partner.slot)[partner.edge as usize];
            let mut next = scratch.state(&offered);
            let fault = self.accept(&mut next, partner.slot, accepting, alternative, &offer);
            scratch.work.push(Pending {
                micro: Micro {
                    partner: Some(partner),
                    ..micro
                },
                state: next,
                owner: accepting.atomic.then_some(partner.slot),
                fault: failed.cloned().or(fault),
                depth,
            });
        }
        scratch.pool.push(offered);
        !partners.is_empty()
    }
}
