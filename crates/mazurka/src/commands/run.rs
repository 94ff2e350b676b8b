//! `mazurka run`: one schedule, random or given.

use super::replay::read;
use crate::cli::RunArgs;
use crate::exit::Exit;
use crate::frontends::with_program;
use crate::output::{paint, print};
use crate::refusal::Refusal;
use crate::session::{Session, Visitor};
use mazurka_core::schedule::{Stage, replay};
use mazurka_core::{Describe, StateSpace, Transition};
use mazurka_report::{columns, verdict};

/// Runs the program once.
pub fn run(args: &RunArgs) -> Result<Exit, Refusal> {
    with_program(&args.program, Run { args })
}

struct Run<'a> {
    args: &'a RunArgs,
}

impl Visitor for Run<'_> {
    type Output = Exit;

    fn visit<P>(self, session: Session<'_, P>) -> Result<Exit, Refusal>
    where
        P: Describe + StateSpace,
        P::Run: Clone,
    {
        let paint = paint(self.args.ascii);
        let mut stage = Stage::new(session.program);
        match &self.args.schedule {
            Some(path) => {
                let replayed = replay(session.program, &read(path)?.steps).recording;
                replayed.steps.iter().for_each(|step| stage.step(step.transition));
            }
            None => {
                let mut random = Random(self.args.seed);
                let mut left = self.args.max_depth;
                while let Some(next) = random.pick(stage.pending().iter().filter(|p| p.enabled).map(|p| p.transition))
                    && left > 0
                {
                    stage.step(next);
                    left -= 1;
                }
            }
        }
        let output = session.program.output(stage.run());
        let recording = stage.finish();
        if self.args.trace {
            print(&columns::render(&recording, paint));
            print("\n");
        }
        print(&output);
        if output.is_empty() {
            for (name, value) in recording.state_after(recording.steps.len()) {
                print(&format!("{}\n", paint.text(&format!("{name} = {value}"))));
            }
        }
        print(&verdict::explanation(&recording, paint));
        Ok(match (&recording.failure, recording.unfinished) {
            (Some(f), _) if session.deadlock_is_error || f.kind != mazurka_core::FailureKind::Deadlock => Exit::Violation,
            (_, true) => Exit::Incomplete,
            _ => Exit::Complete,
        })
    }
}

/// The splitmix64 generator: the same seed gives the same schedule everywhere.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of the transitions that can be taken, each as likely as the others.
    pub fn pick(&mut self, enabled: impl Iterator<Item = Transition>) -> Option<Transition> {
        let enabled: Vec<Transition> = enabled.collect();
        if enabled.is_empty() {
            return None;
        }
        let at = self.next() % enabled.len() as u64;
        Some(enabled[at as usize])
    }
}
