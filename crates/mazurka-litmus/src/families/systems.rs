//! Natural programs for the larger models of ISSTA'19, which are not public: what an actor does is one atomic step, and an actor that is
//! blocked in a `get` lets nobody else in.

use super::counts::{choose, factorial, power_of_two};
use super::{Build, Family, Parameter, n};
use crate::model::{Expr, Model, Statement, Then, wait_until, when};

pub(super) fn families() -> Vec<Family> {
    vec![
        Family {
            name: "dbp",
            about: "ISSTA'19 DBP(n): n workers register with a database and ask for data, which it has only after they answered it (natural program)",
            parameters: const { &[n(2, 1, 12, "workers")] },
            // Any k workers may be registered, in any order.
            traces: Some(|v| (0..=v[0]).try_fold(0u128, |sum, k| sum.checked_add(choose(v[0], k)?.checked_mul(factorial(k)?)?))),
            observed: Some(|v| power_of_two(v[0])),
            build: Build::Model(|v| database(v[0])),
        },
        Family {
            name: "dbp-get",
            about: "a database protocol in which the database, too, blocks until a worker has answered",
            parameters: const { &[n(1, 1, 6, "workers")] },
            traces: None,
            observed: None,
            build: Build::Model(|v| blocking_database(v[0])),
        },
        Family {
            name: "mapreduce",
            about: "ISSTA'19 MapRed: n mappers post partial counts to k reducers, which tell a collector when they have all (natural program, inputs unknown)",
            parameters: const {
                &[
                    n(3, 1, 8, "mappers"),
                    Parameter {
                        name: "k",
                        default: 2,
                        range: (1, 6),
                        about: "reducers",
                    },
                ]
            },
            traces: None,
            observed: None,
            build: Build::Model(|v| map_reduce(v[0], v[1])),
        },
        Family {
            name: "sdn",
            about: "ISSTA'19 SDN: n packets pass two switches; one that finds no rule goes to the controller, which installs it (natural program, inputs unknown)",
            parameters: const { &[n(2, 1, 5, "packets")] },
            traces: None,
            observed: None,
            build: Build::Model(|v| network(v[0])),
        },
    ]
}

/// A worker registers, asks for data, and blocks until it has them. The database registers a worker when that has answered, and has no data
/// for others: a worker that blocks before it answers waits for ever. The database remembers who came last, and nobody looks at that.
fn database(n: i64) -> Model {
    let mut m = Model::new();
    let size = n as usize;
    let last = m.var("last", 0);
    let (registered, blocked) = (m.array("registered", size, 0), m.array("blocked", size, 0));
    let (answered, data) = (m.array("answered", size, 0), m.array("data", size, 0));
    for i in 0..n as i32 {
        let (register, ping, get) = (m.bodies().len() + 1, m.bodies().len() + 2, m.bodies().len() + 3);
        let mut work = m.process(format!("work{i}"));
        let got = work.local("got", 0);
        work.step([Statement::Spawn(register, Vec::new())])
            .step([blocked.at(i).set(1), Statement::Spawn(get, Vec::new())])
            .step([wait_until(data.at(i).more(0)), got.set(data.at(i)), blocked.at(i).set(0)]);
        m.process(format!("register{i}")).step([Statement::Spawn(ping, Vec::new())]).step([
            wait_until(answered.at(i).is(1)),
            registered.at(i).set(1),
            last.set(i + 1),
        ]);
        m.process(format!("ping{i}"))
            .step([wait_until(blocked.at(i).is(0)), answered.at(i).set(1)]);
        m.process(format!("get{i}"))
            .step([wait_until(registered.at(i).is(1)), data.at(i).set(1)]);
    }
    m
}

