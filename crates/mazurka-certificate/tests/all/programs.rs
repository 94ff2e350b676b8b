//! Certificates of searches are accepted, and say how many traces there are.

use crate::support::{certified, check, claims, explore, write};
use mazurka_certificate::Proved;
use mazurka_litmus::{Machine, family};

pub fn member(name: &str, parameters: &[(&str, i64)]) -> Machine {
    let parameters: Vec<(String, i64)> = parameters.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
    family(name).unwrap().machine(&parameters).unwrap()
}

fn traces(machine: &Machine, algorithm: &str) -> u64 {
    match certified(machine, algorithm)
        .unwrap_or_else(|why| panic!("{algorithm}: {why}"))
        .proved
    {
        Proved::Complete(claims) => claims.executions,
        other => panic!("{other:?}"),
    }
}

#[test]
fn lastzero_12_has_15360_traces() {
    let machine = member("lastzero", &[("n", 12)]);
    assert_eq!(traces(&machine, "optimal"), 15_360);
}

#[test]
fn families_are_certified_by_both_algorithms() {
    for (machine, expected) in [
        (member("readers", &[("n", 8)]), 256),
        (member("lastzero", &[("n", 8)]), 704),
        (member("indexer", &[("n", 12)]), 8),
        (member("philosophers", &[("n", 6)]), 63),
    ] {
        assert_eq!(traces(&machine, "optimal"), expected);
        assert_eq!(traces(&machine, "source"), expected);
    }
}

/// Programs of docs/src/soundness.md that unsound algorithms lose executions of, and one for every kind of reversal.
pub const HARD: &[(&str, u64)] = &[
    ("p0:[y=1] p1:[await y!=1]", 2),
    ("p0:[][][x=2] p1:[][l=z] p2:[await x==z] p3:[await x!=2; z=1]", 6),
    ("init y=1; p0:[await y==1; x=1] p1:[y=x] p2:[l=x]", 3),
    ("p0:[x=1] p1:[choose l 2; await x!=l]", 2),
    (
        "init y=0, a[2]; p0:[choose l 2; a[l%2]=y] p1:[a[l%2]=0; y=0] k0:[choose l 2; l=a[l%2]]",
        16,
    ),
    (
        "p0:[if (z) l=x] p1:[choose l 2; await x!=l; if (l) z=0] p2:[spawn k0] p3:[z=0] k0:[x=1]",
        13,
    ),
    ("p0:[y=1][y=0] p1:[await y==0]", 2),
];

#[test]
fn hard_programs_are_certified() {
    for (text, expected) in HARD {
        let machine = Machine::parse(text).unwrap();
        for algorithm in ["optimal", "source"] {
            assert_eq!(traces(&machine, algorithm), *expected, "{text}");
        }
    }
}

#[test]
fn a_program_with_one_process_has_one_execution() {
    let machine = Machine::parse("p0:[]").unwrap();
    assert_eq!(traces(&machine, "optimal"), 1);
}

#[test]
fn a_certificate_takes_few_bytes_for_a_trace() {
    for (machine, most) in [(member("lastzero", &[("n", 12)]), 16), (member("readers", &[("n", 12)]), 16)] {
        let (executions, outcome) = explore(&machine, "optimal");
        let certificate = write(&machine, &executions, &claims(&outcome));
        let each = certificate.len() / executions.len();
        assert!(each <= most, "{each} bytes");
        check(&machine, &certificate).unwrap();
    }
}
