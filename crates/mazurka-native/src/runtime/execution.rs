//! One execution of the code under test: its threads, what is known of its objects, and what has happened.

use super::addresses::Addresses;
use super::allocations::Allocations;
use super::current;
use super::guided::Guided;
use super::lanes::{Lane, Lanes};
use super::names::{Home, Identities};
use super::offers::Offer;
use super::op::{Facts, Nature, Object, Op, Shape};
use super::races::Watch;
use super::thread::{Thread, abandon, resume};
use super::watch;
use corosensei::stack::DefaultStack;
use mazurka_core::{Effects, Failure, FailureKind, Process, Transition};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::panic::Location;
use std::rc::Rc;

/// What all executions of a check share.
#[derive(Default)]
pub(crate) struct Shared {
    pub identities: Identities,
    pub(super) stacks: Vec<DefaultStack>,
    /// The threads of the operating system that executions run in.
    pub lanes: Lanes,
    /// The names of the processes below this are told to who watches.
    pub(super) named: u32,
    /// What must be looked at more closely than at first.
    pub(super) care: Care,
    /// Whether that turned out during a search, which must begin again.
    pub begin_again: bool,
    /// Whether a thread ever waited for news.
    pub awaits_news: bool,
    /// Where futures were made that are tried whenever they are polled.
    pub(super) tried_places: Vec<&'static Location<'static>>,
    /// Objects about which all matters.
    pub(super) close: Vec<Object>,
    /// What happened in the last one: the next repeats a part of it.
    last: Vec<Event>,
    spare: Spare,
}

impl Shared {
    /// The next execution repeats nothing.
    pub fn forget_last(&mut self) {
        self.last.clear();
    }

    /// Futures made at this place are tried whenever they are polled, from the next search on.
    pub(super) fn try_at(&mut self, at: &'static Location<'static>) {
        if !self.tried_places.contains(&at) {
            self.tried_places.push(at);
            self.begin_again = true;
        }
    }

    /// All about an object matters, from the next search on.
    pub(super) fn look_closer(&mut self, object: Object) {
        if !self.close.contains(&object) {
            self.close.push(object);
            self.begin_again = true;
        }
    }
}

/// Memory of executions that are over.
#[derive(Default)]
struct Spare {
    threads: Vec<Thread>,
    slots: Vec<u32>,
    objects: Vec<Known>,
    residents: FxHashMap<Home, u32>,
    addresses: Addresses,
    allocations: Allocations,
    log: Vec<Event>,
    awaited: Vec<(Object, u64)>,
    offered: Vec<Offer>,
    watch: Box<Watch>,
}

/// What a check asks of all its executions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Habits {
    /// Panics of threads other than the main one are no failures.
    pub allow_panics: bool,
    /// Tasks may be cancelled wherever they wait.
    pub cancels: bool,
    /// What is not given back in the end is a failure.
    pub no_leaks: bool,
    /// Threads that nobody joins are failures.
    pub no_detached: bool,
    /// What loads read is said by an execution graph.
    pub weak: bool,
}

/// What makes a difference in some programs only. To take it as steps in all would make most searches much longer.
#[derive(Clone, Copy, Default)]
pub(super) struct Care {
    /// Who drops the last reference to something shared.
    pub(super) drops: bool,
    /// Who comes to a barrier when.
    pub(super) barriers: bool,
    /// Which writers wait for a lock: they keep readers out.
    pub(super) writers: bool,
    /// When threads come to their ends.
    pub(super) ends: bool,
    /// Which accesses to plain data are ordered.
    pub(super) races: bool,
}

impl Shared {
    /// Accesses to plain data are watched from the first execution on.
    pub(super) fn watch_races(&mut self) {
        self.care.races = true;
    }
}

/// A step that was taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub process: u32,
    pub op: Op,
    pub alternative: u32,
    /// What the engine calls the alternative.
    pub choice: u32,
    pub at: &'static Location<'static>,
    /// The value that the object has afterwards.
    pub value: u64,
    /// Of what was awaited, the part of [`Execution::awaited`].
    pub(super) awaited: (u32, u32),
    /// If it was one of several offers, the part of [`Execution::offered`].
    pub(super) offered: (u32, u32),
}

