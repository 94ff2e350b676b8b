//! A place to meet, as `tokio::sync::Barrier`.
//!
//! Who comes when makes no difference as long as only those come who meet, and nobody asks who leads.

use mazurka_native::model::{Model, Rule, Ticket, steps_so_far};
use std::fmt;
use std::future::{Future, poll_fn};
use std::sync::Arc;

const COME: usize = 0;

/// The answer is how many came before.
static ARRIVE: Rule = Rule {
    name: "come to",
    touches: |t| {
        t.accumulate(0);
    },
    apply: |state, _| {
        state.counts[COME] += 1;
        state.counts[COME] - 1
    },
    ..Rule::STEP
};

static ARRIVE_IN_TURN: Rule = Rule {
    touches: |t| {
        t.update(0);
    },
    ..ARRIVE
};

/// In the round that the argument says.
static LEAVE: Rule = Rule {
    name: "leave",
    awaits: "the others at",
    touches: |t| {
        t.guard(0);
    },
    enabled: |state, call| state.counts[COME] / call.size > call.argument as u32,
    ..Rule::STEP
};

/// A place where so many meet.
pub struct Barrier(Arc<Model<Vec<u32>>>);

/// What a task learns that was at a barrier.
#[derive(Debug, Clone)]
pub struct BarrierWaitResult {
    leads: bool,
    model: Arc<Model<Vec<u32>>>,
}

impl BarrierWaitResult {
    /// Whether it came last.
    pub fn is_leader(&self) -> bool {
        self.model.look_closer();
        self.leads
    }
}

impl Barrier {
    /// Where so many meet.
    pub fn new(n: usize) -> Self {
        Barrier(Arc::new(Model::new("Barrier", (n as u32).max(1), 1, Vec::new())))
    }

    /// Waits for the others.
    #[track_caller]
    pub fn wait(&self) -> impl Future<Output = BarrierWaitResult> {
        let mut ticket = Ticket::new();
        async move {
            let model = &self.0;
            let me = steps_so_far().0;
            let users = model.with(|users| {
                if !users.contains(&me) {
                    users.push(me);
                }
                users.len()
            });
            if users > model.size() as usize {
                model.look_closer();
            }
            let rule = if model.looks_closer() { &ARRIVE_IN_TURN } else { &ARRIVE };
            let before = model.step_at(ticket.place(), rule, 0, |before, _| before);
            let round = u64::from(before / model.size());
            let leads = before % model.size() + 1 == model.size();
            // Who comes last has nothing to wait for.
            if !leads || !model.looks_closer() {
                poll_fn(|context| model.poll(&mut ticket, context, &LEAVE, round)).await;
            }
            BarrierWaitResult {
                leads,
                model: Arc::clone(model),
            }
        }
    }
}

impl fmt::Debug for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Barrier").finish_non_exhaustive()
    }
}
