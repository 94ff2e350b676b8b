//! One random execution after the other.

use super::numbers::Numbers;
use super::pct::Pct;
use super::picker::Picker;
use super::pos::Pos;
use super::profile::Profile;
use super::random::Random;
use super::species::Species;
use super::trace_hash::TraceHash;
use super::urw::Urw;
use super::{Sampled, Sampler, Sampling};
use crate::driver::Walk;
use crate::explore::exploration::Exploration;
use crate::findings::Findings;
use crate::outcome::{Counts, Failure, FailureKind, Limit, Outcome};
use crate::program::{Process, Transition};
use crate::saved::{Decoder, Encoder, Misfit};
use crate::search::{Ending, Options, Status};
use crate::world::{Equality, Facts, World};

/// Executions are abandoned after so many steps unless a limit is set: those of some programs never end.
const DEPTH: u64 = 10_000;
/// So many executions are drawn by a plain random walk where a sampler has to know how long executions are.
const PILOTS: u64 = 8;

/// Runs random executions until the budget is used up.
pub(crate) struct SamplingWalk<'p> {
    exploration: Exploration<'p>,
    sampling: Sampling,
    budget: u64,
    most_steps: u64,
    picker: Box<dyn Picker>,
    numbers: Numbers,
    /// Which execution of the seed is running.
    number: u64,
    /// How many were begun that count.
    begun: u64,
    cut: u64,
    /// Steps of the current execution at which there was something to choose.
    choices: u64,
    profile: Profile,
    hash: TraceHash,
    traces: Species,
    final_states: Option<Species>,
    ready: Vec<Process>,
    /// What was wrong with the last end; kept for its memory.
    at_end: Vec<Failure>,
}

impl<'p> SamplingWalk<'p> {
    /// At the initial state, where `world` is.
    pub fn new(facts: Facts<'p>, world: Box<dyn World + 'p>, options: &Options, sampling: Sampling) -> Self {
        let mut walk = SamplingWalk {
            exploration: Exploration::new(facts, options.order, world),
            sampling,
            budget: sampling.budget.min(options.limits.executions.unwrap_or(u64::MAX)),
            most_steps: options.limits.depth.unwrap_or(DEPTH),
            picker: Box::new(Random),
            numbers: Numbers::of(sampling.seed, 0),
            number: if sampling.sampler.needs_pilots() { 0 } else { sampling.from },
            begun: 0,
            cut: 0,
            choices: 0,
            profile: Profile::default(),
            hash: TraceHash::default(),
            traces: Species::default(),
            final_states: options.final_states.then(Species::default),
            ready: Vec::new(),
            at_end: Vec::new(),
        };
        if !walk.is_pilot() {
            walk.picker = picker(sampling.sampler);
        }
        walk.begin();
        walk
    }

    /// Whether the current execution only serves to learn how long executions are.
    fn is_pilot(&self) -> bool {
        self.sampling.sampler.needs_pilots() && self.number < PILOTS
    }

    /// Whether the current execution counts: pilots before the first one asked for do not.
    fn counts_in(&self) -> bool {
        self.number >= self.sampling.from
    }

    fn begin(&mut self) {
        self.begun += u64::from(self.counts_in());
        self.draw_anew();
    }

    fn draw_anew(&mut self) {
        self.numbers = Numbers::of(self.sampling.seed, self.number);
        self.choices = 0;
        self.hash.clear();
        self.picker.begin(&self.profile, &mut self.numbers);
    }

    /// Ends the current execution, and goes back to the start for the next one.
    fn again(&mut self, findings: &mut Findings) -> Status {
        if self.counts_in() && self.begun >= self.budget {
            findings.limit = Some(Limit::Budget);
            return Status::Done;
        }
        let was_pilot = self.is_pilot();
        if was_pilot {
            self.profile.add(&self.exploration, self.choices);
        }
        while self.exploration.back().is_some() {}
        self.number += 1;
        if was_pilot && !self.is_pilot() {
            self.profile.finish();
            self.picker = picker(self.sampling.sampler);
            self.number = self.number.max(self.sampling.from);
        }
        self.begin();
        Status::Running
    }

    /// Draws a transition; `None` if nothing is enabled.
    fn draw(&mut self) -> Option<Transition> {
        self.ready.clear();
        for next in self.exploration.top().enabled() {
            let process = next.transition.process;
            // Nearly always the alternatives of a process are listed together.
            if self.ready.last() != Some(&process) && !self.ready.contains(&process) {
                self.ready.push(process);
            }
        }
        let process = match self.ready.as_slice() {
            [] => return None,
            [only] => *only,
            several => {
                self.choices += 1;
                self.picker.pick(several, &self.exploration, &mut self.numbers)
            }
        };
        let alternatives = || self.exploration.top().enabled().filter(|n| n.transition.process == process);
        let drawn = match alternatives().count() as u64 {
            0 | 1 => 0,
            several => self.numbers.below(several),
        };
        alternatives().nth(drawn as usize).map(|n| n.transition)
    }

