//! Vector clocks: how much of every other thread's past a thread has heard of.

use smallvec::SmallVec;

/// How many releases of each lane have been heard of. A lane is a thread, or a destructor that any of several threads may run.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub(crate) struct Clock(SmallVec<[u32; 8]>);

impl Clock {
    /// What was heard of a lane.
    #[inline]
    pub fn get(&self, lane: u32) -> u32 {
        self.0.get(lane as usize).copied().unwrap_or(0)
    }

    /// Hears all that `other` has heard.
    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Whether it has heard all that `other` has heard.
    pub fn covers(&self, other: &Clock) -> bool {
        other.0.iter().enumerate().all(|(lane, heard)| self.get(lane as u32) >= *heard)
    }

    /// Time goes on in a lane.
    pub fn tick(&mut self, lane: u32) {
        self.raise(lane, self.get(lane) + 1);
    }

    /// Hears of a lane up to that time.
    pub fn raise(&mut self, lane: u32, epoch: u32) {
        let index = lane as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, 0);
        }
        self.0[index] = self.0[index].max(epoch);
    }
}
