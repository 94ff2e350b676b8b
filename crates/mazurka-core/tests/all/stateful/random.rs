//! What must hold of every program.

use crate::stateful::definitions::{is_persistent_set, is_source_set, minimal, sets};
use crate::stateful::toy::{Edge, Jump, Toy};
use mazurka_core::{
    Algorithm, Alternatives, FailureKind, Limit, Limits, Options, Outcome, Persistent, Source, StateReport, StatefulOptions, States,
    Status, Verdict, search_states,
};
use proptest::collection::vec;
use proptest::prelude::*;

const VARS: usize = 3;

/// A jump from `node`: forwards, or anywhere if cycles are allowed.
fn jump(node: usize, nodes: usize, cyclic: bool) -> impl Strategy<Value = Jump> {
    let target = move || if cyclic { 0..nodes } else { node + 1..nodes };
    prop_oneof![
        4 => target().prop_map(Jump::To),
        1 => (0..VARS, 0u8..2, target(), target()).prop_map(|(v, c, a, b)| Jump::If(v, c, a, b)),
    ]
}

fn edge(node: usize, nodes: usize, cyclic: bool) -> impl Strategy<Value = Edge> {
    let guard = prop_oneof![3 => Just(Vec::new()), 2 => vec((0..VARS, 0u8..2), 1..2)];
    let reads = prop_oneof![2 => Just(Vec::new()), 1 => vec(0..VARS, 1..2)];
    let write = prop_oneof![2 => Just(None), 3 => (0..VARS, 0u8..2).prop_map(Some)];
    (guard, reads, write, jump(node, nodes, cyclic), proptest::bool::weighted(0.1)).prop_map(|(guard, reads, write, to, fails)| Edge {
        guard,
        reads,
        write,
        to,
        fails,
    })
}

fn process(nodes: usize, cyclic: bool) -> impl Strategy<Value = Vec<Vec<Edge>>> {
    let strategies: Vec<_> = (0..nodes - 1).map(|node| vec(edge(node, nodes, cyclic), 1..3)).collect();
    strategies.prop_map(|mut edges| {
        edges.push(Vec::new());
        edges
    })
}

fn program(cyclic: bool, most: usize) -> impl Strategy<Value = Toy> {
    vec((2..most).prop_flat_map(move |nodes| process(nodes, cyclic)), 2..4).prop_map(|processes| Toy::new(VARS, processes))
}

/// Straight lines of unconditional reads and writes.
fn straight_lines() -> impl Strategy<Value = Toy> {
    prop_oneof![
        vec(vec((0..VARS, any::<bool>()), 1..4), 2..4),
        vec(vec((0..VARS, any::<bool>()), 1..3), 4..5)
    ]
    .prop_map(|lines| {
        let processes = lines
            .into_iter()
            .map(|line| {
                let mut nodes: Vec<Vec<Edge>> = line
                    .into_iter()
                    .enumerate()
                    .map(|(i, (var, writes))| {
                        vec![Edge {
                            reads: if writes { vec![] } else { vec![var] },
                            write: writes.then_some((var, 1)),
                            to: Jump::To(i + 1),
                            ..Edge::default()
                        }]
                    })
                    .collect();
                nodes.push(Vec::new());
                nodes
            })
            .collect();
        Toy::new(VARS, processes)
    })
}

fn search(toy: &Toy, algorithm: &str, stateful: StatefulOptions, change: impl Fn(&mut Options)) -> (Outcome, StateReport) {
    let mut options = Options::new(Algorithm::parse(algorithm).unwrap());
    options.keep_going = true;
    change(&mut options);
    let mut search = search_states(toy, &options, stateful).unwrap();
    // Pausing after every few steps must change nothing.
    while search.advance(7) == Status::Running {}
    (search.outcome(), search.report())
}

fn plain(toy: &Toy, algorithm: &str) -> (Outcome, StateReport) {
    search(toy, algorithm, StatefulOptions::default(), |_| {})
}

fn messages(outcome: &Outcome) -> Vec<String> {
    let assertions = outcome.failures.iter().filter(|f| f.failure.kind == FailureKind::Assertion);
    let mut messages: Vec<String> = assertions.map(|f| f.failure.message.clone()).collect();
    messages.sort();
    messages
}

