//! Random programs: what every algorithm finds must be what brute force finds, and what the real crate does with real threads must be among it.

mod checked;
mod real;

use mazurka_native::Check;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::mpsc::channel;
use std::time::Duration;

/// A statement; channels are numbers.
#[derive(Clone, Copy, Debug)]
enum Statement {
    Send(usize),
    TrySend(usize),
    SendTimeout(usize),
    Receive(usize),
    TryReceive(usize),
    ReceiveTimeout(usize),
    DropSender(usize),
    DropReceiver(usize),
    Length(usize),
    /// Receives from both.
    Select(Limit),
    /// Receives from both, from the first one rather.
    Biased(Limit),
    /// Sends to one, or receives from the other.
    SelectSend(usize, Limit),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Limit {
    None,
    Now,
    Moment,
}

#[derive(Clone, Debug)]
struct Program {
    /// How much the channels hold.
    sizes: [Option<usize>; 2],
    threads: Vec<Vec<Statement>>,
}

/// What every thread saw, in its order.
type Outcome = Vec<Vec<String>>;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn statement(&mut self, sizes: [Option<usize>; 2], selects: bool) -> Statement {
        use Statement::*;
        let c = usize::from(self.below(3) == 0);
        let limit = [Limit::None, Limit::Now, Limit::Moment][self.below(3) as usize];
        match self.below(if selects { 15 } else { 11 }) {
            0..=2 => Send(c),
            3 if selects && sizes[c] == Some(0) => Send(c),
            3 => TrySend(c),
            4 => SendTimeout(c),
            5 | 6 => Receive(c),
            7 => TryReceive(c),
            8 => ReceiveTimeout(c),
            9 => [DropSender(c), DropReceiver(c)][self.below(2) as usize],
            10 => Length(c),
            11 | 12 => Select(limit),
            13 if sizes[c] != Some(0) => SelectSend(c, limit),
            _ => Biased(limit),
        }
    }
}

fn program(seed: u64) -> Program {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    random.below(2);
    let sizes = [(); 2].map(|()| [None, Some(0), Some(1), Some(2)][random.below(4) as usize]);
    let selects = random.below(2) == 0;
    let threads = 2 + random.below(2);
    let thread = |_| {
        let n = 1 + random.below(6 / threads);
        (0..n).map(|_| random.statement(sizes, selects)).collect()
    };
    Program {
        sizes,
        threads: (0..threads).map(thread).collect(),
    }
}

/// What an algorithm finds, unless that is too much, and whether threads may wait for ever.
fn found(program: &Program, algorithm: &str) -> Option<(BTreeSet<Outcome>, bool)> {
    let outcomes: Rc<RefCell<BTreeSet<Outcome>>> = Rc::default();
    let (text, collected) = (program.clone(), Rc::clone(&outcomes));
    let check = Check::new().algorithm(algorithm).ignore_deadlocks().max_executions(1_000);
    let checked = check.run(move || {
        let outcome = checked::interpreter::run(&text);
        collected.borrow_mut().insert(outcome);
    });
    assert_eq!(checked.failures().next(), None, "{program:?}\n{}", checked.report());
    let is_all = checked.outcome().limit.is_none();
    is_all.then(|| (outcomes.take(), checked.outcome().counts.deadlocks > 0))
}

fn budget(usual: u64) -> u64 {
    std::env::var("MAZURKA_BESIDE_CROSSBEAM").map_or(usual, |n| n.parse().expect("a number of programs"))
}

#[test]
fn all_algorithms_find_what_brute_force_finds() {
    let mut compared = 0;
    for seed in 0..budget(500) {
        let program = program(seed);
        let Some(all) = found(&program, "naive") else { continue };
        for algorithm in ["optimal", "source", "optimal+observers"] {
            let met = found(&program, algorithm);
            assert_eq!(met.as_ref(), Some(&all), "seed {seed}, {algorithm}: {program:?}");
        }
        compared += 1;
    }
    println!("{compared} programs");
    assert!(compared > budget(500) / 3, "{compared}");
}

#[test]
fn the_real_crate_does_nothing_that_the_check_does_not() {
    let mut compared = 0;
    for seed in 0..budget(100) {
        let program = program(seed);
        let Some((possible, waits)) = found(&program, "optimal") else {
            continue;
        };
        // What waits for ever would do so here, too.
        if waits {
            continue;
        }
        for _ in 0..10 {
            let (give, outcome) = channel();
            let text = program.clone();
            std::thread::spawn(move || drop(give.send(real::interpreter::run(&text))));
            let outcome = outcome.recv_timeout(Duration::from_secs(20));
            let outcome = outcome.unwrap_or_else(|_| panic!("seed {seed} waits for ever in reality: {program:?}"));
            assert!(
                possible.contains(&outcome),
                "seed {seed}: {program:?}\nreally {outcome:?}\nof {} possible, such as {:?}",
                possible.len(),
                possible.first()
            );
        }
        compared += 1;
    }
    println!("{compared} programs");
    assert!(compared > budget(100) / 5, "{compared}");
}
