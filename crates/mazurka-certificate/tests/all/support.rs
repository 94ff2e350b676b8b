//! Searching with a certificate.

use mazurka_certificate::{Claims, Rejection, Subject, Verified, Writer, verify_typed};
use mazurka_core::{Algorithm, Describe, Ending, Observer, Options, Outcome, Search, Status, Transition, search};
use mazurka_litmus::Machine;
use std::cell::RefCell;
use std::rc::Rc;

/// Every maximal execution that a search runs, in its order.
#[derive(Default, Clone)]
pub struct Executions(pub Rc<RefCell<Vec<Vec<Transition>>>>);

impl<S> Observer<S> for Executions {
    fn execution(&mut self, schedule: &[Transition], _: &S, ending: Ending) {
        if matches!(ending, Ending::Finished | Ending::Deadlock) {
            self.0.borrow_mut().push(schedule.to_vec());
        }
    }
}

pub fn subject() -> Subject {
    Subject {
        version: "test".to_owned(),
        digest: 7,
    }
}

/// The executions of a program and what the search says about them.
pub fn explore(machine: &Machine, algorithm: &str) -> (Vec<Vec<Transition>>, Outcome) {
    let executions = Executions::default();
    let options = Options::new(Algorithm::parse(algorithm).unwrap())
        .keep_going(true)
        .final_states(true);
    let outcome = run(&mut *search(machine, &options, executions.clone()).unwrap());
    let list = executions.0.borrow().clone();
    (list, outcome)
}

/// Runs a search to its end.
pub fn run<S: Search + ?Sized>(search: &mut S) -> Outcome {
    while search.advance(1 << 20) == Status::Running {}
    search.outcome()
}

pub fn claims(outcome: &Outcome) -> Claims {
    Claims {
        executions: outcome.counts.executions,
        final_states: outcome.distinct_final_states.unwrap(),
        deadlocks: outcome.counts.deadlocks,
        failures: outcome.failures.iter().map(|f| f.failure.clone()).collect(),
    }
}

pub fn write(machine: &Machine, executions: &[Vec<Transition>], claims: &Claims) -> Vec<u8> {
    let key = |t: Transition| machine.process_key(t.process);
    let mut writer = Writer::new(Vec::new(), &subject(), "optimal").unwrap();
    for schedule in executions {
        writer.execution(schedule, &key).unwrap();
    }
    writer.finish(claims).unwrap()
}

pub fn check(machine: &Machine, certificate: &[u8]) -> Result<Verified, Rejection> {
    verify_typed(machine, &subject(), true, certificate)
}

/// Searches, and checks the certificate.
pub fn certified(machine: &Machine, algorithm: &str) -> Result<Verified, Rejection> {
    let (executions, outcome) = explore(machine, algorithm);
    check(machine, &write(machine, &executions, &claims(&outcome)))
}
