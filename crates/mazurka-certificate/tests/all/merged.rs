//! Certificates of searches that merge or store states.

use crate::programs::HARD;
use crate::support::{claims, run};
use mazurka_certificate::{
    Claims, Evidence, Proved, Rejection, StatesWriter, Subject, Verified, Workers, Writer, check_merged, check_states, verify,
};
use mazurka_core::{
    Algorithm, AnyProgram, Describe, Ending, Observe, Observer, Options, Outcome, StateSpace, StatefulOptions, Transition, any, search,
    stateful_search,
};
use mazurka_litmus::{Machine, family};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

fn subject() -> Subject {
    crate::support::subject()
}

/// Every execution, however it ended.
#[derive(Default, Clone)]
struct Begun(Rc<RefCell<Vec<Vec<Transition>>>>);

impl<S> Observer<S> for Begun {
    fn execution(&mut self, schedule: &[Transition], _: &S, _: Ending) {
        self.0.borrow_mut().push(schedule.to_vec());
    }
}

fn merge(machine: &Machine) -> (Vec<Vec<Transition>>, Outcome) {
    let options = Options::new(Algorithm::parse("source+merge").unwrap())
        .keep_going(true)
        .final_states(true)
        .observe(Observe::States)
        .see_values(false);
    let begun = Begun::default();
    let outcome = run(&mut *search(machine, &options, begun.clone()).unwrap());
    let list = begun.0.borrow().clone();
    (list, outcome)
}

/// For each state the numbers of the successors that are explored, and how many there are.
type Explored = Vec<(Vec<u32>, usize)>;

fn store(machine: &Machine) -> (Explored, Outcome) {
    let options = Options::new(Algorithm::parse("stateful").unwrap())
        .keep_going(true)
        .final_states(true);
    let explored: Rc<RefCell<Explored>> = Rc::default();
    let mut search = stateful_search(machine, &options, StatefulOptions::default()).unwrap();
    let told = Rc::clone(&explored);
    assert!(search.tell(Box::new(move |chosen, all| told.borrow_mut().push((chosen.to_vec(), all)))));
    let outcome = run(&mut *search);
    (explored.take(), outcome)
}

/// Each as a machine for searches and as the checker takes it.
fn programs() -> Vec<(Machine, Box<dyn AnyProgram>)> {
    let hard = HARD
        .iter()
        .map(|(text, _)| (Machine::parse(text).unwrap(), any(Machine::parse(text).unwrap())));
    let families = [("readers", 5), ("lastzero", 5), ("philosophers", 4), ("prodcons", 3)]
        .into_iter()
        .map(|(name, n)| {
            let member = || family(name).unwrap().machine(&[("n".to_owned(), n)]).unwrap();
            (member(), any(member()))
        });
    hard.chain(families).collect()
}

fn written(machine: &Machine, executions: &[Vec<Transition>], claims: &Claims) -> Vec<u8> {
    let key = |t: Transition| machine.process_key(t.process);
    let mut writer = Writer::merging(Vec::new(), &subject(), "source+merge").unwrap();
    executions.iter().for_each(|schedule| writer.execution(schedule, &key).unwrap());
    writer.finish(claims).unwrap()
}

fn written_states(explored: &Explored, claims: &Claims) -> Vec<u8> {
    let mut writer = StatesWriter::new(Vec::new(), &subject(), "stateful").unwrap();
    explored.iter().for_each(|(chosen, all)| writer.state(chosen, *all).unwrap());
    writer.finish(claims).unwrap()
}

fn check(program: &dyn AnyProgram, certificate: &[u8]) -> Result<Verified, Rejection> {
    verify(program, &subject(), true, Workers::One, certificate)
}

/// The failures of a certificate have an order of their own.
fn says(verified: &Verified, outcome: &Outcome) {
    let Proved::Complete(found) = &verified.proved else {
        panic!("{verified:?}")
    };
    let counts = |claims: &Claims| (claims.executions, claims.final_states, claims.deadlocks);
    let messages = |claims: &Claims| claims.failures.iter().map(|f| f.message.clone()).collect::<BTreeSet<_>>();
    let expected = claims(outcome);
    assert_eq!((counts(found), messages(found)), (counts(&expected), messages(&expected)));
}

