//! Single statements: when they can be executed, and what they do.

use super::fault::Failed;
use super::queue::Message;
use super::state::{State, store};
use super::{Eval, Fault, FaultKind, Machine, Touched};
use crate::lower::{MAX_CHANNELS, MAX_PROCESSES};
use crate::model::{Deterministic, Edge, Ex, FirstValue, Op, PRIORITY, Pattern};
use mazurka_diagnostics::Span;

/// A `d_step` that looks at more statements than this does not end. One counts for more if the state, and so perhaps a channel that it looks
/// through, is large.
const MAX_DETERMINISTIC_STEPS: usize = 2_000_000;

/// So many bytes of a state are looked through in the time of one statement.
const LOOKED_THROUGH: usize = 1024;

/// Whether a statement can be executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Readiness {
    /// Not now.
    Blocked,
    /// Now.
    Ready,
    /// If some process receives from this rendezvous channel.
    Offers(i32),
}

impl From<bool> for Readiness {
    fn from(ready: bool) -> Self {
        if ready { Readiness::Ready } else { Readiness::Blocked }
    }
}

impl Machine {
    /// Whether a statement can be executed; `moved` tells `else` if an earlier alternative could.
    ///
    /// A statement whose evaluation goes wrong is ready: executing it reports the error.
    pub(crate) fn readiness(&self, state: &State, slot: usize, op: &Op, timeout: bool, moved: bool) -> Readiness {
        let mut eval = Eval::new(self, state, slot, timeout);
        match op {
            Op::Skip | Op::Assign(..) | Op::Assert(_) | Op::Print(_) | Op::Run { .. } | Op::SetPriority(_) => Readiness::Ready,
            Op::Else => (!moved).into(),
            Op::Condition(condition) => {
                let value = eval.value(condition);
                (value != 0 || eval.fault.is_some()).into()
            }
            Op::Send { channel, .. } => {
                let number = eval.value(channel);
                if eval.fault.is_some() {
                    return Readiness::Ready;
                }
                match self.queue(state, number) {
                    Ok(queue) if queue.channel.capacity == 0 => Readiness::Offers(number),
                    Ok(queue) => (queue.len() < queue.channel.capacity).into(),
                    Err(_) => Readiness::Ready,
                }
            }
            Op::Receive {
                channel,
                pattern,
                random,
                peek,
            } => {
                let number = eval.value(channel);
                if eval.fault.is_some() {
                    return Readiness::Ready;
                }
                match self.queue(state, number) {
                    // Looking into a rendezvous channel is an error; receiving from it happens together with the sender.
                    Ok(queue) if queue.channel.capacity == 0 => (*peek).into(),
                    Ok(queue) if queue.len() == 0 => Readiness::Blocked,
                    Ok(queue) if queue.channel.fields.len() != pattern.len() => Readiness::Ready,
                    Ok(queue) => {
                        let found = eval.find(&queue, pattern, *random).is_some();
                        (found || eval.fault.is_some()).into()
                    }
                    Err(_) => Readiness::Ready,
                }
            }
            Op::Deterministic(inside) => self.deterministic_ready(state, slot, inside, timeout, moved),
            Op::End => {
                self.recorder.read(Touched::Population);
                (slot + 1 == state.processes()).into()
            }
        }
    }

    fn deterministic_ready(&self, state: &State, slot: usize, inside: &Deterministic, timeout: bool, moved: bool) -> Readiness {
        let Some(start) = inside.nodes.first() else {
            return Readiness::Ready;
        };
        let alone = start.edges.len() == 1;
        let ready = start.edges.iter().any(|(op, _)| {
            let moved = alone && moved;
            self.readiness(state, slot, op, timeout, moved) != Readiness::Blocked
        });
        ready.into()
    }

    /// Executes an edge that is ready, but not a rendezvous, and moves the process to its target.
    pub(crate) fn execute(&self, state: &mut State, slot: usize, edge: &Edge, timeout: bool) -> Option<Fault> {
        let fault = match self.perform(state, slot, &edge.op, timeout) {
            Ok(fault) => fault,
            Err(fault) => Some(fault),
        };
        if edge.op == Op::End {
            return None;
        }
        self.arrive(state, slot, edge.target, fault, edge.span)
    }

