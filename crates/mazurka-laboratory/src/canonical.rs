//! The canonical form of a trace: one number for all executions that differ only in the order of independent steps.
//!
//! Every event is hashed with the events before it that it depends on: those of its process, the one that started its process, and
//! those that touch the same locations in conflicting modes. Which these are is the same in all equivalent executions, so the sum over
//! the events stands for the trace.

use mazurka_core::{Effects, Footprint, Process, Program, Transition};

/// An execution together with the canonical form of each of its prefixes.
#[derive(Debug)]
pub struct Canonical<P: Program> {
    runs: Vec<P::State>,
    events: Vec<Event>,
    /// Events whose memory can be used again.
    spare: Vec<Event>,
    effects: Effects,
}

#[derive(Debug)]
struct Event {
    transition: Transition,
    footprint: Footprint,
    births: Vec<Process>,
    hash: u128,
    /// Of the trace up to and including this event.
    trace: u128,
}

impl<P: Program> Canonical<P>
where
    P::State: Clone,
{
    /// The empty execution.
    pub fn new(program: &P) -> Self {
        Canonical {
            runs: vec![program.start()],
            events: Vec::new(),
            spare: Vec::new(),
            effects: Effects::default(),
        }
    }

    /// The last state.
    pub fn run(&self) -> &P::State {
        &self.runs[self.events.len()]
    }

    /// How many steps were taken.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether no step was taken.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The canonical form of the trace so far.
    pub fn trace(&self) -> u128 {
        self.events.last().map_or(0, |e| e.trace)
    }

    /// The steps taken so far.
    pub fn schedule(&self) -> Vec<Transition> {
        self.events.iter().map(|e| e.transition).collect()
    }

    /// Takes a step; what it did is valid until the next one.
    pub fn push(&mut self, program: &P, transition: Transition) -> &Effects {
        let depth = self.events.len();
        let mut event = self.spare.pop().unwrap_or_else(|| Event {
            transition,
            footprint: Footprint::new(),
            births: Vec::new(),
            hash: 0,
            trace: 0,
        });
        event.transition = transition;
        event.footprint.clear();
        program.footprint(&self.runs[depth], transition, &mut event.footprint);
        if self.runs.len() == depth + 1 {
            let copy = self.runs[depth].clone();
            self.runs.push(copy);
        } else {
            let (before, after) = self.runs.split_at_mut(depth + 1);
            after[0].clone_from(&before[depth]);
        }
        self.effects.clear();
        program.step(&mut self.runs[depth + 1], transition, &mut self.effects);
        event.births.clear();
        event.births.extend(self.effects.births.iter().copied());
        let past = self.events.iter().filter(|e| {
            e.transition.process == transition.process || e.births.contains(&transition.process) || e.footprint.conflicts(&event.footprint)
        });
        let past = past.fold(0u128, |sum, e| sum.wrapping_add(scramble(e.hash)));
        let own = (u128::from(transition.process.0) << 32) | u128::from(transition.choice);
        event.hash = scramble(past ^ scramble(own + 1));
        event.trace = self.trace().wrapping_add(scramble(event.hash.wrapping_add(1)));
        self.events.push(event);
        &self.effects
    }

    /// Takes back the last step.
    pub fn pop(&mut self) {
        self.spare.extend(self.events.pop());
    }

    /// Makes this the execution of that schedule, keeping what both have in common at the front. Tells each new step's effects.
    pub fn replay(&mut self, program: &P, schedule: &[Transition]) {
        let common = self.events.iter().zip(schedule).take_while(|(e, t)| e.transition == **t).count();
        while self.events.len() > common {
            self.pop();
        }
        for t in &schedule[common..] {
            self.push(program, *t);
        }
    }
}

/// Spreads every bit over all others.
fn scramble(z: u128) -> u128 {
    const A: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    const B: u128 = 0xd6e8_feb8_6659_fd93_a076_1d64_78bd_642f;
    let z = (z ^ (z >> 67)).wrapping_add(B).wrapping_mul(A);
    let z = (z ^ (z >> 59)).wrapping_mul(B);
    z ^ (z >> 64)
}
