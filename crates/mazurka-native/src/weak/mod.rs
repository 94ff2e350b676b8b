//! Checks under a memory model: every consistent execution graph of the code instead of every interleaving.

mod advice;
mod picture;

pub(crate) use advice::Site;
pub use advice::Weakened;

use crate::check::Check;
use crate::runtime::graph_program::{Guide, Place};
use crate::runtime::{Execution, Native};
use crate::workplace::Workplace;
use mazurka_core::{Failure, FailureKind, FoundFailure, Limit, Options, Outcome, Program as _, Verdict};
use mazurka_weak::{Counts, Ending, Graph, Limits, Model, Order, Search, Status};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Graphs larger than this are given up unless the check says otherwise.
const MAX_EVENTS: u64 = 2_000;

/// What a check under a memory model found besides its outcome.
#[derive(Clone)]
pub(crate) struct Found {
    pub model: &'static dyn Model,
    /// The graph of the first failure, and which orderings would make it impossible.
    pub explanation: Option<String>,
}

impl Check {
    /// Checks under a memory model instead of all interleavings: `rc11`, which is that of Rust and C++20 without load buffering, `tso`, which is what x86
    /// does, or `sc`. Loads may return what was overwritten before, as far as the orderings of the code allow. Every consistent execution graph is
    /// visited exactly once.
    ///
    /// `max_depth` is the most events of a graph then, and `max_executions` the most graphs. Tasks, timeouts and [`crate::choose`] are refused.
    ///
    /// # Panics
    /// If there is no model of that name.
    pub fn model(mut self, name: &str) -> Self {
        let names = mazurka_weak::MODELS;
        let model = mazurka_weak::model(name);
        assert!(
            model.is_some(),
            "there is no memory model `{name}`; expected one of {}",
            names.join(", ")
        );
        self.model = model;
        self
    }
}

/// What one search was told to look at, and what came of it.
pub(super) struct Looked {
    pub failures: Vec<(Failure, u64)>,
    pub counts: Counts,
    pub status: Status,
    pub explanation: Option<String>,
    /// The accesses of the graph of the first failure; without one, of all graphs.
    pub sites: Vec<Site>,
    pub timed_out: bool,
}

/// How far a search goes.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    pub keep_going: bool,
    pub deadlock_is_error: bool,
    pub graphs: u64,
    pub events_each: u32,
    pub events: u64,
    pub until: Option<Instant>,
    /// Whether the first failure is to be shown.
    pub explains: bool,
}

/// A check under a model.
pub(crate) fn check(native: &Rc<Native>, options: &Options, model: &'static dyn Model, patience: Duration) -> (Outcome, Found) {
    let begun = Instant::now();
    let effort = Effort {
        keep_going: options.keep_going,
        deadlock_is_error: options.deadlock_is_error,
        graphs: options.limits.executions.unwrap_or(u64::MAX),
        events_each: options.limits.depth.unwrap_or(MAX_EVENTS).min(MAX_EVENTS) as u32,
        events: u64::MAX,
        until: options.limits.time.map(|time| begun + time),
        explains: true,
    };
    let program = Rc::clone(native);
    let (mut looked, advice) = Workplace::new(patience).run(move || {
        let looked = look(&program, model, &[], effort);
        let advice = advice::strengthen(&program, model, &looked, effort);
        (looked, advice)
    });
    native.moved();
    let verdict = match (looked.failures.is_empty(), looked.status) {
        (false, _) => Verdict::Violation,
        (true, Status::Complete) => Verdict::Complete,
        (true, _) => Verdict::Incomplete,
    };
    let mut outcome = Outcome::new(verdict);
    outcome.counts.executions = looked.counts.graphs;
    outcome.counts.blocked = looked.counts.blocked;
    outcome.counts.steps = looked.counts.events;
    outcome.counts.max_depth = looked.counts.largest.into();
    outcome.ended_by_failure = !options.keep_going && verdict == Verdict::Violation;
    if verdict == Verdict::Incomplete {
        outcome.limit = Some(match looked.timed_out {
            true => Limit::Time,
            false if looked.counts.too_large > 0 => Limit::Depth,
            false => Limit::Executions,
        });
    }
    for (failure, after_executions) in std::mem::take(&mut looked.failures) {
        if let Some(kind) = FailureKind::ALL.iter().position(|kind| *kind == failure.kind) {
            outcome.failure_counts[kind] += 1;
        }
        outcome.failures.push(FoundFailure {
            failure,
            schedule: Vec::new(),
            repeats: None,
            after_executions,
        });
    }
    let explanation = looked.explanation.map(|graph| match advice {
        Some(advice) => format!("{graph}{advice}"),
        None => graph,
    });
    let found = Found { model, explanation };
    (outcome, found)
}

