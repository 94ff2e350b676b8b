//! States with equal fingerprints, reached on different ways: they must have equal futures.

use super::checker::take;
use super::law::{Broken, Law};
use super::offer::Offer;
use crate::insights::Liveness;
use crate::outcome::Failure;
use crate::program::{Fingerprint, Program, Transition};
use rustc_hash::FxHashMap;

/// How many states are kept to be compared with later ones.
const KEPT: usize = 4_096;
/// How long a continuation is followed.
const STEPS: usize = 40;

/// A state that was seen before, and the way to it.
struct Kept<S> {
    state: S,
    schedule: Vec<Transition>,
}

/// The states seen so far, by each of the two fingerprints.
pub(super) struct Twins<'p, P: Program + ?Sized> {
    program: &'p P,
    liveness: Option<&'p dyn Liveness<P::State>>,
    by_fingerprint: FxHashMap<Fingerprint, Kept<P::State>>,
    by_live_fingerprint: FxHashMap<Fingerprint, Kept<P::State>>,
    terminating: bool,
}

impl<'p, P: Program + ?Sized> Twins<'p, P>
where
    P::State: Clone,
{
    /// Nothing seen yet.
    pub fn new(program: &'p P) -> Self {
        Twins {
            program,
            liveness: program.insights().liveness,
            by_fingerprint: FxHashMap::default(),
            by_live_fingerprint: FxHashMap::default(),
            terminating: program.features().terminating,
        }
    }

    /// Compares a state with the one seen before under the same fingerprint, and keeps it if there is none.
    pub fn meet(&mut self, state: &P::State, schedule: &[Transition], offer: &Offer) -> Result<(), Broken> {
        let program = self.program;
        let exact = program.fingerprint(state);
        let kept = |known: &mut FxHashMap<Fingerprint, Kept<P::State>>, fingerprint| {
            if known.len() < KEPT {
                let state = state.clone();
                let schedule = schedule.to_vec();
                known.insert(fingerprint, Kept { state, schedule });
            }
        };
        match self.by_fingerprint.get(&exact) {
            Some(twin) if self.terminating && twin.schedule.len() < schedule.len() && schedule.starts_with(&twin.schedule) => {
                return Err(Broken {
                    law: Law::Termination,
                    schedule: schedule.to_vec(),
                    step: None,
                    other: None,
                    location: None,
                    detail: format!("the state after {} steps is the one after {}", schedule.len(), twin.schedule.len()),
                });
            }
            Some(twin) if twin.schedule != schedule => {
                let fingerprint = |state: &P::State| program.fingerprint(state);
                compare(program, (state, schedule), twin, offer, (Law::EqualStates, &fingerprint))?;
            }
            Some(_) => {}
            None => kept(&mut self.by_fingerprint, exact),
        }
        let Some(liveness) = self.liveness else {
            return Ok(());
        };
        let live = liveness.live_fingerprint(state);
        match self.by_live_fingerprint.get(&live) {
            Some(twin) if live != exact && twin.schedule != schedule => {
                let fingerprint = |state: &P::State| liveness.live_fingerprint(state);
                compare(program, (state, schedule), twin, offer, (Law::EqualLiveStates, &fingerprint))?;
            }
            Some(_) => {}
            None => kept(&mut self.by_live_fingerprint, live),
        }
        Ok(())
    }
}

/// How states are told apart.
type Fingerprints<'f, S> = &'f dyn Fn(&S) -> Fingerprint;

/// Runs one continuation, which depends on nothing but the two schedules, from both states.
fn compare<P: Program + ?Sized>(
    program: &P,
    (state, schedule): (&P::State, &[Transition]),
    twin: &Kept<P::State>,
    offer: &Offer,
    (law, fingerprint): (Law, Fingerprints<'_, P::State>),
) -> Result<(), Broken>
where
    P::State: Clone,
{
    let broken = |step: Option<Transition>, detail: String| {
        let way: Vec<String> = twin.schedule.iter().map(|t| format!("{}:{}", t.process.0, t.choice)).collect();
        Err(Broken {
            law,
            schedule: schedule.to_vec(),
            step,
            other: None,
            location: None,
            detail: format!("{detail}; the other state is reached by [{}]", way.join(" ")),
        })
    };
    let (mut one, mut two) = (state.clone(), twin.state.clone());
    let mut offered = offer.clone();
    let mut seed = schedule.len() as u64 * 31 + twin.schedule.len() as u64;
    for _ in 0..STEPS {
        if let Some(difference) = offered.difference(&Offer::of(program, &two)) {
            return broken(None, difference);
        }
        let enabled: Vec<Transition> = offered.enabled().map(|o| o.transition).collect();
        if enabled.is_empty() {
            let ends = (at_end(program, &one), at_end(program, &two));
            return if ends.0 == ends.1 {
                Ok(())
            } else {
                broken(None, format!("they fail differently at the end: {:?} and {:?}", ends.0, ends.1))
            };
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let next = enabled[(seed >> 33) as usize % enabled.len()];
        match (take(program, &one, next, false), take(program, &two, next, false)) {
            (None, None) => return Ok(()),
            (Some(a), Some(b)) => {
                if a.failure != b.failure {
                    return broken(Some(next), "a step fails at one of them only, or differently".to_owned());
                }
                if a.births != b.births {
                    return broken(Some(next), "a step brings other processes to life".to_owned());
                }
                if fingerprint(&a.state) != fingerprint(&b.state) {
                    return broken(Some(next), "a step leads to different states".to_owned());
                }
                (one, two) = (a.state, b.state);
            }
            _ => return broken(Some(next), "a step panics at one of them only".to_owned()),
        }
        offered = Offer::of(program, &one);
    }
    Ok(())
}

/// What is wrong with an execution that ends here, in a fixed order.
fn at_end<P: Program + ?Sized>(program: &P, state: &P::State) -> Vec<Failure> {
    let mut failures = Vec::new();
    program.failures_at_end(state, &mut failures);
    failures.sort_by(|a, b| (a.kind, &a.message).cmp(&(b.kind, &b.message)));
    failures
}
