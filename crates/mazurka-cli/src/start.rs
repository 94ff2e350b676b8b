//! Starting a search, stateless or stateful.

use crate::drive::First;
use mazurka_core::{
    AnyProgram, AnyState, Chosen, Crew, Features, Observer, Options, PropertyReport, Search, SearchError, Sharing, StateReport,
    StatefulOptions, StatefulSearch, Transition, Unreached, Verdict, parallel_search,
};
use mazurka_report::units::count;

/// A search under way.
pub enum Started<'p> {
    /// One execution after the other.
    Stateless(Box<dyn Search + 'p>),
    /// Several at a time.
    Together(Box<dyn Search + Send>),
    /// Every state once.
    Stateful(Box<dyn StatefulSearch + 'p>),
}

/// Who watches a search, if anyone does.
pub type Watching<'p> = Option<Box<dyn Observer<AnyState> + 'p>>;

/// Starts the search that the options ask for with several workers.
pub fn start_together<'p>(crew: &Crew, features: Features, options: &Options, workers: usize) -> Result<Started<'p>, SearchError> {
    Ok(Started::Together(parallel_search(
        crew,
        features,
        options,
        workers,
        Sharing::OnDemand,
    )?))
}

/// Starts the search that the options ask for. A stateful search is not observed: it has no executions.
pub fn start<'p>(
    program: &'p dyn AnyProgram,
    options: &Options,
    stateful: StatefulOptions,
    watching: Watching<'p>,
) -> Result<Started<'p>, SearchError> {
    if options.algorithm.is_stateful() {
        program.stateful_search(options, stateful).map(Started::Stateful)
    } else {
        program.search(options, watching).map(Started::Stateless)
    }
}

impl<'p> Started<'p> {
    /// What both kinds can do.
    pub fn search(&mut self) -> &mut (dyn Search + 'p) {
        match self {
            Started::Stateless(search) => search.as_mut(),
            Started::Together(search) => search.as_mut(),
            Started::Stateful(search) => search.as_mut(),
        }
    }

    /// Has a stateful search tell what it explores. Other searches tell their observer.
    pub fn tell(&mut self, told: Chosen) {
        if let Started::Stateful(search) = self {
            search.tell(told);
        }
    }

    /// As the first of two.
    pub fn first(&mut self) -> First<'_> {
        match self {
            Started::Together(search) => First::Together(search.as_mut()),
            Started::Stateless(search) => First::Alone(search.as_mut()),
            Started::Stateful(search) => First::Alone(search.as_mut()),
        }
    }

    /// Schedules to the final states of a stateful search, if they were asked for. Other searches tell their observer.
    pub fn ends(&self) -> &[Vec<Transition>] {
        match self {
            Started::Stateless(_) | Started::Together(_) => &[],
            Started::Stateful(search) => search.ends(),
        }
    }

    /// Whether final states that were reached with a failure differ from those that were not.
    pub fn remembers_failures(&self) -> bool {
        match self {
            Started::Stateless(_) | Started::Together(_) => true,
            Started::Stateful(search) => search.report().remembers_failures,
        }
    }

    /// What a stateful search has to say besides its outcome.
    pub fn notes(&self) -> Vec<String> {
        match self {
            Started::Stateless(_) | Started::Together(_) => Vec::new(),
            Started::Stateful(search) => notes(&search.report(), search.outcome().verdict, !search.ends().is_empty()),
        }
    }
}

/// How it stands with a property.
fn property(report: &PropertyReport) -> String {
    let word = match report.verdict {
        None => return format!("{}: not looked at", report.name),
        Some(Verdict::Complete) => "holds",
        Some(Verdict::Violation) => "violated",
        Some(Verdict::Incomplete) => "not decided",
    };
    let reduced = report
        .unreduced
        .as_ref()
        .map_or(String::new(), |why| format!("; without reduction: {why}"));
    let (stored, transitions) = (count(report.stored), count(report.transitions));
    format!(
        "{}: {word}, {stored} states stored, {transitions} transitions{reduced}",
        report.name
    )
}

/// What was never reached means something only when the search is complete, and what may have been missed only when nothing was found.
fn notes(report: &StateReport, verdict: Verdict, lists_ends: bool) -> Vec<String> {
    let mut notes = vec![format!(
        "{} states stored, {} matched, {} transitions",
        count(report.stored),
        count(report.matched),
        count(report.transitions)
    )];
    notes.extend(report.properties.iter().map(property));
    if let Some(p) = report.collision_probability.filter(|_| verdict != Verdict::Violation) {
        let remedy = if report.encodable { "; --exact rules it out" } else { "" };
        notes.push(format!(
            "states are told apart by 128-bit fingerprints: two were taken for one with a probability below {p:.0e}{remedy}"
        ));
    }
    if lists_ends && !report.remembers_failures && verdict == Verdict::Violation {
        notes.push("the final states do not tell whether something failed on the way".to_owned());
    }
    let place = |Unreached(s): &Unreached| match &s.at {
        Some(at) => format!("{at} in {}: {}", s.part, s.text),
        None => format!("{}: {}", s.part, s.text),
    };
    if verdict == Verdict::Complete && !report.unreached.is_empty() {
        let shown: Vec<String> = report.unreached.iter().take(10).map(place).collect();
        let more = report.unreached.len().saturating_sub(10);
        let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
        notes.push(format!("never reached: {}{rest}", shown.join("; ")));
    }
    notes
}
