//! The programs on which published algorithms lose something, under thousands of orders: nothing is lost here.

use mazurka_core::{Algorithm, Options, Order};
use mazurka_laboratory::litmus::{check, check_text};
use mazurka_laboratory::{Budget, enumerate};
use mazurka_litmus::Machine;
use mazurka_litmus::families::CORPUS;

fn survives(algorithm: &str, orders: u64) {
    for c in CORPUS {
        let machine = Machine::parse(c.text).unwrap_or_else(|e| panic!("{e}"));
        let truth = enumerate(&machine, Budget::default(), Machine::outcome).unwrap_or_else(|e| panic!("{e:?}"));
        // The largest program has hundreds of traces; the others have few.
        let orders = if truth.traces.len() > 100 { orders / 20 } else { orders };
        for seed in 0..orders {
            let options = Options::new(Algorithm::parse(algorithm).unwrap())
                .order(Order::Random(seed))
                .keep_going(true);
            check(&machine, &truth, &options).unwrap_or_else(|d| panic!("{}: {d}\n{}", c.name, c.text));
        }
    }
}

/// Quick, and enough to notice most mistakes.
#[test]
fn in_a_few_orders_dpor_and_source_lose_nothing() {
    survives("dpor", 25);
    survives("source", 40);
}

#[test]
fn in_a_few_orders_optimal_loses_nothing() {
    survives("optimal", 60);
}

#[test]
fn in_a_few_orders_observers_lose_nothing() {
    survives("optimal+observers", 40);
}

#[test]
fn in_a_few_orders_source_with_context_loses_nothing() {
    survives("source+context", 40);
    survives("source+context:anticipating-guided", 20);
}

#[test]
fn in_a_few_orders_optimal_with_context_loses_nothing() {
    survives("optimal+context", 40);
    survives("optimal+context+observers", 20);
}

#[test]
fn dpor_loses_nothing_on_the_corpus() {
    survives("dpor", 500);
}

#[test]
fn source_loses_nothing_on_the_corpus() {
    survives("source", 2000);
}

#[test]
fn optimal_loses_nothing_on_the_corpus() {
    survives("optimal", 2000);
}

#[test]
fn observers_lose_no_outcome_on_the_corpus() {
    survives("optimal+observers", 2000);
}

#[test]
fn context_sensitivity_loses_nothing_on_the_corpus() {
    survives("source+context", 2000);
    survives("source+context:guided", 500);
    survives("source+context:anticipating", 500);
    survives("source+context:anticipating-guided", 500);
    survives("source+context:states", 1000);
    survives("optimal+context", 2000);
    survives("optimal+context+observers", 1000);
}

/// What fuzzing and reading found in this engine. Each lost something once.
#[test]
fn what_fuzzing_found_stays_repaired() {
    for (algorithm, order, program) in [
        ("optimal", Order::Fifo, "p0:[x=1] p1:[choose l 2; await x!=l]"),
        ("optimal+observers", Order::Fifo, "p0:[x=1] p1:[choose l 2; await x!=l]"),
        (
            "source",
            Order::Random(39201),
            "init y=0, a[2]; p0:[choose l 2; a[l%2]=y] p1:[a[l%2]=0; y=0] k0:[choose l 2; l=a[l%2]]",
        ),
        (
            "source",
            Order::Random(612726),
            "init z=0, x=0; p0(l=0):[if (z) l=x] p1(l=0):[choose l 2; await x!=l; if (l) z=0] p2:[spawn k0] p3:[z=0] k0:[x=1]",
        ),
        (
            "optimal",
            Order::Random(870807),
            "init x=0, w=0; p0:[] p1:[x=0] p2:[w=1] p3:[await w==1; spawn k0] p4:[x=0] p5:[w += 1] k0:[l=x]",
        ),
        (
            "optimal",
            Order::Random(993530),
            "init x=0, y=0; p0:[l=x] p1:[l=x] p2:[x=0] p3:[l=y] k0:[y=0] k1:[y=0]",
        ),
        (
            "optimal",
            Order::Fifo,
            "init x=0, z=0, a[2]; p0:[l=a[1]] p1:[a[1]=0][a[1]=0] p2:[a[l%2]=z] p3:[z=0] p4:[l=x; l=a[l%2]] p5:[l=a[l%2]]",
        ),
        ("optimal+observers", Order::Fifo, "p0:[y=0] p1:[l=y] p2:[y=1][y @+ 2]"),
        (
            "optimal",
            Order::Fifo,
            "init x=1, a[2], b[2]; p0:[a[0]=0; a[x] @+ 1; l=a[0]; b[l]=1] p1:[l=b[0]]",
        ),
        ("optimal+context", Order::Fifo, "p0:[l=y][z=0] p1:[y=1] p2:[await y<1; l=z] p3:[]"),
        (
            "optimal+context",
            Order::Random(861838),
            "init y=1, a[2]; p0:[l=y][l=a[l%2]] p1:[] p2:[] p3:[a[l%2]=1] p4:[y=0]",
        ),
    ] {
        check_text(algorithm, order, program);
        for seed in 0..300 {
            check_text(algorithm, Order::Random(seed), program);
        }
    }
}
