//! A program in the middle of an execution: the states along it, kept as snapshots or rebuilt by running the schedule again.
//!
//! This is the only code between a program and the searches that is compiled for each kind of program.

use crate::comparable::{Atom, Comparable, Influence, Knowledge, Predicate, Task};
use crate::effects::Effects;
use crate::footprint::Footprint;
use crate::outcome::{Failure, FailureKind};
use crate::program::{Features, Fingerprint, Location, Order, Pending, Process, Program, Transition};
use crate::search::{Ending, Observer};
use crate::world::{Equality, Facts, State, Values, World};
use smallvec::SmallVec;
use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

impl<P: Program> Facts for P {
    fn features(&self) -> Features {
        Program::features(self)
    }

    fn may_guard(&self, location: Location) -> bool {
        Program::may_guard(self, location)
    }

    fn is_comparable(&self) -> bool {
        self.comparable().is_some()
    }

    fn overwrites(&self) -> bool {
        self.comparable().is_none_or(|c| c.overwrites())
    }
}

/// A program with the states of its current execution, and who is told of it.
pub(crate) struct Running<'p, P: Program> {
    program: &'p P,
    states: States<'p, P>,
    /// A state to try something on.
    aside: Option<At<'p, P>>,
    observer: Box<dyn Observer<P> + 'p>,
}

/// Where the states of the current execution come from.
enum States<'p, P: Program> {
    /// The state at every depth is kept. A step costs one `clone_from` into memory that is reused.
    Snapshots {
        states: Vec<At<'p, P>>,
        depth: usize,
        copying: Copying<P::Run>,
    },
    /// One state is kept, and the schedule is run from the start after a step was undone.
    Rebuilt {
        state: Option<At<'p, P>>,
        schedule: Vec<Transition>,
        steps: u64,
    },
}

/// How states are copied. Only who makes a [`Running`] needs to know that they can be.
struct Copying<R> {
    clone: fn(&R) -> R,
    clone_from: fn(&mut R, &R),
}

impl<'p, P: Program> Running<'p, P> {
    /// At the initial state; snapshots are kept.
    pub fn with_snapshots(program: &'p P, observer: Box<dyn Observer<P> + 'p>) -> Self
    where
        P::Run: Clone,
    {
        let states = States::Snapshots {
            states: vec![At::start(program)],
            depth: 0,
            copying: Copying {
                clone: P::Run::clone,
                clone_from: P::Run::clone_from,
            },
        };
        Running {
            program,
            states,
            aside: None,
            observer,
        }
    }

    /// At the initial state; earlier states are rebuilt.
    pub fn rebuilding(program: &'p P, observer: Box<dyn Observer<P> + 'p>) -> Self {
        let states = States::Rebuilt {
            state: Some(At::start(program)),
            schedule: Vec::new(),
            steps: 0,
        };
        Running {
            program,
            states,
            aside: None,
            observer,
        }
    }
}

impl<'p, P: Program> States<'p, P> {
    fn current(&mut self, program: &'p P) -> &mut At<'p, P> {
        match self {
            States::Snapshots { states, depth, .. } => &mut states[*depth],
            States::Rebuilt { state, schedule, steps } => state.get_or_insert_with(|| {
                *steps += schedule.len() as u64;
                At::after(program, schedule)
            }),
        }
    }

    /// Makes the state after the last step the one before the next step, which it returns.
    fn advance(&mut self, program: &'p P, transition: Transition) -> &mut P::Run {
        if let States::Rebuilt { .. } = self {
            self.current(program);
        }
        match self {
            States::Snapshots { states, depth, copying } => {
                *depth += 1;
                let (now, later) = states.split_at_mut(*depth);
                let now = &now[*depth - 1].run;
                match later.first_mut() {
                    Some(next) => (copying.clone_from)(&mut next.run, now),
                    None => {
                        let run = (copying.clone)(now);
                        states.push(At { program, run });
                    }
                }
                &mut states[*depth].run
            }
            States::Rebuilt { state, schedule, .. } => {
                schedule.push(transition);
                let state = state.as_mut().unwrap_or_else(|| unreachable!("rebuilt above"));
                &mut state.run
            }
        }
    }
}

impl<P: Program> World for Running<'_, P> {
    fn current(&mut self) -> &dyn State {
        self.states.current(self.program)
    }

    fn take(&mut self, transition: Transition, effects: &mut Effects) -> bool {
        let program = self.program;
        caught(effects, |effects| {
            let run = self.states.advance(program, transition);
            program.step(run, transition, effects);
        })
    }

    fn back(&mut self) {
        match &mut self.states {
            States::Snapshots { depth, .. } => *depth -= 1,
            States::Rebuilt { state, schedule, .. } => {
                *state = None;
                schedule.pop();
            }
        }
    }

