//! Merging on the programs of CAV'17 and ISSTA'19: executions, cuts and nodes.

use mazurka_core::{Algorithm, Counts, Observe, Options, Order, Status, Unobserved, search};
use mazurka_litmus::Machine;
use mazurka_litmus::families::{CORPUS, machine};

fn merged(machine: &Machine, observe: Observe, order: Order) -> Counts {
    let options = Options::new(Algorithm::parse("source+merge").unwrap())
        .observe(observe)
        .order(order)
        .keep_going(true);
    let mut search = search(machine, &options, Unobserved).unwrap();
    while search.advance(1 << 20) == Status::Running {}
    search.outcome().counts
}

fn executions(name: &str, n: &[i64], observe: Observe) -> u64 {
    let machine = machine(name, n);
    let counts: Vec<u64> = [Order::Fifo, Order::Random(1), Order::Random(2)]
        .map(|order| merged(&machine, observe, order).executions)
        .to_vec();
    assert!(counts.iter().all(|c| *c == counts[0]), "{name}{n:?} in several orders: {counts:?}");
    counts[0]
}

#[test]
fn a_producer_and_a_consumer_have_one_execution_per_final_state() {
    let counts = [3, 5, 7, 9].map(|n| executions("prodcons", &[n], Observe::States));
    assert_eq!(counts, [8, 32, 128, 512]);
}

#[test]
fn programs_whose_steps_commute_in_effect_have_one_execution() {
    for (name, n) in [
        ("increment", 5),
        ("increment", 8),
        ("tasks-pi", 6),
        ("tasks-pi", 9),
        ("tasks-psort", 4),
        ("tasks-psort", 6),
        ("tasks-reg1", 5),
        ("tasks-reg2", 4),
        ("tasks-reg2", 6),
        ("tasks-fib", 5),
        ("tasks-fib", 7),
        ("tasks-msort", 9),
        ("tasks-msort", 12),
    ] {
        assert_eq!(executions(name, &[n], Observe::States), 1, "{name}({n})");
    }
}

#[test]
fn where_every_trace_ends_differently_there_is_nothing_to_merge() {
    assert_eq!(executions("readers", &[5], Observe::States), 32);
    assert_eq!(executions("lastzero", &[5], Observe::States), 64);
}

#[test]
fn outcomes_of_writers_and_a_reader() {
    for n in 1..=6 {
        assert_eq!(executions("FR", &[n], Observe::Outcomes), n as u64 + 1, "FR({n})");
        assert_eq!(executions("FR-a", &[n], Observe::Outcomes), 1, "FR-a({n})");
        assert_eq!(executions("LW", &[n], Observe::Outcomes), n as u64, "LW({n})");
        assert_eq!(executions("LW-a", &[n], Observe::Outcomes), 1, "LW-a({n})");
    }
}

/// Executions, cuts and nodes, lowest process first. Which nodes there are depends on the order; these are facts about this one.
#[test]
fn executions_cuts_and_nodes() {
    let mut table = String::new();
    for (name, n) in [
        ("pqr", 0),
        ("issta-pqr", 0),
        ("readers", 5),
        ("lastzero", 5),
        ("increment", 5),
        ("increment", 8),
        ("prodcons", 3),
        ("prodcons", 5),
        ("prodcons", 7),
        ("prodcons", 9),
        ("FR", 3),
        ("FR", 5),
        ("FR-a", 3),
        ("FR-a", 5),
        ("LW", 5),
        ("LW-a", 5),
        ("tasks-fib", 5),
        ("tasks-fib", 6),
        ("tasks-fib", 7),
        ("tasks-msort", 9),
        ("tasks-msort", 12),
        ("tasks-pi", 6),
        ("tasks-pi", 9),
        ("tasks-psort", 4),
        ("tasks-psort", 5),
        ("tasks-psort", 6),
        ("tasks-reg2", 4),
        ("tasks-reg2", 6),
    ] {
        let values: &[i64] = if n == 0 { &[] } else { &[n] };
        let machine = machine(name, values);
        let cells = Observe::ALL.map(|observe| {
            let counts = merged(&machine, observe, Order::Fifo);
            format!("{:>16}", format!("{}/{}/{}", counts.executions, counts.cut, counts.states))
        });
        let name = if n == 0 { name.to_owned() } else { format!("{name}({n})") };
        table += &format!("{name:<16}{}\n", cells.concat());
    }
    insta::assert_snapshot!(table);
}

/// Without a store to speak of, merging is source sets with sleep sets.
#[test]
fn with_no_memory_it_still_covers_everything() {
    for (name, n) in [("prodcons", 5), ("lastzero", 4), ("FR", 4), ("tasks-fib", 5)] {
        let machine = machine(name, &[n]);
        let mut options = Options::new(Algorithm::parse("source+merge").unwrap()).final_states(true);
        let run = |options: &Options| {
            let mut search = search(&machine, options, Unobserved).unwrap();
            while search.advance(1 << 20) == Status::Running {}
            search.outcome()
        };
        let unbounded = run(&options);
        for bytes in [1, 1_000, 10_000] {
            options.limits.memory = Some(bytes);
            let bounded = run(&options);
            assert_eq!(bounded.verdict, unbounded.verdict, "{name}({n}) in {bytes} bytes");
            assert_eq!(
                bounded.distinct_final_states, unbounded.distinct_final_states,
                "{name}({n}) in {bytes} bytes"
            );
        }
    }
}

/// Merging never visits more nodes than source sets without it, up to the little that waking costs.
#[test]
fn merging_does_not_add_nodes() {
    for example in CORPUS {
        let machine = Machine::parse(example.text).unwrap();
        let mut options = Options::new(Algorithm::parse("source").unwrap());
        options.keep_going = true;
        let mut source = search(&machine, &options, Unobserved).unwrap();
        while source.advance(1 << 20) == Status::Running {}
        let plain = source.outcome().counts.states;
        let merged = merged(&machine, Observe::States, Order::Fifo).states;
        assert!(merged <= plain + 2, "{}: {merged} nodes, source has {plain}", example.name);
    }
}
