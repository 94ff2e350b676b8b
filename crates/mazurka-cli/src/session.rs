//! What a front end hands over: a program, and what the commands need to know about it.

use crate::refusal::Refusal;
use mazurka_core::{Algorithm, AnyProgram, Checks, Crew, Describe, Property, StateSpace, any};
use mazurka_report::Source;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A program ready to be run, with what was said about it.
pub struct Session<'p> {
    /// The program, whatever its type: the commands are compiled once, not once for each front end.
    pub program: Box<dyn AnyProgram + 'p>,
    /// As the user named it.
    pub name: String,
    /// The options that change what it does, as on the command line.
    pub arguments: Vec<String>,
    /// Its texts.
    pub sources: Vec<Source>,
    /// What a reader of the verdict should know.
    pub notes: Vec<String>,
    /// Properties of the program that will not be checked, each as a part of a sentence: `claim p1`.
    pub unchecked: Vec<String>,
    /// What a stateful search looks at.
    pub checks: Checks,
    /// How fine dependencies are.
    pub dependency: &'static str,
    /// Whether processes that wait for ever are a failure.
    pub deadlock_is_error: bool,
    /// Algorithms from the best to the last resort; the first that fits the program is the default.
    pub preferred: &'static [&'static str],
    /// Whether `mazurka replay` can load it by its name.
    pub replays: bool,
    /// What several workers of one search do, if there can be several.
    pub crew: Option<Crew>,
    /// Set to end a step that is under way, where steps may take long.
    pub halt: Option<Arc<AtomicBool>>,
}

impl<'p> Session<'p> {
    /// A program about which there is nothing to say.
    pub fn new<P>(program: P, name: impl Into<String>) -> Self
    where
        P: Describe + StateSpace + 'p,
        P::State: 'static,
    {
        Session {
            program: any(program),
            name: name.into(),
            arguments: Vec::new(),
            sources: Vec::new(),
            notes: Vec::new(),
            unchecked: Vec::new(),
            checks: Checks::Everything,
            dependency: "field",
            deadlock_is_error: true,
            preferred: &["optimal", "naive"],
            replays: false,
            crew: None,
            halt: None,
        }
    }

    /// The algorithm that was asked for, or the best one that fits.
    pub(crate) fn algorithm(&self, asked: Option<&str>) -> Result<Algorithm, Refusal> {
        let features = self.program.features();
        if let Some(name) = asked {
            let algorithm = Algorithm::parse(name)?;
            algorithm.fits(features)?;
            return Ok(algorithm);
        }
        let mut last = None;
        // On a cycle of states only a search that stores them comes to an end.
        let ends = |a: Algorithm| features.terminating || a.is_stateful();
        for name in self.preferred.iter().chain(&["stateful"]) {
            let algorithm = Algorithm::parse(name)?;
            if !ends(algorithm) {
                continue;
            }
            match algorithm.fits(features) {
                Ok(()) => return Ok(algorithm),
                Err(error) => last = Some(error),
            }
        }
        Err(match last {
            Some(error) => error.into(),
            None => Refusal::new("no algorithm fits this program"),
        })
    }

    /// What is asked of executions without end.
    pub(crate) fn properties(&self) -> Vec<Property> {
        self.program.insights().properties.map_or_else(Vec::new, |it| it.properties())
    }

    /// What a search that stores states, or one that does not, leaves unchecked.
    pub(crate) fn unchecked_by(&self, stores_states: bool) -> Vec<String> {
        let mut unchecked = self.unchecked.clone();
        if !stores_states {
            unchecked.retain(|what| what != "end states");
            unchecked.extend(self.properties().into_iter().map(|p| p.name));
        }
        unchecked
    }

    /// Whether what a search of the program says means anything.
    ///
    /// # Errors
    /// What is wrong with what the program says about itself.
    pub(crate) fn trusted(&self) -> Result<(), Refusal> {
        match self.program.objection() {
            Some(wrong) => Err(Refusal::new(format!("there is no verdict: {wrong}"))),
            None => Ok(()),
        }
    }

    /// The beginning of the names of files that belong to this program: `sb` for `litmus:sb`, `a` for `models/a.abs`.
    pub(crate) fn stem(&self) -> String {
        let name = self.name.rsplit(['/', '\\', ':']).next().unwrap_or("program");
        let stem = name.split('.').next().unwrap_or(name);
        let stem = if stem.is_empty() { "program" } else { stem };
        match self.arguments.windows(2).find(|pair| pair[0] == "--product") {
            Some(pair) => format!("{stem}-{}", pair[1]),
            None => stem.to_owned(),
        }
    }
}
