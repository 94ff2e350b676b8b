//! Every algorithm, order, granularity and delivery against the reference and against brute force on random actor programs.

use super::generate::generate;
use super::judge::{Judge, NoJudge, Setting, Size};
use super::mutate::{HARD, mutate};
use super::script::Script;
use super::shapes::{SHAPES, shapes};
use super::shrink::shrink;
use crate::bounded::bound_of;
use crate::campaign::{Campaign, Finding, Language, Report};
use crate::claims::Claims;
use crate::compare::{Difference, compare};
use crate::enumerate::Truth;
use crate::random::Numbers;
use crate::seen::explore;
use mazurka_actors::{Delivery, Dependency, System};
use mazurka_core::{Algorithm, Bound, Options, Order, Program};

/// Actor programs, and in which orders they are explored.
#[derive(Clone, Debug)]
pub struct Actors {
    /// In which orders each algorithm runs: in two of them on each program.
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

const DELIVERIES: [Delivery; 3] = [Delivery::Unordered, Delivery::PairFifo, Delivery::MailboxFifo];

impl Language for Actors {
    fn name(&self) -> &'static str {
        "actors"
    }

    fn shapes(&self) -> &'static [&'static str] {
        SHAPES
    }

    fn one(&self, campaign: &Campaign, number: u64, report: &mut Report) {
        let mut numbers = Numbers::nth(campaign.seed, number);
        // Every delivery gets its share of the programs with and without constraints.
        let (delivery, constraints) = (DELIVERIES[(number % 3) as usize], !number.is_multiple_of(4));
        let coarse = Setting {
            dependency: Dependency::Actor,
            delivery,
        };
        let (script, judge) = loop {
            let script = if number < campaign.programs {
                generate(&mut numbers, constraints)
            } else {
                let hard = &self.hard[numbers.below(self.hard.len())];
                mutate(&mut numbers, hard)
            };
            match Judge::new(&script, coarse, Size::SMALL) {
                Ok(judge) if judge.truth().interleavings > 1 => break (script, Ok(judge)),
                Ok(_) | Err(NoJudge::TooLarge) => report.skipped += 1,
                Err(NoJudge::Differs(_)) => break (script, Err(())),
            }
        };
        report.shapes.add(shapes(&script));
        report
            .shapes
            .add(judge.as_ref().map_or(Vec::new(), |j| outcome_shapes(j, delivery)));
        let fine = Setting {
            dependency: Dependency::Field,
            delivery,
        };
        let seed = numbers.next() % 1_000_000;
        let judges = [(coarse, judge), (fine, Judge::new(&script, fine, Size::SMALL).map_err(|_| ()))];
        report.programs += 1;
        for (setting, judge) in judges {
            match judge {
                Ok(judge) => self.all_algorithms(campaign, (number, seed), (&script, setting, &judge), report),
                Err(()) => report.findings.push(finding(number, &script, setting, None)),
            }
        }
    }
}

impl Actors {
    /// Two orders for each program; over many programs every two meet.
    fn orders_of(&self, number: u64) -> impl Iterator<Item = Order> {
        let (turn, n) = (number as usize, self.orders.len());
        let (first, second) = (turn % n, (turn + 1 + turn / n % n.saturating_sub(1).max(1)) % n);
        let second = (second != first).then_some(second);
        [Some(first), second].into_iter().flatten().map(|at| self.orders[at])
    }

    fn all_algorithms(
        &self,
        campaign: &Campaign,
        (number, seed): (u64, u64),
        (script, setting, judge): (&Script, Setting, &Judge),
        report: &mut Report,
    ) {
        if campaign.bounds {
            let (bound, order) = (bound_of(number / 2), self.orders[number as usize % self.orders.len()]);
            report.comparisons += 1;
            if judge.check_bound(bound, order).is_err() {
                report
                    .findings
                    .push(finding(number, script, setting, Some((Trial::Bound(bound), order))));
            }
        }
        if campaign.any_order {
            report.comparisons += 1;
            if judge.check_any_order(seed).is_err() {
                let search = (Trial::AnyOrder, Order::Random(seed));
                report.findings.push(finding(number, script, setting, Some(search)));
            }
        }
        for &algorithm in campaign.algorithms.iter().filter(|a| judge.concerns(**a)) {
            for order in self.orders_of(number) {
                let order = match order {
                    Order::Random(own) => Order::Random(own ^ seed),
                    other => other,
                };
                report.comparisons += 1;
                if judge.check(algorithm, order).is_err() {
                    report
                        .findings
                        .push(finding(number, script, setting, Some((Trial::Algorithm(algorithm), order))));
                }
                if algorithm.is_stateful() {
                    break;
                }
            }
        }
    }
}

/// The shapes of the setting and of what comes of a program.
fn outcome_shapes(judge: &Judge, delivery: Delivery) -> Vec<&'static str> {
    let mut shapes = vec![match delivery {
        Delivery::Unordered => "unordered delivery",
        Delivery::PairFifo => "pair FIFO delivery",
        Delivery::MailboxFifo => "mailbox FIFO delivery",
    }];
    let everything = judge.everything();
    if everything.finals.len() > 1 {
        shapes.push("several final states");
    }
    if everything.deadlocks {
        shapes.push("a deadlock");
    }
    if everything.failures.len() > 1 {
        shapes.push("several failures");
    }
    shapes
}

/// One search that is judged.
#[derive(Clone, Copy)]
enum Trial {
    Algorithm(Algorithm),
    Bound(Bound),
    AnyOrder,
}

/// What differs: without a search between brute force and the reference.
fn difference(script: &Script, setting: Setting, search: Option<(Trial, Order)>) -> Option<String> {
    match (Judge::new(script, setting, Size::SMALL), search) {
        (Err(NoJudge::Differs(what)), None) => Some(what),
        (Ok(judge), Some((Trial::Algorithm(algorithm), order))) => judge.check(algorithm, order).err().map(|d| d.to_string()),
        (Ok(judge), Some((Trial::Bound(bound), order))) => judge.check_bound(bound, order).err().map(|d| d.to_string()),
        (Ok(judge), Some((Trial::AnyOrder, Order::Random(seed)))) => judge.check_any_order(seed).err().map(|d| d.to_string()),
        _ => None,
    }
}

fn finding(number: u64, script: &Script, setting: Setting, search: Option<(Trial, Order)>) -> Finding {
    let program = shrink(script, |s| difference(s, setting, search).is_some());
    Finding {
        number,
        origin: format!("{}, {}", setting.dependency, setting.delivery),
        what: difference(&program, setting, search).unwrap_or_else(|| "it depends on how often it is tried".to_owned()),
        program: program.to_string(),
        test: None,
    }
}

/// Runs an algorithm on a system of actors and compares with brute force.
///
/// # Errors
/// What differs.
pub fn check(system: &System, truth: &Truth, algorithm: Algorithm, order: Order) -> Result<(), Difference> {
    let name = algorithm.name();
    let Some(claims) = Claims::of(name) else { return Ok(()) };
    let options = Options::new(algorithm).order(order).keep_going(true);
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
