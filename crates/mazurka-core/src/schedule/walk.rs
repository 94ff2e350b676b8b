//! Walking through a program by hand: what can be done here, what cannot and why, a step, a step back, and ways to places worth seeing.

use super::race::deciding_race;
use super::record::Stage;
use super::recording::Recording;
use crate::describe::{Describe, StepText};
use crate::effects::Effects;
use crate::footprint::Footprint;
use crate::outcome::FailureKind;
use crate::program::{Fingerprint, Pending, Program, Transition};
use std::collections::{HashSet, VecDeque};

/// A walk: the steps taken so far. States are rebuilt from the start where they are needed, so going back costs no memory.
pub struct Walk<'p, P: Describe + ?Sized> {
    program: &'p P,
    taken: Vec<Transition>,
}

/// Where a walk stands.
#[derive(Clone, Debug)]
pub struct Here {
    /// How it came here. At an end: who waits, and what failed.
    pub recording: Recording,
    /// The values here.
    pub values: Vec<(String, String)>,
    /// What every process that is not finished would do next, oldest process first.
    pub moves: Vec<Move>,
}

/// A transition that is pending at a place of a walk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// To take it.
    pub transition: Transition,
    /// The process, as schedules name it.
    pub key: String,
    /// The process, as people name it.
    pub process: String,
    /// The column in which its step will stand.
    pub column: String,
    /// What it does, where, and what it sends.
    pub text: StepText,
    /// Whether it can be taken.
    pub enabled: bool,
    /// What its guard reads, with the value where the state shows one: why it cannot be taken, if it cannot.
    pub reads: Vec<(String, Option<String>)>,
}

/// What a way leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// A step that fails, or an end that is a failure. The flag says whether waiting for ever counts.
    Failure {
        /// Whether processes that wait for ever are a failure.
        deadlock: bool,
    },
    /// A state where nothing can be done any more and nothing has failed on the way.
    GoodEnd,
    /// The end with this fingerprint.
    End(Fingerprint),
}

/// What looking for a way found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Way {
    /// A shortest one.
    Found(Vec<Transition>),
    /// There is none: every state that can be reached from here was seen.
    None,
    /// So many states were seen, then it was given up.
    GivenUp(usize),
}

/// The transition is not pending here, or cannot be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CannotBeTaken(pub Transition);

impl<'p, P: Describe + ?Sized> Walk<'p, P>
where
    P::State: Clone,
{
    /// At the start.
    pub fn new(program: &'p P) -> Self {
        Walk {
            program,
            taken: Vec::new(),
        }
    }

    /// After these steps.
    ///
    /// # Errors
    /// The first that cannot be taken.
    pub fn along(program: &'p P, steps: &[Transition]) -> Result<Self, CannotBeTaken> {
        let mut stage = Stage::new(program);
        for &step in steps {
            if !stage.is_enabled(step) {
                return Err(CannotBeTaken(step));
            }
            stage.step(step);
        }
        Ok(Walk {
            program,
            taken: steps.to_vec(),
        })
    }

    /// The steps taken.
    pub fn taken(&self) -> &[Transition] {
        &self.taken
    }

    /// Everything there is to see here.
    pub fn here(&self) -> Here {
        let program = self.program;
        let mut stage = Stage::new(program);
        self.taken.iter().for_each(|&step| stage.step(step));
        let values = program.values(stage.state());
        let moves = stage
            .pending()
            .iter()
            .map(|p| describe(program, stage.state(), p, &values))
            .collect();
        let mut recording = stage.finish(|_| 0);
        if recording.failure.is_some() {
            recording.race = deciding_race(program, &self.taken, &recording);
        }
        Here { recording, values, moves }
    }

    /// Takes a step.
    ///
    /// # Errors
    /// If it cannot be taken here.
    pub fn take(&mut self, transition: Transition) -> Result<(), CannotBeTaken> {
        let pending = self.pending();
        if !pending.iter().any(|p| p.transition == transition && p.enabled) {
            return Err(CannotBeTaken(transition));
        }
        self.taken.push(transition);
        Ok(())
    }

    /// Takes the step of a process by its key, as schedules name it, and its choice.
    ///
    /// # Errors
    /// If that cannot be done here; then with the transition that is meant, if there is one.
    pub fn take_by_key(&mut self, key: &str, choice: u32) -> Result<(), Option<CannotBeTaken>> {
        let pending = self.pending();
        let meant = |p: &&Pending| p.transition.choice == choice && self.program.process_key(p.transition.process) == key;
        let found = pending.iter().find(meant).ok_or(None)?.transition;
        self.take(found).map_err(Some)
    }

    /// Back to where so many steps had been taken.
    pub fn back_to(&mut self, steps: usize) {
        self.taken.truncate(steps);
    }

    /// Goes on for at most so many steps, the same process as long as it can, then the oldest that can; stops after a step that fails. Returns
    /// how many steps were taken.
    pub fn run_on(&mut self, most: usize) -> usize {
        let (program, mut state) = (self.program, self.state());
        let (mut pending, mut effects) = (Vec::new(), Effects::default());
        let before = self.taken.len();
        while self.taken.len() - before < most {
            pending.clear();
            program.pending(&state, &mut pending);
            let last = self.taken.last().map(|t| t.process);
            let enabled = || pending.iter().filter(|p| p.enabled);
            let Some(next) = enabled().find(|p| Some(p.transition.process) == last).or_else(|| enabled().next()) else {
                break;
            };
            effects.clear();
            program.step(&mut state, next.transition, &mut effects);
            self.taken.push(next.transition);
            if effects.failure.is_some() {
                break;
            }
        }
        self.taken.len() - before
    }

    /// Looks for a shortest way from here to the goal, breadth first over at most so many states, until `stop` says so. The walk does not move.
    pub fn way_to(&self, goal: Goal, most_states: usize, stop: &dyn Fn() -> bool) -> Way {
        search(self.program, self.state(), goal, most_states, stop)
    }

    /// Goes a way that was found.
    pub fn follow(&mut self, way: &[Transition]) {
        self.taken.extend(way);
    }

    /// The fingerprint of the state here.
    pub fn fingerprint(&self) -> Fingerprint {
        self.program.fingerprint(&self.state())
    }

    fn state(&self) -> P::State {
        let mut state = self.program.start();
        let mut effects = Effects::default();
        for &step in &self.taken {
            effects.clear();
            self.program.step(&mut state, step, &mut effects);
        }
        state
    }

    fn pending(&self) -> Vec<Pending> {
        let mut pending = Vec::new();
        self.program.pending(&self.state(), &mut pending);
        pending
    }
}

