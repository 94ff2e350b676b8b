//! The steps of those who want permits.

use super::super::{Call, Rule, State};
use super::MAX_PERMITS;

const RETURNED: usize = 0;
const TAKEN: usize = 1;
const CLOSED: usize = 2;

/// The steps, by the names that suit what the permits are for.
#[derive(Clone, Copy)]
pub struct Words {
    pub(super) acquire: &'static Rule,
    pub(super) enter: &'static Rule,
    pub(super) try_acquire: &'static Rule,
    pub(super) release: &'static Rule,
    pub(super) leave: &'static Rule,
}

/// Of a semaphore.
pub static SEMAPHORE: Words = Words {
    acquire: &acquire("acquire", "a permit of"),
    enter: &enter("queue up for"),
    try_acquire: &try_acquire("try to acquire"),
    release: &release("release"),
    leave: &leave("give up"),
};

/// Of a lock.
pub static LOCK: Words = Words {
    acquire: &acquire("lock", "the release of"),
    enter: &enter("queue up for"),
    try_acquire: &try_acquire("try to lock"),
    release: &release("unlock"),
    leave: &leave("give up"),
};

const fn acquire(name: &'static str, awaits: &'static str) -> Rule {
    Rule {
        name,
        awaits,
        touches: |t| {
            t.guard(0).update(0);
        },
        enabled: |state, call| {
            let (id, wanted) = parts(call.argument);
            match state.list.iter().find(|e| parts(**e).0 == id && id != 0) {
                _ if state.numbers[CLOSED] == 1 => true,
                Some(entry) => parts(*entry).1 == 0,
                None => wanted == 0 || !anybody_waits(state) && available(state, call) >= wanted,
            }
        },
        apply: |state, call| {
            let (id, wanted) = parts(call.argument);
            match state.list.iter().position(|e| parts(*e).0 == id && id != 0) {
                Some(at) if parts(state.list[at]).1 == 0 => {
                    state.list.remove(at);
                    0
                }
                place if state.numbers[CLOSED] == 1 => {
                    let missing = place.map_or(wanted, |at| parts(state.list.remove(at)).1);
                    count(&mut state.numbers[RETURNED], wanted - missing);
                    1
                }
                _ => {
                    count(&mut state.numbers[TAKEN], wanted);
                    0
                }
            }
        },
        holds: true,
        ..Rule::STEP
    }
}

const fn enter(name: &'static str) -> Rule {
    Rule {
        name,
        touches: |t| {
            t.update(0);
        },
        apply: |state, call| {
            let (id, wanted) = parts(call.argument);
            if state.numbers[CLOSED] == 0 && !anybody_waits(state) && available(state, call) >= wanted {
                count(&mut state.numbers[TAKEN], wanted);
                return 1;
            }
            // What there is goes to the first in the queue already.
            state.list.push(entry(id, wanted));
            give(state, call);
            0
        },
        idles: true,
        ..Rule::STEP
    }
}

const fn try_acquire(name: &'static str) -> Rule {
    Rule {
        name,
        touches: |t| {
            t.update(0);
        },
        apply: |state, call| {
            let (_, wanted) = parts(call.argument);
            if state.numbers[CLOSED] == 1 {
                1
            } else if available(state, call) < wanted {
                2
            } else {
                count(&mut state.numbers[TAKEN], wanted);
                0
            }
        },
        looks: true,
        holds: true,
        ..Rule::STEP
    }
}

const fn release(name: &'static str) -> Rule {
    Rule {
        name,
        touches: |t| {
            t.update(0);
        },
        apply: |state, call| {
            let permits = parts(call.argument).1;
            if available(state, call)
                .checked_add(permits)
                .is_none_or(|sum| sum as usize > MAX_PERMITS)
            {
                return 1;
            }
            count(&mut state.numbers[RETURNED], permits);
            give(state, call);
            0
        },
        ..Rule::STEP
    }
}

const fn leave(name: &'static str) -> Rule {
    Rule {
        name,
        touches: |t| {
            t.update(0);
        },
        apply: |state, call| {
            let (id, wanted) = parts(call.argument);
            if let Some(at) = state.list.iter().position(|e| parts(*e).0 == id) {
                let missing = parts(state.list.remove(at)).1;
                count(&mut state.numbers[RETURNED], wanted - missing);
                give(state, call);
            }
            0
        },
        idles: true,
        ..Rule::STEP
    }
}

