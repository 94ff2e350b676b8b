//! Handshakes: sender and receiver move together.

use super::fault::Failed;
use super::queue::Message;
use super::state::State;
use super::{Eval, Fault, FaultKind, Machine, Partner};
use crate::model::{Edge, Op, Pattern};

/// A send on a rendezvous channel that waits for its partner.
pub(crate) struct Offer {
    pub channel: i32,
    pub message: Message,
}

impl Machine {
    /// The first half: the message that the sender offers.
    pub(crate) fn offer(&self, state: &State, sender: usize, edge: &Edge) -> Result<Offer, FaultKind> {
        let Op::Send { channel, args, .. } = &edge.op else {
            return Err(FaultKind::RendezvousInDeterministic);
        };
        let (number, mut message) = self.outgoing(state, sender, channel, args)?;
        let fields = &self.queue(state, number)?.channel.fields;
        if fields.len() != message.len() {
            return Err(FaultKind::MessageFields {
                given: message.len(),
                expected: fields.len(),
            });
        }
        for (value, kind) in message.iter_mut().zip(fields) {
            *value = kind.wrap(*value);
        }
        Ok(Offer { channel: number, message })
    }

    /// Calls `visit` for every edge of another process that takes the message: who, its edge, and the alternative inside of a `d_step`.
    pub(crate) fn accepting_edges(&self, state: &State, sender: usize, offer: &Offer, mut visit: impl FnMut(Partner, &Edge, usize)) {
        for slot in (0..state.processes()).rev().filter(|&r| r != sender) {
            let mut escape = 0;
            for (j, edge) in self.edges(state, slot).iter().enumerate() {
                if escape > 0 && edge.escape != escape {
                    break;
                }
                if let Some(alternative) = self.accepts(state, slot, edge, offer) {
                    if !self.is_provided(state, slot, false) {
                        break;
                    }
                    escape = edge.escape;
                    let partner = Partner {
                        slot,
                        location: state.location(slot),
                        edge: j as u32,
                    };
                    visit(partner, edge, alternative);
                }
            }
        }
    }

    /// Whether a process finds a partner for the rendezvous that an edge offers. One that goes wrong needs none.
    pub(super) fn has_partner(&self, state: &State, sender: usize, edge: &Edge) -> bool {
        let Ok(offer) = self.offer(state, sender, edge) else { return true };
        let mut offered = state.clone();
        offered.set_location(sender, edge.target);
        let mut found = false;
        self.accepting_edges(&offered, sender, &offer, |_, _, _| found = true);
        found
    }

    /// Whether an edge takes the message, and if it is a `d_step` at which of its alternatives it does.
    pub(super) fn accepts(&self, state: &State, receiver: usize, edge: &Edge, offer: &Offer) -> Option<usize> {
        match &edge.op {
            Op::Deterministic(inside) => {
                let start = inside.nodes.first()?;
                start.edges.iter().position(|(op, _)| self.matches(state, receiver, op, offer))
            }
            op => self.matches(state, receiver, op, offer).then_some(0),
        }
    }

    fn matches(&self, state: &State, receiver: usize, op: &Op, offer: &Offer) -> bool {
        let Op::Receive {
            channel,
            pattern,
            peek: false,
            ..
        } = op
        else {
            return false;
        };
        let mut eval = Eval::new(self, state, receiver, false);
        if eval.value(channel) != offer.channel || eval.fault.is_some() {
            return false;
        }
        pattern.iter().zip(&offer.message).all(|(p, &value)| match p {
            Pattern::Match(expected) => eval.value(expected) == value,
            Pattern::Store(_) => true,
        })
    }

    /// Whether a statement receives from this channel, whatever the message.
    pub(crate) fn listens(&self, state: &State, slot: usize, op: &Op, number: i32) -> bool {
        match op {
            Op::Receive { channel, peek: false, .. } => {
                let mut eval = Eval::new(self, state, slot, false);
                eval.value(channel) == number && eval.fault.is_none()
            }
            Op::Deterministic(inside) => {
                let start = inside.nodes.first();
                start.is_some_and(|n| n.edges.iter().any(|(op, _)| self.listens(state, slot, op, number)))
            }
            _ => false,
        }
    }

    /// The second half: the receiver takes the message and moves on.
    pub(super) fn accept(&self, state: &mut State, receiver: usize, edge: &Edge, alternative: usize, offer: &Offer) -> Option<Fault> {
        let result = match &edge.op {
            Op::Receive { pattern, .. } => self.hand_over(state, receiver, pattern, offer).map(|()| None).map_err(Failed::from),
            Op::Deterministic(inside) => {
                let (op, next) = &inside.nodes[0].edges[alternative];
                let Op::Receive { pattern, .. } = op else { return None };
                self.hand_over(state, receiver, pattern, offer)
                    .map_err(Failed::from)
                    .and_then(|()| match next {
                        Some(next) => self.deterministic(state, receiver, inside, *next, false),
                        None => Ok(None),
                    })
            }
            _ => Ok(None),
        };
        let fault = result.unwrap_or_else(Some);
        self.arrive(state, receiver, edge.target, fault, edge.span)
    }

    fn hand_over(&self, state: &mut State, receiver: usize, pattern: &[Pattern], offer: &Offer) -> Result<(), FaultKind> {
        if pattern.len() != offer.message.len() {
            return Err(FaultKind::MessageFields {
                given: pattern.len(),
                expected: offer.message.len(),
            });
        }
        self.deliver(state, receiver, pattern, &offer.message)
    }
}
