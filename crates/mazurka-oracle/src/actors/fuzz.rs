//! Every algorithm, order, granularity and delivery against brute force on random actor programs.

use super::generate::generate;
use super::mutate::{HARD, mutate};
use super::script::Script;
use super::shrink::shrink;
use crate::campaign::{Campaign, Finding, Language, Report};
use crate::claims::Claims;
use crate::compare::{Difference, compare};
use crate::enumerate::{Budget, Exceeded, Truth, enumerate};
use crate::random::Numbers;
use crate::seen::explore;
use mazurka_actors::{Delivery, Dependency, System};
use mazurka_core::{Algorithm, Options, Order, Program};

/// Actor programs, and in which orders they are explored.
#[derive(Clone, Debug)]
pub struct Actors {
    /// In which orders each algorithm runs.
    pub orders: Vec<Order>,
    /// The programs of which mutants are made.
    pub hard: Vec<Script>,
}

impl Default for Actors {
    fn default() -> Self {
        let parse = |text: &&str| Script::parse(text).expect("the hard programs are well-formed");
        Actors {
            orders: vec![Order::Fifo, Order::Eca, Order::Lca, Order::Stable, Order::Random(1)],
            hard: HARD.iter().map(parse).collect(),
        }
    }
}

impl Language for Actors {
    fn name(&self) -> &'static str {
        "actors"
    }

    fn shapes(&self) -> &'static [&'static str] {
        &[]
    }

    fn one(&self, campaign: &Campaign, number: u64, report: &mut Report) {
        one(self, campaign, number, report);
    }
}

/// One program: the first of its sequence that is small enough.
fn one(actors: &Actors, campaign: &Campaign, number: u64, report: &mut Report) {
    let mut numbers = Numbers::nth(campaign.seed, number);
    let script = loop {
        let script = if number < campaign.programs {
            generate(&mut numbers, number % 2 == 1)
        } else {
            let hard = &actors.hard[numbers.below(actors.hard.len())];
            mutate(&mut numbers, hard)
        };
        match truth(&script.system().dependency(Dependency::Actor)) {
            Some(truth) if truth.interleavings > 1 => break script,
            _ => report.skipped += 1,
        }
    };
    let seed = numbers.next() % 1_000_000;
    let deliveries: &[Delivery] = match number % 16 {
        14 => &[Delivery::PairFifo],
        15 => &[Delivery::MailboxFifo],
        _ => &[Delivery::Unordered],
    };
    for &delivery in deliveries {
        for dependency in [Dependency::Actor, Dependency::Field] {
            report.programs += 1;
            let setting = Setting { dependency, delivery };
            let (system, truth) = setting.prepare(&script).expect("the finer dependency has no more traces");
            for &algorithm in campaign.algorithms.iter().filter(|a| !a.is_stateful()) {
                if Claims::of(algorithm.name()).is_none() || algorithm.fits(system.features()).is_err() {
                    continue;
                }
                for &order in &actors.orders {
                    let order = match order {
                        Order::Random(own) => Order::Random(own ^ seed),
                        other => other,
                    };
                    report.comparisons += 1;
                    if check(&system, &truth, algorithm, order).is_err() {
                        report.findings.push(finding(number, &script, setting, algorithm, order));
                    }
                }
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Setting {
    dependency: Dependency,
    delivery: Delivery,
}

impl Setting {
    fn prepare(self, script: &Script) -> Option<(System, Truth)> {
        let system = script.system().dependency(self.dependency).deliver(self.delivery);
        let truth = truth(&system)?;
        Some((system, truth))
    }
}

/// What there is to find; `None` if the program is too large.
///
/// # Panics
/// If the footprints are wrong: that would be an error in this project.
fn truth(system: &System) -> Option<Truth> {
    const SMALL: Budget = Budget { prefixes: 600, depth: 12 };
    const MAX_INTERLEAVINGS: u128 = 150;
    match enumerate(system, SMALL, System::fingerprint) {
        Ok(truth) => (truth.interleavings <= MAX_INTERLEAVINGS).then_some(truth),
        Err(Exceeded::Budget) => None,
        Err(Exceeded::WrongFootprints(schedule)) => panic!("wrong footprints after {schedule:?}"),
    }
}

/// Runs an algorithm on a system of actors and compares.
///
/// # Errors
/// What differs.
pub fn check(system: &System, truth: &Truth, algorithm: Algorithm, order: Order) -> Result<(), Difference> {
    let name = algorithm.name();
    let Some(claims) = Claims::of(name) else { return Ok(()) };
    let options = Options {
        order,
        keep_going: true,
        ..Options::new(algorithm)
    };
    let differs = |what| Difference {
        algorithm: name.to_owned(),
        order,
        what,
    };
    match explore(system, &options, System::fingerprint) {
        Err(error) => Err(differs(error.to_string())),
        Ok((seen, _)) => compare(truth, &seen, claims).map_err(differs),
    }
}

fn finding(number: u64, script: &Script, setting: Setting, algorithm: Algorithm, order: Order) -> Finding {
    let difference = |script: &Script| {
        let (system, truth) = setting.prepare(script)?;
        check(&system, &truth, algorithm, order).err()
    };
    let program = shrink(script, |s| difference(s).is_some());
    Finding {
        number,
        origin: format!("{}, {}", setting.dependency, setting.delivery),
        what: difference(&program).expect("shrinking keeps the difference").to_string(),
        program: program.to_string(),
        test: None,
    }
}
