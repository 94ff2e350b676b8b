//! Differential fuzzing: every algorithm and every way of merging against brute force on random programs.

use super::generate::{Class, generate};
use super::judge::{Judge, Size, Trial};
use super::merging::Merged;
use super::mutate::{hard_programs, mutate};
use super::shapes::{SHAPES, shapes};
use super::shrink::shrink;
use super::users;
use crate::bounded::bound_of;
use crate::campaign::{Campaign, Finding, Language, Report};
use crate::compare::{Difference, order_name};
use crate::random::Numbers;
use mazurka_core::{Algorithm, Order};
use mazurka_litmus::{Footprints, Model};

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
    /// Which classes of programs.
    pub classes: Vec<Class>,
    /// One of so many random programs is as users write them, of no class; 0: none.
    pub users: u64,
    /// Whether to use dynamic footprints for every eighth program (for those algorithms that can).
    pub dynamic: bool,
    /// The programs of which mutants are made.
    pub hard: Vec<Model>,
}

impl Default for Litmus {
    fn default() -> Self {
        Litmus {
            orders: vec![OrderKind::Fifo, OrderKind::Random],
            classes: Class::ALL.to_vec(),
            users: 2,
            dynamic: true,
            hard: hard_programs(),
        }
    }
}

impl Language for Litmus {
    fn name(&self) -> &'static str {
        "litmus"
    }

    fn shapes(&self) -> &'static [&'static str] {
        SHAPES
    }

    fn one(&self, campaign: &Campaign, number: u64, report: &mut Report) {
        let mut numbers = Numbers::nth(campaign.seed, number);
        let (model, origin) = self.program(campaign, number, &mut numbers);
        let footprints = if self.dynamic && number % 16 >= 14 {
            Footprints::Dynamic
        } else {
            Footprints::Static
        };
        let seed = numbers.next() % 1_000_000;
        let size = if campaign.small && number % 16 >= 2 {
            Size::SMALL
        } else {
            Size::USUAL
        };
        let traces = !campaign.algorithms.is_empty() || campaign.bounds || campaign.any_order;
        let wrong = |difference: &dyn Fn(&Model) -> Option<Difference>| finding(number, origin, &model, difference);
        let judge = match Judge::new(&model, footprints, size, traces) {
            Ok(Some(judge)) => judge,
            Ok(None) => {
                report.skipped += 1;
                return;
            }
            Err(_) => {
                let difference = |m: &Model| Judge::new(m, footprints, Size::USUAL, traces).err();
                report.findings.push(wrong(&difference));
                return;
            }
        };
        report.programs += 1;
        report.shapes.add(shapes(&model));
        for trial in self.trials(campaign, number, seed) {
            report.comparisons += 1;
            if judge.judge(trial).is_err() {
                let difference = |m: &Model| {
                    let judge = Judge::new(m, footprints, Size::USUAL, traces).ok()??;
                    judge.judge(trial).err()
                };
                report.findings.push(wrong(&difference));
            }
        }
    }
}

impl Litmus {
    /// The program, and where it comes from.
    fn program(&self, campaign: &Campaign, number: u64, numbers: &mut Numbers) -> (Model, &'static str) {
        if number >= campaign.programs {
            let hard = &self.hard[numbers.below(self.hard.len())];
            return (mutate(numbers, hard), "mutant");
        }
        if self.users > 0 && number % self.users == self.users - 1 {
            return (users::generate(numbers), "as users write them");
        }
        let turn = number - number.checked_div(self.users).unwrap_or(0);
        let class = self.classes[(turn % self.classes.len() as u64) as usize];
        (generate(numbers, class), class.name())
    }

    /// The searches that are run on a program.
    fn trials(&self, campaign: &Campaign, number: u64, seed: u64) -> Vec<Trial> {
        let order = |kind: &OrderKind| match kind {
            OrderKind::Fifo => Order::Fifo,
            OrderKind::Random => Order::Random(seed),
        };
        let runs = campaign.algorithms.iter().flat_map(|a| self.orders.iter().map(move |o| (a, o)));
        let mut trials: Vec<Trial> = runs.map(|(a, o)| Trial::Algorithm(*a, order(o))).collect();
        // Searches that store states have no order. They are left out where a single algorithm is asked for.
        if campaign.algorithms.len() > 1 {
            trials.extend(Algorithm::stateful().map(|a| Trial::Algorithm(a, Order::Fifo)));
        }
        for (at, merged) in Merged::ALL.iter().enumerate().filter(|_| campaign.merging) {
            let turn = at + (number / 8) as usize;
            if let Some(kind) = self.orders.get(turn % self.orders.len().max(1)) {
                trials.push(Trial::Merged(*merged, order(kind)));
            }
        }
        if campaign.bounds {
            trials.extend(self.orders.iter().map(|kind| Trial::Bounded(bound_of(number), order(kind))));
        }
        if campaign.any_order {
            trials.push(Trial::AnyOrder(seed));
        }
        if number.is_multiple_of(PLAIN) {
            let kind = self.orders.get((number / PLAIN) as usize % self.orders.len().max(1));
            let plain = |merged: &Merged| kind.map(|kind| Trial::Plain(*merged, order(kind)));
            trials.extend(ways_of_merging(campaign).iter().filter_map(plain));
        }
        trials
    }
}

/// One of so many programs is explored by the plain algorithm too, which takes about as long as all the rest.
const PLAIN: u64 = 4;

/// The ways of merging that are compared with the plain algorithm.
fn ways_of_merging(campaign: &Campaign) -> Vec<Merged> {
    if campaign.merging {
        Merged::ALL.into_iter().filter(|m| !m.is_bounded()).collect()
    } else {
        let merges = campaign.algorithms.iter().any(|a| a.merges());
        merges.then_some(Merged::USUAL).into_iter().collect()
    }
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
        "#[test]\nfn fuzz_{number}() {{\n    // {}: {}\n    mazurka_laboratory::litmus::check_text(\"{}\", {order}, \"{}\");\n}}",
        order_name(difference.order),
        difference.what,
        difference.algorithm,
        program.trim().replace('\n', " ").escape_debug()
    ))
}
