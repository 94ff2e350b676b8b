//! A program in the middle of an execution: the states along it, kept as snapshots or rebuilt by running the schedule again.
//!
//! This is the only code between a program and the searches that is compiled for each kind of program.

use crate::effects::Effects;
use crate::footprint::Footprint;
use crate::insights::{Atom, Comparable, Influence, Insights, Knowledge, Predicate, Task};
use crate::order::Order;
use crate::outcome::{Failure, FailureKind};
use crate::program::{Fingerprint, Location, Pending, Process, Program, Transition};
use crate::search::{Ending, Observer};
use crate::world::{Equality, Situation, Values, World};
use smallvec::SmallVec;
use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// A program with the states of its current execution, and who is told of it.
pub(crate) struct Running<'p, P: Program> {
    asked: Asked<'p, P>,
    states: States<'p, P>,
    /// A state to try something on.
    aside: Option<At<'p, P>>,
    observer: Box<dyn Observer<P::State> + 'p>,
}

/// A program, and its insights, which it was asked for once.
struct Asked<'p, P: Program> {
    program: &'p P,
    insights: Rc<Insights<'p, P::State>>,
}

impl<P: Program> Clone for Asked<'_, P> {
    fn clone(&self) -> Self {
        Asked {
            program: self.program,
            insights: Rc::clone(&self.insights),
        }
    }
}

/// Where the states of the current execution come from.
enum States<'p, P: Program> {
    /// The state at every depth is kept. A step costs one `clone_from` into memory that is reused.
    Snapshots {
        states: Vec<At<'p, P>>,
        depth: usize,
        copying: Copying<P::State>,
    },
    /// One state is kept, and the schedule is run from the start after a step was undone.
    Rebuilt {
        state: Option<At<'p, P>>,
        schedule: Vec<Transition>,
        steps: u64,
    },
}

/// How states are copied. Only who makes a [`Running`] needs to know that they can be.
struct Copying<S> {
    clone: fn(&S) -> S,
    clone_from: fn(&mut S, &S),
}

impl<'p, P: Program> Running<'p, P> {
    /// At the initial state; snapshots are kept.
    pub fn with_snapshots(program: &'p P, observer: Box<dyn Observer<P::State> + 'p>) -> Self
    where
        P::State: Clone,
    {
        let copying = Copying {
            clone: P::State::clone,
            clone_from: P::State::clone_from,
        };
        let states = |start| States::Snapshots {
            states: vec![start],
            depth: 0,
            copying,
        };
        Running::new(program, observer, states)
    }

    /// At the initial state; earlier states are rebuilt.
    pub fn rebuilding(program: &'p P, observer: Box<dyn Observer<P::State> + 'p>) -> Self {
        let states = |start| States::Rebuilt {
            state: Some(start),
            schedule: Vec::new(),
            steps: 0,
        };
        Running::new(program, observer, states)
    }

    fn new(program: &'p P, observer: Box<dyn Observer<P::State> + 'p>, states: impl FnOnce(At<'p, P>) -> States<'p, P>) -> Self {
        let asked = Asked {
            program,
            insights: Rc::new(program.insights()),
        };
        Running {
            states: states(At::start(&asked)),
            asked,
            aside: None,
            observer,
        }
    }
}

impl<'p, P: Program> States<'p, P> {
    fn current(&mut self, asked: &Asked<'p, P>) -> &mut At<'p, P> {
        match self {
            States::Snapshots { states, depth, .. } => &mut states[*depth],
            States::Rebuilt { state, schedule, steps } => state.get_or_insert_with(|| {
                *steps += schedule.len() as u64;
                At::after(asked, schedule)
            }),
        }
    }

    /// Makes the state after the last step the one before the next step, which it returns.
    fn advance(&mut self, asked: &Asked<'p, P>, transition: Transition) -> &mut P::State {
        if let States::Rebuilt { .. } = self {
            self.current(asked);
        }
        match self {
            States::Snapshots { states, depth, copying } => {
                *depth += 1;
                let (now, later) = states.split_at_mut(*depth);
                let now = &now[*depth - 1].state;
                match later.first_mut() {
                    Some(next) => (copying.clone_from)(&mut next.state, now),
                    None => {
                        let state = (copying.clone)(now);
                        states.push(At {
                            asked: asked.clone(),
                            state,
                        });
                    }
                }
                &mut states[*depth].state
            }
            States::Rebuilt { state, schedule, .. } => {
                schedule.push(transition);
                let at = state.as_mut().unwrap_or_else(|| unreachable!("rebuilt above"));
                &mut at.state
            }
        }
    }
}

impl<P: Program> World for Running<'_, P> {
    fn current(&mut self) -> &dyn Situation {
        self.states.current(&self.asked)
    }