/// What is known of an object in this execution.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) shape: Shape,
    pub(super) nature: Nature,
    /// Of a channel: how many senders there ever were, the steps that sent, and those in which senders went away.
    pub(super) senders: u32,
    pub(super) sends: Vec<u32>,
    pub(super) drops: Vec<u32>,
    /// The steps that raised the counters of a state.
    pub(super) raised: [Vec<u32>; 3],
    pub(super) value: u64,
    pub(super) first_value: u64,
    pub(super) used: bool,
    pub(super) ruled: bool,
    /// Of a barrier: who has come there.
    pub(super) users: Vec<u32>,
}

impl Known {
    /// What an operation does, and its answer. Of counters it is remembered who raised them.
    fn apply(&mut self, op: Op, alternative: u32, process: u32, object: Object, facts: Facts, position: u32) -> u32 {
        let answer = self.shape.apply(op, alternative, process, object, facts);
        if let Shape::Ruled(state) = &self.shape {
            for (count, raised) in state.counts.iter().zip(&mut self.raised) {
                raised.resize(*count as usize, position);
            }
        }
        answer
    }

    pub(super) fn facts(&self) -> Facts {
        Facts {
            nature: self.nature,
            senders: self.senders,
        }
    }
}

/// An execution.
pub(crate) struct Execution {
    pub(super) number: u64,
    pub(super) shared: Rc<RefCell<Shared>>,
    pub(super) threads: Vec<Thread>,
    /// Where the thread of a process is, by process.
    pub(super) slots: Vec<u32>,
    pub(super) running: usize,
    /// Threads that have not run yet.
    pub(super) newborn: Vec<usize>,
    pub(super) objects: Vec<Known>,
    /// How many objects have been at a place.
    pub(super) residents: FxHashMap<Home, u32>,
    /// Objects without names of their own.
    pub(super) addresses: Addresses,
    pub(super) allocations: Allocations,
    pub(super) log: Vec<Event>,
    pub(super) awaited: Vec<(Object, u64)>,
    pub(super) offered: Vec<Offer>,
    /// What is known about plain data, if there is any.
    pub(super) watch: Option<Box<Watch>>,
    lanes: Lanes,
    /// Whether it has done what the last one did so far.
    repeats: bool,
    /// What went wrong in the step under way, or before the first.
    pub(super) failure: Option<Failure>,
    /// How it is not what it was when the same steps were taken before. Kept: steps that are taken again are not looked at.
    pub(super) strange: Option<Failure>,
    /// What went wrong before the first step.
    pub(super) early: Vec<Failure>,
    /// What has to be given back, if that is asked for.
    pub(super) leaks: Option<super::leaks::Leaks>,
    pub(super) no_detached: bool,
    /// What an execution graph says about the steps, if there is one.
    pub(super) weak: Option<Box<Guided>>,
    pub(super) allow_panics: bool,
    /// Whether tasks may be cancelled wherever they wait.
    pub(super) cancels: bool,
}

impl Execution {
    /// The code under test up to its first operation.
    pub fn start(shared: &Rc<RefCell<Shared>>, habits: Habits, main: Box<dyn FnOnce()>) -> Box<Self> {
        // Objects remember in which execution they were used: no two have the same number, in whatever check.
        let number = watch::next_execution();
        let spare = std::mem::take(&mut shared.borrow_mut().spare);
        let watches = shared.borrow().care.races;
        let mut execution = Box::new(Execution {
            number,
            shared: Rc::clone(shared),
            threads: spare.threads,
            slots: spare.slots,
            running: 0,
            newborn: Vec::new(),
            objects: spare.objects,
            residents: spare.residents,
            addresses: spare.addresses,
            allocations: spare.allocations,
            log: spare.log,
            awaited: spare.awaited,
            offered: spare.offered,
            watch: watches.then_some(spare.watch),
            lanes: std::mem::take(&mut shared.borrow_mut().lanes),
            repeats: !habits.weak,
            failure: None,
            strange: None,
            early: Vec::new(),
            allow_panics: habits.allow_panics,
            cancels: habits.cancels,
            leaks: habits.no_leaks.then(Default::default),
            no_detached: habits.no_detached,
            weak: habits.weak.then(Box::default),
        });
        let process = shared.borrow().identities.main();
        execution.add_thread(process, Some("main".to_owned()), main);
        execution.run_newborn(None);
        execution.early.extend(execution.failure.take());
        execution
    }

