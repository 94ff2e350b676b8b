//! Every operator in every place: random expressions in assignments, guards, conditions, assertions and indices, against the reference.

use mazurka_core::{Algorithm, Order};
use mazurka_laboratory::litmus::{Judge, Merged, Size, Trial};
use mazurka_laboratory::random::Numbers;
use mazurka_litmus::{Footprints, text};

/// An expression over `x`, `y`, `a[…]` and a local `l`, fully parenthesised.
fn expression(numbers: &mut Numbers, depth: usize) -> String {
    if depth == 0 || numbers.chance(1, 5) {
        return match numbers.below(6) {
            0 => "x".to_owned(),
            1 => "y".to_owned(),
            2 => "l".to_owned(),
            3 => format!("a[{}]", numbers.below(4)),
            _ => numbers.below(4).to_string(),
        };
    }
    let operators = ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||"];
    match numbers.below(8) {
        0 => format!("!({})", expression(numbers, depth - 1)),
        1 => format!("-({})", expression(numbers, depth - 1)),
        2 => format!("a[{}]", expression(numbers, depth - 1)),
        _ => {
            let operator = numbers.pick(&operators);
            format!("({}){operator}({})", expression(numbers, depth - 1), expression(numbers, depth - 1))
        }
    }
}

fn program(numbers: &mut Numbers) -> String {
    let mut e = |depth| expression(numbers, depth);
    format!(
        "init x=2, y=-1, a[4];\np0(l=1):[x={}][assert {}]\np1(l=2):[await {}; y={}]\np2:[l=y; if ({}) a[1]={} else y=l]\n",
        e(3),
        e(2),
        e(2),
        e(2),
        e(2),
        e(1)
    )
}

fn judge(seed: u64, programs: u64) {
    for n in 0..programs {
        let mut numbers = Numbers::nth(seed, n);
        let text = program(&mut numbers);
        let model = text::parse("program", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let judge = match Judge::new(&model, Footprints::Static, Size::USUAL, true) {
            Ok(judge) => judge.unwrap_or_else(|| panic!("too large: {text}")),
            Err(difference) => panic!("{difference}\n{text}"),
        };
        let optimal = Trial::Algorithm(Algorithm::parse("optimal").expect("optimal"), Order::Random(n));
        let merged = Merged::ALL.iter().map(|m| Trial::Merged(*m, Order::Fifo));
        for trial in merged.chain([optimal]) {
            judge.judge(trial).unwrap_or_else(|difference| panic!("{difference}\n{text}"));
        }
    }
}

#[test]
fn random_expressions_mean_what_the_reference_says() {
    judge(1, 150);
}

#[test]
fn more_random_expressions_mean_what_the_reference_says() {
    judge(2, 400);
}
