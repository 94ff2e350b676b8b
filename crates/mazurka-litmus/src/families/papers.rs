//! The shared-variable programs of CAV'17 and ISSTA'19.

use super::counts::{choose, factorial, power_of_two};
use super::{Build, Family, Parameter, n};
use crate::model::{Expr, Model, Var, wait_until, when};

pub(super) fn families() -> Vec<Family> {
    vec![
        Family {
            name: "pqr",
            about: "CAV'17 Sec. 3: two processes write 5, a third reads",
            parameters: &[],
            traces: Some(|_| Some(6)),
            observed: Some(|_| Some(5)),
            build: Build::Text("p:[x=5] q:[x=5] r:[l=x]"),
        },
        Family {
            name: "issta-pqr",
            about: "ISSTA'19 Sec. 1: x=1, x=2, and an assertion x<3",
            parameters: &[],
            traces: Some(|_| Some(6)),
            observed: Some(|_| Some(5)),
            build: Build::Text("p:[x=1] q:[x=2] r:[assert x<3]"),
        },
        Family {
            name: "prodcons",
            about: "CAV'17 Table 1: a producer stores n items, a consumer takes n times (and may find nothing)",
            parameters: const {
                &[
                    n(3, 1, 20, "items"),
                    Parameter {
                        name: "cap",
                        default: 20,
                        range: (1, 20),
                        about: "capacity; a store into a full buffer is lost",
                    },
                ]
            },
            traces: Some(|v| choose(2 * v[0], v[0])),
            observed: Some(|v| choose(2 * v[0], v[0])),
            build: Build::Model(|v| prodcons(v[0], v[1])),
        },
        Family {
            name: "FR",
            about: "ISSTA'19: n writers of x and a reader",
            parameters: const { &[n(3, 1, 60, "writers")] },
            traces: Some(|v| factorial(v[0] + 1)),
            observed: Some(floating_observed),
            build: Build::Model(|v| writers_and(v[0], false, |_| None)),
        },
        Family {
            name: "FR-a",
            about: "ISSTA'19: n writers of x and an assertion that always holds",
            parameters: const { &[n(3, 1, 60, "writers")] },
            traces: Some(|v| factorial(v[0] + 1)),
            observed: Some(floating_observed),
            build: Build::Model(|v| writers_and(v[0], false, |x| Some(x.at_least(0)))),
        },
        Family {
            name: "LW",
            about: "ISSTA'19: n writers of x, and a reader that runs when all have finished",
            parameters: const { &[n(3, 1, 20, "writers")] },
            traces: Some(|v| factorial(v[0])),
            observed: Some(|v| u128::try_from(v[0]).ok()),
            build: Build::Model(|v| writers_and(v[0], true, |_| None)),
        },
        Family {
            name: "LW-a",
            about: "ISSTA'19: n writers of x, and an assertion that always holds when all have finished",
            parameters: const { &[n(3, 1, 20, "writers")] },
            traces: Some(|v| factorial(v[0])),
            observed: Some(|v| u128::try_from(v[0]).ok()),
            build: Build::Model(|v| writers_and(v[0], true, |x| Some(x.at_least(0)))),
        },
        Family {
            name: "abs",
            about: "n writers of x and an assertion on its absolute value (the published program is not public, this is the natural one)",
            parameters: const { &[n(3, 1, 60, "writers")] },
            traces: Some(|v| factorial(v[0] + 1)),
            observed: Some(floating_observed),
            build: Build::Model(|v| absolute(v[0])),
        },
    ]
}

fn floating_observed(v: &[i64]) -> Option<u128> {
    power_of_two(v[0] - 1)?.checked_mul(v[0] as u128)?.checked_add(1)
}

/// The buffer is one variable: 100 times the items stored so far, plus the items taken.
fn prodcons(n: i64, cap: i64) -> Model {
    let mut m = Model::new();
    let q = m.var("q", 0);
    let stored = || Expr::Binary(crate::model::Binary::Divide, Box::new(q.into()), Box::new(100.into()));
    let taken = || q % 100;
    let mut producer = m.process("producer");
    for i in 1..=n {
        let lost = producer.local(format!("lost{i}"), 0);
        producer.step([crate::model::Then::otherwise(
            when((stored() - taken()).less(cap as i32), [q.increase(100)]),
            [lost.set(1)],
        )]);
    }
    let mut consumer = m.process("consumer");
    for i in 1..=n {
        let item = consumer.local(format!("item{i}"), 0);
        consumer.step([when(stored().more(taken()), [item.set(taken() + 1), q.increase(1)])]);
    }
    m
}

/// n writers of x, and a process that reads it or, if a condition is given, asserts it; perhaps only when all have written.
fn writers_and(n: i64, wait: bool, condition: impl Fn(Var) -> Option<Expr>) -> Model {
    let mut m = Model::new();
    let x = m.var("x", 0);
    let done = wait.then(|| m.array("done", n as usize, 0));
    for i in 1..=n as i32 {
        let mut statements = vec![x.set(i)];
        statements.extend(done.map(|d| d.at(i - 1).set(1)));
        m.process(format!("writer{i}")).step(statements);
    }
    let mut statements = Vec::new();
    if let Some(d) = done {
        let all = (1..n as i32).fold(d.at(0).is(1), |all, i| all.and(d.at(i).is(1)));
        statements.push(wait_until(all));
    }
    let mut last = m.process("reader");
    statements.push(match condition(x) {
        Some(c) => c.check(),
        None => last.local("l", 0).set(x),
    });
    last.step(statements);
    m
}

/// The values come in pairs of opposite sign: 1, −1, 2, −2, …
fn absolute(n: i64) -> Model {
    let mut m = Model::new();
    let x = m.var("x", 0);
    for i in 1..=n as i32 {
        m.process(format!("writer{i}"))
            .step([x.set(if i % 2 == 1 { (i + 1) / 2 } else { -i / 2 })]);
    }
    let mut checker = m.process("checker");
    let l = checker.local("l", 0);
    checker.step([
        l.set(x),
        when(l.less(0), [l.set(Expr::Negate(Box::new(l.into())))]),
        l.at_most(n as i32).check(),
    ]);
    m
}
