//! The steps of a lock for many readers or one writer.

use super::super::{Rule, State};

/// Who writes, and the queue.
const WRITING: u32 = 0;
/// Who reads.
const READING: u32 = 1;

const READERS: usize = 0;
const WRITER: usize = 1;
/// Whether a reader has the right to become the writer.
const UPGRADABLE: usize = 2;

/// In an entry of the queue: whether it is a writer's, or one's who may become it.
pub(super) const WRITES: u64 = 1 << 32;
pub(super) const UPGRADES: u64 = 1 << 33;

/// Whether who comes with this entry could have the lock, were it not for the queue.
fn free(state: &State, entry: u64) -> bool {
    let [readers, writer, upgradable, _] = state.numbers;
    if entry & WRITES != 0 {
        readers == 0 && writer == 0 && upgradable == 0
    } else if entry & UPGRADES != 0 {
        writer == 0 && upgradable == 0
    } else {
        writer == 0
    }
}

/// Whether nobody who has come before this entry must have the lock first. Readers do not wait for readers.
fn in_turn(state: &State, entry: u64) -> bool {
    let before = state.list.iter().take_while(|e| **e != entry);
    let alone = entry & (WRITES | UPGRADES) != 0;
    before
        .into_iter()
        .all(|e| !alone && e & WRITES == 0 || alone && entry & UPGRADES != 0 && e & (WRITES | UPGRADES) == 0)
}

fn take(state: &mut State, entry: u64) {
    if let Some(at) = state.list.iter().position(|e| *e == entry) {
        state.list.remove(at);
    }
    if entry & WRITES != 0 {
        state.numbers[WRITER] = 1;
    } else if entry & UPGRADES != 0 {
        state.numbers[UPGRADABLE] = 1;
    } else {
        state.numbers[READERS] += 1;
    }
}

const TAKE: Rule = Rule {
    enabled: |state, call| free(state, call.argument) && in_turn(state, call.argument),
    apply: |state, call| {
        take(state, call.argument);
        0
    },
    holds: true,
    ..Rule::STEP
};

pub(super) static READ: Rule = Rule {
    name: "read-lock",
    awaits: "the release of",
    touches: |t| {
        t.guard(WRITING).accumulate(READING);
    },
    ..TAKE
};

pub(super) static WRITE: Rule = Rule {
    name: "write-lock",
    awaits: "the release of",
    touches: |t| {
        t.guard(WRITING).guard(READING).update(WRITING);
    },
    ..TAKE
};

pub(super) static READ_UPGRADABLY: Rule = Rule {
    name: "read-lock upgradably",
    ..WRITE
};

/// The answer is 1 if it was free.
const COME: Rule = Rule {
    name: "queue up for",
    apply: |state, call| {
        if free(state, call.argument) && in_turn(state, call.argument) {
            take(state, call.argument);
            return 1;
        }
        state.list.push(call.argument);
        0
    },
    idles: true,
    ..Rule::STEP
};

pub(super) static COME_TO_READ: Rule = Rule {
    touches: |t| {
        t.read(WRITING).accumulate(READING);
    },
    ..COME
};

pub(super) static COME_TO_WRITE: Rule = Rule {
    touches: |t| {
        t.update(WRITING).read(READING);
    },
    ..COME
};

/// The answer is 1 if it was free.
const TRY: Rule = Rule {
    apply: |state, call| {
        let mine = free(state, call.argument) && in_turn(state, call.argument);
        if mine {
            take(state, call.argument);
        }
        u32::from(mine)
    },
    looks: true,
    holds: true,
    ..Rule::STEP
};

pub(super) static TRY_READ: Rule = Rule {
    name: "try to read-lock",
    touches: |t| {
        t.read(WRITING).accumulate(READING);
    },
    ..TRY
};

pub(super) static TRY_WRITE: Rule = Rule {
    name: "try to write-lock",
    touches: |t| {
        t.update(WRITING).read(READING);
    },
    ..TRY
};

pub(super) static END_READ: Rule = Rule {
    name: "unlock",
    touches: |t| {
        t.accumulate(READING);
    },
    apply: |state, _| {
        state.numbers[READERS] -= 1;
        0
    },
    ..Rule::STEP
};

pub(super) static END_WRITE: Rule = Rule {
    name: "unlock",
    touches: |t| {
        t.update(WRITING);
    },
    apply: |state, _| {
        state.numbers[WRITER] = 0;
        0
    },
    ..Rule::STEP
};

pub(super) static END_UPGRADABLE: Rule = Rule {
    apply: |state, _| {
        state.numbers[UPGRADABLE] = 0;
        0
    },
    ..END_WRITE
};

pub(super) static UPGRADE: Rule = Rule {
    name: "upgrade",
    awaits: "the readers of",
    touches: |t| {
        t.guard(READING).update(WRITING);
    },
    enabled: |state, _| state.numbers[READERS] == 0,
    apply: |state, _| {
        state.numbers[UPGRADABLE] = 0;
        state.numbers[WRITER] = 1;
        0
    },
    holds: true,
    ..Rule::STEP
};

pub(super) static TRY_UPGRADE: Rule = Rule {
    name: "try to upgrade",
    awaits: "",
    touches: |t| {
        t.read(READING).update(WRITING);
    },
    enabled: |_, _| true,
    apply: |state, _| {
        let alone = state.numbers[READERS] == 0;
        if alone {
            state.numbers[UPGRADABLE] = 0;
            state.numbers[WRITER] = 1;
        }
        u32::from(alone)
    },
    looks: true,
    ..UPGRADE
};

/// From one access to a lesser one.
pub(super) static DOWNGRADE: Rule = Rule {
    name: "downgrade",
    touches: |t| {
        t.update(WRITING).update(READING);
    },
    apply: |state, call| {
        state.numbers[WRITER] = 0;
        state.numbers[UPGRADABLE] = 0;
        take(state, call.argument);
        0
    },
    ..Rule::STEP
};

pub(super) static LEAVE: Rule = Rule {
    name: "give up",
    touches: |t| {
        t.update(WRITING).update(READING);
    },
    apply: |state, call| {
        state.list.retain(|e| *e != call.argument);
        0
    },
    idles: true,
    ..Rule::STEP
};

/// The answer is 1 for readers and 2 for a writer.
pub(super) static LOOK: Rule = Rule {
    name: "look at",
    touches: |t| {
        t.read(WRITING).read(READING);
    },
    apply: |state, _| match state.numbers {
        [_, 1, ..] => 2,
        [0, _, 0, _] => 0,
        _ => 1,
    },
    looks: true,
    ..Rule::STEP
};

pub(super) static READ_RECURSIVELY: Rule = Rule {
    enabled: |state, call| free(state, call.argument),
    ..READ
};