/// Searches, with other orderings at some places; again from the beginning when something turns out to matter that was not looked at.
pub(super) fn look(native: &Rc<Native>, model: &'static dyn Model, instead: &[(Place, Order)], effort: Effort) -> Looked {
    loop {
        let looked = look_once(native, model, instead, effort);
        if !native.take_begin_again() {
            return looked;
        }
    }
}

fn look_once(native: &Rc<Native>, model: &'static dyn Model, instead: &[(Place, Order)], effort: Effort) -> Looked {
    const PAUSE: u64 = 1 << 10;
    let limits = Limits {
        events: effort.events_each,
        graphs: effort.graphs,
    };
    let guide = Guide::new(native, instead);
    let mut search = Search::new(&guide, model, limits);
    let looked = RefCell::new(Looked {
        failures: Vec::new(),
        counts: Counts::default(),
        status: Status::Running,
        explanation: None,
        sites: Vec::new(),
        timed_out: false,
    });
    let graphs = std::cell::Cell::new(0);
    #[expect(clippy::borrowed_box, reason = "the state of a program is one")]
    let mut visit = |graph: &Graph, run: &Box<Execution>, ending: &Ending| {
        let mut looked = looked.borrow_mut();
        let mut failures = Vec::new();
        match ending {
            Ending::Complete => run.leaked(&mut failures),
            Ending::Deadlock if effort.deadlock_is_error => {
                failures.extend(run.unfinished_panics());
                native.failures_at_end(run, &mut failures);
            }
            Ending::Fault(_) => failures.extend(run.guided_fault().map(|(_, failure)| failure.clone())),
            Ending::Strange(thread) => failures.push(Failure {
                kind: FailureKind::Nondeterminism,
                message: format!("{} did something else when it read the same values again", native.name_of(*thread)),
                at: None,
            }),
            _ => {}
        }
        if matches!(ending, Ending::Complete | Ending::Deadlock) {
            graphs.set(graphs.get() + 1);
            if !effort.explains {
                advice::collect(&mut looked.sites, graph, run);
            }
        }
        for failure in failures {
            if looked.failures.iter().any(|(known, _)| *known == failure) {
                continue;
            }
            if looked.failures.is_empty() && effort.explains {
                looked.explanation = Some(picture::picture(native, graph, run));
                advice::collect(&mut looked.sites, graph, run);
            }
            looked.failures.push((failure, graphs.get()));
        }
        effort.keep_going || looked.failures.is_empty()
    };
    let mut status = Status::Running;
    let mut timed_out = false;
    while status == Status::Running && !native.begins_again() && guide.refused().is_none() {
        status = search.advance(PAUSE, &mut visit);
        timed_out = status == Status::Running && effort.until.is_some_and(|until| Instant::now() >= until);
        if timed_out || search.counts().events >= effort.events {
            break;
        }
    }
    if let Some(what) = guide.refused() {
        panic!("{what}");
    }
    let counts = search.counts();
    drop(search);
    let mut looked = looked.into_inner();
    (looked.counts, looked.status, looked.timed_out) = (counts, status, timed_out);
    looked
}
