//! Programs with locks. Taking and giving back are steps of their own.

use super::counts::{factorial, listed, power_of_two};
use super::{Build, Family, n};
use crate::model::{Model, ProcessBuilder, end, goto, lock, unlock, when};

pub(super) fn families() -> Vec<Family> {
    vec![
        Family {
            name: "lock",
            about: "n processes take and give back one lock",
            parameters: const { &[n(4, 1, 60, "processes")] },
            traces: Some(|v| factorial(v[0])),
            observed: Some(|v| factorial(v[0])),
            build: Build::Model(|v| one_lock(v[0])),
        },
        Family {
            name: "philosophers",
            about: "dining philosophers, all take the left fork first; one trace is a deadlock",
            parameters: const { &[n(3, 2, 60, "philosophers")] },
            traces: Some(|v| Some(power_of_two(v[0])? - 1)),
            observed: Some(|v| Some(power_of_two(v[0])? - 1)),
            build: Build::Model(|v| philosophers(v[0], 1, false)),
        },
        Family {
            name: "philosophers-ordered",
            about: "dining philosophers, each takes the fork with the lower number first",
            parameters: const { &[n(3, 2, 60, "philosophers")] },
            traces: Some(|v| Some(power_of_two(v[0])? - 2)),
            observed: Some(|v| Some(power_of_two(v[0])? - 2)),
            build: Build::Model(|v| philosophers(v[0], 1, true)),
        },
        Family {
            name: "philo2",
            about: "dining philosophers, left fork first, who eat twice",
            parameters: const { &[n(2, 2, 20, "philosophers")] },
            traces: Some(|v| listed(&[11, 106], v[0], 2)),
            observed: None,
            build: Build::Model(|v| philosophers(v[0], 2, false)),
        },
        Family {
            name: "filesystem",
            about: "n processes give their inode the first free one of 26 blocks, with a lock for each",
            parameters: const { &[n(14, 1, 26, "processes")] },
            traces: Some(|v| power_of_two((v[0] - 13).max(0))),
            observed: Some(|v| power_of_two((v[0] - 13).max(0))),
            build: Build::Model(|v| filesystem(v[0])),
        },
        Family {
            name: "indexer",
            about: "n processes insert four words each into a hash table of 128 slots, with a lock for each",
            parameters: const { &[n(12, 1, 16, "processes")] },
            traces: Some(|v| power_of_two(3 * (v[0] - 11).max(0))),
            observed: Some(|v| power_of_two(3 * (v[0] - 11).max(0))),
            build: Build::Model(|v| indexer(v[0])),
        },
    ]
}

fn one_lock(n: i64) -> Model {
    let mut m = Model::new();
    let mutex = m.var("m", 0);
    for i in 1..=n {
        m.process(format!("p{i}")).step([lock(mutex)]).step([unlock(mutex)]);
    }
    m
}

fn philosophers(n: i64, rounds: usize, ordered: bool) -> Model {
    let mut m = Model::new();
    let fork = m.array("fork", n as usize, 0);
    for i in 0..n as i32 {
        let next = (i + 1) % n as i32;
        let (first, second) = if ordered { (i.min(next), i.max(next)) } else { (i, next) };
        let mut p = m.process(format!("philosopher{i}"));
        for _ in 0..rounds {
            p.step([lock(fork.at(first))]).step([lock(fork.at(second))]);
            p.step([unlock(fork.at(second))]).step([unlock(fork.at(first))]);
        }
    }
    m
}

fn filesystem(n: i64) -> Model {
    const INODES: usize = 32;
    const BLOCKS: usize = 26;
    let mut m = Model::new();
    let (inode_lock, inode) = (m.array("li", INODES, 0), m.array("inode", INODES, 0));
    let (block_lock, busy) = (m.array("lb", BLOCKS, 0), m.array("busy", BLOCKS, 0));
    for i in 0..n as i32 {
        let mut p = m.process(format!("p{i}"));
        let release = p.label();
        p.step([lock(inode_lock.at(i))]);
        p.step([when(inode.at(i).is_not(0), [goto(release)])]);
        for tried in 0..BLOCKS as i32 {
            let b = (2 * i + tried) % BLOCKS as i32;
            probe(
                &mut p,
                [lock(block_lock.at(b))],
                busy.at(b).is_not(0),
                unlock(block_lock.at(b)),
                |p| {
                    p.step([busy.at(b).set(1)])
                        .step([inode.at(i).set(b + 1)])
                        .step([unlock(block_lock.at(b)), goto(release)]);
                },
            );
        }
        p.place(release);
        p.step([unlock(inode_lock.at(i))]);
    }
    m
}

/// One turn of a probing loop: take the lock, look; if the place is occupied give the lock back and go on, else use it.
fn probe(
    p: &mut ProcessBuilder<'_>,
    take: [crate::model::Statement; 1],
    occupied: crate::model::Expr,
    give_back: crate::model::Statement,
    use_it: impl FnOnce(&mut ProcessBuilder<'_>),
) {
    let next = p.label();
    p.step(take);
    p.step([when(occupied, [goto(next)])]);
    use_it(p);
    p.place(next);
    p.step([give_back]);
}

fn indexer(n: i64) -> Model {
    const SLOTS: i32 = 128;
    let word = |t: i32, m: i32| 11 * m + t;
    let hash = |w: i32| 7 * w % SLOTS;
    // Which slots are occupied in the end does not depend on the order of insertion (linear probing), so no probe leaves them.
    let mut occupied = vec![false; SLOTS as usize];
    for t in 0..n as i32 {
        for m in 1..=4 {
            let free = (0..SLOTS).map(|i| (hash(word(t, m)) + i) % SLOTS).find(|h| !occupied[*h as usize]);
            occupied[free.expect("at most 64 words") as usize] = true;
        }
    }
    let mut m = Model::new();
    let (mutex, table) = (m.array("l", SLOTS as usize, 0), m.array("tab", SLOTS as usize, 0));
    for t in 0..n as i32 {
        let mut p = m.process(format!("p{t}"));
        for m in 1..=4 {
            let w = word(t, m);
            let done = p.label();
            for h in (0..SLOTS).map(|i| (hash(w) + i) % SLOTS).take_while(|h| occupied[*h as usize]) {
                probe(&mut p, [lock(mutex.at(h))], table.at(h).is_not(0), unlock(mutex.at(h)), |p| {
                    p.step([table.at(h).set(w)]).step([unlock(mutex.at(h)), goto(done)]);
                });
            }
            p.step([end()]);
            p.place(done);
        }
    }
    m
}