    /// The current execution ended: nothing is enabled any more.
    fn end(&mut self, findings: &mut Findings) -> Status {
        if !self.counts_in() {
            return self.again(findings);
        }
        self.exploration.counts.executions += 1;
        self.traces.add(self.hash.get());
        if self.exploration.broken {
            // The state that a panic left behind is nobody's business.
            return self.again(findings);
        }
        let mut failures = std::mem::take(&mut self.at_end);
        let state = self.exploration.world.current();
        state.failures_at_end(&mut failures);
        if let Some(states) = &mut self.final_states {
            let fingerprint = state.fingerprint(Equality::Exact);
            findings.end(|| fingerprint);
            states.add(Numbers::of(fingerprint as u64, (fingerprint >> 64) as u64).next());
        }
        let deadlock = failures.iter().any(|f| f.kind == FailureKind::Deadlock);
        self.exploration.counts.deadlocks += u64::from(deadlock);
        self.ended(if deadlock { Ending::Deadlock } else { Ending::Finished });
        let mut ends = false;
        for failure in failures.drain(..) {
            ends |= self.fail(findings, failure);
        }
        self.at_end = failures;
        if ends { Status::Done } else { self.again(findings) }
    }

    fn ended(&mut self, ending: Ending) {
        let Exploration { world, schedule, .. } = &mut self.exploration;
        world.tell_ending(schedule, ending);
    }

    /// Notes a failure; true if it ends the sample.
    fn fail(&self, findings: &mut Findings, failure: Failure) -> bool {
        let Exploration { schedule, counts, .. } = &self.exploration;
        self.counts_in() && findings.fail(failure, counts.executions, || schedule.clone())
    }
}

/// The picker of a sampler.
fn picker(sampler: Sampler) -> Box<dyn Picker> {
    match sampler {
        Sampler::Random => Box::new(Random),
        Sampler::Pct { depth } => Box::new(Pct::new(depth)),
        Sampler::Pos => Box::new(Pos::default()),
        Sampler::Urw => Box::new(Urw::default()),
    }
}

impl Walk for SamplingWalk<'_> {
    fn go_on(&mut self, findings: &mut Findings) -> Status {
        let depth = self.exploration.depth();
        let Some(transition) = self.draw() else {
            return self.end(findings);
        };
        if depth as u64 >= self.most_steps {
            if self.counts_in() {
                self.cut += 1;
                self.ended(Ending::Limit);
            }
            return self.again(findings);
        }
        if self.counts_in() {
            self.exploration.world.tell_step(depth, transition);
        }
        if !self.exploration.take(transition) {
            let failure = Failure {
                kind: FailureKind::Nondeterminism,
                message: "a step that was possible is not possible any more: the program does not always do the same".to_owned(),
                at: None,
            };
            let ends = self.fail(findings, failure);
            return if ends { Status::Done } else { self.again(findings) };
        }
        self.hash.push(&self.exploration.trace);
        self.picker.executed(&self.exploration);
        let ends = self.exploration.failure.take().is_some_and(|failure| self.fail(findings, failure));
        if ends { Status::Done } else { Status::Running }
    }

    fn counts(&self) -> &Counts {
        &self.exploration.counts
    }

    fn depth(&self) -> u64 {
        self.exploration.depth() as u64
    }

    /// Between two executions.
    fn at_rest(&self) -> bool {
        self.exploration.depth() == 0
    }

    fn save(&mut self, out: &mut Encoder) -> Result<(), &'static str> {
        self.exploration.facts.names.save(out);
        self.exploration.counts.save(out);
        out.flag(self.exploration.choices);
        for number in [self.number, self.begun, self.cut] {
            out.number(number);
        }
        self.profile.save(out);
        self.traces.save(out);
        out.flag(self.final_states.is_some());
        if let Some(states) = &self.final_states {
            states.save(out);
        }
        Ok(())
    }

    fn resume(&mut self, from: &mut Decoder<'_>) -> Result<(), Misfit> {
        self.exploration.facts.names.resume(from)?;
        self.exploration.counts = Counts::resumed(from)?;
        self.exploration.choices = from.flag()?;
        for number in [&mut self.number, &mut self.begun, &mut self.cut] {
            *number = from.number()?;
        }
        self.profile = Profile::resumed(from)?;
        self.traces = Species::resumed(from)?;
        self.final_states = if from.flag()? { Some(Species::resumed(from)?) } else { None };
        self.picker = if self.is_pilot() {
            Box::new(Random)
        } else {
            picker(self.sampling.sampler)
        };
        self.draw_anew();
        Ok(())
    }

    fn complete(&self, outcome: &mut Outcome) {
        outcome.counts.extra_steps += self.exploration.world.rebuilding_steps();
        outcome.sampled = Some(Sampled {
            sampling: self.sampling,
            executions: self.begun,
            cut: self.cut,
            traces: self.traces.diversity(),
            final_states: self.final_states.as_ref().map(Species::diversity),
        });
    }
}
