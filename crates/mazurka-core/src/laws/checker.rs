//! Every law that concerns one state and the steps from it.

use super::here::{Here, and, at};
use super::law::{Broken, Law};
use super::offer::{Offer, Offered};
use super::told::Told;
use super::twins::Twins;
use crate::effects::Effects;
use crate::footprint::{Access, Footprint, Mode};
use crate::insights::Insights;
use crate::outcome::Failure;
use crate::program::{Features, Location, Process, Program, Transition};
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Pairs of steps are tried in both orders up to this many per state.
const PAIRS: usize = 48;

/// Checks a program state by state. What it has seen at one state is compared with what it sees at others.
pub struct Checker<'p, P: Program + ?Sized> {
    program: &'p P,
    features: Features,
    insights: Insights<'p, P::State>,
    twins: Twins<'p, P>,
    told: Told<'p, P>,
    states: u64,
}

/// What became of a step.
pub(super) struct Taken<S> {
    pub state: S,
    pub births: Vec<Process>,
    pub failure: Option<Failure>,
    pub touched: Footprint,
}

impl<'p, P: Program + ?Sized> Checker<'p, P>
where
    P::State: Clone,
{
    /// A checker that has seen nothing.
    pub fn new(program: &'p P) -> Self {
        Checker {
            program,
            features: program.features(),
            insights: program.insights(),
            twins: Twins::new(program),
            told: Told::new(program),
            states: 0,
        }
    }

    /// How many states were checked.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// Checks every law at the state `state`, which `schedule` leads to.
    ///
    /// # Errors
    /// The first law that is broken.
    pub fn at(&mut self, state: &P::State, schedule: &[Transition]) -> Result<(), Broken> {
        self.states += 1;
        let here = Standing {
            here: Here {
                program: self.program,
                features: self.features,
                insights: self.insights,
                schedule,
                offer: Offer::of(self.program, state),
            },
            state,
        };
        here.alone()?;
        let mut after = Vec::new();
        for offered in here.offer.enabled() {
            if let Some(taken) = here.step(offered)? {
                after.push((offered, taken));
            }
        }
        let mut pairs = 0;
        for (at, (first, one)) in after.iter().enumerate() {
            for (second, two) in &after[at + 1..] {
                if pairs == PAIRS {
                    break;
                }
                if first.transition.process != second.transition.process && !first.footprint.conflicts(&second.footprint) {
                    pairs += 1;
                    here.commute((first, one), (second, two))?;
                }
            }
        }
        self.told.meet(state, schedule)?;
        self.twins.meet(state, schedule, &here.offer)
    }
}

/// One state under scrutiny.
pub(super) struct Standing<'a, P: Program + ?Sized> {
    pub here: Here<'a, P>,
    pub state: &'a P::State,
}

impl<'a, P: Program + ?Sized> Deref for Standing<'a, P> {
    type Target = Here<'a, P>;

    fn deref(&self) -> &Here<'a, P> {
        &self.here
    }
}

impl<P: Program + ?Sized> Standing<'_, P> {
    /// The actor on which a pending transition runs, if the program has actors.
    fn actor(&self, transition: Transition) -> Option<u32> {
        self.insights.actors?.actor(self.state, transition)
    }

    /// Everything that a process may touch from here on, if that is known.
    fn future(&self, process: Process) -> Option<Footprint> {
        let mut future = Footprint::new();
        self.insights.futures?.future(self.state, process, &mut future).then_some(future)
    }

    /// What can be seen without taking a step.
    fn alone(&self) -> Result<(), Broken> {
        self.listed()?;
        for offered in &self.offer.list {
            self.future_covers(offered)?;
            self.guard_reads(offered)?;
            self.actors(offered)?;
        }
        Ok(())
    }

    fn future_covers(&self, offered: &Offered) -> Result<(), Broken> {
        let t = offered.transition;
        if let Some(future) = self.future(t.process)
            && let Some(location) = beyond(offered.footprint.accesses(), &future)
        {
            return Err(at(self.broken(Law::Future, t, "the footprint is not within the future"), location));
        }
        Ok(())
    }

    /// Every step has an actor, and steps on different ones do not conflict.
    fn actors(&self, one: &Offered) -> Result<(), Broken> {
        if !self.features.actors {
            return Ok(());
        }
        let t = one.transition;
        if self.actor(t).is_none() {
            return Err(self.broken(Law::Actors, t, "the step has no actor"));
        }
        for two in self.offer.list.iter().filter(|two| two.transition.process != t.process) {
            let u = two.transition;
            if self.actor(t) != self.actor(u) && one.footprint.conflicts(&two.footprint) {
                return Err(and(self.broken(Law::Actors, t, "steps on different actors conflict"), u));
            }
        }
        Ok(())
    }

    fn guard_reads(&self, offered: &Offered) -> Result<(), Broken> {
        let mut reads = Footprint::new();
        let instruments = self.insights.instruments;
        if !instruments.is_some_and(|i| i.guard_reads(self.state, offered.transition, &mut reads)) {
            return Ok(());
        }
        let declared = offered.footprint.accesses();
        match reads
            .accesses()
            .iter()
            .find(|r| !declared.iter().any(|d| d.guard && d.location == r.location))
        {
            Some(read) => Err(at(
                self.broken(Law::GuardReads, offered.transition, "the guard reads what is not declared"),
                read.location,
            )),
            None => Ok(()),
        }
    }
}

