//! A failing schedule of sixty steps and more becomes about as short as the shortest there is, with about as few context switches.
//!
//! What there is is found by exhaustive search here, layer by layer over all states: it shares nothing with the minimiser.

use mazurka_core::schedule::{Budget, minimise, switches};
use mazurka_core::{Effects, Failure, Process, Program, Transition};
use mazurka_litmus::Machine;
use mazurka_promela::{Promela, parse_text};
use std::collections::HashMap;

/// A reader that fails when it sees two of many writes in the wrong order: only a part of the steps matters.
const WATCHER: &str = "\
a:[x=1][p0+=1][p0+=1][p0+=1][p0+=1][p0+=1][p0+=1][p0+=1][p0+=1][p0+=1][p0+=1][p0+=1][x=2][p0+=1][p0+=1][p0+=1][p0+=1][p0+=1][p0+=1]
b:[p1+=1][p1+=1][p1+=1][p1+=1][p1+=1][p1+=1][y=1][p1+=1][p1+=1][p1+=1][p1+=1][p1+=1][p1+=1][p1+=1][p1+=1][p1+=1]
c:[p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1][p2+=1]
w:[await x==2][p3+=1][p3+=1][p3+=1][p3+=1][p3+=1][p3+=1][p3+=1][p3+=1][p3+=1][p3+=1][l1=x][l2=y][assert !(l1==2 && l2==1) \"saw both\"]
";

/// Two processes that take two locks in opposite orders in the middle of their work. The others have to end before it is a deadlock, so that
/// every failing schedule has sixty steps: what can be saved is switches.
const WORKERS: &str = "\
a:[x0+=1][x0+=1][x0+=1][x0+=1][lock m][x0+=1][lock n][unlock n][unlock m][x0+=1]
b:[x1+=1][x1+=1][x1+=1][x1+=1][lock n][x1+=1][lock m][unlock m][unlock n][x1+=1]
c:[x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1][x2+=1]
d:[x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1][x3+=1]
";

/// Two runners pass a baton while an idler walks about: even the shortest schedule has seventy steps and twenty turns.
const RELAY: &str = "
byte turn, laps;
active proctype odd() { do :: turn == 0; laps++; turn = 1 od }
active proctype even() { do :: turn == 1; laps++; turn = 0; assert(laps < 20) od }
active proctype idler() { byte place; do :: place = (place + 1) % 4 od }
";

/// Takes a transition; what fails then, or at the end.
fn take<P: Program>(program: &P, run: &mut P::State, transition: Transition) -> Option<Failure> {
    let mut effects = Effects::default();
    program.step(run, transition, &mut effects);
    effects.failure
}

fn enabled<P: Program>(program: &P, run: &P::State) -> Vec<Transition> {
    let mut pending = Vec::new();
    program.pending(run, &mut pending);
    pending.into_iter().filter(|p| p.enabled).map(|p| p.transition).collect()
}

/// The first failure of an execution that ends here.
fn at_end<P: Program>(program: &P, run: &P::State) -> Option<Failure> {
    let mut failures = Vec::new();
    program.failures_at_end(run, &mut failures);
    failures.into_iter().next()
}

/// The first failure that a random scheduler meets after at least so many steps, looking for it with one seed after the other.
fn stumble<P: Program>(program: &P, at_least: usize, mut seed: u64) -> (Vec<Transition>, Failure) {
    loop {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (mut run, mut schedule, mut random) = (program.start(), Vec::new(), seed);
        while schedule.len() < 2_000 {
            let choices = enabled(program, &run);
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(seed | 1);
            let failure = match choices.get((random >> 33) as usize % choices.len().max(1)) {
                None => match at_end(program, &run) {
                    None => break,
                    end => end,
                },
                Some(&next) => {
                    schedule.push(next);
                    take(program, &mut run, next)
                }
            };
            match failure {
                Some(failure) if schedule.len() >= at_least => return (schedule, failure),
                Some(_) => break,
                None => {}
            }
        }
    }
}

/// The steps of the shortest failing schedule, and the fewest switches of those that are at most a fifth longer.
fn exhaustive<P: Program>(program: &P) -> (usize, usize)
where
    P::State: Clone,
{
    // The fewest switches with which a state can be reached in so many steps, for each process that was last.
    let mut layer: HashMap<(u128, Option<Process>), (P::State, usize)> = HashMap::new();
    let start = program.start();
    layer.insert((program.fingerprint(&start), None), (start, 0));
    let (mut steps, mut shortest, mut fewest) = (0, None, usize::MAX);
    while !layer.is_empty() && shortest.is_none_or(|s| steps * 5 <= s * 6) {
        let mut next: HashMap<(u128, Option<Process>), (P::State, usize)> = HashMap::new();
        for ((_, last), (run, switched)) in &layer {
            let choices = enabled(program, run);
            if choices.is_empty() && at_end(program, run).is_some() {
                shortest.get_or_insert(steps);
                fewest = fewest.min(*switched);
            }
            for transition in choices {
                let mut after = run.clone();
                let switches = switched + usize::from(last.is_some_and(|l| l != transition.process));
                if take(program, &mut after, transition).is_some() {
                    if shortest.is_none_or(|s| (steps + 1) * 5 <= s * 6) {
                        shortest.get_or_insert(steps + 1);
                        fewest = fewest.min(switches);
                    }
                    continue;
                }
                let key = (program.fingerprint(&after), Some(transition.process));
                let known = next.entry(key).or_insert_with(|| (after, switches));
                known.1 = known.1.min(switches);
            }
        }
        layer = next;
        steps += 1;
    }
    (shortest.expect("a failure"), fewest)
}

/// Schedules from sixty steps on, met at random, are minimised to within a fifth of the best in steps and in switches.
fn minimises<P: Program>(program: &P, name: &str)
where
    P::State: Clone,
{
    let (shortest, fewest) = exhaustive(program);
    for seed in 1..=5 {
        let (schedule, failure) = stumble(program, 60, seed);
        let small = minimise(program, &schedule, &failure, Budget::default());
        let (steps, switched) = (small.schedule.len(), switches(&small.schedule));
        let from = format!("{name}: from {} steps with {} switches", schedule.len(), switches(&schedule));
        assert!(steps * 5 <= shortest * 6, "{from} to {steps} steps; the shortest has {shortest}");
        assert!(switched * 5 <= fewest * 6, "{from} to {switched} switches; {fewest} are enough");
    }
}

#[test]
fn an_assertion_that_fails_after_a_long_way() {
    minimises(&Machine::parse(WATCHER).unwrap(), "watcher");
}

#[test]
fn a_deadlock_after_sixty_steps() {
    minimises(&Machine::parse(WORKERS).unwrap(), "workers");
}

#[test]
fn a_long_conversation_in_promela() {
    let parsed = parse_text("relay.pml", RELAY, &[]);
    let promela = Promela::new(parsed.machine.expect("a model"), parsed.sources);
    let (shortest, fewest) = exhaustive(&promela);
    assert_eq!((shortest, fewest), (70, 19));
    minimises(&promela, "relay");
}
