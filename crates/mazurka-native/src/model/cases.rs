//! To wait in a thread for one of several steps, of several models.

use super::{Model, Rule};
use crate::future::now;
use crate::runtime::current;
use crate::runtime::offers::{Offer, Path};
use crate::runtime::op::Op;
use crate::runtime::rule::Taken;
use std::panic::Location;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// A step that could be taken, of a model, or of the clock.
pub struct Case<'a> {
    /// In a check.
    op: Option<Op>,
    /// Outside of one: takes it if that can be done now.
    now: Box<dyn Fn() -> Option<u32> + 'a>,
}

/// Which step is taken if several can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Any of them.
    Any,
    /// The first of them.
    FirstFirst,
}

/// What happens if no step can be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Otherwise {
    /// One is waited for.
    Wait,
    /// None is taken.
    Now,
    /// One is waited for, but no longer than this. In a check the time may be over at any moment.
    After(Duration),
}

impl Otherwise {
    /// With a time limit, if there is one.
    pub fn within(time: Option<Duration>) -> Self {
        time.map_or(Otherwise::Wait, Otherwise::After)
    }
}

impl<D> Model<D> {
    /// A step of this model as one of several.
    #[track_caller]
    pub fn case(&self, rule: &'static Rule, argument: u64) -> Case<'_> {
        let op = self.object().map(|object| Op::Rule {
            object,
            rule: Taken(rule),
            argument,
            alone: false,
        });
        let now = move || {
            let mut real = self.real();
            let answer = self.try_really(&mut real, rule, argument)?;
            self.end_really(real, answer, |_, _| ());
            Some(answer)
        };
        Case { op, now: Box::new(now) }
    }
}

impl Case<'_> {
    /// It is so late, by the clock of the thread.
    pub fn at_time(time: Duration) -> Case<'static> {
        Case {
            op: current::is_active().then(|| Op::Time(nanos(time))),
            now: Box::new(move || (now() >= time).then_some(0)),
        }
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Takes one of the steps: which, and its answer.
#[track_caller]
pub fn one_of(cases: &[Case<'_>], order: Order, otherwise: Otherwise) -> Option<(usize, u32)> {
    if !current::is_active() {
        return really_one_of(cases, order, otherwise);
    }
    let at = Location::caller();
    let offer = |op, rank| Offer {
        op,
        key: 0,
        path: Path::from_slice(&[(u32::MAX, rank)]),
        queues: None,
        queued: false,
        at,
    };
    let last = cases.len() as u32;
    let rank = |n: usize| if order == Order::FirstFirst { n as u32 } else { 0 };
    let mut offers: Vec<Offer> = cases
        .iter()
        .enumerate()
        .filter_map(|(n, case)| Some(offer(case.op?, rank(n))))
        .collect();
    match otherwise {
        Otherwise::Wait => {}
        Otherwise::Now => offers.push(offer(Op::Choose(1), last.max(1))),
        Otherwise::After(time) => {
            let over = current::with(|execution| execution.later(time)).unwrap_or_default();
            offers.push(offer(Op::Time(over), last.max(1)));
        }
    }
    let ops: Vec<Op> = offers.iter().map(|offer| offer.op).collect();
    let (chosen, answer) = current::take_one(offers)?;
    let chosen = chosen as usize;
    current::with(|execution| match ops.get(chosen) {
        Some(Op::Time(time)) => {
            let now = &mut execution.running().polling.now;
            *now = (*now).max(*time);
        }
        // Looked in vain.
        Some(Op::Choose(_)) => ops
            .iter()
            .flat_map(|op| op.objects().to_vec())
            .for_each(|object| execution.found(object)),
        _ => {}
    });
    (chosen < cases.len()).then_some((chosen, answer))
}

/// How long a thread sleeps before it looks again, at most.
const PAUSE: Duration = Duration::from_millis(1);

fn really_one_of(cases: &[Case<'_>], order: Order, otherwise: Otherwise) -> Option<(usize, u32)> {
    // Each has its turn to be the first.
    static TURN: AtomicUsize = AtomicUsize::new(0);
    let begun = std::time::Instant::now();
    let mut pause = Duration::from_micros(1);
    loop {
        let first = match order {
            Order::Any => TURN.fetch_add(1, Relaxed),
            Order::FirstFirst => 0,
        };
        for n in 0..cases.len() {
            let n = first.wrapping_add(n) % cases.len();
            if let Some(answer) = (cases[n].now)() {
                return Some((n, answer));
            }
        }
        let over = match otherwise {
            Otherwise::Wait => false,
            Otherwise::Now => true,
            Otherwise::After(time) => begun.elapsed() >= time,
        };
        if over {
            return None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(PAUSE);
    }
}

impl std::fmt::Debug for Case<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Case").finish_non_exhaustive()
    }
}
