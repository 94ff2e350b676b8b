//! The search is a loop over a stack of its own: long executions do not overflow the machine's.

use mazurka_core::*;

/// Two processes that count, each in its own variable, and write a common one in the end.
struct Counters {
    steps: u32,
}

impl Program for Counters {
    type State = [u32; 2];

    fn start(&self) -> [u32; 2] {
        [0; 2]
    }

    fn pending(&self, state: &[u32; 2], out: &mut Vec<Pending>) {
        let unfinished = (0..2).filter(|p| state[*p as usize] < self.steps);
        out.extend(unfinished.map(|p| Pending {
            transition: Transition::of(Process(p)),
            enabled: true,
        }));
    }

    fn footprint(&self, state: &[u32; 2], t: Transition, out: &mut Footprint) {
        out.overwrite(Location(t.process.0));
        if state[t.process.index()] + 1 == self.steps {
            out.overwrite(Location(2));
        }
    }

    fn step(&self, state: &mut [u32; 2], t: Transition, _: &mut Effects) {
        state[t.process.index()] += 1;
    }

    fn fingerprint(&self, state: &[u32; 2]) -> u128 {
        u128::from(state[0]) << 32 | u128::from(state[1])
    }

    fn features(&self) -> Features {
        Features {
            terminating: true,
            ..Features::STATIC
        }
    }
}

#[test]
fn a_hundred_thousand_steps_do_not_overflow() {
    for algorithm in ["source", "optimal"] {
        let program = Counters { steps: 50_000 };
        let mut search = search(&program, &Options::new(Algorithm::parse(algorithm).unwrap()), Unobserved).unwrap();
        while search.advance(1 << 20) == Status::Running {}
        let outcome = search.outcome();
        assert_eq!(outcome.verdict, Verdict::Complete, "{algorithm}");
        assert_eq!(outcome.counts.executions, 2, "{algorithm}");
        assert_eq!(outcome.counts.max_depth, 100_000, "{algorithm}");
    }
}
