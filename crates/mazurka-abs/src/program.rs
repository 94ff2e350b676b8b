//! An ABS model as the engine sees it: tasks are processes; cogs or fields, futures and the control of cogs are locations.
//!
//! # Locations
//! With `--dependency actor` a step writes the one location of its cog. With `--dependency field` it reads and writes the fields that its
//! code may touch up to the next scheduling points ([`crate::reach`]). Either way:
//! * the *future* of a task is written by the task and guards those who wait for it; starting a task is a birth and touches nothing;
//! * the *control* of a cog is written by steps that end, or started, blocked in the middle of their work (`get`, a synchronous call of
//!   another cog, a look at a future, a choice) and guards the steps of all other tasks of the cog. Cogs that can never be held have none.

use crate::run::fingerprint::Seen;
use crate::run::identity::{Identities, Place};
use crate::run::state::{Live, Run, Stopped};
use crate::run::time::CLOCK;
use crate::run::{Machine, Naming};
use mazurka_core::{
    Actors, AnyProgram, Crew, Dependency, Effects, Failure, Features, Fingerprint, Footprint, GuardLocations, Insights, Instruments,
    Location, Order, Pending, Process, Program, Seat, StateSpace, Transition, any,
};
use std::sync::{Arc, Mutex};

impl Program for Machine {
    type State = Run;

    fn start(&self) -> Run {
        Machine::start(self)
    }

    fn pending(&self, run: &Run, out: &mut Vec<Pending>) {
        let mut idle = true;
        for live in run.live.iter() {
            let enabled = self.enabled(run, live);
            idle &= !enabled;
            let process = Process(live.task.id);
            let choices = match live.task.stopped {
                Stopped::Choose(n) => n,
                _ => 1,
            };
            out.extend((0..choices).map(|choice| Pending {
                transition: Transition { process, choice },
                enabled,
            }));
        }
        if self.program.timed {
            self.pending_clock(run, idle, out);
        }
    }

    fn some_enabled(&self, run: &Run, draw: &mut dyn FnMut() -> u64) -> Option<Transition> {
        let of = |place: usize, choice: u32| Transition {
            process: Process(run.live[place].task.id),
            choice,
        };
        // Who chooses has many transitions; to list the few others that there may be costs little then.
        let plain = |live: &Live| !matches!(live.task.stopped, Stopped::Choose(_)) && self.enabled(run, live);
        if let Some(place) = run.live.try_some(&mut *draw, plain) {
            return Some(of(place, 0));
        }
        let enabled: Vec<usize> = run.live.places().filter(|place| self.enabled(run, &run.live[*place])).collect();
        if enabled.is_empty() {
            let clock = Transition::of(Process(CLOCK));
            return (self.program.timed && run.next_moment().is_some()).then_some(clock);
        }
        let place = enabled[(draw() % enabled.len() as u64) as usize];
        let choices = match run.live[place].task.stopped {
            Stopped::Choose(n) => u64::from(n),
            _ => 1,
        };
        Some(of(place, (draw() % choices) as u32))
    }

    fn footprint(&self, run: &Run, transition: Transition, out: &mut Footprint) {
        if self.is_clock(transition.process.0) {
            self.clock_footprint(out);
        } else if let Some(place) = run.find(transition.process.0) {
            self.task_footprint(run, &run.live[place].task, out);
        }
    }

    fn step(&self, run: &mut Run, transition: Transition, effects: &mut Effects) {
        Machine::step(self, run, transition.process.0, transition.choice, effects);
    }

    fn fingerprint(&self, run: &Run) -> Fingerprint {
        run.fingerprint(&self.ids, self.seen())
    }

    fn failures_at_end(&self, run: &Run, out: &mut Vec<Failure>) {
        Machine::failures_at_end(self, run, out);
    }

    fn features(&self) -> Features {
        let holds = self.reaches.main_holds || self.reaches.class_holds.contains(&true);
        let apart = !self.program.timed && !self.reaches.futures && !holds && !self.reaches.waiting_inits;
        Features {
            static_footprints: true,
            static_alternatives: true,
            one_location_per_step: self.settings.dependency == Dependency::Actor && apart,
            // Where names are given again, a loop that starts tasks may come back to the same state.
            terminating: self.reaches.acyclic && self.settings.names == Naming::Grow,
            names_given_again: self.settings.names == Naming::Forget,
            actors: apart,
        }
    }

    fn insights(&self) -> Insights<'_, Run> {
        Insights {
            futures: Some(self),
            guard_locations: Some(self),
            liveness: Some(self),
            actors: Some(self),
            names: Some(&self.ids.tasks),
            instruments: Some(self),
            ..Insights::default()
        }
    }
}

impl StateSpace for Machine {}

impl Machine {
    /// What of the state the rest of the execution can depend on besides objects and tasks.
    pub(crate) fn seen(&self) -> Seen {
        Seen {
            main: self.program.property.is_some(),
            clock: self.program.reads_clock,
        }
    }

    /// A program whose type is forgotten. Searches of it are compiled here, beside what they call most.
    #[must_use]
    pub fn boxed(self) -> Box<dyn AnyProgram> {
        any(self)
    }

    /// What workers of a parallel search of this model do: each makes a machine of its own for it, and all give tasks, objects and locations the
    /// same numbers.
    #[must_use]
    pub fn crew(&mut self, make: impl Fn() -> Machine + Send + Sync + 'static) -> Crew {
        let common = Arc::new(Mutex::new(std::mem::take(&mut self.ids)));
        self.ids = Identities::sharing(&common);
        Arc::new(move |seat: Seat<'_>| {
            let mut machine = make();
            machine.ids = Identities::sharing(&common);
            seat.work(machine);
        })
    }
}

impl GuardLocations for Machine {
    fn may_guard(&self, location: Location) -> bool {
        match self.ids.place(location) {
            Some(Place::Field(object, field)) => self.guarded_fields[self.ids.object_class(object) as usize]
                .get(field as usize)
                .copied()
                .unwrap_or(false),
            _ => true,
        }
    }
}

impl Actors<Run> for Machine {
    fn actor(&self, run: &Run, transition: Transition) -> Option<u32> {
        let task = &run.live[run.find(transition.process.0)?].task;
        // The number of the cog's location is the same in every schedule.
        Some(run.cogs.get(task.cog).all.0)
    }

    fn precedence(&self, run: &Run, order: Order, transition: Transition) -> Option<u64> {
        if self.is_clock(transition.process.0) {
            return matches!(order, Order::Eca | Order::Lca | Order::Stable).then_some(u64::MAX);
        }
        let task = &run.live[run.find(transition.process.0)?].task;
        match order {
            Order::Eca => Some(u64::from(task.cog)),
            Order::Lca => Some(u64::from(u32::MAX - task.cog)),
            Order::Stable => Some(self.instability(run, task.cog)),
            Order::Fifo | Order::Random(_) => None,
        }
    }
}

impl Instruments<Run> for Machine {
    fn guard_reads(&self, run: &Run, transition: Transition, out: &mut Footprint) -> bool {
        self.guard_touches(run, transition.process.0, out);
        true
    }

    fn perturb(&self, run: &mut Run, location: Location, seed: u64) -> bool {
        self.change_field(run, location, seed)
    }
}
