//! The wakers of tasks.

use crate::runtime::current;
use crate::runtime::op::Op;
use crate::runtime::rule::{Rule, Taken};
use std::sync::Arc;
use std::task::{RawWaker, RawWakerVTable, Wake, Waker};

/// Makes a task look at its future again.
static WAKE: Rule = Rule {
    name: "wake",
    touches: |t| {
        t.accumulate(0);
    },
    apply: |state, _| {
        state.numbers[0] = 1;
        0
    },
    signals: true,
    ..Rule::STEP
};

/// Waits until somebody does.
pub(crate) static WOKEN: Rule = Rule {
    name: "be woken as",
    awaits: "somebody to wake",
    touches: |t| {
        t.guard(0).update(0);
    },
    enabled: |state, _| state.numbers[0] == 1,
    apply: |state, _| {
        state.numbers[0] = 0;
        0
    },
    ..Rule::STEP
};

/// Bits for the process; those above are for the execution.
const PROCESS: u32 = 20;

static TABLE: RawWakerVTable = RawWakerVTable::new(
    |data| {
        count(data, 1);
        RawWaker::new(data, &TABLE)
    },
    |data| {
        wake(data);
        count(data, -1);
    },
    wake,
    |data| count(data, -1),
);

/// The waker of the running process, in a check.
pub(crate) fn own() -> Option<Waker> {
    let data = own_data()?;
    count(data, 1);
    // SAFETY: the data is no pointer, just numbers, and the functions of the table only use them as such.
    Some(unsafe { Waker::new(data, &TABLE) })
}

fn own_data() -> Option<*const ()> {
    current::with(|execution| {
        let number = (execution.number() as usize) << PROCESS | execution.process() as usize;
        std::ptr::without_provenance(number)
    })
}

/// Whether it is that of the running process itself.
pub(crate) fn is_own(waker: &Waker) -> bool {
    std::ptr::eq(waker.vtable(), &TABLE) && own_data() == Some(waker.data())
}

/// The process that a waker wakes, if it is one of the current execution.
fn process(data: *const ()) -> Option<u32> {
    let number = data.addr();
    let current = current::with(|execution| execution.number() as usize)?;
    (number >> PROCESS == current & (usize::MAX >> PROCESS)).then_some((number & ((1 << PROCESS) - 1)) as u32)
}

fn count(data: *const (), change: i32) {
    if let Some(process) = process(data) {
        current::with(|execution| execution.count_wakers(process, change));
    }
}

fn wake(data: *const ()) {
    let Some(process) = process(data) else { return };
    let Some(Some(object)) = current::with(|execution| execution.wakes(process)) else {
        return;
    };
    let at = current::with(|execution| execution.running().at);
    if let Some(at) = at {
        let op = Op::Rule {
            object,
            rule: Taken(&WAKE),
            argument: 0,
            alone: false,
        };
        current::publish(op, at);
    }
}

/// Wakes a real thread.
struct Unpark(std::thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// A waker of the real thread that runs here.
pub(crate) fn real() -> Waker {
    Waker::from(Arc::new(Unpark(std::thread::current())))
}