/// The database blocks until a worker that registers has answered; a worker blocks until it has its data.
fn blocking_database(n: i64) -> Model {
    let mut m = Model::new();
    let size = n as usize;
    let free = m.var("database", 0);
    let (registered, worker) = (m.array("registered", size, 0), m.array("worker", size, 0));
    let (pong, data) = (m.array("pong", size, 0), m.array("data", size, 0));
    for i in 0..n as i32 {
        let register = m.bodies().len();
        let (ping, work, get) = (register + 1, register + 2, register + 3);
        m.process(format!("register{i}"))
            .step([wait_until(free.is(0)), free.set(1), Statement::Spawn(ping, Vec::new())])
            .step([wait_until(pong.at(i).is(1)), registered.at(i).set(1), free.set(0)]);
        m.process(format!("ping{i}"))
            .step([wait_until(worker.at(i).is(0)), pong.at(i).set(1)]);
        let mut working = m.process(format!("work{i}"));
        debug_assert_eq!(working.index(), work);
        let got = working.local("got", 0);
        working
            .step([
                wait_until(worker.at(i).is(0)),
                worker.at(i).set(1),
                Statement::Spawn(get, Vec::new()),
            ])
            .step([wait_until(data.at(i).more(0)), got.set(data.at(i)), worker.at(i).set(0)]);
        m.process(format!("get{i}"))
            .step([wait_until(free.is(0)), data.at(i).set(Expr::from(registered.at(i)) + 1)]);
    }
    m
}

/// Mapper i posts the number of words that it has for every reducer; the collector adds what the reducers have when they have all.
fn map_reduce(n: i64, k: i64) -> Model {
    let mut m = Model::new();
    let (total, finished) = (m.var("total", 0), m.var("finished", 0));
    let (count, arrived) = (m.array("count", k as usize, 0), m.array("arrived", k as usize, 0));
    let mut collect = m.process("collect");
    let value = collect.local("value", 0);
    collect.step([total.increase(value), finished.increase(1)]);
    let collect = collect.index();
    let mut reducers = Vec::new();
    for j in 0..k as i32 {
        let mut reduce = m.process(format!("reduce{j}"));
        let words = reduce.local("words", 0);
        reduce.step([
            count.at(j).increase(words),
            arrived.at(j).increase(1),
            when(
                arrived.at(j).is(n as i32),
                [Statement::Spawn(collect, vec![Expr::from(count.at(j))])],
            ),
        ]);
        reducers.push(reduce.index());
    }
    for i in 1..=n as i32 {
        let posts = reducers
            .iter()
            .enumerate()
            .map(|(j, r)| Statement::Spawn(*r, vec![(i * (j as i32 + 1)).into()]));
        let posts: Vec<Statement> = posts.collect();
        m.process(format!("map{i}")).step(posts);
    }
    m
}

/// A packet that finds a rule at the first switch goes to the second; one that does not is sent on by the controller, which tells both
/// switches its rule. A packet that overtakes the rule for the second switch is lost there.
fn network(n: i64) -> Model {
    let mut m = Model::new();
    let (first, second) = (m.var("rule1", 0), m.var("rule2", 0));
    let (asked, delivered, lost) = (m.var("asked", 0), m.var("delivered", 0), m.var("lost", 0));
    let mut arrive = m.process("arrive");
    arrive.step([when(second.is(1), [delivered.increase(1)]).otherwise([lost.increase(1)])]);
    let arrive = arrive.index();
    let mut install = m.process("install1");
    install.step([first.set(1)]);
    let install_first = install.index();
    let mut install = m.process("install2");
    install.step([second.set(1)]);
    let install_second = install.index();
    let mut controller = m.process("packet_in");
    controller.step([
        asked.increase(1),
        Statement::Spawn(install_first, Vec::new()),
        Statement::Spawn(install_second, Vec::new()),
        Statement::Spawn(arrive, Vec::new()),
    ]);
    let controller = controller.index();
    for i in 1..=n {
        m.process(format!("packet{i}"))
            .step([when(first.is(1), [Statement::Spawn(arrive, Vec::new())]).otherwise([Statement::Spawn(controller, Vec::new())])]);
    }
    m
}
