//! Differential fuzzing: every algorithm and every way of merging against brute force on random programs.

use super::check::check;
use super::generate::{Class, generate};
use super::merging::{Merged, Reached, check_merged};
use super::mutate::{hard_programs, mutate};
use super::shrink::shrink;
use crate::campaign::{Campaign, Finding, Language, Report};
use crate::compare::{Difference, order_name};
use crate::enumerate::{Budget, Exceeded, Truth, enumerate};
use crate::random::Numbers;
use mazurka_core::{Algorithm, Mutation, Options, Order, Program};
use mazurka_litmus::{Footprints, Machine, Model};

/// In which order an algorithm tries processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrderKind {
    /// Oldest first.
    Fifo,
    /// A random order, another one for each program.
    Random,
}

/// Shared-variable programs: which of them, and how they are explored.
#[derive(Clone, Debug)]
pub struct Litmus {
    /// In which orders each algorithm runs. Each way of merging takes one of them, another one from program to program.
    pub orders: Vec<OrderKind>,
    /// Which kinds of programs.
    pub classes: Vec<Class>,
    /// Whether to use dynamic footprints for every eighth program (for those algorithms that can).
    pub dynamic: bool,
    /// A deliberate error in the algorithms, to see that it would be noticed.
    pub mutation: Mutation,
    /// The programs of which mutants are made.
    pub hard: Vec<Model>,
}

impl Default for Litmus {
    fn default() -> Self {
        Litmus {
            orders: vec![OrderKind::Fifo, OrderKind::Random],
            classes: Class::ALL.to_vec(),
            dynamic: true,
            mutation: Mutation::None,
            hard: hard_programs(),
        }
    }
}

impl Language for Litmus {
    fn name(&self) -> &'static str {
        "litmus"
    }

    fn shapes(&self) -> &'static [&'static str] {
        &[]
    }

    fn one(&self, campaign: &Campaign, number: u64, report: &mut Report) {
        let mut numbers = Numbers::nth(campaign.seed, number);
        let (model, origin) = if number < campaign.programs && !self.classes.is_empty() {
            let class = self.classes[(number % self.classes.len() as u64) as usize];
            (generate(&mut numbers, class), class.name())
        } else {
            let hard = &self.hard[numbers.below(self.hard.len())];
            (mutate(&mut numbers, hard), "mutant")
        };
        let footprints = if self.dynamic && number % 8 == 7 {
            Footprints::Dynamic
        } else {
            Footprints::Static
        };
        let seed = numbers.next() % 1_000_000;
        let size = if campaign.small && !number.is_multiple_of(8) {
            &SMALL
        } else {
            &USUAL
        };
        let wrong = |difference: &dyn Fn(&Model) -> Option<Difference>| finding(number, origin, &model, difference);
        let (machine, truths) = match prepare(&model, footprints, campaign, size) {
            Ok(Some(prepared)) => prepared,
            Ok(None) => {
                report.skipped += 1;
                return;
            }
            Err(_) => {
                let difference = |m: &Model| prepare(m, footprints, campaign, &USUAL).err();
                report.findings.push(wrong(&difference));
                return;
            }
        };
        report.programs += 1;
        for trial in self.trials(campaign, number, seed) {
            report.comparisons += 1;
            if trial.run(&machine, &truths, self.mutation).is_err() {
                let difference = |m: &Model| {
                    let (machine, truths) = prepare(m, footprints, campaign, &USUAL).ok()??;
                    trial.run(&machine, &truths, self.mutation).err()
                };
                report.findings.push(wrong(&difference));
            }
        }
    }
}

impl Litmus {
    /// The searches that are run on a program.
    fn trials(&self, campaign: &Campaign, number: u64, seed: u64) -> Vec<Trial> {
        let order = |kind: &OrderKind| match kind {
            OrderKind::Fifo => Order::Fifo,
            OrderKind::Random => Order::Random(seed),
        };
        let runs = campaign.algorithms.iter().flat_map(|a| self.orders.iter().map(move |o| (a, o)));
        let mut trials: Vec<Trial> = runs.map(|(a, o)| Trial::Algorithm(*a, order(o))).collect();
        for (at, merged) in Merged::ALL.iter().enumerate().filter(|_| campaign.merging) {
            let turn = at + (number / 8) as usize;
            if let Some(kind) = self.orders.get(turn % self.orders.len().max(1)) {
                trials.push(Trial::Merged(*merged, order(kind)));
            }
        }
        trials
    }
}

