//! Programs over plain shared variables, one read or write per step.

use super::counts::{choose, factorial, listed, odd_factorial, power_of_two};
use super::{Build, Family, Parameter, n};
use crate::model::{Model, Statement, end, wait_until, when};

pub(super) fn families() -> Vec<Family> {
    vec![
        Family {
            name: "readers",
            about: "one writer of x, n readers of x",
            parameters: const { &[n(5, 0, 60, "readers")] },
            traces: Some(|v| power_of_two(v[0])),
            observed: Some(|v| power_of_two(v[0])),
            build: Build::Model(|v| readers(v[0])),
        },
        Family {
            name: "writers",
            about: "n writers of x with different values, nobody reads",
            parameters: const { &[n(5, 1, 60, "writers")] },
            traces: Some(|v| factorial(v[0])),
            observed: Some(|_| Some(1)),
            build: Build::Model(|v| writers(v[0], false)),
        },
        Family {
            name: "lastwrite",
            about: "n writers of x; another process waits for each in turn, then reads x",
            parameters: const { &[n(4, 1, 60, "writers")] },
            traces: Some(|v| factorial(v[0])),
            observed: Some(|v| u128::try_from(v[0]).ok()),
            build: Build::Model(|v| lastwrite(v[0])),
        },
        Family {
            name: "floating",
            about: "n writers of x and one reader (floating read, FR)",
            parameters: const { &[n(4, 1, 60, "writers")] },
            traces: Some(|v| factorial(v[0] + 1)),
            observed: Some(|v| power_of_two(v[0] - 1)?.checked_mul(v[0] as u128)?.checked_add(1)),
            build: Build::Model(|v| writers(v[0], true)),
        },
        Family {
            name: "lastzero",
            about: "a process looks for the last zero of an array from above while n others write a[j] = a[j-1]+1",
            parameters: const { &[n(5, 1, 60, "writers")] },
            traces: Some(lastzero_traces),
            observed: Some(lastzero_traces),
            build: Build::Model(|v| lastzero(v[0])),
        },
        Family {
            name: "incr",
            about: "n processes increment x, reading in one step and writing in the next",
            parameters: const { &[n(3, 1, 20, "processes")] },
            traces: Some(|v| factorial(v[0])?.checked_pow(2)),
            observed: Some(|v| listed(&[1, 3, 22, 281, 5566], v[0], 1)),
            build: Build::Model(|v| incr(v[0], 1)),
        },
        Family {
            name: "incr2",
            about: "incr, each process twice",
            parameters: const { &[n(2, 1, 10, "processes")] },
            traces: Some(|v| listed(&[1, 34, 7134], v[0], 1)),
            observed: Some(|v| listed(&[1, 26, 4032], v[0], 1)),
            build: Build::Model(|v| incr(v[0], 2)),
        },
        Family {
            name: "increment",
            about: "n processes increment x in one atomic step each",
            parameters: const { &[n(5, 1, 60, "processes"), COMMUTE] },
            traces: Some(|v| if v[1] == 1 { Some(1) } else { factorial(v[0]) }),
            observed: Some(|v| if v[1] == 1 { Some(1) } else { factorial(v[0]) }),
            build: Build::Model(|v| increment(v[0], v[1] == 1)),
        },
        Family {
            name: "sb",
            about: "store buffering ring: process i writes a[i], then reads a[i+1]",
            parameters: const { &[n(4, 2, 60, "processes")] },
            traces: Some(|v| Some(power_of_two(v[0])? - 1)),
            observed: Some(|v| Some(power_of_two(v[0])? - 1)),
            build: Build::Model(|v| store_buffering(v[0])),
        },
        Family {
            name: "sigma",
            about: "main increments idx and starts a process that writes a[idx], n times",
            parameters: const { &[n(4, 1, 30, "processes started")] },
            traces: Some(|v| odd_factorial(v[0])),
            observed: Some(|v| factorial(v[0])),
            build: Build::Model(|v| sigma(v[0])),
        },
        Family {
            name: "redundant-writes",
            about: "two processes write x n times each, always the same value; a third reads it twice",
            parameters: const { &[n(2, 1, 20, "writes of each process")] },
            traces: Some(|v| {
                let n = v[0];
                choose(2 * n + 2, n)?.checked_mul(choose(n + 2, n)?)
            }),
            observed: Some(|v| listed(&[11, 55, 181, 461, 991], v[0], 1)),
            build: Build::Model(|v| redundant_writes(v[0])),
        },
        Family {
            name: "fib",
            about: "SV-COMP: two processes add to each other's variable, n times each",
            parameters: const { &[n(3, 1, 20, "rounds")] },
            traces: Some(|v| listed(&[3, 19, 141, 1107, 8953, 73789], v[0], 1)),
            observed: Some(|v| listed(&[3, 19, 141, 1107, 8953], v[0], 1)),
            build: Build::Model(|v| fib(v[0])),
        },
        Family {
            name: "popl14",
            about: "the wakeup tree example of POPL'14",
            parameters: &[],
            traces: Some(|_| Some(5)),
            observed: Some(|_| Some(4)),
            build: Build::Text("p:[x=1] q:[y=1] r:[l=y; if (l!=0) end][z=1] s:[l=z; if (l!=1) end][l2=y; if (l2!=0) end][x=2]"),
        },
        Family {
            name: "control-flow",
            about: "n readers of x and n writers of y; whether x is written depends on what two others see",
            parameters: const { &[n(2, 1, 20, "readers, and writers")] },
            traces: Some(|v| factorial(v[0])?.checked_mul(2 * v[0] as u128 + 1 + power_of_two(v[0])?)),
            observed: Some(|v| power_of_two(v[0])?.checked_mul(v[0] as u128 + 1)?.checked_add(1)),
            build: Build::Model(|v| control_flow(v[0])),
        },
    ]
}

