//! How much every algorithm explores.

use mazurka_core::{
    Algorithm, Checks, Counts, Effects, Failure, FailureKind, FoundFailure, Observe, Options, Order, Outcome, Program, StateSpace,
    StatefulOptions, Status, Unobserved, search, stateful_search,
};
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Enough for almost all of the programs, and little enough for the others.
const EXECUTIONS: u64 = 60;
const DEPTH: u64 = 60;

/// What each algorithm did, over all programs.
#[derive(Default)]
pub struct Searched {
    rows: BTreeMap<String, Row>,
}

#[derive(Default)]
struct Row {
    programs: u64,
    counts: Counts,
    failures: u64,
    /// What was expected along the way, rounded and summed up.
    estimates: u64,
    lookups: u64,
    hits: u64,
    evicted: u64,
}

impl Searched {
    /// Runs every algorithm that goes through executions and fits the program, in two orders.
    pub fn explore<P: Program>(&mut self, program: &P)
    where
        P::State: Clone,
    {
        for algorithm in Algorithm::all().filter(|a| !a.is_stateful() && !a.merges()) {
            for order in [Order::Fifo, Order::Random(3)] {
                self.run(algorithm.name(), program, &options(algorithm, order));
            }
        }
    }

    /// Runs every algorithm that merges, with everything that can be observed.
    pub fn merge<P: Program>(&mut self, program: &P)
    where
        P::State: Clone,
    {
        for algorithm in Algorithm::all().filter(|a| a.merges()) {
            for observe in Observe::ALL {
                for (cones, memory) in [(None, None), (Some(2), None), (None, Some(4_000))] {
                    let mut options = options(algorithm, Order::Fifo);
                    (options.observe, options.cone_cap, options.limits.memory) = (observe, cones, memory);
                    let limit = match (cones, memory) {
                        (Some(_), _) => ", few cones",
                        (_, Some(_)) => ", little memory",
                        _ => "",
                    };
                    self.run(&format!("{} {}{limit}", algorithm.name(), observe.name()), program, &options);
                }
            }
        }
    }

    fn run<P: Program>(&mut self, name: &str, program: &P, options: &Options)
    where
        P::State: Clone,
    {
        let Ok(mut search) = search(program, options, Unobserved) else {
            return;
        };
        let mut estimates = 0;
        while search.advance(25) == Status::Running {
            let estimate = search.progress().estimate;
            estimates += estimate.map_or(0, |e| e.total.min(1e6).round() as u64 + e.deviation.min(1e6).round() as u64);
        }
        let outcome = search.outcome();
        outcome.failures.iter().for_each(|found| reproduce(program, found));
        self.add(name, &outcome);
        self.rows.entry(name.to_owned()).or_default().estimates += estimates;
    }

    fn add(&mut self, name: &str, outcome: &Outcome) {
        let row = self.rows.entry(name.to_owned()).or_default();
        row.programs += 1;
        row.failures += outcome.failures.len() as u64;
        if let Some(merged) = &outcome.merged {
            row.lookups += merged.lookups;
            row.hits += merged.hits;
            row.evicted += merged.evicted;
        }
        let (sum, more) = (&mut row.counts, &outcome.counts);
        sum.executions += more.executions;
        sum.blocked += more.blocked;
        sum.cut += more.cut;
        sum.skipped += more.skipped;
        sum.steps += more.steps;
        sum.extra_steps += more.extra_steps;
        sum.states += more.states;
        sum.max_depth += more.max_depth;
        sum.deadlocks += more.deadlocks;
    }
}

/// The schedule of a failure ends with it.
fn reproduce<P: Program>(program: &P, found: &FoundFailure) {
    let mut state = program.start();
    let (mut effects, mut failures) = (Effects::default(), Vec::new());
    for &transition in &found.schedule {
        effects.clear();
        let panicked = catch_unwind(AssertUnwindSafe(|| program.step(&mut state, transition, &mut effects))).is_err();
        if panicked {
            assert_eq!(found.failure.kind, FailureKind::Panic, "{:?}", found.failure);
            return;
        }
    }
    program.failures_at_end(&state, &mut failures);
    failures.extend(effects.failure);
    let same = |f: &Failure| f.kind == found.failure.kind && f.message == found.failure.message;
    assert!(
        failures.iter().any(same),
        "{:?} does not end its schedule: {failures:?}",
        found.failure
    );
}

/// Runs every search that stores states, in both shapes of a store and for a shortest failure.
pub fn stateful<P: StateSpace>(program: &P, searched: &mut Searched) {
    for algorithm in Algorithm::stateful() {
        for (exact, shortest) in [(false, false), (true, false), (false, true)] {
            let how = StatefulOptions::default().exact(exact).shortest(shortest).checks(Checks::Safety);
            let options = options(algorithm, Order::Fifo).final_states(true);
            let Ok(mut search) = stateful_search(program, &options, how) else {
                continue;
            };
            while search.advance(10_000) == Status::Running {}
            let way = match (exact, shortest) {
                (true, _) => " exact",
                (_, true) => " shortest",
                _ => "",
            };
            searched.add(&format!("{}{way}", algorithm.name()), &search.outcome());
        }
    }
}

fn options(algorithm: Algorithm, order: Order) -> Options {
    let mut options = Options::new(algorithm).order(order).keep_going(true);
    options.limits.executions = Some(EXECUTIONS);
    options.limits.depth = Some(DEPTH);
    options
}

impl fmt::Display for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<42} programs executions blocked    cut skipped   steps   extra  states  depths deadlocks failures estimates lookups    hits evicted",
            "algorithm"
        )?;
        for (name, row) in &self.rows {
            let c = &row.counts;
            writeln!(
                f,
                "{name:<42} {:>8} {:>10} {:>7} {:>6} {:>7} {:>7} {:>7} {:>7} {:>7} {:>9} {:>8} {:>9} {:>7} {:>7} {:>7}",
                row.programs,
                c.executions,
                c.blocked,
                c.cut,
                c.skipped,
                c.steps,
                c.extra_steps,
                c.states,
                c.max_depth,
                c.deadlocks,
                row.failures,
                row.estimates,
                row.lookups,
                row.hits,
                row.evicted
            )?;
        }
        Ok(())
    }
}