fn describe<P: Describe + ?Sized>(program: &P, state: &P::State, pending: &Pending, values: &[(String, String)]) -> Move {
    let transition = pending.transition;
    let mut footprint = Footprint::new();
    program.footprint(state, transition, &mut footprint);
    let mut reads: Vec<(String, Option<String>)> = Vec::new();
    for access in footprint.accesses().iter().filter(|a| a.guard) {
        let name = program.location_name(access.location);
        if !reads.iter().any(|(known, _)| *known == name) {
            let value = values.iter().find(|(n, _)| *n == name).map(|(_, v)| v.clone());
            reads.push((name, value));
        }
    }
    // A location without a value says little beside one that has one.
    if reads.iter().any(|(_, value)| value.is_some()) {
        reads.retain(|(_, value)| value.is_some());
    }
    let (process, column) = match program.agent(state, transition) {
        Some(agent) => (agent.clone(), agent),
        None => (
            program.process_name(state, transition.process),
            program.column(state, transition.process),
        ),
    };
    Move {
        transition,
        key: program.process_key(transition.process),
        process,
        column,
        // Some programs find out what a step does by taking it, which is possible only where it is enabled.
        text: match pending.enabled {
            true => program.describe(state, transition),
            false => StepText {
                label: program.label(state, transition),
                ..StepText::default()
            },
        },
        enabled: pending.enabled,
        reads,
    }
}

/// A state on the way, by the number of the one before.
struct Reached {
    before: usize,
    by: Transition,
}

fn search<P: Program + ?Sized>(program: &P, start: P::State, goal: Goal, most_states: usize, stop: &dyn Fn() -> bool) -> Way
where
    P::State: Clone,
{
    let mut seen: HashSet<Fingerprint> = HashSet::from([program.fingerprint(&start)]);
    let mut reached: Vec<Reached> = Vec::new();
    let mut queue: VecDeque<(usize, P::State)> = VecDeque::from([(0, start)]);
    let (mut pending, mut effects, mut failures) = (Vec::new(), Effects::default(), Vec::new());
    // States are numbered from 1 in the order in which they were reached; 0 is where the way starts.
    let back = |reached: &[Reached], mut at: usize| {
        let mut way = Vec::new();
        while at > 0 {
            way.push(reached[at - 1].by);
            at = reached[at - 1].before;
        }
        way.reverse();
        Way::Found(way)
    };
    while let Some((at, state)) = queue.pop_front() {
        if stop() {
            return Way::GivenUp(seen.len());
        }
        pending.clear();
        program.pending(&state, &mut pending);
        pending.retain(|p| p.enabled);
        if pending.is_empty() {
            failures.clear();
            program.failures_at_end(&state, &mut failures);
            let is_goal = match goal {
                Goal::Failure { deadlock } => failures.iter().any(|f| deadlock || f.kind != FailureKind::Deadlock),
                Goal::GoodEnd => failures.is_empty(),
                Goal::End(fingerprint) => program.fingerprint(&state) == fingerprint,
            };
            if is_goal {
                return back(&reached, at);
            }
        }
        for next in &pending {
            let mut after = state.clone();
            effects.clear();
            program.step(&mut after, next.transition, &mut effects);
            if effects.failure.is_some() {
                match goal {
                    Goal::Failure { .. } => {
                        reached.push(Reached {
                            before: at,
                            by: next.transition,
                        });
                        return back(&reached, reached.len());
                    }
                    Goal::GoodEnd => continue,
                    Goal::End(_) => {}
                }
            }
            if !seen.insert(program.fingerprint(&after)) {
                continue;
            }
            if seen.len() > most_states {
                return Way::GivenUp(seen.len());
            }
            reached.push(Reached {
                before: at,
                by: next.transition,
            });
            queue.push_back((reached.len(), after));
        }
    }
    Way::None
}
