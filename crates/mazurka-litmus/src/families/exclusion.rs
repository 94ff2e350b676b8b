//! Mutual exclusion by reads and writes alone. Loops are unrolled: a process that spins too long ends.

use super::counts::listed;
use super::{Build, Family, n};
use crate::model::{Array, Model, ProcessBuilder, Var, end, goto, wait_until, when};

pub(super) fn families() -> Vec<Family> {
    vec![
        Family {
            name: "peterson",
            about: "Peterson's algorithm for two processes",
            parameters: const { &[n(1, 1, 3, "rounds, and turns of each waiting loop")] },
            traces: Some(|v| listed(&[14, 2420], v[0], 1)),
            observed: Some(|v| listed(&[14, 2420], v[0], 1)),
            build: Build::Model(|v| peterson(v[0])),
        },
        Family {
            name: "dekker",
            about: "Dekker's algorithm for two processes",
            parameters: const { &[n(1, 1, 3, "rounds, and turns of each waiting loop")] },
            traces: Some(|v| listed(&[10, 1599], v[0], 1)),
            observed: Some(|v| listed(&[10], v[0], 1)),
            build: Build::Model(|v| dekker(v[0])),
        },
        Family {
            name: "szymanski",
            about: "Szymanski's algorithm for two processes",
            parameters: const { &[n(1, 1, 3, "rounds, and turns of each waiting loop")] },
            traces: Some(|v| listed(&[103, 22945], v[0], 1)),
            observed: None,
            build: Build::Model(|v| szymanski(v[0])),
        },
        Family {
            name: "lamport",
            about: "Lamport's fast algorithm for two processes (Lam(2); the published program is not public, this is the natural one)",
            parameters: const { &[n(1, 1, 3, "attempts to enter")] },
            traces: None,
            observed: None,
            build: Build::Model(|v| lamport(v[0])),
        },
    ]
}

/// The shared part of all of them: flags of the two processes, whose turn it is, and what the critical section writes.
struct Shared {
    f: Array,
    turn: Var,
    x: Var,
}

fn two_processes(write: impl Fn(&mut ProcessBuilder<'_>, &Shared, i32)) -> Model {
    let mut m = Model::new();
    let shared = Shared {
        f: m.array("f", 2, 0),
        turn: m.var("turn", 0),
        x: m.var("x", 0),
    };
    for me in 0..2 {
        write(&mut m.process(format!("p{me}")), &shared, me);
    }
    m
}

/// Writes and reads back a variable that the other process overwrites if it is here too.
fn critical_section(p: &mut ProcessBuilder<'_>, x: Var, me: i32) {
    p.step([x.set(me + 1)]).step([x.is(me + 1).check_or("mutual exclusion")]);
}

fn peterson(n: i64) -> Model {
    two_processes(|p, &Shared { f, turn, x }, me| {
        let other = 1 - me;
        let (a, b) = (p.local("a", 0), p.local("b", 0));
        for _ in 0..n {
            let enter = p.label();
            p.step([f.at(me).set(1)]).step([turn.set(other)]);
            for _ in 0..n {
                p.step([a.set(f.at(other))]);
                p.step([b.set(turn), when(a.is_not(1).or(b.is_not(other)), [goto(enter)])]);
            }
            give_up(p);
            p.place(enter);
            critical_section(p, x, me);
            p.step([f.at(me).set(0)]);
        }
    })
}

/// Ends the process in the step that was added last, unless that step jumps away before.
fn give_up(p: &mut ProcessBuilder<'_>) {
    p.extend_last([end()]);
}

fn dekker(n: i64) -> Model {
    two_processes(|p, &Shared { f, turn, x }, me| {
        let other = 1 - me;
        for _ in 0..n {
            let enter = p.label();
            p.step([f.at(me).set(1)]);
            for turn_of_loop in 0..n {
                let (again, mine) = (p.label(), p.label());
                let last = turn_of_loop == n - 1;
                p.step([when(f.at(other).is(0), [goto(enter)])]);
                p.step([when(turn.is(me), if last { vec![end()] } else { vec![goto(again)] })]);
                p.step([f.at(me).set(0)]);
                for _ in 0..n {
                    p.step([when(turn.is(me), [goto(mine)])]);
                }
                give_up(p);
                p.place(mine);
                p.step([f.at(me).set(1)]);
                if last {
                    give_up(p);
                }
                p.place(again);
            }
            p.place(enter);
            critical_section(p, x, me);
            p.step([turn.set(other)]).step([f.at(me).set(0)]);
        }
    })
}

fn szymanski(n: i64) -> Model {
    two_processes(|p, &Shared { f, x, .. }, me| {
        let other = || f.at(1 - me);
        for _ in 0..n {
            p.step([f.at(me).set(1)]);
            spin(p, n, |p, out| {
                p.step([when(other().less(3), [goto(out)])]);
            });
            p.step([f.at(me).set(3)]);
            let third_door = p.label();
            p.step([when(other().is_not(1), [goto(third_door)])]);
            p.step([f.at(me).set(2)]);
            spin(p, n, |p, out| {
                p.step([when(other().is(4), [goto(out)])]);
            });
            p.place(third_door);
            p.step([f.at(me).set(4)]);
            spin(p, n, |p, out| {
                p.step([when(other().less(2), [goto(out)])]);
            });
            critical_section(p, x, me);
            spin(p, n, |p, out| {
                p.step([when(other().less(2), [goto(out)])]);
                p.step([when(other().more(3), [goto(out)])]);
            });
            p.step([f.at(me).set(0)]);
        }
    })
}

/// Repeats a test at most `n` times; it jumps out when it succeeds, and the process ends when it never does.
fn spin(p: &mut ProcessBuilder<'_>, n: i64, test: impl Fn(&mut ProcessBuilder<'_>, crate::model::Label)) {
    let out = p.label();
    for _ in 0..n {
        test(p, out);
    }
    give_up(p);
    p.place(out);
}

fn lamport(n: i64) -> Model {
    let mut m = Model::new();
    let b = m.array("b", 2, 0);
    let (door, gate, x) = (m.var("door", 0), m.var("gate", 0), m.var("x", 0));
    for me in 0..2 {
        let id = me + 1;
        let mut p = m.process(format!("p{me}"));
        let enter = p.label();
        for attempt in 0..n {
            let next = p.label();
            let retry = || if attempt == n - 1 { end() } else { goto(next) };
            let (busy, slow) = (p.label(), p.label());
            p.step([b.at(me).set(1)]).step([door.set(id)]);
            p.step([when(gate.is_not(0), [goto(busy)])]);
            p.step([gate.set(id)]);
            p.step([when(door.is(id), [goto(enter)])]);
            p.step([b.at(me).set(0), goto(slow)]);
            p.place(busy);
            p.step([b.at(me).set(0)]);
            p.step([wait_until(gate.is(0)), retry()]);
            p.place(slow);
            p.step([wait_until(b.at(1 - me).is(0))]);
            p.step([when(gate.is(id), [goto(enter)])]);
            p.step([wait_until(gate.is(0)), retry()]);
            p.place(next);
        }
        p.place(enter);
        critical_section(&mut p, x, me);
        p.step([gate.set(0)]).step([b.at(me).set(0)]);
    }
    m
}
