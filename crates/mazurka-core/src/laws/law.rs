//! The laws, each with its sentence, and how one is reported broken.

use crate::describe::Describe;
use crate::effects::Effects;
use crate::program::{Location, Transition};
use std::fmt;

/// Something that a [`Program`](crate::Program) promises the searches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Law {
    /// The same step from equal states has the same effects and leads to equal states.
    Determinism,
    /// A step changes whether a step of another process is enabled only if it writes a location that this one reads as a guard.
    Enabledness,
    /// Who writes a guard of one alternative of a process conflicts with all its alternatives.
    Alternatives,
    /// Transitions of another process appear or vanish only when a guard of it is written, or when it is born.
    Listing,
    /// A process that could move and now has to wait stays listed: only its own steps finish it.
    Waiting,
    /// No transition is listed twice, and finished processes are not listed.
    Pending,
    /// A step does not change the footprints of other processes.
    StaticFootprints,
    /// A step does not change what the alternatives of another process touch taken together.
    StaticAlternatives,
    /// Steps without a conflict stay enabled, commute to the same state, and fail in the same way in both orders.
    Independence,
    /// What a step really touches is in its footprint.
    Touched,
    /// What a guard really reads is among the guard locations of its footprint.
    GuardReads,
    /// Who begins to be listed was reported as born.
    Births,
    /// A guard that is called monotone never becomes false.
    MonotoneGuard,
    /// A location that guards read is one that the program says guards may read.
    MayGuard,
    /// A step is within all that was said before, of its process or of those that it comes from, about what they may touch from then on.
    Future,
    /// Steps on different actors do not conflict, and every step of an actor program has an actor.
    Actors,
    /// Where every step is said to write one location, it does.
    OneLocation,
    /// Where every execution is said to end, no state comes again.
    Termination,
    /// States with equal fingerprints offer the same transitions, and the same continuations lead to equal states and failures.
    EqualStates,
    /// States with equal live fingerprints offer the same transitions, and the same continuations fail in the same way.
    EqualLiveStates,
    /// A step does the same whatever the value of a location outside its footprint.
    Perturbation,
    /// A step does the same whatever the value of a location that it is said to overwrite.
    Overwriting,
    /// Whether a step could have been taken earlier is answered as it would be by running the steps before it.
    Enabling,
}

impl Law {
    /// Every law, in the order of the documentation.
    pub const ALL: [Law; 23] = [
        Law::Determinism,
        Law::Enabledness,
        Law::Alternatives,
        Law::Listing,
        Law::Waiting,
        Law::Pending,
        Law::StaticFootprints,
        Law::StaticAlternatives,
        Law::Independence,
        Law::Touched,
        Law::GuardReads,
        Law::Births,
        Law::MonotoneGuard,
        Law::MayGuard,
        Law::Future,
        Law::Actors,
        Law::OneLocation,
        Law::Termination,
        Law::EqualStates,
        Law::EqualLiveStates,
        Law::Perturbation,
        Law::Overwriting,
        Law::Enabling,
    ];

    /// The law in one sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Law::Determinism => "the same step from equal states does the same",
            Law::Enabledness => "enabledness changes only when a guard location is written",
            Law::Alternatives => "who writes a guard of one alternative conflicts with all alternatives of the process",
            Law::Listing => "transitions of a process appear or vanish only when one of its guards is written or it is born",
            Law::Waiting => "a process that waits is listed",
            Law::Pending => "each transition is listed once",
            Law::StaticFootprints => "a footprint does not change by steps of other processes",
            Law::StaticAlternatives => "what a process may touch next does not change by steps of other processes",
            Law::Independence => "steps without a conflict commute",
            Law::Touched => "what a step touches is in its footprint",
            Law::GuardReads => "what a guard reads is declared as a guard",
            Law::Births => "new processes are reported as births",
            Law::MonotoneGuard => "a monotone guard never becomes false",
            Law::MayGuard => "guards read only locations that guards may read",
            Law::Future => "a step is within the declared future of its process and of those that it comes from",
            Law::Actors => "steps on different actors do not conflict",
            Law::OneLocation => "every step writes one location",
            Law::Termination => "no state comes again",
            Law::EqualStates => "states with equal fingerprints have equal futures",
            Law::EqualLiveStates => "states with equal live fingerprints have equal futures",
            Law::Perturbation => "a step does not depend on what is outside its footprint",
            Law::Overwriting => "a step does not depend on what it overwrites",
            Law::Enabling => "whether a step could have been taken earlier is answered as running it would",
        }
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sentence())
    }
}

/// A law that a program broke, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Broken {
    /// Which law.
    pub law: Law,
    /// The transitions that lead to the state in question.
    pub schedule: Vec<Transition>,
    /// The step that was taken there, if one was.
    pub step: Option<Transition>,
    /// The other step concerned.
    pub other: Option<Transition>,
    /// The location concerned.
    pub location: Option<Location>,
    /// What was seen.
    pub detail: String,
}

impl Broken {
    /// The report in the program's own words: the law, the steps, the location, and the schedule.
    pub fn explain<P: Describe + ?Sized>(&self, program: &P) -> String {
        let mut state = program.start();
        let (mut effects, mut way) = (Effects::default(), Vec::new());
        let named = |state: &P::State, t: Transition| {
            let name = program.process_name(state, t.process);
            match t.choice {
                0 => format!("{name}: {}", program.label(state, t)),
                choice => format!("{name}: {} (choice {choice})", program.label(state, t)),
            }
        };
        for &transition in &self.schedule {
            way.push(named(&state, transition));
            effects.clear();
            program.step(&mut state, transition, &mut effects);
        }
        let mut text = format!("broken promise: {}\n   seen: {}", self.law, self.detail);
        if let Some(step) = self.step {
            text.push_str(&format!("\n   step: {}", named(&state, step)));
        }
        if let Some(other) = self.other {
            text.push_str(&format!("\n   other step: {}", named(&state, other)));
        }
        if let Some(location) = self.location {
            text.push_str(&format!("\n   location: {}", program.location_name(location)));
        }
        let after = if way.is_empty() { "nothing".to_owned() } else { way.join("; ") };
        text.push_str(&format!("\n   after: {after}"));
        text
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "broken promise: {}: {}", self.law, self.detail)?;
        if let Some(step) = self.step {
            write!(f, "; step {}:{}", step.process.0, step.choice)?;
        }
        if let Some(other) = self.other {
            write!(f, "; other step {}:{}", other.process.0, other.choice)?;
        }
        if let Some(location) = self.location {
            write!(f, "; location {}", location.0)?;
        }
        let way: Vec<String> = self.schedule.iter().map(|t| format!("{}:{}", t.process.0, t.choice)).collect();
        write!(f, "; after [{}]", way.join(" "))
    }
}

impl std::error::Error for Broken {}