    fn aside(&mut self, depth: usize) -> &mut dyn State {
        match (&mut self.states, &mut self.aside) {
            (States::Snapshots { states, copying, .. }, Some(aside)) => {
                (copying.clone_from)(&mut aside.run, &states[depth].run);
                aside
            }
            (States::Snapshots { states, copying, .. }, none) => none.insert(At {
                program: self.program,
                run: (copying.clone)(&states[depth].run),
            }),
            (States::Rebuilt { schedule, steps, .. }, aside) => {
                *steps += depth as u64;
                aside.insert(At::after(self.program, &schedule[..depth]))
            }
        }
    }

    fn rebuilding_steps(&self) -> u64 {
        match &self.states {
            States::Snapshots { .. } => 0,
            States::Rebuilt { steps, .. } => *steps,
        }
    }

    fn tell_step(&mut self, depth: usize, transition: Transition) {
        self.observer.step(depth, transition);
    }

    fn tell_ending(&mut self, schedule: &[Transition], ending: Ending) {
        let state = self.states.current(self.program);
        self.observer.execution(schedule, &state.run, ending);
    }
}

/// A program in one of its states.
struct At<'p, P: Program> {
    program: &'p P,
    run: P::Run,
}

impl<'p, P: Program> At<'p, P> {
    fn start(program: &'p P) -> Self {
        At {
            program,
            run: program.start(),
        }
    }

    /// After running a schedule that was run before.
    fn after(program: &'p P, schedule: &[Transition]) -> Self {
        let mut at = At::start(program);
        let mut effects = Effects::default();
        for transition in schedule {
            effects.clear();
            program.step(&mut at.run, *transition, &mut effects);
        }
        at
    }

    fn comparable(&self) -> &dyn Comparable<Run = P::Run> {
        let comparable = self.program.comparable();
        comparable.unwrap_or_else(|| unreachable!("values are asked of comparable programs only"))
    }
}

impl<P: Program> State for At<'_, P> {
    fn pending(&self, out: &mut Vec<Pending>) {
        self.program.pending(&self.run, out);
    }

    fn footprint(&self, transition: Transition, out: &mut Footprint) {
        self.program.footprint(&self.run, transition, out);
    }

    fn step(&mut self, transition: Transition, effects: &mut Effects) -> bool {
        caught(effects, |effects| self.program.step(&mut self.run, transition, effects))
    }

    fn fingerprint(&self, equality: Equality) -> Fingerprint {
        match equality {
            Equality::Exact => self.program.fingerprint(&self.run),
            Equality::Live => self.program.live_fingerprint(&self.run),
        }
    }

    fn failures_at_end(&self, out: &mut Vec<Failure>) {
        self.program.failures_at_end(&self.run, out);
    }

    fn future(&self, process: Process, out: &mut Footprint) -> bool {
        self.program.future(&self.run, process, out)
    }

    fn precedence(&self, order: Order, transition: Transition) -> Option<u64> {
        self.program.precedence(&self.run, order, transition)
    }

    fn actor(&self, transition: Transition) -> Option<u32> {
        self.program.actor(&self.run, transition)
    }
}

impl<P: Program> Values for At<'_, P> {
    fn value(&self, location: Location) -> i64 {
        self.comparable().value(&self.run, location)
    }

    fn guard(&self, process: Process, atoms: &mut SmallVec<[Atom; 4]>) -> Predicate {
        self.comparable().guard(&self.run, process, atoms)
    }

    fn evaluate(&self, predicate: Predicate, atoms: &[i64]) -> u64 {
        self.comparable().evaluate(predicate, atoms)
    }

    fn control(&self, knowledge: Knowledge, tasks: Option<&mut Vec<Task>>) -> Fingerprint {
        self.comparable().control(&self.run, knowledge, tasks)
    }

    fn influence(&self, transition: Transition, knowledge: Knowledge, out: &mut Influence) {
        self.comparable().influence(&self.run, transition, knowledge, out);
    }

    fn addressing(&self, process: Process, out: &mut Vec<Location>) {
        self.comparable().addressing(&self.run, process, out);
    }

    fn shared_locations(&self) -> Range<u32> {
        self.comparable().shared_locations()
    }
}

/// Runs a step of the program. A panic is a failure like any other, except that nothing is known of the state after it: then false.
pub(crate) fn caught(effects: &mut Effects, step: impl FnOnce(&mut Effects)) -> bool {
    effects.clear();
    // The state of a run whose step panicked is never looked at again: the execution ends here.
    let ended = catch_unwind(AssertUnwindSafe(|| step(&mut *effects)));
    if let Err(payload) = ended {
        effects.failure = Some(Failure {
            kind: FailureKind::Panic,
            message: message(&*payload),
            at: None,
        });
        return false;
    }
    true
}

fn message(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "the program panicked".to_owned())
}
