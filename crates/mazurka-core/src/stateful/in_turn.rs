//! Several searches one after the other: first what every execution can do wrong on its way and at its end, then each property of
//! executions without end.

use super::graph::Graph;
use super::lassos::Lassos;
use super::property::{Property, PropertyReport};
use super::report::{Chosen, StateReport, StatefulSearch};
use super::{Checks, StatefulOptions, search_graph};
use crate::driver::Driver;
use crate::outcome::{FailureKind, Limit, Outcome, Verdict};
use crate::program::Transition;
use crate::search::{Options, Progress, Search, SearchError, Status};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Makes the graph once more: each search has its own.
pub(super) type Graphs<'p> = Box<dyn Fn() -> Box<dyn Graph + 'p> + 'p>;

/// One of the searches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Safety,
    Property(usize),
}

/// The searches.
pub(super) struct InTurn<'p> {
    graphs: Graphs<'p>,
    options: Options,
    stateful: StatefulOptions,
    properties: Vec<Property>,
    encodable: bool,
    now: Option<(Part, Box<dyn StatefulSearch + 'p>)>,
    rest: VecDeque<Part>,
    done: Vec<(Part, Outcome, StateReport)>,
    ends: Vec<Vec<Transition>>,
    /// Set if a limit ended everything.
    limit: Option<Limit>,
    elapsed: Duration,
}

impl<'p> InTurn<'p> {
    /// The searches that are asked for; at least one.
    pub fn new(graphs: Graphs<'p>, options: &Options, stateful: StatefulOptions) -> Result<Self, SearchError> {
        let mut graph = graphs();
        let properties = graph.properties();
        let (start, _) = graph.start();
        let encodable = graph.encode(start, &mut Vec::new());
        // What cannot be searched at all is refused here, whatever is searched first.
        let safety = search_graph(graphs(), options, stateful)?;
        let mut rest: VecDeque<Part> = (0..properties.len()).map(Part::Property).collect();
        let mut search = InTurn {
            graphs,
            options: options.clone(),
            stateful,
            properties,
            encodable,
            now: None,
            rest: VecDeque::new(),
            done: Vec::new(),
            ends: Vec::new(),
            limit: None,
            elapsed: Duration::ZERO,
        };
        if stateful.checks == Checks::Properties {
            search.now = rest.pop_front().map(|part| (part, search.begin(part)));
        } else {
            search.now = Some((Part::Safety, safety));
        }
        search.rest = rest;
        Ok(search)
    }

    /// Begins with a property, in the time that is left.
    fn begin(&self, part: Part) -> Box<dyn StatefulSearch + 'p> {
        let mut options = self.options.clone();
        options.limits.time = options.limits.time.map(|all| all.saturating_sub(self.elapsed));
        let number = match part {
            Part::Property(number) => number,
            Part::Safety => 0,
        };
        let property = self.properties[number].clone();
        let lassos = Lassos::new((self.graphs)(), number, property, &options, self.stateful, self.encodable);
        Box::new(Driver::new(lassos, &options))
    }

    /// Puts aside what was found, and goes on with the next search.
    fn turn(&mut self) {
        let Some((part, search)) = self.now.take() else { return };
        let outcome = search.outcome();
        self.ends.extend_from_slice(search.ends());
        let ended = matches!(
            outcome.limit,
            Some(Limit::Time | Limit::Memory | Limit::Interrupt | Limit::Executions | Limit::Step)
        );
        if ended {
            self.limit = outcome.limit;
        }
        self.done.push((part, outcome, search.report()));
        drop(search);
        if !ended {
            self.now = self.rest.pop_front().map(|part| (part, self.begin(part)));
        }
    }

    /// What every search has to say so far.
    fn parts(&self) -> Vec<(Part, Outcome, StateReport)> {
        let now = self.now.iter().map(|(part, search)| (*part, search.outcome(), search.report()));
        self.done.iter().cloned().chain(now).collect()
    }
}

/// How it stands with a property after a search for what violates it, which may have stumbled over something else.
fn verdict(outcome: &Outcome, is_over: bool) -> Verdict {
    let violated = outcome.failures.iter().any(|f| f.failure.kind == FailureKind::Property);
    match outcome.verdict {
        Verdict::Violation if violated => Verdict::Violation,
        Verdict::Violation if outcome.ended_by_failure || outcome.limit.is_some() || !is_over => Verdict::Incomplete,
        Verdict::Violation => Verdict::Complete,
        other => other,
    }
}

impl Search for InTurn<'_> {
    fn advance(&mut self, steps: u64) -> Status {
        let begun = Instant::now();
        let Some((_, search)) = &mut self.now else { return Status::Done };
        let status = search.advance(steps);
        self.elapsed += begun.elapsed();
        if status == Status::Done {
            self.turn();
        }
        if self.now.is_none() { Status::Done } else { Status::Running }
    }

    fn progress(&self) -> Progress {
        let mut progress = self.now.as_ref().map(|(_, search)| search.progress()).unwrap_or_default();
        for (_, outcome, _) in &self.done {
            progress.counts.add(&outcome.counts);
        }
        progress
    }

    fn interrupt(&mut self) {
        if let Some((_, search)) = &mut self.now {
            search.interrupt();
            self.turn();
        }
    }

    fn outcome(&self) -> Outcome {
        let mut parts = self.parts().into_iter().map(|(_, outcome, _)| outcome);
        let Some(mut all) = parts.next() else {
            return Outcome::new(Verdict::Incomplete);
        };
        for part in parts {
            all.verdict = match (all.verdict, part.verdict) {
                (Verdict::Violation, _) | (_, Verdict::Violation) => Verdict::Violation,
                (Verdict::Incomplete, _) | (_, Verdict::Incomplete) => Verdict::Incomplete,
                _ => Verdict::Complete,
            };
            all.limit = all.limit.or(part.limit);
            all.large_step = all.large_step.or(part.large_step);
            all.counts.add(&part.counts);
            all.ended_by_failure |= part.ended_by_failure;
            for (count, more) in all.failure_counts.iter_mut().zip(part.failure_counts) {
                *count += more;
            }
            for found in part.failures {
                if all.failures.iter().all(|f| f.failure != found.failure) {
                    all.failures.push(found);
                }
            }
        }
        if !self.rest.is_empty() && all.verdict == Verdict::Complete {
            all.verdict = Verdict::Incomplete;
        }
        all.limit = all.limit.or(self.limit);
        all
    }
}

impl StatefulSearch for InTurn<'_> {
    fn report(&self) -> StateReport {
        let parts = self.parts();
        let mut properties: Vec<PropertyReport> = self.properties.iter().map(|p| PropertyReport::new(&p.name)).collect();
        let mut all: Option<StateReport> = None;
        for (nth, (part, outcome, report)) in parts.into_iter().enumerate() {
            if let (Part::Property(number), Some(own)) = (part, report.properties.first()) {
                properties[number] = PropertyReport {
                    verdict: Some(verdict(&outcome, nth < self.done.len())),
                    ..own.clone()
                };
            }
            // The state space is that of the program, where it was searched for itself.
            all.get_or_insert(report);
        }
        let mut all = all.unwrap_or_else(|| StateReport::empty(self.encodable));
        all.properties = properties;
        all
    }

    fn ends(&self) -> &[Vec<Transition>] {
        &self.ends
    }

    fn tell(&mut self, told: Chosen) -> bool {
        match &mut self.now {
            Some((Part::Safety, search)) if self.properties.is_empty() => search.tell(told),
            _ => false,
        }
    }
}