pub(super) static CLOSE: Rule = Rule {
    name: "close",
    touches: |t| {
        t.update(0);
    },
    apply: |state, _| {
        state.numbers[CLOSED] = 1;
        0
    },
    ..Rule::STEP
};

pub(super) static LOOK: Rule = Rule {
    name: "look at",
    touches: |t| {
        t.read(0);
    },
    apply: |state, call| match call.argument {
        0 => available(state, call),
        _ => state.numbers[CLOSED],
    },
    looks: true,
    ..Rule::STEP
};

pub(super) static FORGET: Rule = Rule {
    name: "forget permits of",
    touches: |t| {
        t.update(0);
    },
    apply: |state, call| {
        let gone = available(state, call).min(parts(call.argument).1);
        count(&mut state.numbers[TAKEN], gone);
        gone
    },
    ..Rule::STEP
};

/// Who, and how many permits.
pub(super) fn parts(argument: u64) -> (u32, u32) {
    ((argument >> 32) as u32, argument as u32)
}

pub(super) fn entry(id: u32, wanted: u32) -> u64 {
    u64::from(id) << 32 | u64::from(wanted)
}

/// Counts permits that were returned or taken. Outside of a check there is no end to that: the numbers start again at 0, and only their difference
/// means something.
fn count(number: &mut u32, permits: u32) {
    *number = number.wrapping_add(permits);
}

/// How many permits nobody has.
///
/// # Panics
/// If more were taken than there were, which no order of steps can do: whoever applied these steps put some together that do not belong together.
fn available(state: &State, call: Call) -> u32 {
    let returned = call.size.wrapping_add(state.numbers[RETURNED]);
    let available = returned.wrapping_sub(state.numbers[TAKEN]);
    assert!(
        available as usize <= MAX_PERMITS,
        "internal error of mazurka: {} more permits were taken than there were",
        available.wrapping_neg()
    );
    available
}

fn anybody_waits(state: &State) -> bool {
    state.list.iter().any(|e| parts(*e).1 > 0)
}

/// Permits that nobody has go to those who have waited longest.
fn give(state: &mut State, call: Call) {
    let mut left = available(state, call);
    for e in &mut state.list {
        let (id, missing) = parts(*e);
        let given = missing.min(left);
        *e = entry(id, missing - given);
        left -= given;
        count(&mut state.numbers[TAKEN], given);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Call = Call {
        argument: 1,
        process: 0,
        size: 1,
        members: 1,
    };

    #[test]
    #[should_panic(expected = "internal error of mazurka: 1 more permits were taken than there were")]
    fn steps_that_cannot_have_been_taken_are_not_counted_as_many_permits() {
        let mut state = State::default();
        for _ in 0..2 {
            (SEMAPHORE.acquire.apply)(&mut state, ONE);
        }
        (SEMAPHORE.acquire.enabled)(&state, ONE);
    }

    #[test]
    fn permits_can_be_taken_and_returned_more_often_than_a_number_can_count() {
        let mut state = State::default();
        (state.numbers[TAKEN], state.numbers[RETURNED]) = (u32::MAX, u32::MAX);
        for _ in 0..2 {
            assert!((SEMAPHORE.acquire.enabled)(&state, ONE));
            (SEMAPHORE.acquire.apply)(&mut state, ONE);
            assert!(!(SEMAPHORE.acquire.enabled)(&state, ONE));
            assert_eq!((SEMAPHORE.release.apply)(&mut state, ONE), 0);
        }
        assert_eq!((LOOK.apply)(&mut state, Call { argument: 0, ..ONE }), 1);
    }

    #[test]
    fn no_more_permits_are_added_than_there_can_be() {
        let mut state = State::default();
        for permits in [MAX_PERMITS as u64, u64::from(u32::MAX)] {
            let call = Call { argument: permits, ..ONE };
            assert_eq!((SEMAPHORE.release.apply)(&mut state, call), 1, "{permits}");
        }
        let call = Call {
            argument: MAX_PERMITS as u64 - 1,
            ..ONE
        };
        assert_eq!((SEMAPHORE.release.apply)(&mut state, call), 0);
        assert_eq!(available(&state, ONE) as usize, MAX_PERMITS);
    }
}
