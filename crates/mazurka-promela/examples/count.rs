//! Counts the states and transitions of a model without any reduction, the way `pan -DNOREDUCE` does.
//!
//! ```text
//! cargo run --release -p mazurka-promela --example count -- model.pml
//! ```

use mazurka_promela::{Quiet, Scratch, State, parse_file};
use rustc_hash::FxHashSet;
use std::path::Path;
use std::time::Instant;

fn main() {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: count MODEL");
        std::process::exit(2);
    };
    let parsed = parse_file(Path::new(&path), &[]);
    if !parsed.diagnostics.is_empty() {
        eprint!("{}", parsed.diagnostics.render(&parsed.sources, false));
    }
    let Some(machine) = parsed.machine else { std::process::exit(2) };
    let limit: usize = std::env::args().nth(2).and_then(|n| n.parse().ok()).unwrap_or(usize::MAX);
    let start = Instant::now();
    let (first, fault) = machine.initial();
    let mut errors: Vec<String> = fault.iter().map(|f| f.kind.message()).collect();
    let mut seen: FxHashSet<Box<[u8]>> = FxHashSet::default();
    let mut buffer = Vec::new();
    seen.insert(machine.key(&first, &mut buffer).into());
    let mut work = vec![first.bytes().to_vec()];
    let (mut transitions, mut deadlocks, mut faults) = (1u64, 0u64, 0u64);
    let mut scratch = Scratch::default();
    let mut state = State::default();
    while let Some(bytes) = work.pop() {
        if seen.len() >= limit {
            break;
        }
        machine.load(&bytes, &mut state);
        let quiet = machine.successors(&state, &mut scratch, |_, next, fault| {
            transitions += 1;
            if let Some(fault) = fault {
                faults += 1;
                let text = format!(
                    "{} at {}",
                    fault.kind.message(),
                    parsed.sources.position(machine.origin(fault.span))
                );
                if !errors.contains(&text) {
                    errors.push(text);
                }
            }
            let key = machine.key(next, &mut buffer);
            if !seen.contains(key) {
                seen.insert(key.into());
                work.push(next.bytes().to_vec());
            }
        });
        deadlocks += u64::from(quiet == Quiet::Deadlock);
    }
    let elapsed = start.elapsed();
    println!("{} states, stored", seen.len());
    println!("{transitions} transitions");
    println!("{deadlocks} invalid end states, {faults} errors");
    for error in errors {
        println!("error: {error}");
    }
    let rate = transitions as f64 / elapsed.as_secs_f64();
    eprintln!("{elapsed:?}, {rate:.0} transitions per second");
}
