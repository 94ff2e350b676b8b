//! Reading models and counting their states.

use mazurka_promela::{Promela, Quiet, Scratch, State, parse_text};
use rustc_hash::FxHashSet;

/// The messages about a text, as a person sees them.
pub fn messages(text: &str) -> String {
    let parsed = parse_text("model.pml", text, &[]);
    parsed.diagnostics.render(&parsed.sources, false)
}

/// A model without errors, for the engine.
pub fn program(text: &str) -> Promela {
    let parsed = parse_text("model.pml", text, &[]);
    match parsed.machine {
        Some(machine) => Promela::new(machine, parsed.sources),
        None => panic!("{}\n{text}", parsed.diagnostics.render(&parsed.sources, false)),
    }
}

/// What there is in the state space of a model.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct Counts {
    pub states: usize,
    pub transitions: usize,
    pub deadlocks: usize,
    pub errors: Vec<String>,
}

/// Counts as SPIN's verifier does without reduction and optimisation (`spin -a -o1 -o2 -o3`, `-DNOREDUCE`, `-c0`).
pub fn count(text: &str) -> Counts {
    let parsed = parse_text("model.pml", text, &[]);
    let Some(machine) = parsed.machine else {
        panic!("{}\n{text}", parsed.diagnostics.render(&parsed.sources, false))
    };
    let (first, fault) = machine.initial();
    assert_eq!(fault, None);
    let mut counts = Counts {
        transitions: 1,
        ..Counts::default()
    };
    let mut buffer = Vec::new();
    let mut seen: FxHashSet<Vec<u8>> = FxHashSet::default();
    seen.insert(machine.key(&first, &mut buffer).to_vec());
    let mut work = vec![first.bytes().to_vec()];
    let mut scratch = Scratch::default();
    let mut state = State::default();
    while let Some(bytes) = work.pop() {
        machine.load(&bytes, &mut state);
        let quiet = machine.successors(&state, &mut scratch, |_, next, fault| {
            counts.transitions += 1;
            if let Some(fault) = fault {
                counts.errors.push(format!(
                    "{}: {}",
                    parsed.sources.position(machine.origin(fault.span)).line,
                    fault.kind.message()
                ));
            }
            if seen.insert(machine.key(next, &mut buffer).to_vec()) {
                work.push(next.bytes().to_vec());
            }
        });
        counts.deadlocks += usize::from(quiet == Quiet::Deadlock);
    }
    counts.states = seen.len();
    counts.errors.sort();
    counts
}

/// The numbers of states and transitions.
pub fn sizes(text: &str) -> (usize, usize) {
    let counts = count(text);
    (counts.states, counts.transitions)
}

/// Whether no assertion fails, nothing goes wrong and nobody waits for ever.
pub fn holds(text: &str) -> bool {
    let counts = count(text);
    counts.deadlocks == 0 && counts.errors.is_empty()
}
