//! A thread of the code under test: a coroutine on a stack of its own.

use super::guided::Intent;
use super::lanes::Lane;
use super::offers::{Offer, Polling};
use super::op::{Object, Op};
use crate::local::Locals;
use corosensei::stack::{DefaultStack, Stack};
use corosensei::trap::CoroutineTrapHandler;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use smallvec::SmallVec;
use std::panic::Location;
use std::sync::LazyLock;

/// A stack, and the coroutine on it.
type Body = Coroutine<(), (), (), DefaultStack>;

/// A thread.
pub(crate) struct Thread {
    /// Its name in all executions.
    pub process: u32,
    /// As the code under test calls it.
    pub name: Option<String>,
    /// What it will do next.
    pub op: Op,
    /// What [`Op::Any`] is one of.
    pub offers: Vec<Offer>,
    /// Where in the source.
    pub at: &'static Location<'static>,
    /// What the operation is about to do to the value of an atomic, where an execution graph has to know.
    pub intent: Option<Intent>,
    /// What its last operation answered.
    pub answer: u32,
    /// The value that its object had before.
    pub before: u64,
    /// Which alternative that was.
    pub chosen: u32,
    /// What it remembers of futures that it polls.
    pub polling: Polling,
    /// Whether nobody minds if it waits for ever when all others have ended.
    pub is_daemon: bool,
    /// The position of its last step, or of the one that started it.
    pub last_event: Option<u32>,
    /// How many steps it has taken.
    pub steps: u32,
    /// How many threads it has started.
    pub children: u32,
    /// How many things it has made through the library.
    pub made: u32,
    /// Sizes of its allocations since its last step, with their numbers.
    pub sizes: SmallVec<[(usize, u32); 4]>,
    /// How often it went round in a loop with nothing new, and whether something else than looking was done in this round.
    pub fruitless: u32,
    pub busy: bool,
    /// What it has read since it last waited for news: objects with their values.
    pub seen: Vec<(Object, u64)>,
    /// The same before that.
    pub seen_before: Vec<(Object, u64)>,
    /// What it has for itself.
    pub locals: Locals,
    /// How often it has come to barriers.
    pub rounds: Vec<(Object, u32)>,
    /// The thread of the operating system that it must stay in, while a panic unwinds it.
    pub lane: Option<Lane>,
    /// The panic that the hook saw last.
    pub last_panic: Option<Panic>,
    /// How many locks it has for reading.
    pub reading: u32,
    /// How many references to shared things it is dropping, one within the other.
    pub dropping: u32,
    /// Why it is gone, if it panicked and nobody has asked.
    pub panic: Option<Panic>,
    /// Where it suspends itself; null until it runs.
    yielder: *const Yielder<(), ()>,
    /// `None` when it has ended, or its stack was taken away.
    body: Option<Body>,
    /// Lowest and highest address of its stack.
    stack: (usize, usize),
    /// How to make it return at once.
    trap: CoroutineTrapHandler<()>,
    /// Whether its stack was too small.
    pub overflowed: bool,
}

/// Why a thread ended early.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Panic {
    /// What it said.
    pub message: String,
    /// Where.
    pub at: Option<(String, u32, u32)>,
}

impl Thread {
    /// A thread that will run `main` when it is first resumed.
    pub fn new(process: u32, name: Option<String>, stack: DefaultStack, main: Box<dyn FnOnce()>) -> Self {
        let range = (stack.limit().get(), stack.base().get());
        let body = Coroutine::with_stack(stack, move |yielder, ()| {
            super::current::started(yielder);
            main();
            crate::local::drop_all();
        });
        let trap = body.trap_handler();
        Thread {
            process,
            name,
            op: Op::Choose(1),
            at: Location::caller(),
            intent: None,
            answer: 0,
            before: 0,
            chosen: 0,
            offers: Vec::new(),
            polling: Polling::default(),
            is_daemon: false,
            last_event: None,
            steps: 0,
            children: 0,
            made: 0,
            sizes: SmallVec::new(),
            fruitless: 0,
            busy: false,
            seen: Vec::new(),
            seen_before: Vec::new(),
            locals: Locals::default(),
            rounds: Vec::new(),
            lane: None,
            last_panic: None,
            dropping: 0,
            reading: 0,
            panic: None,
            yielder: std::ptr::null(),
            body: Some(body),
            stack: range,
            trap,
            overflowed: false,
        }
    }

    /// Whether it has come to its end.
    pub fn finished(&self) -> bool {
        self.body.is_none()
    }

    /// Its place on the stack, as the distance from the base, if the address is there.
    pub fn on_stack(&self, address: usize) -> Option<u32> {
        let (limit, base) = self.stack;
        (limit <= address && address < base).then(|| (base - address) as u32)
    }

    /// The lowest and highest address of its stack.
    pub fn stack(&self) -> (usize, usize) {
        self.stack
    }

    /// How to make it return at once.
    pub fn trap(&self) -> CoroutineTrapHandler<()> {
        self.trap
    }

    /// Remembers how to suspend it.
    pub fn set_yielder(&mut self, yielder: &Yielder<(), ()>) {
        self.yielder = yielder;
    }

    /// How to suspend it.
    pub fn yielder(&self) -> *const Yielder<(), ()> {
        self.yielder
    }

    /// The coroutine, to be run by who gives it back.
    pub fn take_body(&mut self) -> Option<Body> {
        self.body.take()
    }

    /// Gives the coroutine back.
    pub fn put_body(&mut self, body: Body) {
        self.body = Some(body);
    }
}

/// Runs a coroutine up to its next suspension; its stack if it has ended.
pub(crate) fn resume(mut body: Body) -> Result<Body, DefaultStack> {
    match body.resume(()) {
        CoroutineResult::Yield(()) => Ok(body),
        CoroutineResult::Return(()) => Err(body.into_stack()),
    }
}

/// Ends a coroutine that is suspended, or never ran. Its stack is not unwound: what it owns is leaked. Destructors would run code under test
/// that waits for other threads, of which some are gone and some hold what it waits for.
pub(crate) fn abandon(mut body: Body) -> DefaultStack {
    // SAFETY: nothing on the stack is looked at again: all threads of the execution are abandoned together, and what they own is leaked,
    // so nobody else has a reference to it that is used again.
    unsafe { body.force_reset() };
    body.into_stack()
}

/// Stacks are reserved, not filled: memory is used as far as a thread goes. As for threads of the standard library, the environment may ask for more.
pub(super) static STACK: LazyLock<usize> = LazyLock::new(|| {
    let asked = std::env::var("RUST_MIN_STACK").ok().and_then(|size| size.parse().ok());
    asked.unwrap_or(0).max(2 * 1024 * 1024)
});

/// A new stack with a guard page below it.
pub(crate) fn fresh_stack() -> DefaultStack {
    DefaultStack::new(*STACK).unwrap_or_else(|e| panic!("no memory for the stack of a thread: {e}"))
}
