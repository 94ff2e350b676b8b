//! `--paranoid`: what the program promises the searches is checked at every state that a search visits.

use crate::refusal::Refusal;
use crate::start::Watching;
use mazurka_core::laws::{Broken, Checker};
use mazurka_core::{AnyProgram, AnyState, Effects, Ending, Observer, Transition};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// What was checked, and the first promise that was broken.
#[derive(Default)]
pub struct Found {
    states: u64,
    broken: Option<Broken>,
}

impl Found {
    /// Whether a promise was broken: there is no point in going on.
    pub fn is_broken(&self) -> bool {
        self.broken.is_some()
    }

    /// One sentence for the verdict.
    ///
    /// # Errors
    /// What was broken: then there must be no verdict.
    pub fn note(&self, program: &dyn AnyProgram) -> Result<String, Refusal> {
        match &self.broken {
            Some(broken) => Err(Refusal::new(explained(broken, program))),
            None => Ok(format!(
                "paranoid: every promise was kept at the {} states that were visited",
                self.states
            )),
        }
    }

    /// Notes what a traversal of the states has checked.
    pub fn add(&mut self, states: u64) {
        self.states += states;
    }
}

/// A broken promise in the program's own words.
pub fn explained(broken: &Broken, program: &dyn AnyProgram) -> String {
    format!(
        "internal error: the search was told something that is not true, so there is no verdict\n{}",
        broken.explain(program)
    )
}

/// Runs every execution again, state by state, and checks each; then tells the other observer.
pub struct Paranoid<'p> {
    program: &'p (dyn AnyProgram + 'p),
    checker: Checker<'p, dyn AnyProgram + 'p>,
    found: Rc<RefCell<Found>>,
    others: Watching<'p>,
    /// The last execution, and the states along it.
    schedule: Vec<Transition>,
    runs: Vec<AnyState>,
}

impl<'p> Paranoid<'p> {
    /// An observer that puts what it finds into `found`.
    pub fn new(program: &'p (dyn AnyProgram + 'p), found: Rc<RefCell<Found>>, others: Watching<'p>) -> Self {
        Paranoid {
            program,
            checker: Checker::new(program),
            found,
            others,
            schedule: Vec::new(),
            runs: Vec::new(),
        }
    }

    fn check(&mut self, schedule: &[Transition]) -> Result<(), Broken> {
        let shared = self.schedule.iter().zip(schedule).take_while(|(a, b)| a == b).count();
        self.runs.truncate(shared + 1);
        self.schedule.clear();
        self.schedule.extend_from_slice(schedule);
        let mut effects = Effects::default();
        loop {
            let depth = match self.runs.last() {
                None => {
                    self.runs.push(self.program.start());
                    0
                }
                Some(run) => {
                    let depth = self.runs.len();
                    let Some(&next) = schedule.get(depth - 1) else { return Ok(()) };
                    let mut run = run.clone();
                    effects.clear();
                    if catch_unwind(AssertUnwindSafe(|| self.program.step(&mut run, next, &mut effects))).is_err() {
                        // A panic ends the execution, and its state is not looked at.
                        self.schedule.truncate(depth - 1);
                        return Ok(());
                    }
                    self.runs.push(run);
                    depth
                }
            };
            self.found.borrow_mut().states += 1;
            self.checker.at(&self.runs[depth], &schedule[..depth])?;
        }
    }
}

impl Observer<AnyState> for Paranoid<'_> {
    fn execution(&mut self, schedule: &[Transition], run: &AnyState, ending: Ending) {
        if !self.found.borrow().is_broken()
            && let Err(broken) = self.check(schedule)
        {
            self.found.borrow_mut().broken = Some(broken);
        }
        if let Some(others) = &mut self.others {
            others.execution(schedule, run, ending);
        }
    }

    fn step(&mut self, depth: usize, transition: Transition) {
        if let Some(others) = &mut self.others {
            others.step(depth, transition);
        }
    }
}
