//! Certificates of algorithms that lose executions are refused.

use mazurka_certificate::check_executions;
use mazurka_core::{Algorithm, Ending, KNOWN, Observer, Options, Order, Program, Status, Transition, search};
use mazurka_laboratory::{Budget, enumerate, explore};
use mazurka_litmus::Machine;
use mazurka_litmus::families::CORPUS;
use std::cell::RefCell;
use std::rc::Rc;

#[derive(Default, Clone)]
struct Executions(Rc<RefCell<Vec<Vec<Transition>>>>);

impl<S> Observer<S> for Executions {
    fn execution(&mut self, schedule: &[Transition], _: &S, ending: Ending) {
        if matches!(ending, Ending::Finished | Ending::Deadlock) {
            self.0.borrow_mut().push(schedule.to_vec());
        }
    }
}

#[test]
fn whatever_loses_a_trace_is_refused() {
    let unsound = KNOWN.iter().filter(|about| !about.sound).map(|about| about.name);
    // These merge or skip on purpose, and so do not have every trace.
    let others = ["source+context", "optimal+observers", "optimal+context"];
    let mut refused: Vec<(&str, u64)> = Vec::new();
    for name in unsound.chain(others) {
        let algorithm = Algorithm::parse(name).unwrap();
        refused.push((name, 0));
        for program in CORPUS {
            let machine = Machine::parse(program.text).unwrap();
            if algorithm.is_stateful() || algorithm.fits(machine.features()).is_err() {
                continue;
            }
            let truth = enumerate(&machine, Budget::default(), Machine::outcome).unwrap();
            let orders = if truth.traces.len() > 100 { 1 } else { 12 };
            for seed in 0..orders {
                let options = Options::new(algorithm).order(Order::Random(seed)).keep_going(true);
                let (seen, _) = explore(&machine, &options, Machine::outcome).unwrap();
                if truth.traces.iter().all(|trace| seen.traces.contains_key(trace)) {
                    continue;
                }
                let executions = Executions::default();
                let mut search = search(&machine, &options, executions.clone()).unwrap();
                while search.advance(1 << 20) == Status::Running {}
                drop(search);
                let list = executions.0.borrow();
                assert!(check_executions(&machine, true, &list).is_err(), "{name} on {}", program.name);
                if let Some((_, count)) = refused.last_mut() {
                    *count += 1;
                }
            }
        }
    }
    let total: u64 = refused.iter().map(|(_, n)| n).sum();
    assert!(total > 100, "{refused:?}");
    let none: Vec<&str> = refused.iter().filter(|(_, n)| *n == 0).map(|(name, _)| *name).collect();
    assert!(none.len() * 2 < refused.len(), "nothing was lost by {none:?}");
}
