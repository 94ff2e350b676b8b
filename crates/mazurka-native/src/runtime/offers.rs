//! What a process offers to do next, where it is more than one thing: a task that waits for several futures at once.
//!
//! A future that is polled in a check does not look whether it is ready. It offers the operation that would make it so. When the whole task is
//! pending, its offers are its next step, with one alternative for each. So waiting for one thing is one step, and looking in vain is none.

use super::execution::Execution;
use super::op::{Object, Op};
use super::rule::{After, State, Taken};
use mazurka_core::{Effects, Footprint};
use smallvec::SmallVec;
use std::panic::Location;
use std::time::Duration;

/// Where an offer stands: in which branch of which selections that prefer their first branches.
pub(crate) type Path = SmallVec<[(u32, u32); 2]>;

/// An operation that a process would take.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    pub op: Op,
    /// Which future's it is.
    pub key: u32,
    pub path: Path,
    /// The rule by which the future takes its place in a queue, if it is in one as soon as it was polled.
    pub queues: Option<Taken>,
    /// Whether it has taken its place.
    pub queued: bool,
    pub at: &'static Location<'static>,
}

impl Offer {
    /// Whether it is preferred to another one, if both can be taken.
    fn precedes(&self, other: &Offer) -> bool {
        let earlier = |(selection, branch): &(u32, u32)| other.path.iter().any(|(s, b)| s == selection && branch < b);
        self.path.iter().any(earlier)
    }

    /// Whether its time comes before that of another one.
    fn is_sooner(&self, other: &Offer) -> bool {
        matches!((self.op, other.op), (Op::Time(mine), Op::Time(other)) if mine < other)
    }
}

/// Whether this offer can be taken, given which operations can.
pub(super) fn enabled(offers: &[Offer], choice: u32, can: impl Fn(Op) -> bool) -> bool {
    let Some(offer) = offers.get(choice as usize) else { return false };
    // Of several times, only the first to come can be over.
    let ready = |offer: &Offer| can(offer.op) && !offers.iter().any(|other| other.is_sooner(offer));
    ready(offer) && !offers.iter().any(|other| other.precedes(offer) && ready(other))
}

/// What an offer may touch, and what decides about the others.
pub(super) fn footprint(offers: &[Offer], choice: u32, watched: &[(Object, u64)], out: &mut Footprint) {
    if let Some(offer) = offers.get(choice as usize) {
        offer.op.footprint(out);
    }
    if offers.iter().any(|o| o.op == Op::AwaitNews) {
        watch(watched, out);
    }
    let mut other = Footprint::new();
    for offer in offers {
        other.clear();
        offer.op.footprint(&mut other);
        for access in other.accesses().iter().filter(|a| a.guard) {
            out.guard(access.location);
        }
    }
}

/// An offer of one operation against another one that is preferred less.
pub(crate) fn either(first: Op, second: Op, at: &'static Location<'static>) -> Vec<Offer> {
    let offer = |op, branch| Offer {
        op,
        key: 0,
        path: Path::from_slice(&[(u32::MAX, branch)]),
        at,
        queues: None,
        queued: false,
    };
    vec![offer(first, 0), offer(second, 1)]
}

/// Whoever waits for news looks at all of these.
pub(super) fn watch(watched: &[(Object, u64)], out: &mut Footprint) {
    for (object, _) in watched {
        out.guard(object.first());
        out.guard(object.second());
        out.guard(object.third());
    }
}

/// What a process that polls futures remembers.
#[derive(Default)]
pub(crate) struct Polling {
    /// Offers of futures that are pending.
    pub offers: Vec<Offer>,
    /// Those that were taken, with their answers, until their futures ask.
    pub taken: Vec<(u32, u32)>,
    /// How many offers there were.
    pub keys: u32,
    /// Offers from here on were made since the task last looked around: its code may go on before they are tried.
    pub untried: Vec<u32>,
    /// Whether the task has just waited, and taken no step since: whatever it offered then was tried now.
    pub fresh: bool,
    /// How many numbers it has given out.
    pub numbers: u32,
    /// Whether the task has woken itself.
    pub again: bool,
    /// How many wakers of the task there are.
    pub wakers: u32,
    /// The branches that are being polled.
    pub path: Path,
    /// How many selections there were.
    pub selections: u32,
    /// How late it is for this process, in nanoseconds.
    pub now: u64,
}