    fn take(&mut self, transition: Transition, effects: &mut Effects) -> bool {
        caught(effects, |effects| {
            let state = self.states.advance(&self.asked, transition);
            self.asked.program.step(state, transition, effects);
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

    fn aside(&mut self, depth: usize) -> &mut dyn Situation {
        match (&mut self.states, &mut self.aside) {
            (States::Snapshots { states, copying, .. }, Some(aside)) => {
                (copying.clone_from)(&mut aside.state, &states[depth].state);
                aside
            }
            (States::Snapshots { states, copying, .. }, none) => none.insert(At {
                asked: self.asked.clone(),
                state: (copying.clone)(&states[depth].state),
            }),
            (States::Rebuilt { schedule, steps, .. }, aside) => {
                *steps += depth as u64;
                aside.insert(At::after(&self.asked, &schedule[..depth]))
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
        let at = self.states.current(&self.asked);
        self.observer.execution(schedule, &at.state, ending);
    }
}

/// A program in one of its states.
struct At<'p, P: Program> {
    asked: Asked<'p, P>,
    state: P::State,
}

impl<'p, P: Program> At<'p, P> {
    fn start(asked: &Asked<'p, P>) -> Self {
        At {
            asked: asked.clone(),
            state: asked.program.start(),
        }
    }

    /// After running a schedule that was run before.
    fn after(asked: &Asked<'p, P>, schedule: &[Transition]) -> Self {
        let mut at = At::start(asked);
        let mut effects = Effects::default();
        for transition in schedule {
            effects.clear();
            asked.program.step(&mut at.state, *transition, &mut effects);
        }
        at
    }

    fn comparable(&self) -> &dyn Comparable<P::State> {
        let comparable = self.asked.insights.comparable;
        comparable.unwrap_or_else(|| unreachable!("values are asked of comparable programs only"))
    }
}

impl<P: Program> Situation for At<'_, P> {
    fn pending(&self, out: &mut Vec<Pending>) {
        self.asked.program.pending(&self.state, out);
    }

    fn footprint(&self, transition: Transition, out: &mut Footprint) {
        self.asked.program.footprint(&self.state, transition, out);
    }

    fn step(&mut self, transition: Transition, effects: &mut Effects) -> bool {
        caught(effects, |effects| self.asked.program.step(&mut self.state, transition, effects))
    }

    fn fingerprint(&self, equality: Equality) -> Fingerprint {
        match (equality, self.asked.insights.liveness) {
            (Equality::Live, Some(liveness)) => liveness.live_fingerprint(&self.state),
            _ => self.asked.program.fingerprint(&self.state),
        }
    }

    fn failures_at_end(&self, out: &mut Vec<Failure>) {
        self.asked.program.failures_at_end(&self.state, out);
    }

    fn future(&self, process: Process, out: &mut Footprint) -> bool {
        let futures = self.asked.insights.futures;
        futures.is_some_and(|f| f.future(&self.state, process, out))
    }

    fn enabled_after(&self, kept: &[u32], transition: Transition) -> Option<bool> {
        let enabling = self.asked.insights.enabling?;
        Some(enabling.enabled_after(&self.state, kept, transition))
    }

    fn precedence(&self, order: Order, transition: Transition) -> Option<u64> {
        self.asked.insights.actors?.precedence(&self.state, order, transition)
    }

    fn actor(&self, transition: Transition) -> Option<u32> {
        self.asked.insights.actors?.actor(&self.state, transition)
    }
}

impl<P: Program> Values for At<'_, P> {
    fn value(&self, location: Location) -> i64 {
        self.comparable().value(&self.state, location)
    }

    fn guard(&self, process: Process, atoms: &mut SmallVec<[Atom; 4]>) -> Predicate {
        self.comparable().guard(&self.state, process, atoms)
    }

    fn evaluate(&self, predicate: Predicate, atoms: &[i64]) -> u64 {
        self.comparable().evaluate(predicate, atoms)
    }

    fn control(&self, knowledge: Knowledge, tasks: Option<&mut Vec<Task>>) -> Fingerprint {
        self.comparable().control(&self.state, knowledge, tasks)
    }

    fn influence(&self, transition: Transition, knowledge: Knowledge, out: &mut Influence) {
        self.comparable().influence(&self.state, transition, knowledge, out);
    }

    fn addressing(&self, process: Process, out: &mut Vec<Location>) {
        self.comparable().addressing(&self.state, process, out);
    }

    fn shared_locations(&self) -> Range<u32> {
        self.comparable().shared_locations()
    }
}

/// Runs a step of the program. A panic is a failure like any other, except that nothing is known of the state after it: then false.
pub(crate) fn caught(effects: &mut Effects, step: impl FnOnce(&mut Effects)) -> bool {
    effects.clear();
    // The state of an execution whose step panicked is never looked at again: the execution ends here.
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
