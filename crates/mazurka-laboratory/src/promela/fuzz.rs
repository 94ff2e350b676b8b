//! Random models, every algorithm against brute force, and the laws on each of them.

use super::check::{Besides, check_besides};
use super::generate::generate;
use super::shapes::{SHAPES, shapes};
use super::shrink::shrink;
use super::tree::Model;
use crate::bounded::bound_of;
use crate::campaign::{Campaign, Finding, Language, Report};
use crate::random::Numbers;
use mazurka_core::{Algorithm, Order};

/// Promela models.
#[derive(Clone, Copy, Debug, Default)]
pub struct Promela;

impl Language for Promela {
    fn name(&self) -> &'static str {
        "promela"
    }

    fn shapes(&self) -> &'static [&'static str] {
        &SHAPES
    }

    fn one(&self, campaign: &Campaign, number: u64, report: &mut Report) {
        let mut numbers = Numbers::nth(campaign.seed, number);
        let model = generate(&mut numbers);
        let order = match number % 2 {
            0 => Order::Fifo,
            _ => Order::Random(numbers.next() % 1_000_000),
        };
        let besides = Besides {
            bound: campaign.bounds.then(|| bound_of(number / 2)),
            any_order: campaign.any_order.then(|| numbers.next()),
        };
        match check_besides(&model.to_string(), &campaign.algorithms, order, besides) {
            Ok(None) => report.skipped += 1,
            Ok(Some(compared)) => {
                report.programs += 1;
                report.comparisons += compared.comparisons;
                report.shapes.add(shapes(&model));
            }
            Err(what) => {
                report.programs += 1;
                report
                    .findings
                    .push(finding(number, &model, &campaign.algorithms, (order, besides), &what));
            }
        }
    }
}

/// What kind of difference it is: shrinking must not turn one into another.
fn kind(what: &str) -> &str {
    what.split([' ', ':']).next().unwrap_or_default()
}

fn finding(number: u64, model: &Model, algorithms: &[Algorithm], (order, besides): (Order, Besides), what: &str) -> Finding {
    // One algorithm alone is enough to look at.
    let alone: Vec<Algorithm> = algorithms.iter().copied().filter(|a| a.name() == kind(what)).collect();
    let algorithms = if alone.is_empty() { algorithms } else { &alone };
    let difference = |model: &Model| {
        check_besides(&model.to_string(), algorithms, order, besides)
            .err()
            .filter(|w| kind(w) == kind(what))
    };
    // A text that is not accepted is shown as it is: most of its parts are not either.
    let small = match kind(what) {
        "not" => model.clone(),
        _ => shrink(model, |m| difference(m).is_some()),
    };
    Finding {
        number,
        origin: "random".to_owned(),
        what: difference(&small).unwrap_or_else(|| what.to_owned()),
        program: small.to_string(),
        test: None,
    }
}
