//! The programs of FORTE'14, written in ABS: exact numbers of classes at cog and at field granularity.

use crate::run::common::{explore, model};
use mazurka_core::Dependency;

fn classes(file: &str, parameters: &[(&str, &str)], dependency: Dependency) -> (u64, Option<u64>) {
    let path = format!("{}/../../benchmarks/abs/{file}.abs", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let options =
        crate::run::common::dependency(dependency).parameters(parameters.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect());
    let outcome = explore(&model(&text, &options), "optimal");
    assert_eq!(outcome.counts.blocked, 0, "{file}: optimal never blocks");
    assert!(outcome.failures.is_empty(), "{file}: {:?}", outcome.failures);
    (outcome.counts.executions, outcome.distinct_final_states)
}

fn check(file: &str, parameters: &[(&str, &str)], actor: Option<u64>, field: u64) {
    if let Some(actor) = actor {
        assert_eq!(classes(file, parameters, Dependency::Actor).0, actor, "{file} by actor");
    }
    assert_eq!(classes(file, parameters, Dependency::Field).0, field, "{file} by field");
}

#[test]
fn quicksort() {
    check("qsort", &[], Some(16), 16);
    check("qsort", &[("n", "6")], Some(32), 32);
}

#[test]
fn fibonacci() {
    check("fib", &[], Some(16), 16);
    check("fib", &[("n", "7")], Some(4096), 4096);
}

#[test]
fn pi() {
    check("pi", &[("n", "3")], Some(6), 6);
    check("pi", &[], Some(120), 120);
}

#[test]
fn pipeline_sort() {
    check("psort", &[], Some(288), 288);
    check("psort", &[("first", "list[7,11]"), ("second", "list[5,3]")], Some(5760), 288);
}

#[test]
fn registration() {
    check("regsim", &[], Some(10080), 720);
    check("regsim", &[("workers", "4"), ("times", "2")], Some(11520), 384);
}

#[test]
fn hash_table() {
    check("dht-a", &[], Some(2176), 18);
    check("dht-b", &[], Some(674), 18);
}

#[test]
fn mail() {
    check("mail", &[], Some(9520), 560);
    check("mail", &[("notifications", "3")], None, 11416);
}

#[test]
fn bounded_buffer() {
    check("bb", &[], Some(155_520), 4320);
    let two = [("capacity", "5"), ("items", "list[list[1,2],list[3,4]]")];
    check("bb", &two, Some(1_099_008), 45_792);
}