#[test]
fn searches_that_merge_are_certified() {
    for (machine, any) in programs() {
        let (executions, outcome) = merge(&machine);
        let verified = check(&*any, &written(&machine, &executions, &claims(&outcome))).unwrap();
        let Evidence::Merged { states, .. } = verified.evidence else {
            panic!("{verified:?}")
        };
        assert!(states <= outcome.counts.states, "woken states count twice");
        assert_eq!(verified.steps, outcome.counts.steps);
        says(&verified, &outcome);
    }
}

#[test]
fn searches_that_store_states_are_certified() {
    for (machine, any) in programs() {
        let (explored, outcome) = store(&machine);
        let verified = check(&*any, &written_states(&explored, &claims(&outcome))).unwrap();
        let states = outcome.counts.states;
        assert_eq!(verified.evidence, Evidence::States { states, reduced: 0 });
        says(&verified, &outcome);
    }
}

#[test]
fn whatever_is_claimed_must_be_so() {
    for (machine, any) in programs() {
        let (executions, outcome) = merge(&machine);
        let (explored, _) = store(&machine);
        let right = claims(&outcome);
        let wrong = [
            Claims {
                executions: right.executions + 1,
                ..right.clone()
            },
            Claims {
                final_states: right.final_states - 1,
                ..right.clone()
            },
            Claims {
                deadlocks: right.deadlocks + 1,
                ..right.clone()
            },
        ];
        for claims in wrong {
            for bytes in [written(&machine, &executions, &claims), written_states(&explored, &claims)] {
                assert!(matches!(check(&*any, &bytes), Err(Rejection::Refused(_))));
            }
        }
    }
}

/// Leaves out what lies below each step of some executions.
#[test]
fn what_merging_lacks_is_noticed() {
    let mut refused = 0;
    for (machine, _) in programs() {
        let (executions, _) = merge(&machine);
        let whole = check_merged(&machine, true, &executions).unwrap();
        for execution in executions.iter().step_by(1 + executions.len() / 25) {
            for shared in 0..execution.len() {
                let kept = |other: &&Vec<Transition>| other.get(..=shared) != Some(&execution[..=shared]);
                let fewer: Vec<Vec<Transition>> = executions.iter().filter(kept).cloned().collect();
                match check_merged(&machine, true, &fewer) {
                    // Some branches are there only because their order was not known beforehand.
                    Ok(found) => assert_eq!((found.final_states, found.failures), (whole.final_states, whole.failures.clone())),
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(refused > 300, "{refused}");
}

#[test]
fn a_state_without_one_of_its_successors_is_refused() {
    for (machine, _) in programs() {
        let (explored, _) = store(&machine);
        for at in 0..explored.len().min(200) {
            let mut fewer = explored.clone();
            fewer[at].0.pop();
            if fewer[at].0.is_empty() {
                continue;
            }
            assert!(check_states(machine.graph(), true, &fewer).is_err(), "{at}");
        }
    }
}

/// The proof of merging needs every one of these: a search that forgets one of them loses final states of these programs.
#[test]
fn merging_without_cones_is_refused() {
    // Whatever is reached again is cut, and nobody looks at the races below it: one execution is enough here.
    let machine = Machine::parse("p0:[x=1] p1:[l=x]").unwrap();
    let (executions, _) = merge(&machine);
    assert!(check_merged(&machine, true, &executions[..1]).is_err());
    // A state that is cut is not gone on from.
    let machine = Machine::parse("p0:[x=1] p1:[y=1] p2:[l=x; l=y]").unwrap();
    let (mut executions, _) = merge(&machine);
    let cut = executions.iter().position(|e| e.len() < 3).expect("something is cut");
    let process = executions[0].iter().find(|t| !executions[cut].contains(t)).copied().unwrap();
    executions[cut].push(process);
    assert!(check_merged(&machine, true, &executions).is_err());
}
