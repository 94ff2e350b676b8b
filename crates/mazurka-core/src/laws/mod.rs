//! What a program promises, checked.
//!
//! The searches rely on what a [`Program`] tells them: which steps conflict, what decides whether a step is enabled, which states are
//! equal. An error there makes a verdict silently wrong. The [laws](Law) state what is relied on, in a form that can be tested at any
//! state; [`check`] tests them along random walks, [`Checker`] at states of the caller's choosing. [`check_replayed`] tests
//! those that do not need copies of states.
//!
//! ```
//! use mazurka_core::laws;
//! # use mazurka_core::*;
//! # fn example<P: Program + ?Sized>(program: &P) where P::State: Clone {
//! if let Err(broken) = laws::check(program, &laws::Effort::default()) {
//!     panic!("{broken}");
//! }
//! # }
//! ```

mod checker;
mod graph;
mod here;
mod law;
mod offer;
mod perturbed;
mod replayed;
mod told;
mod twins;

use crate::effects::Effects;
use crate::program::{Program, Transition};
pub use checker::Checker;
use graph::Graph;
pub use law::{Broken, Law};
pub use replayed::{Seen, check_replayed};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How much to walk.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Effort {
    /// How many walks, each from the initial state.
    pub walks: u32,
    /// The length of a walk, in steps.
    pub steps: u32,
    /// Decides where they go.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Effort::new()
    }
}

impl Effort {
    /// Enough to find most broken laws of a small program.
    #[must_use]
    pub const fn new() -> Self {
        Effort {
            walks: 20,
            steps: 200,
            seed: 1,
        }
    }

    /// Sets [`Effort::walks`].
    #[must_use]
    pub const fn walks(self, walks: u32) -> Self {
        Effort { walks, ..self }
    }

    /// Sets [`Effort::steps`].
    #[must_use]
    pub const fn steps(self, steps: u32) -> Self {
        Effort { steps, ..self }
    }

    /// Sets [`Effort::seed`].
    #[must_use]
    pub const fn seed(self, seed: u64) -> Self {
        Effort { seed, ..self }
    }
}

/// What was walked without finding a broken law.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Walked {
    /// States at which every law was checked.
    pub states: u64,
}

/// Checks every law along random walks from the start.
///
/// # Errors
/// The first law that is broken.
pub fn check<P: Program + ?Sized>(program: &P, effort: &Effort) -> Result<Walked, Broken>
where
    P::State: Clone,
{
    let mut checker = Checker::new(program);
    let mut random = effort.seed;
    let (mut pending, mut effects, mut schedule) = (Vec::new(), Effects::default(), Vec::new());
    for _ in 0..effort.walks {
        let mut state = program.start();
        schedule.clear();
        for _ in 0..effort.steps {
            checker.at(&state, &schedule)?;
            pending.clear();
            program.pending(&state, &mut pending);
            let enabled: Vec<Transition> = pending.iter().filter(|p| p.enabled).map(|p| p.transition).collect();
            if enabled.is_empty() {
                break;
            }
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let next = enabled[(random >> 33) as usize % enabled.len()];
            effects.clear();
            if catch_unwind(AssertUnwindSafe(|| program.step(&mut state, next, &mut effects))).is_err() {
                break;
            }
            schedule.push(next);
        }
    }
    Ok(Walked { states: checker.states() })
}

/// Checks every law at every state, breadth first, up to this many states or until `stop` returns true.
///
/// # Errors
/// The first law that is broken.
pub fn check_states<P: Program + ?Sized>(program: &P, most: u64, stop: &dyn Fn() -> bool) -> Result<Walked, Broken>
where
    P::State: Clone,
{
    let mut checker = Checker::new(program);
    let terminating = program.features().terminating;
    let mut seen = FxHashSet::default();
    let mut graph = Graph::default();
    let mut todo = VecDeque::from([(program.start(), Vec::new())]);
    let (mut pending, mut effects) = (Vec::new(), Effects::default());
    while let Some((state, schedule)) = todo.pop_front() {
        if checker.states() >= most || stop() {
            break;
        }
        let fingerprint = program.fingerprint(&state);
        if !seen.insert(fingerprint) {
            continue;
        }
        checker.at(&state, &schedule)?;
        pending.clear();
        program.pending(&state, &mut pending);
        for next in pending.iter().filter(|p| p.enabled) {
            let mut after = state.clone();
            effects.clear();
            if catch_unwind(AssertUnwindSafe(|| program.step(&mut after, next.transition, &mut effects))).is_ok() {
                let mut way = schedule.clone();
                way.push(next.transition);
                if terminating {
                    graph.add(fingerprint, program.fingerprint(&after), &way);
                }
                todo.push_back((after, way));
            }
        }
    }
    match graph.cycle() {
        Some(schedule) => Err(Broken {
            law: Law::Termination,
            step: None,
            other: None,
            location: None,
            detail: format!("the state after {} steps is met again on the way from it", schedule.len()),
            schedule,
        }),
        None => Ok(Walked { states: checker.states() }),
    }
}
