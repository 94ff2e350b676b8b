//! The steps of a channel for one receiver.
//!
//! The n-th receive had to wait for the n-th send, and a send for the receive that made room: they are ordered by that, not by what they
//! touch. The latter only if there is one sender: others could have had the room.

use mazurka_native::model::{After, Alone, Call, Rule, State};

/// The order of the messages.
const SENDS: u32 = 0;
/// How much is received.
const RECEIVES: u32 = 1;
/// Which senders are gone.
const SENDERS: u32 = 2;
/// Whether the receiver takes no more.
const CLOSING: u32 = 3;

const SENT: usize = 0;
const DROPPED: usize = 1;
const RECEIVED: usize = 2;
const CLOSED: usize = 0;
const RESERVED: usize = 1;

/// The answer of a receive if there will be no more messages.
const NO_MORE: u32 = u32::MAX;

fn room(state: &State, call: Call) -> bool {
    state.counts[SENT] - state.counts[RECEIVED] + state.numbers[RESERVED] < call.size
}

fn send(state: &mut State, call: Call) -> u32 {
    if state.numbers[CLOSED] == 1 {
        return 1;
    }
    state.counts[SENT] += 1;
    state.list.push(call.argument);
    0
}

fn at_end(state: &State, call: Call) -> bool {
    state.counts[DROPPED] == call.members || state.numbers[CLOSED] == 1 && state.numbers[RESERVED] == 0
}

/// Waits for room. The answer is 1 if nobody receives any more.
pub(super) static SEND: Rule = Rule {
    name: "send to",
    awaits: "room in",
    touches: |t| {
        t.guard(RECEIVES).guard(CLOSING).guard(SENDS).update(SENDS);
    },
    enabled: |state, call| state.numbers[CLOSED] == 1 || room(state, call),
    apply: send,
    alone: Some(Alone {
        touches: |t| {
            t.guard(CLOSING).update(SENDS);
        },
        after: |state, call| match state.counts[SENT].checked_sub(call.size) {
            Some(n) if state.numbers[CLOSED] == 0 => After::Nth { counter: RECEIVED, n },
            _ => After::Nothing,
        },
    }),
    ..Rule::STEP
};

/// The same with several senders, or where permits are kept: then it is not known what makes room for whom.
pub(super) static SEND_AMONG_OTHERS: Rule = Rule { alone: None, ..SEND };

/// Into a channel without bound.
pub(super) static SEND_AT_ONCE: Rule = Rule {
    name: "send to",
    touches: |t| {
        t.update(SENDS).read(CLOSING);
    },
    apply: send,
    ..Rule::STEP
};

/// The answer is 1 if nobody receives any more, and 2 if there is no room.
pub(super) static TRY_SEND: Rule = Rule {
    name: "try to send to",
    touches: |t| {
        t.update(SENDS).read(CLOSING).read(RECEIVES);
    },
    apply: |state, call| {
        if state.numbers[CLOSED] == 0 && !room(state, call) {
            return 2;
        }
        send(state, call)
    },
    looks: true,
    ..Rule::STEP
};

pub(super) static RESERVE: Rule = Rule {
    name: "reserve room in",
    apply: |state, _| {
        if state.numbers[CLOSED] == 1 {
            return 1;
        }
        state.numbers[RESERVED] += 1;
        0
    },
    alone: None,
    ..SEND
};

pub(super) static TRY_RESERVE: Rule = Rule {
    name: "try to reserve room in",
    apply: |state, call| {
        if state.numbers[CLOSED] == 1 {
            return 1;
        }
        if !room(state, call) {
            return 2;
        }
        state.numbers[RESERVED] += 1;
        0
    },
    ..TRY_SEND
};

/// Where there is room reserved, even if the receiver takes no more new ones.
pub(super) static SEND_RESERVED: Rule = Rule {
    name: "send to",
    touches: |t| {
        t.update(SENDS);
    },
    apply: |state, call| {
        state.numbers[RESERVED] -= 1;
        state.counts[SENT] += 1;
        state.list.push(call.argument);
        0
    },
    ..Rule::STEP
};

