//! The steps of a channel for many senders and many receivers.
//!
//! Handles of both kinds are counted in one number: senders in its lower half, receivers in its upper half.

use mazurka_native::model::{After, Alone, Call, Rule, State};

/// The order of the messages.
const SENDS: u32 = 0;
/// How much is received.
const RECEIVES: u32 = 1;
/// Which senders are gone.
const SENDERS: u32 = 2;
/// Which receivers are gone.
const RECEIVERS: u32 = 3;

const SENT: usize = 0;
const DROPPED: usize = 1;
const GONE: usize = 0;
const RESERVED: usize = 1;
/// Receivers that wait, where that makes a difference.
const AWAITING: usize = 2;

/// One receiver, as a handle.
pub(crate) const RECEIVER: u32 = 1 << 16;
/// The answer of a receive if there will be no more messages.
pub(crate) const NO_MORE: u32 = u32::MAX;
/// The argument of a receive that was announced.
pub(crate) const ANNOUNCED: u64 = 1;

fn no_senders(state: &State, call: Call) -> bool {
    state.counts[DROPPED] == call.members % RECEIVER
}

fn no_receivers(state: &State, call: Call) -> bool {
    state.numbers[GONE] == call.members / RECEIVER
}

fn room(state: &State, call: Call) -> bool {
    state.list.len() as u32 + state.numbers[RESERVED] < call.size
}

fn send(state: &mut State, call: Call) -> u32 {
    if no_receivers(state, call) {
        return 1;
    }
    state.counts[SENT] += 1;
    state.list.push(call.argument);
    0
}

/// Waits for room. The answer is 1 if nobody can receive it.
pub(crate) static SEND: Rule = Rule {
    name: "send to",
    awaits: "room in",
    touches: |t| {
        t.guard(RECEIVES).guard(RECEIVERS).guard(SENDS).update(SENDS);
    },
    enabled: |state, call| no_receivers(state, call) || room(state, call),
    apply: send,
    ..Rule::STEP
};

/// Where there is always room, or somebody takes it in the end.
pub(crate) static SEND_AT_ONCE: Rule = Rule {
    name: "send to",
    touches: |t| {
        t.update(SENDS).read(RECEIVERS);
    },
    apply: send,
    ..Rule::STEP
};

/// The answer is 1 if nobody can receive it, and 2 if there is no room.
pub(crate) static TRY_SEND: Rule = Rule {
    name: "try to send to",
    touches: |t| {
        t.update(SENDS).read(RECEIVERS).read(RECEIVES);
    },
    apply: |state, call| match room(state, call) || no_receivers(state, call) {
        true => send(state, call),
        false => 2,
    },
    looks: true,
    ..Rule::STEP
};

/// The same for a channel without room: somebody must wait.
pub(crate) static TRY_HAND: Rule = Rule {
    apply: |state, call| match state.numbers[AWAITING] > state.list.len() as u32 || no_receivers(state, call) {
        true => send(state, call),
        false => 2,
    },
    ..TRY_SEND
};

/// A message was handed over, or will never be: then the answer is 1.
pub(crate) static TAKEN: Rule = Rule {
    name: "hand over through",
    awaits: "somebody to receive from",
    touches: |t| {
        t.guard(RECEIVES).guard(RECEIVERS);
    },
    enabled: |state, call| !state.list.contains(&call.argument) || no_receivers(state, call),
    apply: withdraw,
    ..Rule::STEP
};

/// It is not offered any more; the answer is 0 if it was handed over.
pub(crate) static WITHDRAW: Rule = Rule {
    name: "stop offering to",
    touches: |t| {
        t.update(SENDS).update(RECEIVES);
    },
    apply: withdraw,
    ..Rule::STEP
};

fn withdraw(state: &mut State, call: Call) -> u32 {
    let at = state.list.iter().position(|name| *name == call.argument);
    at.map_or(0, |at| {
        state.list.remove(at);
        1
    })
}

/// Room for a message that is not there yet. The answer is 1 if nobody can receive it.
pub(crate) static RESERVE: Rule = Rule {
    name: "reserve room in",
    apply: |state, call| {
        let refused = no_receivers(state, call);
        state.numbers[RESERVED] += u32::from(!refused);
        u32::from(refused)
    },
    ..SEND
};

