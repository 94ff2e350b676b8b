//! Time: how tasks wait for it, and the clock, which is a process of its own.
//!
//! # When the clock moves, and how far
//! Only when no task can move. Then it goes to the next moment that some task waits for: a task that waits for `duration(min, max)` has to be
//! able to go on once `max` has passed, so the clock goes as far as the least `max` of all tasks whose `min` has not passed yet, and no
//! farther. Every task whose `min` has passed then can go on. This is how the manual of ABS describes it ("the least amount of jumps without
//! missing any point of interest"); other moments between `min` and `max` are not tried.
//!
//! # Locations
//! That no task can move is one location, *idleness*: every step of a task may change it, in a way that commutes with all others, and the
//! clock is guarded by it. The time is another one, which the clock writes and which guards those who wait for it. So a step of the clock
//! depends on every step of a task, and what time it is when a step is taken is the same in all equivalent executions.

use super::exec::{Mover, Stack};
use super::identity::Place;
use super::machine::Machine;
use super::state::{Interval, Run};
use crate::code::Guard;
use crate::value::Value;
use crate::value::number::rational;
use mazurka_core::{Access, Effects, Failure, FailureKind, Footprint, Mode, Pending, Process, Transition};
use num_rational::BigRational;
use num_traits::Zero;
use std::rc::Rc;

/// The process that the clock is, the second one of every program in which time can pass.
pub const CLOCK: u32 = 1;

impl Run {
    /// What time it is.
    pub fn now(&self) -> BigRational {
        self.clock.as_deref().cloned().unwrap_or_else(BigRational::zero)
    }

    /// Whether it is that time already.
    pub fn is_past(&self, moment: &BigRational) -> bool {
        match &self.clock {
            Some(now) => moment <= now,
            None => *moment <= BigRational::zero(),
        }
    }

    /// The moment to which the clock moves next, if any task waits for one.
    pub fn next_moment(&self) -> Option<&BigRational> {
        let waiting = self.live.iter().filter_map(|live| live.task.stopped.until());
        let ahead = waiting.filter(|until| !self.is_past(&until.earliest));
        ahead.map(|until| &until.latest).min()
    }

    /// So much later, and not before.
    fn after(&self, duration: &Value) -> BigRational {
        let duration = rational(duration).unwrap_or_else(BigRational::zero);
        self.now() + duration.max(BigRational::zero())
    }

    /// From so much later until so much later.
    pub(super) fn interval(&self, least: &Value, most: &Value) -> Interval {
        let earliest = self.after(least);
        let latest = self.after(most).max(earliest.clone());
        Interval { earliest, latest }
    }
}

impl Mover<'_> {
    /// The time that a guard waits for, if it does: all of its durations have to pass.
    pub(super) fn until(&self, guard: &Guard, stack: &Stack, base: usize) -> Option<Box<Interval>> {
        let value = |slot: u32| &stack.values[base + slot as usize];
        let intervals = guard
            .durations
            .iter()
            .map(|(least, most)| self.run.interval(value(*least), value(*most)));
        let all = intervals.reduce(|one, other| Interval {
            earliest: one.earliest.max(other.earliest),
            latest: one.latest.max(other.latest),
        });
        all.map(Box::new)
    }

    /// Gives the task that was started last a deadline: a `Duration` from now.
    pub(super) fn set_deadline(&mut self, duration: &Value) {
        // The other constructor, `InfDuration`, has no argument.
        let [amount] = duration.args() else { return };
        let deadline = self.run.after(amount);
        if let Some(started) = self.run.live.last_mut() {
            Rc::make_mut(&mut started.task).deadline = Some(Rc::new(deadline));
        }
    }

    /// How long it is to the deadline of the task: never less than 0, and -1 if there is none.
    pub(super) fn to_deadline(&self) -> Value {
        match &self.deadline {
            Some(deadline) => (&**deadline - self.run.now()).max(BigRational::zero()).into(),
            None => Value::Int(-1),
        }
    }
}

impl Machine {
    /// Whether that process is the clock.
    pub fn is_clock(&self, process: u32) -> bool {
        self.program.timed && process == CLOCK
    }

    /// Adds the clock to what is pending; `idle`: no task can move.
    pub(crate) fn pending_clock(&self, run: &Run, idle: bool, out: &mut Vec<Pending>) {
        out.push(Pending {
            transition: Transition {
                process: Process(CLOCK),
                choice: 0,
            },
            enabled: idle && run.next_moment().is_some(),
        });
    }

    pub(crate) fn clock_footprint(&self, out: &mut Footprint) {
        out.guard(self.ids.location(Place::Idleness));
        out.update(self.ids.location(Place::Time));
    }

    /// Moves the clock to the next moment that a task waits for.
    pub(super) fn pass_time(&self, run: &mut Run, effects: &mut Effects) {
        let Some(next) = run.next_moment().cloned() else { return };
        if self.settings.missed_deadlines {
            effects.failure = self.missed(run, &next);
        }
        if let Some(failure) = &effects.failure {
            run.failed.push((CLOCK, Rc::new(failure.clone())));
        }
        run.clock = Some(Rc::new(next));
        if effects.report_touched {
            let mut touch = |place: Place, mode: Mode| {
                effects.touched.add(Access {
                    location: self.ids.location(place),
                    mode,
                    guard: false,
                    maybe: false,
                });
            };
            touch(Place::Idleness, Mode::Read);
            touch(Place::Time, Mode::Write);
        }
    }

    /// The failure that it is if tasks have not ended by their deadlines, which lie before `next`.
    fn missed(&self, run: &Run, next: &BigRational) -> Option<Failure> {
        let now = run.now();
        let late = run.live.iter().filter(|live| {
            let deadline = live.task.deadline.as_deref();
            deadline.is_some_and(|deadline| *deadline >= now && deadline < next)
        });
        let mut late: Vec<_> = late.collect();
        late.sort_by(|a, b| self.ids.compare_tasks(a.task.id, b.task.id));
        let first = late.first()?;
        // The clock is no part of a state where nobody asks for it, and failures are: so they do not say what it showed.
        let named = late.iter().map(|live| self.task_name(run, live.task.id));
        let named: Vec<String> = named.map(|name| format!("{name} has not ended")).collect();
        Some(Failure {
            kind: FailureKind::Assertion,
            message: format!("deadline missed: {}", named.join("; ")),
            at: self.current_span(&first.task).and_then(|span| self.position(span)),
        })
    }
}
