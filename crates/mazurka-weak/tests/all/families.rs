//! Families of the literature, whose numbers of graphs are known: those of GenMC, and of traces under sequential consistency.

use crate::small::{Instruction as I, Small, Value, search};
use mazurka_weak::Order::{Acquire, Relaxed, Release};

fn graphs(threads: impl Iterator<Item = Vec<I>>, model: &str) -> u64 {
    let program = Small {
        threads: threads.collect(),
    };
    let found = search(&program, model);
    assert_eq!(found.counts.blocked, 0);
    found.counts.graphs
}

fn store(x: u32, value: u64) -> I {
    I::Store(x, Value::Number(value), Relaxed)
}

#[test]
fn graphs_are_as_many_as_is_known() {
    for n in 2..=7u32 {
        let factorial: u64 = (1..=u64::from(n)).product();
        let ring = || (0..n).map(|i| vec![store(i, 1), I::Load(0, (i + 1) % n, Relaxed)]);
        assert_eq!(graphs(ring(), "sc"), (1 << n) - 1, "sb({n})");
        assert_eq!(graphs(ring(), "tso"), 1 << n, "sb({n})");
        assert_eq!(graphs(ring(), "rc11"), 1 << n, "sb({n})");
        let loads = || (0..n).map(|i| vec![I::Load(0, (i + 1) % n, Relaxed), store(i, 1)]);
        assert_eq!(graphs(loads(), "rc11"), (1 << n) - 1, "lb({n})");
        let twice = || (0..n).map(|i| vec![store(i, 1), store((i + 1) % n, 2)]);
        assert_eq!(graphs(twice(), "tso"), (1 << n) - 1, "2+2W({n})");
        assert_eq!(graphs(twice(), "rc11"), 1 << n, "2+2W({n})");
        for model in ["sc", "tso", "rc11"] {
            let writers = (0..n).map(|i| vec![store(0, u64::from(i) + 1)]);
            assert_eq!(graphs(writers, model), factorial, "writers({n})");
            let readers = (0..=n).map(|i| vec![if i == 0 { store(0, 1) } else { I::Load(0, 0, Relaxed) }]);
            assert_eq!(graphs(readers, model), 1 << n, "readers({n})");
            let adders = (0..n).map(|_| vec![I::Add(0, 0, 1, Relaxed)]);
            assert_eq!(graphs(adders, model), factorial, "fetch_add({n})");
        }
    }
}

/// Programs of GenMC's own tests (`tests/correct/synthetic`), with the numbers of executions that stand in their files `expected.*.mo.in`.
#[test]
fn graphs_are_as_many_as_genmc_expects() {
    let coa = |n: u32| {
        let reader = |value, middle| {
            vec![
                I::Store(0, Value::Number(value), Release),
                I::Load(0, middle, Acquire),
                I::Load(1, 0, Acquire),
            ]
        };
        let writer = |i: u32| [1, 2].map(|x| I::Store(x, Value::Number(u64::from(i)), Release)).to_vec();
        [reader(1, 1), reader(2, 2)].into_iter().chain((0..n).map(writer))
    };
    for (n, expected) in [(0, 4), (1, 16), (2, 144), (3, 2_304)] {
        assert_eq!(graphs(coa(n), "rc11"), expected, "CoA({n})");
    }
    for n in 2..=5u32 {
        let cas = (1..=n).map(|i| vec![I::Exchange(0, 0, 0, u64::from(i), Relaxed, Relaxed)]);
        assert_eq!(graphs(cas, "rc11"), u64::from(n), "cas({n})");
    }
    let writers = (1..=5).map(|i| vec![I::Store(0, Value::Number(i), Release)]);
    let reader = [vec![I::Load(0, 0, Acquire)]];
    assert_eq!(graphs(writers.chain(reader), "sc"), 720, "N-writers(5)");
}