    /// Moves a process on after a statement, or stops it for ever if the statement failed.
    pub(super) fn arrive(&self, state: &mut State, slot: usize, target: u32, failed: Option<Failed>, span: Span) -> Option<Fault> {
        let fatal = failed.as_ref().is_some_and(|failed| failed.kind.is_fatal());
        let location = if fatal {
            self.model().proctypes[state.proctype(slot)].crashed
        } else {
            target
        };
        self.recorder.write(Touched::Process(state.proctype(slot)));
        state.set_location(slot, location);
        failed.map(|Failed { kind, inside }| Fault {
            kind,
            slot,
            span: inside.unwrap_or(span),
        })
    }

    /// Does what a statement says. `Ok(Some(…))` is an error after which the process goes on.
    fn perform(&self, state: &mut State, slot: usize, op: &Op, timeout: bool) -> Result<Option<Failed>, Failed> {
        match op {
            Op::Skip | Op::Else => {}
            Op::End => {
                self.recorder.write(Touched::Population);
                let own = self.model().proctypes[state.proctype(slot)].channels.len();
                if own > 0 {
                    self.recorder.write(Touched::NewChannels);
                    (0..own).for_each(|channel| self.recorder.write(Touched::Channel(Some(slot), channel)));
                }
                self.pop_frame(state);
            }
            Op::Condition(condition) => {
                self.evaluate(state, slot, condition, timeout)?;
            }
            Op::Assert(condition) => {
                if self.evaluate(state, slot, condition, timeout)? == 0 {
                    return Ok(Some(FaultKind::Assertion.into()));
                }
            }
            Op::Print(args) => {
                for arg in args {
                    self.evaluate(state, slot, arg, timeout)?;
                }
            }
            Op::Assign(place, value) => {
                let value = self.evaluate(state, slot, value, timeout)?;
                self.assign(state, slot, place, value)?;
            }
            Op::Send { channel, args, sorted } => {
                let (number, message) = self.outgoing(state, slot, channel, args)?;
                self.put(state, number, &message, *sorted)?;
            }
            Op::Receive {
                channel,
                pattern,
                random,
                peek,
            } => self.receive(state, slot, channel, pattern, *random, *peek)?,
            Op::SetPriority(parts) => {
                let pid = self.evaluate(state, slot, &parts.0, timeout)?;
                let priority = self.evaluate(state, slot, &parts.1, timeout)?;
                self.set_priority(state, pid, priority)?;
            }
            Op::Run {
                proctype,
                args,
                result,
                priority,
            } => {
                let values: Result<Message, FaultKind> = args.iter().map(|a| self.evaluate(state, slot, a, timeout)).collect();
                let pid = self.spawn(state, *proctype, &values?, *priority)?;
                let first_values = &self.model().proctypes[*proctype].initial;
                self.initialise(state, pid, first_values).map_err(|(kind, _)| kind)?;
                if let Some(place) = result {
                    self.assign(state, slot, place, pid as i32)?;
                }
            }
            Op::Deterministic(inside) => return self.deterministic(state, slot, inside, 0, timeout),
        }
        Ok(None)
    }

    pub(super) fn evaluate(&self, state: &State, slot: usize, ex: &Ex, timeout: bool) -> Result<i32, FaultKind> {
        let mut eval = Eval::new(self, state, slot, timeout);
        let value = eval.value(ex);
        eval.finish(value)
    }

    /// The channel and the message of a send.
    pub(super) fn outgoing(&self, state: &State, slot: usize, channel: &Ex, args: &[Ex]) -> Result<(i32, Message), FaultKind> {
        let mut eval = Eval::new(self, state, slot, false);
        let number = eval.value(channel);
        let message = args.iter().map(|a| eval.value(a)).collect();
        match eval.fault {
            Some(fault) => Err(fault),
            None => Ok((number, message)),
        }
    }

    fn receive(
        &self,
        state: &mut State,
        slot: usize,
        channel: &Ex,
        pattern: &[Pattern],
        random: bool,
        peek: bool,
    ) -> Result<(), FaultKind> {
        let mut eval = Eval::new(self, state, slot, false);
        let number = eval.value(channel);
        let queue = self.queue(state, number)?;
        if queue.channel.capacity == 0 {
            return Err(FaultKind::PollRendezvous);
        }
        if queue.channel.fields.len() != pattern.len() {
            return Err(FaultKind::MessageFields {
                given: pattern.len(),
                expected: queue.channel.fields.len(),
            });
        }
        let found = eval.find(&queue, pattern, random);
        if let Some(fault) = eval.fault {
            return Err(fault);
        }
        let Some(found) = found else { return Ok(()) };
        let message = queue.message(found);
        self.deliver(state, slot, pattern, &message)?;
        if !peek {
            self.take(state, number, found)?;
        }
        Ok(())
    }

