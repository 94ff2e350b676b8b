//! Random executions: the same for the same seed, whatever was run before, and an honest account of what they covered.

use crate::support::{Collect, Rng, Script, Seen, Step, random_script};
use mazurka_core::*;

const SAMPLERS: [Sampler; 4] = [Sampler::Random, Sampler::Pct { depth: 3 }, Sampler::Pos, Sampler::Urw];

fn sample(script: &Script, sampling: Sampling, replay: bool) -> (Seen, Outcome) {
    let mut seen = Seen::default();
    let options = Options::new(Algorithm::parse("optimal").unwrap())
        .sampling(sampling)
        .replay(replay)
        .keep_going(true)
        .final_states(true)
        .deadlock_is_error(false);
    let outcome = {
        let mut search = search(script, &options, Collect(script, &mut seen)).unwrap();
        while search.advance(1000) == Status::Running {}
        search.outcome()
    };
    (seen, outcome)
}

#[test]
fn traces_and_final_states_are_counted_as_they_are() {
    for seed in 0..300 {
        let script = random_script(&mut Rng(seed), seed % 2 == 0, seed % 3 == 0);
        for sampler in SAMPLERS {
            let (seen, outcome) = sample(&script, Sampling::new(sampler, 40).seed(seed), seed % 5 == 0);
            let sampled = outcome.sampled.unwrap();
            assert_eq!((outcome.verdict, outcome.limit), (Verdict::Incomplete, Some(Limit::Budget)));
            assert_eq!((sampled.executions, outcome.counts.executions, seen.executions), (40, 40, 40));
            assert_eq!(sampled.traces.seen, seen.traces.len() as u64, "{sampler} {script:?}");
            let finals = sampled.final_states.unwrap();
            assert_eq!((finals.seen, finals.samples), (seen.finals.len() as u64, 40));
            assert_eq!(outcome.distinct_final_states, Some(finals.seen));
        }
    }
}

#[test]
fn enough_executions_show_everything_that_a_complete_search_shows() {
    for seed in 0..60 {
        let script = random_script(&mut Rng(seed), seed % 2 == 0, seed % 3 == 0);
        let (all, _) = crate::support::explore(&script, "optimal", Order::Fifo, false);
        if all.traces.len() > 12 {
            continue;
        }
        for sampler in [Sampler::Random, Sampler::Pos, Sampler::Urw] {
            let (seen, _) = sample(&script, Sampling::new(sampler, 3000), false);
            assert_eq!(seen.traces, all.traces, "{sampler} {script:?}");
        }
    }
}

#[test]
fn a_sample_can_be_continued() {
    struct Schedules<'a>(&'a mut Vec<Vec<Transition>>);
    impl Observer<crate::support::State> for Schedules<'_> {
        fn execution(&mut self, schedule: &[Transition], _: &crate::support::State, _: Ending) {
            self.0.push(schedule.to_vec());
        }
    }
    let script = random_script(&mut Rng(4), true, true);
    let run = |sampling: Sampling| {
        let mut schedules = Vec::new();
        let options = Options::new(Algorithm::parse("optimal").unwrap())
            .sampling(sampling)
            .keep_going(true)
            .deadlock_is_error(false);
        let mut search = search(&script, &options, Schedules(&mut schedules)).unwrap();
        while search.advance(7) == Status::Running {}
        drop(search);
        schedules
    };
    for sampler in SAMPLERS {
        let whole = run(Sampling::new(sampler, 60).seed(9));
        for from in [0, 3, 8, 30] {
            let part = run(Sampling::new(sampler, 60 - from).seed(9).from(from));
            assert_eq!(part, whole[from as usize..], "{sampler} from {from}");
        }
        assert_ne!(run(Sampling::new(sampler, 60).seed(10)), whole);
    }
}

/// A short process and a long one that touch the same thing.
fn uneven() -> Script {
    let write = |v| Step {
        writes: vec![(0, v)],
        ..Step::default()
    };
    Script {
        processes: vec![vec![write(1)], (0..9).map(write).collect()],
    }
}

#[test]
fn urw_draws_interleavings_about_equally_often() {
    // Ten interleavings, each a trace: the short process moves after any number of steps of the long one.
    let last_is_short = |sampler| {
        let (_, outcome) = sample(&uneven(), Sampling::new(sampler, 2000), false);
        let sampled = outcome.sampled.unwrap();
        sampled.traces.seen
    };
    assert_eq!(last_is_short(Sampler::Urw), 10);
    let count = |sampler| {
        let mut seen = Seen::default();
        let mut ends = 0;
        for seed in 0..2000 {
            let (one, _) = sample(&uneven(), Sampling::new(sampler, 1).seed(seed).from(100), false);
            ends += u32::from(one.traces.iter().any(|t| t.contains("1.8<0.0")));
            seen.traces.extend(one.traces);
        }
        ends
    };
    let (uniform, plain) = (count(Sampler::Urw), count(Sampler::Random));
    assert!((150..250).contains(&uniform), "a tenth of 2000: {uniform}");
    assert!(plain < 20, "one in 512: {plain}");
}

#[test]
fn executions_that_do_not_end_are_cut_and_counted() {
    let script = uneven();
    let options = Options::new(Algorithm::parse("optimal").unwrap())
        .sampling(Sampling::new(Sampler::Pos, 5))
        .limits(Limits::default().depth(4));
    let mut search = search(&script, &options, Unobserved).unwrap();
    while search.advance(1000) == Status::Running {}
    let outcome = search.outcome();
    let sampled = outcome.sampled.unwrap();
    assert_eq!((sampled.executions, sampled.cut, outcome.counts.executions), (5, 5, 0));
    assert_eq!(sampled.traces.unseen(), None);
}
