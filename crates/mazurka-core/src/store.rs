//! States along the current execution: kept as snapshots, or rebuilt by running the schedule again.

use crate::effects::Effects;
use crate::program::{Program, Transition};

/// Gives the state at every depth of the current execution.
pub(crate) trait Store<P: Program> {
    /// Forgets everything and starts from the initial state.
    fn start(&mut self, program: &P);

    /// The state after the last step. `schedule` is the current execution.
    fn current(&mut self, program: &P, schedule: &[Transition]) -> &P::Run;

    /// Takes a step from the state after `schedule`.
    fn step(&mut self, program: &P, schedule: &[Transition], transition: Transition, effects: &mut Effects);

    /// Forgets the last step.
    fn undo(&mut self);

    /// A copy of the state after `schedule`, a prefix of the current execution, to try something on.
    fn scratch(&mut self, program: &P, schedule: &[Transition]) -> &mut P::Run;

    /// Steps that were run to rebuild states.
    fn rebuilding_steps(&self) -> u64;
}

/// Keeps the state at every depth. A step costs one `clone_from` into memory that is reused.
pub(crate) struct Snapshots<R> {
    runs: Vec<R>,
    depth: usize,
    scratch: Option<R>,
}

impl<R> Default for Snapshots<R> {
    fn default() -> Self {
        Snapshots {
            runs: Vec::new(),
            depth: 0,
            scratch: None,
        }
    }
}

impl<P: Program> Store<P> for Snapshots<P::Run>
where
    P::Run: Clone,
{
    fn start(&mut self, program: &P) {
        self.runs.clear();
        self.runs.push(program.start());
        self.depth = 0;
    }

    fn current(&mut self, _: &P, _: &[Transition]) -> &P::Run {
        &self.runs[self.depth]
    }

    fn step(&mut self, program: &P, _: &[Transition], transition: Transition, effects: &mut Effects) {
        let (now, later) = self.runs.split_at_mut(self.depth + 1);
        match later.first_mut() {
            Some(next) => next.clone_from(&now[self.depth]),
            None => self.runs.push(self.runs[self.depth].clone()),
        }
        self.depth += 1;
        program.step(&mut self.runs[self.depth], transition, effects);
    }

    fn undo(&mut self) {
        self.depth -= 1;
    }

    fn scratch(&mut self, _: &P, schedule: &[Transition]) -> &mut P::Run {
        let from = &self.runs[schedule.len()];
        match &mut self.scratch {
            Some(run) => run.clone_from(from),
            none => *none = Some(from.clone()),
        }
        self.scratch.as_mut().unwrap_or_else(|| unreachable!("filled above"))
    }

    fn rebuilding_steps(&self) -> u64 {
        0
    }
}

/// Keeps one state, and runs the schedule from the start after a step was undone.
pub(crate) struct Replay<R> {
    run: Option<R>,
    scratch: Option<R>,
    rebuilding: u64,
}

impl<R> Default for Replay<R> {
    fn default() -> Self {
        Replay {
            run: None,
            scratch: None,
            rebuilding: 0,
        }
    }
}

impl<P: Program> Store<P> for Replay<P::Run> {
    fn start(&mut self, program: &P) {
        self.run = Some(program.start());
    }

    fn current(&mut self, program: &P, schedule: &[Transition]) -> &P::Run {
        if self.run.is_none() {
            self.rebuilding += schedule.len() as u64;
        }
        self.run.get_or_insert_with(|| rebuilt(program, schedule))
    }

    fn step(&mut self, program: &P, schedule: &[Transition], transition: Transition, effects: &mut Effects) {
        Store::<P>::current(self, program, schedule);
        if let Some(run) = &mut self.run {
            program.step(run, transition, effects);
        }
    }

    fn undo(&mut self) {
        self.run = None;
    }

    fn scratch(&mut self, program: &P, schedule: &[Transition]) -> &mut P::Run {
        self.rebuilding += schedule.len() as u64;
        self.scratch.insert(rebuilt(program, schedule))
    }

    fn rebuilding_steps(&self) -> u64 {
        self.rebuilding
    }
}

fn rebuilt<P: Program>(program: &P, schedule: &[Transition]) -> P::Run {
    let mut run = program.start();
    let mut effects = Effects::default();
    for transition in schedule {
        effects.clear();
        program.step(&mut run, *transition, &mut effects);
    }
    run
}
