//! How many executions there will be.
//!
//! At each execution the part of the tree that is done is known if every branch of a node is taken to be as large as its siblings: the
//! branches done at each depth, divided by those known there and at every depth above. Executions so far divided by that part estimate the
//! total. Branches that are not known yet make the estimate grow, so its spread over the recent past is reported with it.

use crate::saved::{Decoder, Encoder, Misfit};
use crate::search::Estimate;

/// Executions between two looks at the tree; a look costs as much as the execution is long.
const EVERY: u64 = 256;
/// Weight of the past in the running mean.
const MEMORY: f64 = 0.9;

/// A running estimate.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Estimator {
    mean: f64,
    variance: f64,
    looks: u64,
}

impl Estimator {
    /// An execution ended; `branches` gives (taken, known) from the root down.
    pub fn leaf(&mut self, executions: u64, branches: impl Iterator<Item = (u64, u64)>) {
        if !executions.is_multiple_of(EVERY) && executions > 16 {
            return;
        }
        let mut weight = 1.0;
        let mut done = 0.0;
        for (taken, known) in branches.filter(|&(_, known)| known > 1) {
            weight /= known as f64;
            done += weight * taken.saturating_sub(1) as f64;
        }
        // The leaf itself.
        done += weight;
        let total = (executions as f64 / done).max(executions as f64);
        if self.looks == 0 {
            self.mean = total;
        }
        let step = total - self.mean;
        self.mean += (1.0 - MEMORY) * step;
        self.variance = MEMORY * (self.variance + (1.0 - MEMORY) * step * step);
        self.looks += 1;
    }

    pub fn save(&self, out: &mut Encoder) {
        out.float(self.mean);
        out.float(self.variance);
        out.number(self.looks);
    }

    pub fn resumed(from: &mut Decoder<'_>) -> Result<Self, Misfit> {
        Ok(Estimator {
            mean: from.float()?,
            variance: from.float()?,
            looks: from.number()?,
        })
    }

    /// The estimate, once there is something to base it on.
    pub fn estimate(&self) -> Option<Estimate> {
        (self.looks > 0).then(|| Estimate {
            total: self.mean,
            deviation: self.variance.sqrt(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_binary_tree_is_estimated_exactly() {
        let mut estimator = Estimator::default();
        for leaf in 0..16u64 {
            estimator.leaf(leaf + 1, (0..4).rev().map(|bit| ((leaf >> bit & 1) + 1, 2)));
        }
        let estimate = estimator.estimate().unwrap();
        assert!((estimate.total - 16.0).abs() < 1e-6, "{estimate:?}");
        assert!(estimate.deviation < 1e-6, "{estimate:?}");
    }
}