pub(super) static GIVE_BACK: Rule = Rule {
    name: "give up room in",
    touches: |t| {
        t.update(SENDS);
    },
    apply: |state, call| {
        // Unless there never was any: the receiver took no more.
        if call.argument >> 32 == 0 {
            state.numbers[RESERVED] -= 1;
        }
        0
    },
    ..Rule::STEP
};

/// The answer is the name of the message.
pub(super) static RECEIVE: Rule = Rule {
    name: "receive from",
    awaits: "a message from",
    touches: |t| {
        t.guard(SENDS).guard(SENDERS).update(RECEIVES);
    },
    enabled: |state, call| !state.list.is_empty() || at_end(state, call),
    apply: receive,
    alone: Some(Alone {
        touches: |t| {
            t.accumulate(RECEIVES);
        },
        after: |state, _| match state.list.is_empty() {
            false => After::Nth {
                counter: SENT,
                n: state.counts[RECEIVED],
            },
            true => After::All { counter: DROPPED },
        },
    }),
    ..Rule::STEP
};

/// The same when it was closed.
pub(super) static RECEIVE_AMONG_OTHERS: Rule = Rule { alone: None, ..RECEIVE };

fn receive(state: &mut State, _: Call) -> u32 {
    if state.list.is_empty() {
        return NO_MORE;
    }
    state.counts[RECEIVED] += 1;
    state.list.remove(0) as u32
}

/// The answer is 0 if there is no message.
pub(super) static TRY_RECEIVE: Rule = Rule {
    name: "try to receive from",
    touches: |t| {
        t.read(SENDS).read(SENDERS).update(RECEIVES);
    },
    apply: |state, call| match state.list.is_empty() && !at_end(state, call) {
        true => 0,
        false => receive(state, call),
    },
    looks: true,
    ..Rule::STEP
};

/// The message that was received in vain is there again, before all others.
pub(super) static PUT_BACK: Rule = Rule {
    name: "leave a message in",
    touches: |t| {
        t.update(SENDS).update(RECEIVES);
    },
    apply: |state, call| {
        let name = (call.argument >> 32) as u32;
        if name != NO_MORE {
            state.counts[RECEIVED] -= 1;
            state.list.insert(0, u64::from(name));
        }
        0
    },
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

/// The answer is how many messages are left.
pub(super) static CLOSE: Rule = Rule {
    name: "close",
    touches: |t| {
        t.update(CLOSING).read(SENDS);
    },
    apply: |state, _| {
        state.numbers[CLOSED] = 1;
        state.list.len() as u32
    },
    ..Rule::STEP
};

pub(super) static AWAIT_CLOSED: Rule = Rule {
    name: "see the end of",
    awaits: "the end of",
    touches: |t| {
        t.guard(CLOSING);
    },
    enabled: |state, _| state.numbers[CLOSED] == 1,
    ..Rule::STEP
};

pub(super) static IS_CLOSED: Rule = Rule {
    name: "look at",
    touches: |t| {
        t.read(CLOSING);
    },
    apply: |state, _| state.numbers[CLOSED],
    looks: true,
    ..Rule::STEP
};

/// How many messages there are, or how much room, by the argument.
pub(super) static LOOK: Rule = Rule {
    name: "look at",
    touches: |t| {
        t.read(SENDS).read(RECEIVES);
    },
    apply: |state, call| {
        let held = state.counts[SENT] - state.counts[RECEIVED];
        match call.argument {
            0 => held,
            _ => call.size - held - state.numbers[RESERVED],
        }
    },
    looks: true,
    ..Rule::STEP
};

/// Whether all senders are gone or the receiver has closed it.
pub(super) static LOOK_FOR_SENDERS: Rule = Rule {
    name: "look at",
    touches: |t| {
        t.read(SENDERS).read(CLOSING);
    },
    apply: |state, call| u32::from(state.counts[DROPPED] == call.members || state.numbers[CLOSED] == 1),
    looks: true,
    ..Rule::STEP
};
