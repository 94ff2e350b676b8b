//! What a shared-variable program can do, by the definition of the language and nothing else.
//!
//! A small and slow interpreter over the syntax tree, to judge the real one by. States are whole values that are compared by equality; every
//! state is visited and every step of every process tried from it. There are no footprints, no fingerprints, no compiled code, and nothing
//! of the engine. What it takes the language to be:
//!
//! * A process takes one step at a time. `await` and `lock` at the front of the step are its guard, read as one conjunction from left to
//!   right, with the chosen value in place if the step begins with `choose`. The step can be taken where the guard is not 0, and where
//!   evaluating it fails: the process then fails.
//! * Operands are evaluated from left to right; `&&` and `||` leave out the right one if the left one decides. Arithmetic wraps. Division by
//!   zero and an index outside its array are failures.
//! * `a[i] = e` evaluates `i`, then `e`, then stores; `a[i] += e` and `a[i] @+ e` evaluate `i`, look at the element, evaluate `e`, and store.
//! * A process that fails has ended; what its step did before stays done. So has one that ran off its last step or came to `end`.
//! * `lock` puts a token of the process where 0 was; `unlock` puts 0 there, whoever held it.
//! * A spawned process is named by its parent, by how many others its parent had spawned, and by its body.

mod evaluate;
mod execute;
mod print;
mod state;

pub use print::{Printed, step_position};

use execute::Taken;
use mazurka_core::FailureKind;
use mazurka_litmus::Model;
use rustc_hash::FxHashSet;
use state::State;
use std::collections::BTreeSet;

/// A failure: what, how it is said, and in which step of which body. A deadlock has no place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Failed {
    /// The word for its kind.
    pub kind: &'static str,
    /// The sentence.
    pub message: String,
    /// Body and step, from 0.
    pub place: Option<(usize, usize)>,
}

/// Everything that a program can do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// The final states as printed, deadlocked ones too.
    pub finals: BTreeSet<Printed>,
    /// Those of them in which some process waits for ever.
    pub deadlocks: BTreeSet<Printed>,
    /// The failures, deadlocks too.
    pub failures: BTreeSet<Failed>,
    /// How many states there are.
    pub states: usize,
}

/// Visits every state; `None` if there are more than `limit`.
pub fn answer(model: &Model, limit: usize) -> Option<Answer> {
    let mut answer = Answer::default();
    let start = State::start(model);
    let mut known = FxHashSet::from_iter([start.clone()]);
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        let (taken, waiting) = execute::steps(model, &state);
        if taken.is_empty() {
            let printed = print::printed(model, &state);
            if waiting > 0 {
                answer.deadlocks.insert(printed.clone());
                answer.failures.insert(deadlock(model, &state));
            }
            answer.finals.insert(printed);
        }
        for Taken { next, failed } in taken {
            answer.failures.extend(failed);
            if known.insert(next.clone()) {
                open.push(next);
            }
        }
        if known.len() > limit {
            return None;
        }
    }
    answer.states = known.len();
    Some(answer)
}

/// A deadlock is who waits, by the bodies that they run, and in which steps.
fn deadlock(model: &Model, state: &State) -> Failed {
    let mut waiting: Vec<(usize, usize)> = state.processes.values().filter_map(|p| Some((p.body, p.next?))).collect();
    waiting.sort_unstable();
    let mut message = String::new();
    for (i, (body, step)) in waiting.iter().enumerate() {
        if i > 0 {
            message.push_str(if i + 1 == waiting.len() { " and " } else { ", " });
        }
        message.push_str(&format!("{} in its step {}", model.bodies()[*body].name, step + 1));
    }
    message.push_str(if waiting.len() == 1 { " waits for ever" } else { " wait for ever" });
    Failed {
        kind: FailureKind::Deadlock.name(),
        message,
        place: None,
    }
}
