//! A search that is saved and thrown away at any moment, and gone on with by another one, finds exactly what one finds that nobody disturbs.

use crate::support::{Rng, Script, Step, random_script};
use mazurka_core::saved::Misfit;
use mazurka_core::*;
use std::time::Duration;

fn fresh<'p>(script: &'p Script, options: &Options) -> Box<dyn Search + 'p> {
    search(script, options, Unobserved).expect("it fits")
}

fn undisturbed(script: &Script, options: &Options) -> Outcome {
    let mut search = fresh(script, options);
    while search.advance(1 << 20) == Status::Running {}
    search.outcome()
}

/// Runs a search whose every slice is run by another one; says how often it was handed over.
fn disturbed(script: &Script, options: &Options, slice: &mut dyn FnMut() -> u64) -> (Outcome, u32) {
    let mut handovers = 0;
    let mut running = fresh(script, options);
    while running.advance(slice()) == Status::Running {
        let saved = running.save().expect("it can be saved");
        // What is done after that is lost, as it is when the power fails.
        running.advance(slice());
        running = fresh(script, options);
        running.resume(&saved).expect("it was saved by such a search");
        handovers += 1;
    }
    (running.outcome(), handovers)
}

#[test]
fn a_search_that_is_killed_at_any_moment_finds_what_others_find() {
    let mut rng = Rng(23);
    let programs = std::env::var("PROGRAMS").map_or(250, |n| n.parse().unwrap());
    let mut handovers = [0; 4];
    for n in 0..programs {
        let script = random_script(&mut rng, n % 2 == 0, n % 3 == 0);
        for (which, name) in ["optimal", "source", "dpor"].into_iter().enumerate() {
            let order = if n % 4 < 2 { Order::Fifo } else { Order::Random(n) };
            let mut options = Options::new(Algorithm::parse(name).unwrap()).order(order);
            options = options.keep_going(n % 5 != 0).final_states(n % 2 == 1);
            if n % 6 == 0 {
                options.limits = Limits::default().depth(4);
            } else if n % 7 == 0 {
                options.limits = Limits::default().executions(20);
            }
            let expected = undisturbed(&script, &options);
            let (found, times) = disturbed(&script, &options, &mut || 1 + rng.below(9) as u64);
            assert_eq!(found, expected, "`{name}`, {order:?}, on {script:?}");
            handovers[which] += times;
        }
        let sampler = [Sampler::Random, Sampler::Pos, Sampler::Urw, Sampler::Pct { depth: 3 }][n as usize % 4];
        let sampling = Sampling::new(sampler, 30).seed(n).from([0, 3][n as usize % 2]);
        let options = Options::new(Algorithm::parse("optimal").unwrap())
            .keep_going(true)
            .final_states(true);
        let options = options.sampling(sampling);
        let (found, times) = disturbed(&script, &options, &mut || 1 + rng.below(40) as u64);
        assert_eq!(found, undisturbed(&script, &options), "{sampler:?} on {script:?}");
        handovers[3] += times;
    }
    assert!(handovers.iter().all(|times| *times > programs as u32), "{handovers:?}");
}

/// Every one writes the same variable.
fn writers(n: usize) -> Script {
    let write = |v| Step {
        writes: vec![(0, v)],
        ..Step::default()
    };
    Script {
        processes: (0..n).map(|i| vec![write(i as i64)]).collect(),
    }
}

fn optimal() -> Options {
    Options::new(Algorithm::parse("optimal").unwrap())
}

#[test]
fn one_that_was_stopped_goes_on_as_if_it_had_not_been() {
    let script = writers(6);
    let in_time = optimal().limits(Limits::default().time(Duration::ZERO));
    let (mut late, mut interrupted) = (fresh(&script, &in_time), fresh(&script, &optimal()));
    interrupted.advance(100);
    interrupted.interrupt();
    for (stopped, limit) in [(&mut late, Limit::Time), (&mut interrupted, Limit::Interrupt)] {
        while stopped.advance(100) == Status::Running {}
        let saved = stopped.save().unwrap();
        assert_eq!(stopped.outcome().limit, Some(limit), "it stays stopped itself");
        let mut again = fresh(&script, &optimal());
        again.resume(&saved).unwrap();
        while again.advance(1 << 20) == Status::Running {}
        assert_eq!(again.outcome(), undisturbed(&script, &optimal()));
    }
}

#[test]
fn an_execution_that_was_cut_is_not_forgotten_by_one_that_is_stopped() {
    let script = writers(4);
    let cut = optimal().limits(Limits::default().depth(2));
    let mut stopped = fresh(&script, &cut);
    stopped.advance(8);
    stopped.interrupt();
    let saved = stopped.save().unwrap();
    let mut again = fresh(&script, &cut);
    again.resume(&saved).unwrap();
    while again.advance(1 << 20) == Status::Running {}
    assert_eq!(again.outcome().limit, Some(Limit::Depth));
    assert_eq!(again.outcome().verdict, Verdict::Incomplete);
}

#[test]
fn what_does_not_fit_is_refused_and_never_panics() {
    let script = writers(4);
    let mut search = fresh(&script, &optimal().keep_going(true).final_states(true));
    search.advance(40);
    let saved = search.save().unwrap();
    let resumed = |script: &Script, options: &Options, saved: &[u8]| fresh(script, options).resume(saved);
    let options = optimal().keep_going(true).final_states(true);
    assert_eq!(resumed(&script, &options, &saved), Ok(()));
    assert_eq!(resumed(&writers(2), &options, &saved), Err(Misfit::OtherProgram));
    assert_eq!(resumed(&script, &optimal(), &saved), Err(Misfit::OtherSearch));
    for len in 0..saved.len() {
        assert!(resumed(&script, &options, &saved[..len]).is_err(), "{len} bytes of {}", saved.len());
    }
    // Not every change can be noticed here, which is why checkpoints have a checksum.
    for at in 0..saved.len() {
        for bit in 0..8 {
            let mut changed = saved.clone();
            changed[at] ^= 1 << bit;
            let _ = resumed(&script, &options, &changed);
        }
    }
}

#[test]
fn searches_that_cannot_be_saved_say_so() {
    let script = writers(3);
    let reason = |options: &Options| fresh(&script, options).save().unwrap_err().to_string();
    let merging = Options::new(Algorithm::parse("source+merge").unwrap());
    begins_with(&reason(&merging), "`source+merge` cannot be saved: it does not say where it stands");
    begins_with(
        &reason(&optimal().replay(true)),
        "`--replay` cannot be saved: a search that keeps no snapshots",
    );
    begins_with(
        &reason(&optimal().bound(Bound::preemptions(1))),
        "`this search` cannot be saved: it does not say",
    );
}

fn begins_with(said: &str, expected: &str) {
    assert!(said.starts_with(expected), "{said}");
}
