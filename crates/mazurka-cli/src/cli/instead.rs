//! What to do where a complete search is out of reach.

use super::values::{self, Within};
use clap::Args;
use mazurka_core::Sampler;

/// What says how to search completely, or asks for something that only such a search knows.
const COMPLETE: [&str; 7] = ["algorithm", "observe", "cones", "exact", "shortest", "livelock", "stats"];

/// Random executions, or a bounded search.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "When complete is out of reach")]
pub struct InsteadArgs {
    /// Run random executions instead: random, pct (or pct:DEPTH), pos or urw
    #[arg(long, value_name = "MODE", conflicts_with_all = COMPLETE, conflicts_with_all = ["preemptions", "delays", "max_executions"])]
    pub mode: Option<Sampler>,
    /// How many random executions [default: 10000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::positive)]
    pub budget: Option<u64>,
    /// Seed; the same seed gives the same executions [default: 0]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = values::number)]
    pub seed: Option<u64>,
    /// Start at this random execution, where an earlier run with the same seed ended
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::number)]
    pub from: Option<u64>,
    /// Search only executions with at most N preemptions; ..3 tries 0, 1, 2 and 3 in turn
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::within, conflicts_with_all = COMPLETE, conflicts_with = "delays")]
    pub preemptions: Option<Within>,
    /// Search only executions with at most N delays of a process; ..3 tries 0, 1, 2 and 3 in turn
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = values::within, conflicts_with_all = COMPLETE)]
    pub delays: Option<Within>,
}

impl InsteadArgs {
    /// Whether something else than a complete search is asked for.
    pub fn is_given(&self) -> bool {
        self.mode.is_some() || self.preemptions.is_some() || self.delays.is_some()
    }
}