impl Execution {
    /// The running process offers an operation, or offers it again: the key of the offer.
    pub fn offer(&mut self, key: u32, op: Op, at: &'static Location<'static>, queues: Option<Taken>) -> u32 {
        let polling = &mut self.running().polling;
        let path = polling.path.clone();
        if let Some(known) = polling.offers.iter_mut().find(|o| o.key == key) {
            (known.op, known.path) = (op, path);
            if !polling.fresh && !polling.untried.contains(&key) {
                polling.untried.push(key);
            }
            return key;
        }
        polling.keys += 1;
        let key = polling.keys;
        polling.offers.push(Offer {
            op,
            key,
            path,
            queues,
            queued: false,
            at,
        });
        polling.untried.push(key);
        key
    }

    /// The future of this offer was tried since it was polled.
    pub fn tried(&mut self, key: u32) {
        self.running().polling.untried.retain(|k| *k != key);
    }

    /// Whether the future of this offer has a place in a queue.
    pub fn is_queued(&mut self, process: u32, key: u32) -> bool {
        let Some(slot) = self.slot(process) else { return false };
        self.threads[slot].polling.offers.iter().any(|o| o.key == key && o.queued)
    }

    /// It has one now.
    pub fn has_queued(&mut self, key: u32) {
        let offer = self.running().polling.offers.iter_mut().find(|o| o.key == key);
        offer.into_iter().for_each(|o| o.queued = true);
    }

    /// An offer was taken: its future will ask for the answer.
    pub fn was_taken(&mut self, key: u32, answer: u32) {
        let polling = &mut self.running().polling;
        if let Some(at) = polling.offers.iter().position(|o| o.key == key) {
            polling.offers.remove(at);
            polling.taken.push((key, answer));
        }
    }

    /// An object has rules: it holds so much, and began with so many handles.
    pub fn is_ruled(&mut self, object: Object, size: u32, members: u32) {
        let known = self.known(object);
        if !known.ruled {
            known.ruled = true;
            known.nature.size = size;
            known.senders += members;
        }
    }

    /// So many handles more to an object with rules.
    pub fn add_members(&mut self, object: Object, members: u32) {
        self.known(object).senders += members;
    }

    /// A number, not 0, that nobody else gets in this execution.
    pub fn fresh_number(&mut self) -> u32 {
        let thread = self.running();
        thread.polling.numbers += 1;
        thread.process << 14 | thread.polling.numbers & 0x3fff
    }

    /// A number that no other execution has.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// There is one waker of a process more, or less.
    pub fn count_wakers(&mut self, process: u32, change: i32) {
        if let Some(slot) = self.slot(process) {
            let wakers = &mut self.threads[slot].polling.wakers;
            *wakers = wakers.saturating_add_signed(change);
        }
    }

    /// The object through which a process is woken; `None` if it is the running one, which knows without a step.
    pub fn wakes(&mut self, process: u32) -> Option<Object> {
        if process == self.process() {
            self.running().polling.again = true;
            return None;
        }
        Some(self.wakes_of(process))
    }

    /// The object through which a process is woken.
    pub fn wakes_of(&mut self, process: u32) -> Object {
        let object = self.shared.borrow_mut().identities.wakes(process);
        self.known(object);
        object
    }

    /// So much later for the running process.
    pub fn later(&mut self, time: Duration) -> u64 {
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.running().polling.now.saturating_add(time)
    }

    /// The answer of an offer, if it was taken; it is no offer any more then.
    pub fn answered(&mut self, key: u32) -> Option<u32> {
        let taken = &mut self.running().polling.taken;
        let at = taken.iter().position(|(k, _)| *k == key)?;
        Some(taken.swap_remove(at).1)
    }

