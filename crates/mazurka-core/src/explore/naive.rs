//! `naive`: every interleaving.

use super::exploration::Exploration;
use super::strategy::{Entered, Strategy};
use crate::program::Transition;

/// Takes everything that is enabled, everywhere.
#[derive(Default)]
pub(crate) struct Naive {
    /// Per depth, how many of the enabled transitions were taken and how many there are.
    nodes: Vec<(usize, usize)>,
}

impl Strategy for Naive {
    fn enter(&mut self, exploration: &mut Exploration<'_>) -> Entered {
        self.nodes.truncate(exploration.depth());
        self.nodes.push((0, exploration.top().enabled().count()));
        Entered::Open
    }

    fn choose(&mut self, exploration: &mut Exploration<'_>) -> Option<Transition> {
        let depth = exploration.depth();
        let (taken, _) = self.nodes.get_mut(depth)?;
        let next = exploration.top().enabled().nth(*taken)?.transition;
        *taken += 1;
        Some(next)
    }

    fn maximal(&mut self, exploration: &mut Exploration<'_>) {
        self.nodes.truncate(exploration.depth());
        self.nodes.push((0, 0));
    }

    fn branches(&self, depth: usize) -> (u64, u64) {
        self.nodes.get(depth).map_or((0, 0), |&(taken, all)| (taken as u64, all as u64))
    }
}