    /// Stores the fields of a message, one after the other: a later index may depend on an earlier field.
    pub(super) fn deliver(&self, state: &mut State, slot: usize, pattern: &[Pattern], message: &[i32]) -> Result<(), FaultKind> {
        for (p, &value) in pattern.iter().zip(message) {
            if let Pattern::Store(place) = p {
                self.assign(state, slot, place, value)?;
            }
        }
        Ok(())
    }

    /// A new process; returns its pid.
    pub(super) fn spawn(&self, state: &mut State, proctype: usize, args: &[i32], priority: u8) -> Result<usize, FaultKind> {
        let definition = &self.model().proctypes[proctype];
        self.recorder.write(Touched::Population);
        self.recorder.write(Touched::Births);
        if !definition.channels.is_empty() {
            self.recorder.write(Touched::NewChannels);
        }
        if state.processes() >= MAX_PROCESSES {
            return Err(FaultKind::TooManyProcesses);
        }
        if state.channel_count() + definition.channels.len() > MAX_CHANNELS {
            return Err(FaultKind::TooManyChannels);
        }
        let slot = self.push_frame(state, proctype);
        let frame = state.frame(slot);
        if self.model().priorities {
            state.bytes_mut()[frame + PRIORITY as usize] = priority;
        }
        for (&(offset, kind), &value) in definition.parameters.iter().zip(args) {
            store(state.bytes_mut(), frame + offset as usize, kind, value);
        }
        Ok(slot)
    }

    /// Sets globals, or the locals of a newborn process, to their first values.
    fn initialise(&self, state: &mut State, slot: usize, values: &[FirstValue]) -> Result<(), (FaultKind, Span)> {
        for first in values {
            self.evaluate(state, slot, &first.value, false)
                .and_then(|value| self.assign(state, slot, &first.place, value))
                .map_err(|kind| (kind, first.span))?;
        }
        Ok(())
    }

    /// Runs a `d_step` from one of its nodes to its end.
    pub(super) fn deterministic(
        &self,
        state: &mut State,
        slot: usize,
        inside: &Deterministic,
        from: usize,
        timeout: bool,
    ) -> Result<Option<Failed>, Failed> {
        let mut at = from;
        let mut failed = None;
        let mut left = MAX_DETERMINISTIC_STEPS;
        while left > 0 {
            let node = &inside.nodes[at];
            let weight = 1 + state.bytes().len() / LOOKED_THROUGH;
            let choice = node.edges.iter().find_map(|(op, next)| {
                left = left.saturating_sub(weight);
                match self.readiness(state, slot, op, timeout, false) {
                    Readiness::Blocked => None,
                    Readiness::Ready => Some(Ok((op, *next))),
                    Readiness::Offers(_) => Some(Err(FaultKind::RendezvousInDeterministic)),
                }
            });
            let (op, next) = choice.ok_or(FaultKind::BlockedDeterministic)??;
            let performed = self.perform(state, slot, op, timeout);
            let performed = performed.map_err(|failed| failed.inside(node.span))?;
            failed = failed.or(performed.map(|failed| failed.inside(node.span)));
            match next {
                Some(next) => at = next,
                None => return Ok(failed),
            }
        }
        Err(FaultKind::Endless.into())
    }

    /// The first state: globals set, the active processes born in the order of the text.
    pub fn initial(&self) -> (State, Option<Fault>) {
        let mut state = self.globals();
        let mut failed = self.initialise(&mut state, 0, &self.model().initial).err();
        for &proctype in &self.model().active {
            let definition = &self.model().proctypes[proctype];
            let born = match self.spawn(&mut state, proctype, &[], definition.priority) {
                Ok(slot) => self.initialise(&mut state, slot, &definition.initial),
                Err(kind) => Err((kind, Span::default())),
            };
            failed = failed.or(born.err());
        }
        let fault = failed.map(|(kind, span)| Fault { kind, slot: 0, span });
        (state, fault)
    }
}