    /// Takes a step.
    pub fn take(&mut self, transition: Transition, effects: &mut Effects) {
        let Some(slot) = self.slot(transition.process.0) else { return };
        let position = self.log.len() as u32;
        let thread = &self.threads[slot];
        let (process, choice) = (thread.process, transition.choice);
        let several = matches!(thread.op, Op::Any(_));
        let (op, at, alternative) = match thread.offers.get(choice as usize) {
            Some(offer) if several => (offer.op, offer.at, 0),
            _ => (thread.op, thread.at, choice),
        };
        self.wait_for(op, effects);
        self.wait_for_rule(op, process, effects);
        let mut answer = alternative;
        let objects = op.objects();
        let before = objects.first().map_or(0, |object| self.known(*object).value);
        for &object in objects.iter() {
            let known = self.known(object);
            let facts = known.facts();
            let answered = known.apply(op, alternative, process, object, facts, position);
            if !op.is_atomic() {
                known.value = known.shape.value();
            }
            // Of two objects the first one answers.
            answer = if object == objects[0] { answered } else { answer };
            match op {
                Op::Send(_) | Op::SendBounded(_) | Op::TrySend(_) | Op::TryHand(_) if answered == 0 => known.sends.push(position),
                Op::DropSender(_) => known.drops.push(position),
                _ => {}
            }
            if let Some(watch) = &mut self.watch
                && self.weak.is_none()
            {
                watch.order.step(slot, op, answered, object, &self.objects[object.0 as usize].shape);
            }
        }
        if let (Some(watch), Op::Join(process)) = (&mut self.watch, op)
            && self.weak.is_none()
            && let Some(ended) = self.slots.get(process as usize)
        {
            watch.order.join(slot, *ended as usize);
        }
        let awaited = self.awaited.len() as u32;
        if op == Op::AwaitNews || several && self.threads[slot].offers.iter().any(|o| o.op == Op::AwaitNews) {
            self.awaited.extend_from_slice(&self.threads[slot].seen_before);
        }
        let offered = self.offered.len() as u32;
        if several {
            self.offered.extend_from_slice(&self.threads[slot].offers);
        }
        let event = Event {
            process,
            op,
            alternative,
            choice,
            at,
            value: 0,
            awaited: (awaited, self.awaited.len() as u32),
            offered: (offered, self.offered.len() as u32),
        };
        self.log.push(event);
        self.compare_with_last(position as usize);
        let thread = &mut self.threads[slot];
        thread.intent = None;
        thread.answer = answer;
        thread.chosen = choice;
        thread.before = before;
        thread.last_event = Some(position);
        thread.steps += 1;
        thread.sizes.clear();
        match op {
            Op::Read(_) => thread.reading += 1,
            Op::TryRead(_) => thread.reading += answer,
            // A guard may have been given to another thread.
            Op::EndRead(_) => thread.reading = thread.reading.saturating_sub(1),
            _ => {}
        }
        self.resume(slot);
        self.run_newborn(Some(effects));
        effects.failure = self.strange.clone().or(self.failure.take());
    }

    /// The steps that an operation had to wait for.
    fn wait_for(&self, op: Op, effects: &mut Effects) {
        match op {
            Op::Join(process) => {
                let last = self.slot(process).and_then(|slot| self.threads[slot].last_event);
                effects.after.extend(last);
            }
            Op::Receive(channel) => {
                let known = &self.objects[channel.0 as usize];
                let received = if let Shape::Channel(c) = &known.shape { c.received } else { 0 };
                match known.sends.get(received as usize) {
                    Some(send) => effects.after.push(*send),
                    None => effects.after.extend(known.drops.iter().copied()),
                }
            }
            _ => {}
        }
    }

