//! The search finds the graphs that the oracle finds, each of them once.

use crate::oracle::executions;
use crate::random::{Numbers, program};
use crate::small::{Small, search};
use std::collections::BTreeSet;

/// As many candidates does the oracle look at in a program; the few programs that have more are passed over.
const BUDGET: u64 = 1_500;

/// How the two differ on a program.
fn difference(program: &Small, model: &str) -> Option<Result<(), String>> {
    let (expected, races, faults) = executions(program, model, BUDGET)?;
    let found = search(program, model);
    let (mine, theirs): (BTreeSet<_>, BTreeSet<_>) = (found.graphs.keys().collect(), expected.keys().collect());
    if let Some(missed) = theirs.difference(&mine).next() {
        return Some(Err(format!(
            "{model} misses {} of {} graphs, such as {missed:?}",
            theirs.difference(&mine).count(),
            theirs.len()
        )));
    }
    if let Some(wrong) = mine.difference(&theirs).next() {
        return Some(Err(format!("{model} has a graph that is not consistent: {wrong:?}")));
    }
    if let Some((twice, _)) = found.graphs.iter().find(|(_, (times, _))| *times != 1) {
        return Some(Err(format!("{model} visits a graph more than once: {twice:?}")));
    }
    if found.graphs.iter().any(|(shape, (_, outcome))| expected[shape] != *outcome) {
        return Some(Err(format!("{model} has other registers in the end")));
    }
    if found.races != races {
        return Some(Err(format!("{model}: data race: {}, the oracle: {races}", found.races)));
    }
    if found.faults != faults {
        return Some(Err(format!("{model}: failed assertion: {}, the oracle: {faults}", found.faults)));
    }
    Some(Ok(()))
}

#[test]
fn random_programs() {
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    let (programs, seed) = (number("PROGRAMS", 62_000), number("SEED", 1));
    let mut compared = 0;
    for n in 0..programs {
        let program = program(&mut Numbers::nth(seed, n));
        // Most is to be found under the weakest model.
        let models: &[&str] = if n % 8 == 0 { &["rc11", "tso", "sc"] } else { &["rc11"] };
        for model in models {
            match difference(&program, model) {
                Some(Ok(())) => compared += u64::from(*model == "rc11"),
                Some(Err(message)) => panic!("program {n} of seed {seed}: {message}\n{program:#?}"),
                None => {}
            }
        }
    }
    println!("{compared} programs compared");
    assert!(
        compared * 10 >= programs * 8,
        "too many programs are too large for the oracle: {compared} of {programs}"
    );
}