    /// A future is dropped: its answer, if its offer was taken.
    pub fn withdraw(&mut self, process: u32, key: u32) -> Option<u32> {
        let slot = self.slot(process)?;
        let polling = &mut self.threads[slot].polling;
        polling.untried.retain(|k| *k != key);
        polling.offers.retain(|o| o.key != key);
        let at = polling.taken.iter().position(|(k, _)| *k == key)?;
        Some(polling.taken.swap_remove(at).1)
    }

    /// Publishes offers as the next step of the running process. There must be one.
    pub fn publish_offers(&mut self, offers: Vec<Offer>) {
        if self.running().dropping > 0 {
            self.drops_must_matter();
        }
        if self.running().reading > 0 {
            self.writers_must_matter();
        }
        let thread = self.running();
        thread.polling.untried.clear();
        thread.polling.fresh = false;
        (thread.op, thread.at) = match offers.first() {
            Some(only) if offers.len() == 1 => (only.op.alone(), only.at),
            Some(first) => (Op::Any(offers.len() as u32), first.at),
            None => (Op::Never, thread.at),
        };
        thread.offers = offers;
    }

    /// The running process goes on with its code though futures that it has polled were not tried: they must be, whenever they are polled.
    /// That turns out late, so the search begins again.
    pub fn went_on_if_untried(&mut self) {
        let polling = &mut self.running().polling;
        if polling.untried.is_empty() {
            return;
        }
        let untried = std::mem::take(&mut polling.untried);
        let places: Vec<_> = polling.offers.iter().filter(|o| untried.contains(&o.key)).map(|o| o.at).collect();
        for at in places {
            self.shared.borrow_mut().try_at(at);
        }
    }

    /// Whether futures that were made at this place are tried whenever they are polled.
    pub fn tries_at(&self, at: &'static Location<'static>) -> bool {
        self.shared.borrow().tried_places.contains(&at)
    }

    /// Futures made at this place are tried whenever they are polled: if that is new, the search begins again.
    pub fn try_at(&mut self, at: &'static Location<'static>) {
        self.shared.borrow_mut().try_at(at);
    }

    /// Something about an object matters that did not seem to: the search begins again.
    pub fn look_closer(&mut self, object: Object) {
        self.shared.borrow_mut().look_closer(object);
    }

    /// Whether all about an object matters.
    pub fn looks_closer(&self, object: Object) -> bool {
        self.shared.borrow().close.contains(&object)
    }

    /// The next future that was polled but not tried and has a place in a queue to take.
    pub fn next_to_queue(&mut self) -> Option<(u32, Op, &'static Location<'static>)> {
        let polling = &mut self.running().polling;
        let offer = polling
            .offers
            .iter()
            .find(|o| polling.untried.contains(&o.key) && o.queues.is_some() && !o.queued)?;
        let (Some(rule), Op::Rule { object, argument, .. }) = (offer.queues, offer.op) else {
            return None;
        };
        let op = Op::Rule {
            object,
            rule,
            argument,
            alone: false,
        };
        Some((offer.key, op, offer.at))
    }

    /// Whether tasks may be cancelled wherever they wait.
    pub fn cancels(&self) -> bool {
        self.cancels
    }

    /// The steps that a step by a rule had to wait for.
    pub(super) fn wait_for_rule(&self, op: Op, process: u32, effects: &mut Effects) {
        let Op::Rule {
            object,
            rule,
            argument,
            alone: true,
        } = op
        else {
            return;
        };
        let Some(alone) = &rule.0.alone else { return };
        let known = &self.objects[object.0 as usize];
        let call = known.facts().call(argument, process);
        let after = match &known.shape {
            super::op::Shape::Ruled(state) => (alone.after)(state, call),
            _ => (alone.after)(&State::default(), call),
        };
        match after {
            After::Nothing => {}
            After::Nth { counter, n } => effects.after.extend(known.raised[counter].get(n as usize).copied()),
            After::All { counter } => effects.after.extend(known.raised[counter].iter().copied()),
        }
    }
}

impl Op {
    /// The same where it is all that the process waits for.
    pub fn alone(self) -> Op {
        match self {
            Op::Rule {
                object, rule, argument, ..
            } => Op::Rule {
                object,
                rule,
                argument,
                alone: rule.0.alone.is_some(),
            },
            op => op,
        }
    }
}
