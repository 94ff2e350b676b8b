//! A program in one of its states: what the rule asks of it.

use super::explore::Rules;
use super::guard::{Condition, Guard, Values};
use super::step::{Change, Places, Processes, Step, changes_between};
use mazurka_core::{
    Access, Comparable, Effects, Failure, FailureKind, Fingerprint, Footprint, Influence, Knowledge, Location, Observe, Order, Predicate,
    Process, Program, Task, Transition, random_rank,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A program in one of its states.
pub struct At<'p, P: Program> {
    /// The program.
    pub program: &'p P,
    /// The state.
    pub state: P::State,
}

/// An unfinished process. Its alternatives count as one step that may touch what any of them may touch.
pub struct Unit {
    /// Which.
    pub process: Process,
    /// What its next step may touch.
    pub footprint: Vec<Access>,
    /// The guard of that step.
    pub guard: Guard,
}

/// What can be done in a state.
pub struct Possible {
    /// The unfinished processes, in the order of the program.
    pub units: Vec<Unit>,
    /// The enabled transitions, in the order of the program.
    pub transitions: Vec<Transition>,
    /// The enabled processes.
    pub enabled: Processes,
}

/// How much of the local states belongs to the control part.
pub fn knowledge(observe: Observe) -> Knowledge {
    match observe {
        Observe::States => Knowledge::Everything,
        Observe::Finals | Observe::Outcomes => Knowledge::Locals,
        Observe::Failures => Knowledge::Positions,
    }
}

impl<'p, P> At<'p, P>
where
    P: Program,
    P::State: Clone,
{
    fn values(&self) -> Option<&'p dyn Comparable<P::State>> {
        self.program.insights().comparable
    }

    /// The control part, and the tasks that may be exchanged, sorted by what they do.
    pub fn control(&self, rules: Rules) -> (Fingerprint, Vec<Task>) {
        let mut tasks = Vec::new();
        let control = match (self.values(), self.program.insights().liveness) {
            (Some(values), _) => values.control(&self.state, knowledge(rules.observe), rules.exchange_tasks.then_some(&mut tasks)),
            (None, Some(liveness)) if rules.only_live => liveness.live_fingerprint(&self.state),
            (None, _) => self.program.fingerprint(&self.state),
        };
        tasks.sort_unstable();
        (control, tasks)
    }

    /// What can be done here.
    pub fn possible(&self) -> Possible {
        let mut pending = Vec::new();
        self.program.pending(&self.state, &mut pending);
        let enabled = || pending.iter().filter(|p| p.enabled).map(|p| p.transition);
        let alternatives = pending.chunk_by(|a, b| a.transition.process == b.transition.process);
        let unit = |alternatives: &[mazurka_core::Pending]| {
            let mut footprint = Footprint::new();
            for alternative in alternatives {
                self.program.footprint(&self.state, alternative.transition, &mut footprint);
            }
            let process = alternatives[0].transition.process;
            Unit {
                process,
                guard: self.guard(process, &footprint),
                footprint: footprint.accesses().to_vec(),
            }
        };
        Possible {
            units: alternatives.map(unit).collect(),
            transitions: enabled().collect(),
            enabled: enabled().map(|t| t.process).collect(),
        }
    }

    fn guard(&self, process: Process, footprint: &Footprint) -> Guard {
        match self.values() {
            _ if !footprint.is_guarded() => Guard::None,
            None => Guard::Untouched,
            Some(values) => {
                let mut atoms = Default::default();
                let predicate = values.guard(&self.state, process, &mut atoms);
                Guard::Condition(Condition {
                    predicate,
                    atoms: atoms.to_vec(),
                })
            }
        }
    }

    /// The first of some transitions in an order, after so many steps.
    pub fn first(&self, order: Order, depth: u64, candidates: impl Iterator<Item = Transition>) -> Option<Transition> {
        let rank = |t: &Transition| match order {
            Order::Fifo => 0,
            Order::Random(seed) => random_rank(seed, depth, *t),
            order => {
                let actors = self.program.insights().actors;
                actors.and_then(|a| a.precedence(&self.state, order, *t)).unwrap_or(u64::MAX)
            }
        };
        candidates.min_by_key(rank)
    }

    /// What a step looks at and what it does, seen from here; `None` for the step of a program whose values cannot be seen.
    pub fn influence(&self, transition: Transition, observe: Observe) -> Option<Influence> {
        let mut influence = Influence::default();
        self.values()?
            .influence(&self.state, transition, knowledge(observe), &mut influence);
        Some(influence)
    }

    /// The private locations that decide what the next steps touch, or that their guards read.
    pub fn addressing(&self, units: &[Unit]) -> Vec<Location> {
        let mut locations = Vec::new();
        if let Some(values) = self.values() {
            units.iter().for_each(|u| values.addressing(&self.state, u.process, &mut locations));
        }
        locations
    }

    /// The locations that an observer of final states sees.
    pub fn shared_locations(&self) -> Places {
        self.values().map_or(0..0, |v| v.shared_locations()).map(Location).collect()
    }

    /// Takes a step; `None` if it panicked, and then nothing is known of the state after it.
    pub fn take(&self, transition: Transition) -> (Option<At<'p, P>>, Effects) {
        let mut effects = Effects::default();
        let stepped = catch_unwind(AssertUnwindSafe(|| {
            let mut state = self.state.clone();
            self.program.step(&mut state, transition, &mut effects);
            state
        }));
        match stepped {
            Ok(state) => (Some(At { state, ..*self }), effects),
            Err(_) => {
                effects.failure = Some(Failure {
                    kind: FailureKind::Panic,
                    message: String::new(),
                    at: None,
                });
                (None, effects)
            }
        }
    }

    /// Which locations a step from here to `after` gave other values. `writes` says where these come from; without it they are what they
    /// are, since the states that this is used for are equal.
    pub fn changes(&self, after: &At<'p, P>, step: &Step, writes: Option<Vec<(Location, mazurka_core::Origin)>>) -> Vec<Change> {
        match (self.values(), writes) {
            (None, _) => Vec::new(),
            (Some(_), None) => changes_between(&step.footprint, |l| (self.value(l), after.value(l))),
            (Some(_), Some(writes)) => {
                let change = |(location, origin)| Change {
                    location,
                    origin,
                    after: after.value(location),
                };
                writes.into_iter().map(change).collect()
            }
        }
    }
}

impl<P> Values for At<'_, P>
where
    P: Program,
    P::State: Clone,
{
    fn value(&self, location: Location) -> i64 {
        self.values().map_or(0, |v| v.value(&self.state, location))
    }

    fn evaluate(&self, predicate: Predicate, atoms: &[i64]) -> u64 {
        self.values().map_or(0, |v| v.evaluate(predicate, atoms))
    }
}