const COMMUTE: Parameter = Parameter {
    name: "commute",
    default: 0,
    range: (0, 1),
    about: "1: the additions are declared to commute (x @+ 1)",
};

fn lastzero_traces(v: &[i64]) -> Option<u128> {
    if v[0] == 1 {
        Some(2)
    } else {
        power_of_two(v[0] - 2)?.checked_mul(v[0] as u128 + 3)
    }
}

fn readers(n: i64) -> Model {
    let mut m = Model::new();
    let x = m.var("x", 0);
    m.process("writer").step([x.set(42)]);
    for i in 1..=n {
        let mut reader = m.process(format!("reader{i}"));
        let l = reader.local("l", 0);
        reader.step([l.set(x)]);
    }
    m
}

fn writers(n: i64, with_reader: bool) -> Model {
    let mut m = Model::new();
    let x = m.var("x", 0);
    for i in 1..=n {
        m.process(format!("writer{i}")).step([x.set(i as i32)]);
    }
    if with_reader {
        let mut reader = m.process("reader");
        let l = reader.local("l", 0);
        reader.step([l.set(x)]);
    }
    m
}

fn lastwrite(n: i64) -> Model {
    let mut m = Model::new();
    let x = m.var("x", 0);
    let done = m.array("done", n as usize, 0);
    for i in 1..=n as i32 {
        m.process(format!("writer{i}")).step([x.set(i), done.at(i - 1).set(1)]);
    }
    let mut main = m.process("main");
    for i in 0..n as i32 {
        main.step([wait_until(done.at(i).is(1))]);
    }
    let l = main.local("l", 0);
    main.step([l.set(x)]);
    m
}

fn lastzero(n: i64) -> Model {
    let mut m = Model::new();
    let a = m.array("a", n as usize + 1, 0);
    let mut scanner = m.process("scanner");
    let found = scanner.local("found", 0);
    for i in (1..=n as i32).rev() {
        scanner.step([when(a.at(i).is(0), [found.set(i), end()])]);
    }
    scanner.step([when(a.at(0).is(0), [found.set(0)])]);
    for j in 1..=n as i32 {
        let mut writer = m.process(format!("writer{j}"));
        let l = writer.local("l", 0);
        writer.step([l.set(a.at(j - 1))]).step([a.at(j).set(l + 1)]);
    }
    m
}

fn incr(n: i64, rounds: usize) -> Model {
    let mut m = Model::new();
    let x = m.var("x", 0);
    for i in 1..=n {
        let mut p = m.process(format!("p{i}"));
        let l = p.local("l", 0);
        for _ in 0..rounds {
            p.step([l.set(x)]).step([x.set(l + 1)]);
        }
    }
    m
}

fn increment(n: i64, commute: bool) -> Model {
    let mut m = Model::new();
    let x = m.var("x", 0);
    for i in 1..=n {
        m.process(format!("p{i}"))
            .step([if commute { x.accumulate(1) } else { x.increase(1) }]);
    }
    m
}

fn store_buffering(n: i64) -> Model {
    let mut m = Model::new();
    let a = m.array("a", n as usize, 0);
    for i in 0..n {
        let mut p = m.process(format!("p{i}"));
        let l = p.local("l", 0);
        p.step([a.at(i as i32).set(1)]).step([l.set(a.at(((i + 1) % n) as i32))]);
    }
    m
}

fn sigma(n: i64) -> Model {
    let mut m = Model::new();
    let idx = m.var("idx", -1);
    let a = m.array("a", n as usize, 0);
    let mut worker = m.process("worker");
    let k = worker.local("k", 0);
    worker.step([k.set(idx)]).step([a.at(k).set(1)]);
    let worker = worker.index();
    let mut main = m.process("main");
    let l = main.local("l", 0);
    for _ in 0..n {
        main.step([l.set(idx)]).step([idx.set(l + 1), Statement::Spawn(worker, Vec::new())]);
    }
    m
}

fn redundant_writes(n: i64) -> Model {
    let mut m = Model::new();
    let x = m.var("x", 0);
    for (name, value) in [("ones", 1), ("twos", 2)] {
        let mut p = m.process(name);
        for _ in 0..n {
            p.step([x.set(value)]);
        }
    }
    let mut reader = m.process("reader");
    let (first, second) = (reader.local("first", 0), reader.local("second", 0));
    reader.step([first.set(x)]).step([second.set(x)]);
    m
}

fn fib(n: i64) -> Model {
    let mut m = Model::new();
    let (x, y) = (m.var("x", 1), m.var("y", 1));
    for (name, own, other) in [("i", x, y), ("j", y, x)] {
        let mut process = m.process(name);
        let (p, q) = (process.local("p", 0), process.local("q", 0));
        for _ in 0..n {
            process.step([p.set(own)]).step([q.set(other)]).step([own.set(p + q)]);
        }
    }
    m
}

fn control_flow(n: i64) -> Model {
    let mut m = Model::new();
    let (x, y, z) = (m.var("x", 0), m.var("y", 0), m.var("z", 0));
    for i in 1..=n {
        let mut p = m.process(format!("p{i}"));
        let l = p.local("l", 0);
        p.step([l.set(x)]);
        m.process(format!("q{i}")).step([y.set(1)]);
    }
    let mut r = m.process("r");
    let l = r.local("l", 0);
    r.step([l.set(y), when(l.is_not(0), [end()])]).step([z.set(1)]);
    let mut s = m.process("s");
    let (a, b) = (s.local("a", 0), s.local("b", 0));
    s.step([a.set(z), when(a.is_not(1), [end()])]);
    s.step([b.set(y), when(b.is_not(0), [end()])]);
    s.step([x.set(1)]);
    m
}