impl<P: Program + ?Sized> Standing<'_, P>
where
    P::State: Clone,
{
    /// Takes a step twice and looks at what it did to the others. `None` if it panicked: then there is nothing to look at.
    fn step(&self, offered: &Offered) -> Result<Option<Taken<P::State>>, Broken> {
        let t = offered.transition;
        let (Some(taken), Some(again)) = (take(self.program, self.state, t, true), take(self.program, self.state, t, false)) else {
            return Ok(None);
        };
        if taken.failure != again.failure || taken.births != again.births {
            return Err(self.broken(Law::Determinism, t, "the effects of the step differ from one time to the other"));
        }
        let fingerprint = self.program.fingerprint(&taken.state);
        if fingerprint != self.program.fingerprint(&again.state) {
            return Err(self.broken(Law::Determinism, t, "the states after the step differ from one time to the other"));
        }
        if self.features.terminating && fingerprint == self.program.fingerprint(self.state) {
            return Err(self.broken(Law::Termination, t, "the step leads back to the state it was taken from"));
        }
        if let Some(location) = outside(taken.touched.accesses(), offered.footprint.accesses()) {
            return Err(at(
                self.broken(Law::Touched, t, "the step touches what is not in its footprint"),
                location,
            ));
        }
        let after = Offer::of(self.program, &taken.state);
        self.others(offered, (&taken.births, &after), &|_| false)?;
        self.perturb(offered, &taken)?;
        Ok(Some(taken))
    }

    /// Two enabled steps that are said to be independent, in both orders.
    fn commute(&self, (first, one): (&Offered, &Taken<P::State>), (second, two): (&Offered, &Taken<P::State>)) -> Result<(), Broken> {
        let (t, u) = (first.transition, second.transition);
        let broken = |detail: &str| Err(and(self.broken(Law::Independence, t, detail), u));
        if !Offer::of(self.program, &one.state).enables(u) || !Offer::of(self.program, &two.state).enables(t) {
            return broken("one disables the other");
        }
        let (tu, ut) = (take(self.program, &one.state, u, false), take(self.program, &two.state, t, false));
        let (Some(tu), Some(ut)) = (tu, ut) else {
            return broken("one panics after the other, but not before it");
        };
        if tu.failure != two.failure || ut.failure != one.failure {
            return broken("one fails in another way after the other");
        }
        if tu.births != two.births || ut.births != one.births {
            return broken("one brings other processes to life after the other");
        }
        if self.program.fingerprint(&tu.state) != self.program.fingerprint(&ut.state) {
            return broken("the two orders lead to different states");
        }
        match Offer::of(self.program, &tu.state).difference(&Offer::of(self.program, &ut.state)) {
            Some(difference) => broken(&format!("after the two orders, {difference}")),
            None => Ok(()),
        }
    }
}

/// Takes a step from a copy of `state`; `None` if it panics.
pub(super) fn take<P: Program + ?Sized>(
    program: &P,
    state: &P::State,
    transition: Transition,
    report_touched: bool,
) -> Option<Taken<P::State>>
where
    P::State: Clone,
{
    let mut effects = Effects {
        report_touched,
        ..Effects::default()
    };
    let mut state = state.clone();
    catch_unwind(AssertUnwindSafe(|| program.step(&mut state, transition, &mut effects))).ok()?;
    Some(Taken {
        state,
        births: effects.births.to_vec(),
        failure: effects.failure,
        touched: effects.touched,
    })
}

/// A location that `touched` has in a mode that `declared` does not allow.
fn outside(touched: &[Access], declared: &[Access]) -> Option<Location> {
    let allowed = |access: &Access| declared.iter().any(|d| d.location == access.location && covers(*d, *access));
    touched.iter().find(|a| !allowed(a)).map(|a| a.location)
}

/// Whether declaring `declared` is enough for an access.
fn covers(declared: Access, access: Access) -> bool {
    match (declared.mode, access.mode) {
        (Mode::Read, Mode::Read) | (Mode::Accumulate, Mode::Accumulate) => true,
        // A blind write neither reads nor leaves the old value.
        (Mode::Write, Mode::Read | Mode::Accumulate) => declared.maybe,
        (Mode::Write, Mode::Write) => declared.maybe || !access.maybe,
        _ => false,
    }
}

/// A location that `accesses` touch in a mode, or as a guard, that is not within `future`.
pub(super) fn beyond(accesses: &[Access], future: &Footprint) -> Option<Location> {
    let within = |access: &&Access| {
        future.accesses().iter().any(|f| {
            f.location == access.location
                && (f.guard || !access.guard)
                && match access.mode {
                    Mode::Read => f.mode != Mode::Accumulate,
                    Mode::Accumulate => f.mode != Mode::Read,
                    Mode::Write => f.mode == Mode::Write,
                }
        })
    };
    accesses.iter().find(|a| !within(a)).map(|a| a.location)
}
