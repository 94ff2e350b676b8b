//! Every execution with at most so many delays (Emmi, Qadeer, Rakamarić; POPL'11).
//!
//! Executions differ from that of a fixed scheduler in so many places, so there are few of them, and all are run: which processes are delayed depends
//! on everything that is enabled, and no two steps are independent in that.

use super::exploration::Exploration;
use super::rounds::Rounds;
use super::strategy::{Entered, Strategy};
use crate::bound::Bound;
use crate::outcome::Outcome;
use crate::program::{Process, Transition};
use crate::trace::At;

/// Everything that is enabled, everywhere, as long as it costs no more delays than there may be.
pub(crate) struct Delays {
    /// Per depth, how many of the enabled transitions were looked at and how many there are.
    nodes: Vec<(usize, usize)>,
    rounds: Rounds,
}

impl Delays {
    /// A search within the bound.
    pub fn new(bound: Bound) -> Self {
        Delays {
            nodes: Vec::new(),
            rounds: Rounds::new(bound),
        }
    }

    /// How many processes have to be passed over for this one. The scheduler takes the one that moved last, as long as it can move, and then
    /// the next in the order of their ids, which begins again after the last.
    fn cost(exploration: &Exploration<'_>, process: Process) -> u32 {
        let first = match (exploration.depth() as At).checked_sub(1) {
            Some(last) => exploration.event(last).process,
            None => Process(0),
        };
        let turn = |p: Process| p.0.wrapping_sub(first.0);
        let mut passed: Vec<Process> = exploration.top().enabled().map(|n| n.transition.process).collect();
        passed.retain(|p| turn(*p) < turn(process));
        passed.sort_unstable();
        passed.dedup();
        passed.len() as u32
    }

    fn open(&mut self, exploration: &Exploration<'_>) {
        self.nodes.truncate(exploration.depth());
        self.nodes.push((0, exploration.top().enabled().count()));
    }
}

impl Strategy for Delays {
    fn enter(&mut self, exploration: &mut Exploration<'_>) -> Entered {
        self.open(exploration);
        Entered::Open
    }

    fn choose(&mut self, exploration: &mut Exploration<'_>) -> Option<Transition> {
        let depth = exploration.depth();
        loop {
            let (taken, _) = self.nodes.get_mut(depth)?;
            let next = exploration.top().enabled().nth(*taken).map(|n| n.transition);
            *taken += 1;
            match next {
                Some(next) => {
                    if self.rounds.admits(depth, Self::cost(exploration, next.process)) {
                        return Some(next);
                    }
                }
                None if depth == 0 && exploration.top().enabled().next().is_some() && self.rounds.next() => self.open(exploration),
                None => return None,
            }
        }
    }

    fn maximal(&mut self, exploration: &mut Exploration<'_>) {
        self.nodes.truncate(exploration.depth());
        self.nodes.push((0, 0));
    }

    fn branches(&self, depth: usize) -> (u64, u64) {
        self.nodes
            .get(depth)
            .map_or((0, 0), |&(taken, all)| (taken.min(all) as u64, all as u64))
    }

    fn complete(&self, outcome: &mut Outcome) {
        self.rounds.complete(outcome);
    }
}
