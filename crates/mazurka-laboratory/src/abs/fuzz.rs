//! Random ABS models: the reference, brute force and every algorithm that fits, at both dependencies, in several orders.

use super::check::{Prepared, Setting, Size, Unfit, prepare};
use super::generate::{generate, generate_timed};
use super::model::Model;
use super::shapes;
use super::shrink::shrink;
use crate::bounded::bound_of;
use crate::campaign::{Campaign, Finding, Language, Report};
use crate::random::Numbers;
use mazurka_abs::run::AwaitSemantics;
use mazurka_core::{Algorithm, Dependency, Order};

/// ABS models.
#[derive(Clone, Copy, Debug, Default)]
pub struct Abs;

/// Random models that are larger are replaced by others.
const SMALL: Size = Size {
    states: 400,
    prefixes: 250,
    interleavings: 150,
};

/// Shrunk models may be a little larger than random ones.
const USUAL: Size = Size {
    states: 2_000,
    prefixes: 1_500,
    interleavings: 2_000,
};

/// Attempts at one model before it is left out.
const ATTEMPTS: usize = 20;

impl Language for Abs {
    fn name(&self) -> &'static str {
        "abs"
    }

    fn shapes(&self) -> &'static [&'static str] {
        shapes::ALL
    }

    fn one(&self, campaign: &Campaign, number: u64, report: &mut Report) {
        let mut numbers = Numbers::nth(campaign.seed, number);
        let setting = Setting {
            dependency: if number.is_multiple_of(2) {
                Dependency::Field
            } else {
                Dependency::Actor
            },
            await_semantics: if number % 8 < 6 {
                AwaitSemantics::Formal
            } else {
                AwaitSemantics::Release
            },
        };
        for _ in 0..ATTEMPTS {
            let text = if number % 5 == 4 {
                generate_timed(&mut numbers)
            } else {
                generate(&mut numbers)
            };
            let model = match Model::parse(&text) {
                Ok(model) => model,
                Err(wrong) => {
                    report.findings.push(Finding {
                        number,
                        origin: "random".to_owned(),
                        what: format!("the model does not check\n{wrong}"),
                        program: text,
                        test: None,
                    });
                    return;
                }
            };
            match prepare(&model, setting, SMALL) {
                // Models without a second interleaving have nothing to show.
                Ok(prepared) if prepared.interleavings() > 1 => {
                    report.programs += 1;
                    report.shapes.add(shapes::shapes(model.tree()));
                    compare(campaign, number, setting, &text, &prepared, numbers.next(), report);
                    return;
                }
                Ok(_) | Err(Unfit::Large) => report.skipped += 1,
                Err(Unfit::Differs(_)) => {
                    let difference = |m: &Model| match prepare(m, setting, USUAL) {
                        Err(Unfit::Differs(what)) => Some(what),
                        _ => None,
                    };
                    report.findings.push(finding(number, setting, &text, difference));
                    return;
                }
            }
        }
    }
}

/// Every algorithm in one of the orders, another one from model to model.
fn compare(campaign: &Campaign, number: u64, setting: Setting, text: &str, prepared: &Prepared, seed: u64, report: &mut Report) {
    let orders = [
        Order::Fifo,
        Order::Random(seed % 1_000_000),
        Order::Eca,
        Order::Random(seed % 1_000),
        Order::Lca,
        Order::Stable,
    ];
    if campaign.bounds {
        let (bound, order) = (bound_of(number / 2), orders[number as usize % 2]);
        report.comparisons += 1;
        if prepared.check_bound(bound, order).is_err() {
            let difference = |m: &Model| prepare(m, setting, USUAL).ok()?.check_bound(bound, order).err();
            report.findings.push(finding(number, setting, text, difference));
        }
    }
    if campaign.any_order {
        report.comparisons += 1;
        if prepared.check_any_order(seed).is_err() {
            let difference = |m: &Model| prepare(m, setting, USUAL).ok()?.check_any_order(seed).err();
            report.findings.push(finding(number, setting, text, difference));
        }
    }
    for (at, &algorithm) in campaign.algorithms.iter().enumerate() {
        if !prepared.fits(algorithm) {
            continue;
        }
        let order = orders[(number as usize / 2 + at) % orders.len()];
        report.comparisons += 1;
        if prepared.check(algorithm, order).is_err() {
            let difference = |m: &Model| differs(m, setting, algorithm, order);
            report.findings.push(finding(number, setting, text, difference));
        }
    }
}

fn differs(model: &Model, setting: Setting, algorithm: Algorithm, order: Order) -> Option<String> {
    let prepared = prepare(model, setting, USUAL).ok()?;
    if !prepared.fits(algorithm) {
        return None;
    }
    prepared.check(algorithm, order).err()
}

fn finding(number: u64, setting: Setting, text: &str, difference: impl Fn(&Model) -> Option<String>) -> Finding {
    let program = shrink(text, |m| difference(m).is_some());
    let what = Model::parse(&program).ok().and_then(|m| difference(&m)).unwrap_or_default();
    Finding {
        number,
        origin: format!("{} dependency, {:?} await", setting.dependency, setting.await_semantics),
        what,
        program,
        test: None,
    }
}
