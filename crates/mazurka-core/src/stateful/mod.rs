//! Stateful search: every state is stored, so cyclic state spaces end.
//!
//! `stateful` explores every enabled transition of every reachable state, as SPIN does without reduction; `stateful+persistent` a
//! persistent set and `stateful+source` a source set of them, both computed from what the program text may access (P. Abdulla,
//! S. Aronis, B. Jonsson, K. Sagonas: Comparing Source Sets and Persistent Sets for Partial Order Reduction, 2017, Theorems 2 and 3).
//! A front end that wants the reductions implements [`States`], for all others there is [`ProgramStates`]; the search is started by
//! [`stateful_search`] and driven like any other.

mod accesses;
mod alternatives;
mod batch;
mod breadth_first;
mod depth_first;
mod explorer;
mod fair;
mod graph;
mod in_turn;
mod lassos;
mod movers;
mod numbered;
mod persistent;
mod program_states;
mod property;
mod reduction;
mod report;
mod source;
mod space;
mod states;
mod visited;

pub use accesses::AccessSet;
pub use alternatives::{Alternative, Alternatives};
pub use fair::{Actions, FairGraph, Labels, Lasso, Promise, Stop};
pub use graph::{Generated, Graph, Slot};
pub(crate) use lassos::failure as lasso_failure;
pub use persistent::Persistent;
pub use program_states::ProgramStates;
pub use property::{Property, PropertyReport, Reading};
pub use reduction::Reduction;
pub use report::{Chosen, StateReport, StatefulSearch, Unreached};
pub use source::Source;
pub use space::StateSpace;
pub use states::{Statement, States, Successor};

use crate::driver::Driver;
use crate::search::{Options, SearchError};
use breadth_first::BreadthFirst;
use depth_first::DepthFirst;
use explorer::Explorer;
use graph::Slots;
use in_turn::InTurn;
use visited::{Exact, Fingerprints, Visited};

/// What a stateful search is asked besides the [`Options`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct StatefulOptions {
    /// `--exact`: store whole states instead of fingerprints.
    pub exact: bool,
    /// `--shortest`: search breadth-first, so that the first failure has a shortest schedule.
    pub shortest: bool,
    /// `--fair`: of executions without end, only those count in which no process is enabled from some time on and never moves.
    pub fair: bool,
    /// What is looked at.
    pub checks: Checks,
}

/// What a stateful search looks at, in a program of whose executions without end something is asked ([`States::properties`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Checks {
    /// What can go wrong in steps and at ends, then each property.
    #[default]
    Everything,
    /// What can go wrong in steps and at ends.
    Safety,
    /// Each property, and what goes wrong in steps on the way; not the ends.
    Properties,
}

impl StatefulOptions {
    /// Sets [`StatefulOptions::exact`].
    #[must_use]
    pub fn exact(self, exact: bool) -> Self {
        StatefulOptions { exact, ..self }
    }

    /// Sets [`StatefulOptions::shortest`].
    #[must_use]
    pub fn shortest(self, shortest: bool) -> Self {
        StatefulOptions { shortest, ..self }
    }

    /// Sets [`StatefulOptions::fair`].
    #[must_use]
    pub fn fair(self, fair: bool) -> Self {
        StatefulOptions { fair, ..self }
    }

    /// Sets [`StatefulOptions::checks`].
    #[must_use]
    pub fn checks(self, checks: Checks) -> Self {
        StatefulOptions { checks, ..self }
    }
}

/// A stateful search of `program`. Of the limits, `executions` is one on stored states.
///
/// ```
/// # use mazurka_core::*;
/// # fn check<P: StateSpace>(program: &P) -> Result<(Outcome, StateReport), SearchError> {
/// let options = Options::new(Algorithm::parse("stateful+source")?);
/// let mut search = stateful_search(program, &options, StatefulOptions::default())?;
/// while search.advance(100_000) == Status::Running {}
/// # Ok(
/// (search.outcome(), search.report())
/// # ) }
/// ```
pub fn stateful_search<'p, P: StateSpace>(
    program: &'p P,
    options: &Options,
    stateful: StatefulOptions,
) -> Result<Box<dyn StatefulSearch + 'p>, SearchError> {
    program.stateful_search(options, stateful)
}

/// A stateful search of these states, for what can go wrong in steps and at ends.
pub fn search_states<'p, S: States + 'p>(
    states: S,
    options: &Options,
    stateful: StatefulOptions,
) -> Result<Box<dyn StatefulSearch + 'p>, SearchError> {
    search_graph(graph_of(states), options, stateful)
}

/// These states, in slots.
pub fn graph_of<'p, S: States + 'p>(states: S) -> Box<dyn Graph + 'p> {
    Box::new(Slots::new(states))
}

/// As [`search_graph`], and then for each property if there are some.
pub(crate) fn search_graphs<'p>(
    graphs: impl Fn() -> Box<dyn Graph + 'p> + 'p,
    options: &Options,
    stateful: StatefulOptions,
) -> Result<Box<dyn StatefulSearch + 'p>, SearchError> {
    let graph = graphs();
    if stateful.checks == Checks::Safety || graph.properties().is_empty() {
        return search_graph(graph, options, stateful);
    }
    Ok(Box::new(InTurn::new(Box::new(graphs), options, stateful)?))
}

pub(crate) fn search_graph<'p>(
    mut graph: Box<dyn Graph + 'p>,
    options: &Options,
    stateful: StatefulOptions,
) -> Result<Box<dyn StatefulSearch + 'p>, SearchError> {
    let name = options.algorithm.name();
    let unfit = |reason| SearchError::Unfit { name, reason };
    let reduction = options
        .algorithm
        .reduction()
        .ok_or_else(|| unfit("it does not store states; take `stateful`, `stateful+persistent` or `stateful+source`"))?;
    if reduction != Reduction::None && !graph.knows_alternatives() {
        return Err(unfit("nothing is known of what its processes may still access; take `stateful`"));
    }
    let (start, _) = graph.start();
    let encodable = graph.encode(start, &mut Vec::new());
    graph.give_back(start);
    let visited = if stateful.exact {
        if !encodable {
            return Err(unfit("its states have no exact encoding here; leave out `--exact`"));
        }
        Visited::Exact(Exact::default())
    } else {
        Visited::Fingerprints(Fingerprints::default())
    };
    let explorer = Explorer::new(graph, options, reduction, visited, encodable);
    Ok(if stateful.shortest {
        Box::new(Driver::new(BreadthFirst::new(explorer), options))
    } else {
        Box::new(Driver::new(DepthFirst::new(explorer), options))
    })
}
