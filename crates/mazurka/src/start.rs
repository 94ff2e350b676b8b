//! Starting a search, stateless or stateful.

use mazurka_core::{
    Describe, Observer, Options, Search, SearchError, StateReport, StateSpace, StatefulOptions, StatefulSearch, Unreached, search,
    stateful_search,
};

/// A search under way.
pub enum Started<'p> {
    /// One execution after the other.
    Stateless(Box<dyn Search + 'p>),
    /// Every state once.
    Stateful(Box<dyn StatefulSearch + 'p>),
}

/// Starts the search that the options ask for. A stateful search is not observed: it has no executions.
pub fn start<'p, P, O>(program: &'p P, options: &Options, stateful: StatefulOptions, observer: O) -> Result<Started<'p>, SearchError>
where
    P: Describe + StateSpace,
    P::Run: Clone,
    O: Observer<P> + 'p,
{
    if options.algorithm.is_stateful() {
        stateful_search(program, options, stateful).map(Started::Stateful)
    } else {
        search(program, options, observer).map(Started::Stateless)
    }
}

impl<'p> Started<'p> {
    /// What both kinds can do.
    pub fn search(&mut self) -> &mut (dyn Search + 'p) {
        match self {
            Started::Stateless(search) => search.as_mut(),
            Started::Stateful(search) => search.as_mut(),
        }
    }

    /// What a stateful search has to say besides its outcome.
    pub fn notes(&self) -> Vec<String> {
        match self {
            Started::Stateless(_) => Vec::new(),
            Started::Stateful(search) => notes(&search.report()),
        }
    }
}

fn notes(report: &StateReport) -> Vec<String> {
    let mut notes = vec![format!(
        "{} states stored, {} matched, {} transitions",
        report.stored, report.matched, report.transitions
    )];
    if let Some(p) = report.collision_probability {
        notes.push(format!(
            "states are told apart by 128-bit fingerprints: two were taken for one with a probability below {p:.0e}; --exact rules it out"
        ));
    }
    let place = |Unreached(s): &Unreached| match &s.at {
        Some(at) => format!("{at} in {}: {}", s.part, s.text),
        None => format!("{}: {}", s.part, s.text),
    };
    if !report.unreached.is_empty() {
        let shown: Vec<String> = report.unreached.iter().take(10).map(place).collect();
        let more = report.unreached.len().saturating_sub(10);
        let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
        notes.push(format!("never executed: {}{rest}", shown.join("; ")));
    }
    notes
}