    /// As long as the last execution is repeated, the same must happen.
    fn compare_with_last(&mut self, position: usize) {
        if !self.repeats {
            return;
        }
        let shared = self.shared.borrow();
        let (now, last) = (&self.log[position], shared.last.get(position));
        let same_step = last.is_some_and(|last| (last.process, last.choice) == (now.process, now.choice));
        if !same_step {
            self.repeats = false;
            return;
        }
        if let Some(last) = last
            && last.op != now.op
        {
            let name = |op: Op| shared.identities.describe_op(op);
            let message = format!(
                "the code under test did something else when the same steps were taken again: `{}` at {} instead of `{}` at {}",
                name(now.op),
                now.at,
                name(last.op),
                last.at
            );
            self.strange = Some(Failure {
                kind: FailureKind::Nondeterminism,
                message,
                at: None,
            });
        }
    }

    fn resume(&mut self, slot: usize) {
        self.running = slot;
        let thread = &mut self.threads[slot];
        let Some(body) = thread.take_body() else { return };
        watch::entering(thread.process, thread.op, thread.at);
        let lane = thread.lane.unwrap_or_else(|| self.lanes.free());
        let run = |this: &mut Self| (current::enter(this, |_| resume(body)), std::thread::panicking());
        let (body, unwinds) = match lane {
            Lane::Home => run(self),
            Lane::Other(n) => {
                let lanes = std::mem::take(&mut self.lanes);
                let result = lanes.other(n).run(|| run(self));
                self.lanes = lanes;
                result
            }
        };
        watch::leaving(self.number);
        self.lanes.take(lane, unwinds);
        self.threads[slot].lane = unwinds.then_some(lane);
        match body {
            Ok(body) => self.threads[slot].put_body(body),
            Err(stack) => {
                self.shared.borrow_mut().stacks.push(stack);
                self.ended(slot);
            }
        }
    }

    /// A thread has ended, perhaps because its stack was too small.
    fn ended(&mut self, slot: usize) {
        #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
        if self.threads[slot].overflowed {
            let failure = self.failure_of(
                slot,
                super::thread::Panic {
                    message: super::overflow::message(),
                    at: None,
                },
            );
            self.failure.get_or_insert(failure);
        }
    }

    /// Lets new threads run to their first operation: they are born with the step under way.
    fn run_newborn(&mut self, mut effects: Option<&mut Effects>) {
        let position = self.log.len().checked_sub(1).map(|at| at as u32);
        while !self.newborn.is_empty() {
            let slot = self.newborn.remove(0);
            self.threads[slot].last_event = position;
            if let Some(effects) = effects.as_deref_mut() {
                effects.births.push(Process(self.threads[slot].process));
            }
            self.resume(slot);
        }
    }
}

impl Drop for Execution {
    fn drop(&mut self) {
        let mut shared = self.shared.borrow_mut();
        for thread in &mut self.threads {
            if let Some(body) = thread.take_body() {
                shared.stacks.push(abandon(body));
            }
        }
        shared.lanes = std::mem::take(&mut self.lanes);
        shared.lanes.give_up();
        std::mem::swap(&mut shared.last, &mut self.log);
        let spare = &mut shared.spare;
        spare.threads = cleared(&mut self.threads);
        spare.slots = cleared(&mut self.slots);
        spare.objects = cleared(&mut self.objects);
        spare.log = cleared(&mut self.log);
        spare.awaited = cleared(&mut self.awaited);
        spare.offered = cleared(&mut self.offered);
        spare.residents = std::mem::take(&mut self.residents);
        spare.residents.clear();
        spare.addresses = std::mem::take(&mut self.addresses);
        spare.addresses.clear();
        spare.allocations = std::mem::take(&mut self.allocations);
        spare.allocations.clear();
        if let Some(mut watch) = self.watch.take() {
            watch.clear();
            spare.watch = watch;
        }
    }
}

fn cleared<T>(list: &mut Vec<T>) -> Vec<T> {
    let mut list = std::mem::take(list);
    list.clear();
    list
}
