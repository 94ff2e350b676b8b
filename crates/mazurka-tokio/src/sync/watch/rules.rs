//! The steps of those who change and watch a value.

use mazurka_native::model::{Rule, State};

/// The value.
const VALUE: u32 = 0;
/// Who has borrowed it.
const BORROWS: u32 = 1;
/// How many watch.
const RECEIVERS: u32 = 2;
/// Which senders are gone.
const SENDERS: u32 = 3;

const VERSION: usize = 0;
const WRITING: usize = 1;
const BORROWED: usize = 2;
const MADE: usize = 0;
const LEFT: usize = 1;
const DROPPED: usize = 2;

fn receivers(state: &State) -> u32 {
    state.counts[MADE] - state.counts[LEFT]
}

/// Waits until nobody borrows it. The answer is 1 if nobody watches; then it is not sent, unless the argument says so.
pub(super) static SEND: Rule = Rule {
    name: "send to",
    awaits: "those who borrow",
    touches: |t| {
        t.guard(VALUE).guard(BORROWS).update(VALUE).read(RECEIVERS);
    },
    enabled: |state, _| state.numbers[WRITING] == 0 && state.numbers[BORROWED] == 0,
    apply: |state, call| {
        if call.argument == 0 && receivers(state) == 0 {
            return 1;
        }
        state.numbers[VERSION] += 1;
        0
    },
    ..Rule::STEP
};

pub(super) static BEGIN: Rule = Rule {
    name: "begin to change",
    awaits: "those who borrow",
    touches: |t| {
        t.guard(VALUE).guard(BORROWS).update(VALUE);
    },
    enabled: |state, _| state.numbers[WRITING] == 0 && state.numbers[BORROWED] == 0,
    apply: |state, _| {
        state.numbers[WRITING] = 1;
        0
    },
    holds: true,
    ..Rule::STEP
};

/// It has changed if the argument is 1.
pub(super) static END: Rule = Rule {
    name: "change",
    touches: |t| {
        t.update(VALUE);
    },
    apply: |state, call| {
        state.numbers[WRITING] = 0;
        state.numbers[VERSION] += call.argument as u32;
        0
    },
    ..Rule::STEP
};

/// The answer is the version.
pub(super) static BORROW: Rule = Rule {
    name: "borrow",
    awaits: "the change of",
    touches: |t| {
        t.guard(VALUE).accumulate(BORROWS);
    },
    enabled: |state, _| state.numbers[WRITING] == 0,
    apply: |state, _| {
        state.numbers[BORROWED] += 1;
        state.numbers[VERSION]
    },
    ..Rule::STEP
};

pub(super) static GIVE_BACK: Rule = Rule {
    name: "give back",
    touches: |t| {
        t.accumulate(BORROWS);
    },
    apply: |state, _| {
        state.numbers[BORROWED] -= 1;
        0
    },
    ..Rule::STEP
};

/// Since the version that the argument says. The answer is the new one, or the same if there will be no more.
pub(super) static CHANGED: Rule = Rule {
    name: "see a change of",
    awaits: "a change of",
    touches: |t| {
        t.guard(VALUE).guard(SENDERS);
    },
    enabled: |state, call| state.numbers[VERSION] != call.argument as u32 || state.counts[DROPPED] == call.members,
    apply: |state, _| state.numbers[VERSION],
    ..Rule::STEP
};

/// Half of the answer is the version, and the rest whether there are no senders.
pub(super) static LOOK: Rule = Rule {
    name: "look at",
    touches: |t| {
        t.read(VALUE).read(SENDERS);
    },
    apply: |state, call| state.numbers[VERSION] << 1 | u32::from(state.counts[DROPPED] == call.members),
    looks: true,
    ..Rule::STEP
};

pub(super) static DROP_SENDER: Rule = Rule {
    name: "drop a sender of",
    touches: |t| {
        t.accumulate(SENDERS);
    },
    apply: |state, _| {
        state.counts[DROPPED] += 1;
        0
    },
    ..Rule::STEP
};

pub(super) static SUBSCRIBE: Rule = Rule {
    name: "subscribe to",
    touches: |t| {
        t.read(VALUE).accumulate(RECEIVERS);
    },
    apply: |state, _| {
        state.counts[MADE] += 1;
        state.numbers[VERSION]
    },
    ..Rule::STEP
};

pub(super) static LEAVE: Rule = Rule {
    name: "drop a receiver of",
    touches: |t| {
        t.accumulate(RECEIVERS);
    },
    apply: |state, _| {
        state.counts[LEFT] += 1;
        0
    },
    ..Rule::STEP
};

pub(super) static AWAIT_CLOSED: Rule = Rule {
    name: "see the end of",
    awaits: "the last receiver to leave",
    touches: |t| {
        t.guard(RECEIVERS);
    },
    enabled: |state, _| receivers(state) == 0,
    ..Rule::STEP
};

pub(super) static COUNT: Rule = Rule {
    name: "look at",
    touches: |t| {
        t.read(RECEIVERS);
    },
    apply: |state, _| receivers(state),
    looks: true,
    ..Rule::STEP
};
