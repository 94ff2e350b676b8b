//! The failing schedules found so far that are worth keeping.

use super::switches;
use crate::program::Transition;

/// Failing schedules, none of which has both as many switches and as many steps as another.
pub(super) struct Pool {
    kept: Vec<Vec<Transition>>,
    may_lengthen: bool,
}

impl Pool {
    /// Starts with the schedule that the search found.
    pub fn new(schedule: &[Transition], may_lengthen: bool) -> Self {
        Pool {
            kept: vec![schedule.to_vec()],
            may_lengthen,
        }
    }

    /// Keeps a failing schedule if none is as good; true if it was kept.
    pub fn add(&mut self, schedule: Vec<Transition>) -> bool {
        let cost = cost(&schedule);
        let as_good = |a: (usize, usize), b: (usize, usize)| a.0 <= b.0 && a.1 <= b.1;
        if self.kept.iter().any(|s| as_good(self::cost(s), cost)) {
            return false;
        }
        self.kept.retain(|s| !as_good(cost, self::cost(s)));
        self.kept.push(schedule);
        true
    }

    /// The one with the fewest switches, then the fewest steps.
    pub fn fewest_switches(&self) -> &[Transition] {
        let best = self.kept.iter().min_by_key(|s| cost(s));
        best.map_or(&[], Vec::as_slice)
    }

    /// The one with the fewest steps, then the fewest switches.
    pub fn fewest_steps(&self) -> &[Transition] {
        let best = self.kept.iter().min_by_key(|s| (s.len(), switches(s)));
        best.map_or(&[], Vec::as_slice)
    }

    /// The one with the fewest switches of those that are at most a fifth longer than the shortest, or of the shortest ones.
    pub fn choose(&self) -> Vec<Transition> {
        let shortest = self.fewest_steps().len();
        let most = if self.may_lengthen { shortest * 6 / 5 } else { shortest };
        let near = self.kept.iter().filter(|s| s.len() <= most);
        near.min_by_key(|s| cost(s)).cloned().unwrap_or_default()
    }

    /// Whether no kept schedule has fewer switches, or as many and fewer steps.
    pub fn is_best(&self, schedule: &[Transition]) -> bool {
        cost(schedule) == cost(self.fewest_switches())
    }
}

fn cost(schedule: &[Transition]) -> (usize, usize) {
    (switches(schedule), schedule.len())
}