/// The answer is 1 if nobody can receive it any more.
pub(crate) static SEND_RESERVED: Rule = Rule {
    apply: |state, call| {
        state.numbers[RESERVED] -= 1;
        send(state, call)
    },
    ..SEND_AT_ONCE
};

/// The answer is the name of the message. For a receiver that is the only one.
pub(crate) static RECEIVE: Rule = Rule {
    name: "receive from",
    awaits: "a message from",
    touches: |t| {
        t.guard(SENDS).guard(SENDERS).guard(RECEIVES).update(RECEIVES);
    },
    enabled: |state, call| !state.list.is_empty() || no_senders(state, call),
    apply: |state, call| {
        if call.argument == ANNOUNCED {
            state.numbers[AWAITING] -= 1;
        }
        receive(state)
    },
    alone: Some(Alone {
        touches: |t| {
            t.accumulate(RECEIVES);
        },
        after: |state, _| match state.list.is_empty() {
            false => After::Nth {
                counter: SENT,
                n: state.counts[SENT] - state.list.len() as u32,
            },
            true => After::All { counter: DROPPED },
        },
    }),
    ..Rule::STEP
};

/// The same where others receive, or receiving is watched.
pub(crate) static RECEIVE_AMONG_OTHERS: Rule = Rule { alone: None, ..RECEIVE };

fn receive(state: &mut State) -> u32 {
    match state.list.is_empty() {
        true => NO_MORE,
        false => state.list.remove(0) as u32,
    }
}

/// The answer is 0 if there is no message.
pub(crate) static TRY_RECEIVE: Rule = Rule {
    name: "try to receive from",
    touches: |t| {
        t.read(SENDS).read(SENDERS).update(RECEIVES);
    },
    apply: |state, call| match state.list.is_empty() && !no_senders(state, call) {
        true => 0,
        false => receive(state),
    },
    looks: true,
    ..Rule::STEP
};

/// A receiver says that it waits.
pub(crate) static ANNOUNCE: Rule = Rule {
    name: "wait for",
    touches: |t| {
        t.update(RECEIVES);
    },
    apply: |state, _| {
        state.numbers[AWAITING] += 1;
        0
    },
    idles: true,
    ..Rule::STEP
};

/// It waits no more; the answer is 0, or the name of a message that was handed to it all the same.
pub(crate) static STOP_WAITING: Rule = Rule {
    name: "stop waiting for",
    touches: |t| {
        t.update(RECEIVES).update(SENDS);
    },
    apply: |state, _| {
        state.numbers[AWAITING] -= 1;
        match state.list.len() as u32 > state.numbers[AWAITING] {
            true => receive(state),
            false => 0,
        }
    },
    idles: true,
    ..Rule::STEP
};

/// Something can be received, or never will be.
pub(crate) static READY_TO_RECEIVE: Rule = Rule {
    name: "see a message in",
    awaits: "a message from",
    touches: |t| {
        t.guard(SENDS).guard(SENDERS).guard(RECEIVES);
    },
    apply: |_, _| 0,
    alone: None,
    ..RECEIVE
};

/// There is room, or there are no receivers.
pub(crate) static READY_TO_SEND: Rule = Rule {
    name: "see room in",
    touches: |t| {
        t.guard(RECEIVES).guard(RECEIVERS).guard(SENDS);
    },
    apply: |_, _| 0,
    ..SEND
};

/// How many messages there are.
pub(crate) static LOOK: Rule = Rule {
    name: "look at",
    touches: |t| {
        t.read(SENDS).read(RECEIVES);
    },
    apply: |state, _| state.list.len() as u32,
    looks: true,
    ..Rule::STEP
};

pub(crate) static DROP_SENDER: Rule = Rule {
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

pub(crate) static DROP_RECEIVER: Rule = Rule {
    name: "drop a receiver of",
    touches: |t| {
        t.accumulate(RECEIVERS);
    },
    apply: |state, _| {
        state.numbers[GONE] += 1;
        0
    },
    ..Rule::STEP
};

/// Where messages have destructors, which the last one runs: the answer is how many are left for it.
pub(crate) static DROP_RECEIVER_IN_TURN: Rule = Rule {
    touches: |t| {
        t.update(RECEIVERS).read(SENDS).update(RECEIVES);
    },
    apply: |state, call| {
        state.numbers[GONE] += 1;
        match no_receivers(state, call) {
            true => state.list.len() as u32,
            false => 0,
        }
    },
    ..DROP_RECEIVER
};
