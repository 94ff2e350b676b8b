//! A search that is handed over again and again against one that is not.

use mazurka_core::{Algorithm, Options, Order, Program, Status, Unobserved, search};

/// Searches in slices of a few steps, each by a search that goes on where the last one was saved, and compares whole outcomes. The seed says with which
/// algorithm, in which order and how long the slices are.
///
/// # Errors
/// What differs, in words.
pub fn check<P>(program: &P, seed: u64) -> Result<(), String>
where
    P: Program,
    P::State: Clone,
{
    let name = ["optimal", "source"][seed as usize % 2];
    let order = if seed.is_multiple_of(3) { Order::Fifo } else { Order::Random(seed) };
    let algorithm = Algorithm::parse(name).map_err(|e| e.to_string())?;
    let options = Options::new(algorithm)
        .order(order)
        .keep_going(!seed.is_multiple_of(5))
        .final_states(true);
    let fresh = || search(program, &options, Unobserved).map_err(|e| e.to_string());
    let mut whole = fresh()?;
    while whole.advance(1 << 20) == Status::Running {}
    let mut running = fresh()?;
    // Few handovers in large programs: each runs an execution again.
    let slice = (whole.outcome().counts.steps / 25).max(1) + seed % 7;
    while running.advance(slice) == Status::Running {
        let saved = running.save().map_err(|e| e.to_string())?;
        running = fresh()?;
        running.resume(&saved).map_err(|e| format!("`{name}` cannot go on: {e}"))?;
    }
    let (found, expected) = (running.outcome(), whole.outcome());
    match found == expected {
        true => Ok(()),
        false => Err(format!("`{name}` that is handed over finds {found:?} instead of {expected:?}")),
    }
}
