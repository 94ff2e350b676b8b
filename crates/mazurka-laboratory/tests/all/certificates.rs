//! Certificates of algorithms that lose executions are refused.

use mazurka_certificate::check_executions;
use mazurka_core::strategy::{At, Backtrack, Entered, Exploration, Make, Next, Sleeper, Strategy};
use mazurka_core::{
    About, Algorithm, Covers, Ending, KNOWN, Needs, Observer, Options, Order, Program, Promise, Status, Transition, search,
};
use mazurka_laboratory::{Budget, Canonical, enumerate, explore};
use mazurka_litmus::Machine;
use mazurka_litmus::families::CORPUS;
use std::cell::{Cell, RefCell};
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

/// What a search forgets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Forgets {
    Nothing,
    /// Races of steps that wait.
    Waiting,
    /// Races with the first event.
    First,
    /// Races of all alternatives of a process but one.
    Alternatives,
    /// Races of steps that are not taken next.
    NotTaken,
    /// To try more than one process where a race is to be reversed.
    Others,
    /// Each race whose number this divides.
    Each(u64),
    /// To put to sleep what was explored first.
    Siblings,
}

thread_local! {
    static FORGETS: Cell<Forgets> = const { Cell::new(Forgets::Nothing) };
}

/// Tries every process where a race is to be reversed, puts to sleep what was tried, and forgets something.
#[derive(Default)]
struct Forgetful {
    backtrack: Backtrack,
    races: Vec<At>,
    seen: u64,
}

impl Forgetful {
    fn reverse(&mut self, exploration: &mut Exploration<'_>, next: Next) {
        let forgets = FORGETS.get();
        exploration.races_of_next(next, &mut self.races);
        for &event in &self.races {
            self.seen += 1;
            let forgotten = match forgets {
                Forgets::First => event == 0,
                Forgets::Each(nth) => self.seen.is_multiple_of(nth),
                _ => false,
            };
            let node = exploration.frame(event);
            let all = if forgets == Forgets::Others { 1 } else { usize::MAX };
            for other in node.enabled().filter(|other| !node.sleeps(other.transition)).take(all) {
                if !forgotten {
                    self.backtrack.add(event as usize, other.transition.process, node);
                }
            }
        }
    }
}

impl Strategy for Forgetful {
    fn enter(&mut self, exploration: &mut Exploration<'_>) -> Entered {
        self.backtrack.open(exploration.depth());
        self.backtrack.begin(exploration)
    }

    fn choose(&mut self, exploration: &mut Exploration<'_>) -> Option<Transition> {
        self.backtrack.next(exploration.depth(), exploration.top())
    }

    fn executed(&mut self, exploration: &mut Exploration<'_>) {
        let forgets = FORGETS.get();
        let mut last = None;
        for next in exploration.top().pending().to_vec() {
            let other = last.replace(next.transition.process) == Some(next.transition.process);
            let forgotten = match forgets {
                Forgets::Waiting => !next.enabled,
                Forgets::Alternatives => other,
                Forgets::NotTaken => next.transition.process.index() % 2 == 1,
                _ => false,
            };
            if !forgotten {
                self.reverse(exploration, next);
            }
        }
    }

    fn maximal(&mut self, exploration: &mut Exploration<'_>) {
        self.backtrack.open(exploration.depth());
    }

    fn returned(&mut self, exploration: &mut Exploration<'_>, step: Sleeper) {
        if FORGETS.get() != Forgets::Siblings || exploration.depth() > 0 {
            exploration.put_to_sleep(step);
        }
    }

    fn branches(&self, depth: usize) -> (u64, u64) {
        self.backtrack.branches(depth)
    }
}

static FORGETFUL: About = About {
    name: "forgetful",
    summary: "a search that forgets something",
    sound: false,
    needs: Needs {
        static_footprints: true,
        one_location_per_step: false,
        terminating: false,
        names_given_once: true,
        actors: false,
    },
    promise: Promise {
        covers: Covers::Traces,
        once: true,
        unblocked: false,
        failure_values: true,
        preserves: None,
    },
    make: Make::Executions(|start| start.with(Forgetful::default())),
};

/// Each of these is an error that somebody could make in a search. What it finds is accepted exactly if it is every trace, each once.
#[test]
fn a_search_that_forgets_something_is_refused_where_that_matters() {
    let kinds = [
        Forgets::Nothing,
        Forgets::Waiting,
        Forgets::First,
        Forgets::Alternatives,
        Forgets::NotTaken,
        Forgets::Others,
        Forgets::Each(2),
        Forgets::Each(3),
        Forgets::Each(7),
        Forgets::Siblings,
    ];
    let mut table = Vec::new();
    for forgets in kinds {
        FORGETS.set(forgets);
        let (mut accepted, mut lost, mut repeated) = (0, 0, 0);
        for program in CORPUS {
            let machine = Machine::parse(program.text).unwrap();
            let truth = enumerate(&machine, Budget::default(), Machine::outcome).unwrap();
            if !machine.features().static_footprints || truth.traces.len() > 60 {
                continue;
            }
            for seed in 0..4 {
                let options = Options::new(Algorithm::new(&FORGETFUL)).order(Order::Random(seed)).keep_going(true);
                let executions = Executions::default();
                let mut search = search(&machine, &options, executions.clone()).unwrap();
                while search.advance(1 << 20) == Status::Running {}
                drop(search);
                let list = executions.0.borrow();
                let mut path = Canonical::new(&machine);
                let traces: Vec<u128> = list
                    .iter()
                    .map(|schedule| {
                        path.replay(&machine, schedule);
                        path.trace()
                    })
                    .collect();
                let different = traces.iter().collect::<std::collections::HashSet<_>>().len();
                let complete = different == truth.traces.len() && different == traces.len();
                let certified = check_executions(&machine, true, &list);
                assert_eq!(certified.is_ok(), complete, "{forgets:?} on {}: {certified:?}", program.name);
                accepted += u64::from(complete);
                lost += u64::from(different < truth.traces.len());
                repeated += u64::from(different < traces.len());
            }
        }
        table.push((forgets, accepted, lost, repeated));
    }
    FORGETS.set(Forgets::Nothing);
    // What it forgets matters. Forgetting nothing, it still loses traces of two programs with choices, as the simplest searches do.
    let wrong = |(_, _, lost, repeated): &(Forgets, u64, u64, u64)| lost + repeated;
    assert!(table[1..].iter().all(|row| wrong(row) > wrong(&table[0])), "{table:?}");
}