/// One search that is held against the truth.
#[derive(Clone, Copy)]
enum Trial {
    Algorithm(Algorithm, Order),
    Merged(Merged, Order),
}

impl Trial {
    fn run(self, machine: &Machine, truths: &Truths, mutation: Mutation) -> Result<(), Difference> {
        match self {
            Trial::Algorithm(algorithm, order) => {
                let options = Options {
                    order,
                    keep_going: true,
                    mutation,
                    ..Options::new(algorithm)
                };
                truths.traces.as_ref().map_or(Ok(()), |truth| check(machine, truth, &options))
            }
            Trial::Merged(merged, order) => {
                let Some(reached) = &truths.states else { return Ok(()) };
                check_merged(machine, reached, merged, order, mutation).map_err(|what| Difference {
                    algorithm: merged.to_string(),
                    order,
                    what,
                })
            }
        }
    }
}

/// Programs that are larger than this are left out.
struct Size {
    budget: Budget,
    interleavings: u128,
    states: usize,
}

const USUAL: Size = Size {
    budget: Budget {
        prefixes: 4_000,
        depth: 60,
    },
    interleavings: 20_000,
    states: 3_000,
};
const SMALL: Size = Size {
    budget: Budget { prefixes: 400, depth: 60 },
    interleavings: 500,
    states: 300,
};

/// What brute force found, of what was asked for.
struct Truths {
    traces: Option<Truth>,
    states: Option<Reached>,
}

/// The compiled program and what there is to find in it; `None` if it is too large.
///
/// # Errors
/// If its footprints are wrong.
fn prepare(model: &Model, footprints: Footprints, campaign: &Campaign, size: &Size) -> Result<Option<(Machine, Truths)>, Difference> {
    let Ok(machine) = Machine::new(model.clone()) else {
        return Ok(None);
    };
    let machine = machine.with_footprints(footprints);
    let mut truths = Truths {
        traces: None,
        states: None,
    };
    // States first: they are fewer.
    if campaign.merging && machine.features().terminating {
        truths.states = Reached::from(&machine, size.states);
        if truths.states.is_none() {
            return Ok(None);
        }
    }
    if !campaign.algorithms.is_empty() {
        match enumerate(&machine, size.budget, Machine::outcome) {
            Ok(truth) if truth.interleavings <= size.interleavings => truths.traces = Some(truth),
            Ok(_) | Err(Exceeded::Budget) => return Ok(None),
            Err(Exceeded::WrongFootprints(schedule)) => {
                return Err(Difference {
                    algorithm: "brute force".to_owned(),
                    order: Order::Fifo,
                    what: format!("an execution equivalent to {schedule:?} leads to another state"),
                });
            }
        }
    }
    Ok(Some((machine, truths)))
}

/// Shrinks a program that shows a difference.
fn finding(number: u64, origin: &str, model: &Model, difference: &dyn Fn(&Model) -> Option<Difference>) -> Finding {
    let small = shrink(model, |m| difference(m).is_some());
    let difference = difference(&small).expect("shrinking keeps the difference");
    let program = small.to_string();
    Finding {
        number,
        origin: origin.to_owned(),
        what: difference.to_string(),
        test: test(number, &difference, &program),
        program,
    }
}

/// A test that shows the difference. A way of merging is not named by an algorithm alone.
fn test(number: u64, difference: &Difference, program: &str) -> Option<String> {
    Algorithm::parse(&difference.algorithm).ok()?;
    let order = match difference.order {
        Order::Random(seed) => format!("Order::Random({seed})"),
        other => format!("Order::{other:?}"),
    };
    Some(format!(
        "#[test]\nfn fuzz_{number}() {{\n    // {}: {}\n    mazurka_oracle::litmus::check_text(\"{}\", {order}, \"{}\");\n}}",
        order_name(difference.order),
        difference.what,
        difference.algorithm,
        program.trim().replace('\n', " ").escape_debug()
    ))
}
