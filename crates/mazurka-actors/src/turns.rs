//! The search that a check runs unless it is told which: three take turns, and the first to know gives the verdict.
//!
//! `optimal` is best where every execution ends and few are equivalent, `source+merge` where many meet in the same states, and a
//! breadth-first stateful search where a protocol goes round for ever. Turns are counted in steps, so the same one always wins.

use crate::system::System;
use mazurka_core::{
    Algorithm, Limit, Options, Outcome, Progress, Search, SearchError, StatefulOptions, Status, Unobserved, Verdict, search,
    stateful_search,
};

/// For so many steps `optimal` runs alone: small systems are done by then.
const HEAD_START: u64 = 10_000;
/// So many steps a turn has. A step of a search that merges costs several times as much.
const TURNS: [u64; 3] = [4096, 512, 2048];
/// Of systems with timers or faults most go round for ever, and executions leave more and more behind that waits in vain: `optimal` runs alone for
/// so many steps, and executions are followed so far, unless a test says otherwise.
const OF_PROTOCOLS: u64 = 1_000;
/// Who takes turns.
const NAMES: [&str; 3] = ["optimal", "source+merge", "stateful"];

/// The searches that take turns.
pub(crate) struct Turns<'s> {
    searches: Vec<Turn<'s>>,
    steps: u64,
    head_start: u64,
}

struct Turn<'s> {
    algorithm: Algorithm,
    steps: u64,
    search: Box<dyn Search + 's>,
    /// What it found, once it is done.
    found: Option<Outcome>,
}

/// What a search among several found.
pub(crate) struct Found {
    pub algorithm: Algorithm,
    pub outcome: Outcome,
}

impl<'s> Turns<'s> {
    /// Begins with all of them that can be used on the system.
    pub fn new(system: &'s System, options: &Options) -> Result<Self, SearchError> {
        let mut searches = Vec::new();
        let is_protocol = system.is_more_than_messages();
        let head_start = if is_protocol { OF_PROTOCOLS } else { HEAD_START };
        for (name, steps) in NAMES.into_iter().zip(TURNS) {
            let algorithm = Algorithm::parse(name)?;
            let mut options = options.clone().algorithm(algorithm);
            let begun: Box<dyn Search + 's> = if algorithm.is_stateful() {
                // It stores states rather than executions.
                options.limits = options.limits.executions(None);
                stateful_search(system, &options, StatefulOptions::default().shortest(true))?
            } else {
                if is_protocol {
                    options.limits.depth = options.limits.depth.map(|depth| depth.min(OF_PROTOCOLS));
                }
                search(system, &options, Unobserved)?
            };
            searches.push(Turn {
                algorithm,
                steps: if is_protocol && !algorithm.is_stateful() {
                    steps / 16
                } else {
                    steps
                },
                search: begun,
                found: None,
            });
        }
        Ok(Turns {
            searches,
            steps: 0,
            head_start,
        })
    }

    /// Lets everybody have a turn; what was found, once one of them knows.
    pub fn advance(&mut self) -> Option<Found> {
        let alone = self.steps < self.head_start;
        let among = if alone { 1 } else { self.searches.len() };
        self.steps += self.searches[0].steps;
        for turn in self.searches[..among].iter_mut().filter(|t| t.found.is_none()) {
            if turn.search.advance(turn.steps) == Status::Running {
                continue;
            }
            let outcome = turn.search.outcome();
            if !gives_up(&outcome) {
                let algorithm = turn.algorithm;
                return Some(Found { algorithm, outcome });
            }
            turn.found = Some(outcome);
        }
        if self.searches.iter().any(|t| t.found.is_none()) {
            return None;
        }
        Some(self.best_so_far())
    }

    /// What is known now.
    pub fn best_so_far(&self) -> Found {
        let first = &self.searches[0];
        Found {
            algorithm: first.algorithm,
            outcome: first.found.clone().unwrap_or_else(|| first.search.outcome()),
        }
    }

    /// How far the search is that stores states, or the first one as long as it runs alone.
    pub fn progress(&self) -> Progress {
        let at = if self.steps <= self.head_start {
            0
        } else {
            self.searches.len() - 1
        };
        self.searches[at].search.progress()
    }
}

/// Whether another search may know more: executions were too long for this one.
fn gives_up(outcome: &Outcome) -> bool {
    outcome.verdict == Verdict::Incomplete && outcome.limit == Some(Limit::Depth)
}