/// All reachable states, with nothing clever.
fn reachable(toy: &Toy) -> std::collections::HashSet<crate::stateful::toy::State> {
    let mut seen = std::collections::HashSet::from([toy.start()]);
    let mut todo = vec![toy.start()];
    while let Some(state) = todo.pop() {
        for t in toy.enabled(&state) {
            let mut next = state.clone();
            toy.step(&mut next, t);
            if seen.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    seen
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn without_reduction_every_reachable_state_is_stored(toy in program(true, 5)) {
        let (outcome, report) = plain(&toy, "stateful");
        let states = reachable(&toy);
        prop_assert_eq!(report.stored, states.len() as u64);
        let transitions: usize = states.iter().map(|s| toy.enabled(s).len()).sum();
        prop_assert_eq!(report.transitions, transitions as u64 + 1);
        let ends = states.iter().filter(|s| toy.enabled(s).is_empty()).count();
        prop_assert_eq!(outcome.counts.executions, ends as u64);
    }

    #[test]
    fn reduction_keeps_failures_ends_and_statements(toy in program(true, 5)) {
        let (full, everything) = plain(&toy, "stateful");
        let (persistent, by_persistent) = plain(&toy, "stateful+persistent");
        let (source, by_source) = plain(&toy, "stateful+source");
        for (outcome, report) in [(&persistent, &by_persistent), (&source, &by_source)] {
            prop_assert_eq!(outcome.counts.executions, full.counts.executions);
            prop_assert_eq!(outcome.counts.deadlocks, full.counts.deadlocks);
            prop_assert_eq!(messages(outcome), messages(&full));
            prop_assert_eq!(&report.unreached, &everything.unreached);
            prop_assert_eq!(outcome.verdict, full.verdict);
        }
        prop_assert!(by_source.stored <= by_persistent.stored && by_persistent.stored <= everything.stored);
        prop_assert!(by_source.transitions <= by_persistent.transitions && by_persistent.transitions <= everything.transitions);
    }

    #[test]
    fn neither_the_order_nor_the_way_of_storing_changes_the_state_space(toy in program(true, 5)) {
        for algorithm in ["stateful", "stateful+persistent", "stateful+source"] {
            let (_, report) = plain(&toy, algorithm);
            for (exact, shortest) in [(true, false), (false, true), (true, true)] {
                let (_, other) = search(&toy, algorithm, StatefulOptions::default().exact(exact).shortest(shortest), |_| {});
                prop_assert_eq!((other.stored, other.transitions), (report.stored, report.transitions));
                prop_assert_eq!(other.collision_probability.is_none(), exact);
            }
        }
    }

    #[test]
    fn breadth_first_finds_a_shortest_failure(toy in program(true, 5)) {
        let stop = |options: &mut Options| options.keep_going = false;
        let (breadth, _) = search(&toy, "stateful", StatefulOptions::default().shortest(true).exact(false), stop);
        let (depth, _) = search(&toy, "stateful", StatefulOptions::default(), stop);
        prop_assert_eq!(breadth.verdict, depth.verdict);
        for (a, b) in breadth.failures.iter().zip(&depth.failures) {
            prop_assert!(a.schedule.len() <= b.schedule.len());
        }
        let length = breadth.failures.first().map_or(0, |found| found.schedule.len() as u64);
        if length > 0 {
            let (short, _) = search(&toy, "stateful", StatefulOptions::default().shortest(true).exact(false), |options| {
                options.limits.depth = Some(length - 1);
            });
            prop_assert!(short.failures.is_empty(), "{:?}", short);
        }
    }

    #[test]
    fn what_is_computed_statically_is_what_the_definitions_say(toy in program(false, 4)) {
        let state = toy.start();
        let mut all = Alternatives::default();
        (&toy).alternatives(&state, &mut all);
        let enabled = toy.enabled(&state);
        for mask in 1u32..1 << enabled.len() {
            let set: Vec<_> = (0..enabled.len()).filter(|i| mask >> i & 1 == 1).map(|i| enabled[i]).collect();
            all.choose(|a| set.contains(&a.transition));
            if Source::default().holds(&all) {
                prop_assert!(is_source_set(&toy, &state, &set), "{:?}", set);
            }
            let whole = enabled.iter().all(|t| set.contains(t) || set.iter().all(|s| s.process != t.process));
            if whole && Persistent::default().holds(&all) {
                prop_assert!(is_persistent_set(&toy, &state, &set), "{:?}", set);
                prop_assert!(Source::default().holds(&all), "a static persistent set is a static source set");
            }
        }
    }

    #[test]
    fn every_persistent_set_is_a_source_set(toy in program(false, 4)) {
        let state = toy.start();
        for set in sets(&toy, &state, is_persistent_set) {
            prop_assert!(is_source_set(&toy, &state, &set), "{:?}", set);
        }
    }

    #[test]
    fn theorem_6_without_branches_minimal_source_and_persistent_sets_coincide(toy in straight_lines()) {
        let state = toy.start();
        prop_assert_eq!(minimal(&sets(&toy, &state, is_source_set)), minimal(&sets(&toy, &state, is_persistent_set)));
    }
}

#[test]
fn limits_end_the_search_and_are_named() {
    let loops = Edge {
        write: Some((0, 1)),
        ..Edge::default()
    };
    let long: Vec<Vec<Edge>> = (0..10)
        .map(|i| {
            vec![Edge {
                to: Jump::To(i + 1),
                ..loops.clone()
            }]
        })
        .chain([vec![]])
        .collect();
    let toy = Toy::new(VARS, vec![long.clone(), long]);
    let limited = |limits: Limits| search(&toy, "stateful", StatefulOptions::default(), |o| o.limits = limits).0;
    let by_depth = limited(Limits::default().depth(5));
    assert_eq!((by_depth.verdict, by_depth.limit), (Verdict::Incomplete, Some(Limit::Depth)));
    let by_states = limited(Limits::default().executions(5));
    assert_eq!((by_states.limit, by_states.counts.states), (Some(Limit::Executions), 5));
    let by_memory = limited(Limits::default().memory(u64::MAX));
    assert_eq!((by_memory.verdict, by_memory.limit), (Verdict::Complete, None));
}

#[test]
fn a_paused_search_is_not_complete() {
    let step = |to| {
        vec![Edge {
            to: Jump::To(to),
            ..Edge::default()
        }]
    };
    let toy = Toy::new(VARS, vec![vec![step(1), step(2), step(3), vec![]]]);
    for shortest in [false, true] {
        let stateful = StatefulOptions::default().shortest(shortest).exact(false);
        let options = Options::new(Algorithm::parse("stateful").unwrap());
        let mut search = search_states(&toy, &options, stateful).unwrap();
        assert_eq!(search.advance(1), Status::Running);
        assert_eq!(search.outcome().verdict, Verdict::Incomplete);
        while search.advance(1) == Status::Running {}
        assert_eq!(search.outcome().verdict, Verdict::Complete);
    }
}
