//! Programs whose states can be searched.

use super::program_states::ProgramStates;
use super::{Graph, StatefulOptions, StatefulSearch, graph_of, search_graphs};
use crate::program::Program;
use crate::search::{Options, SearchError};

/// A program whose states can be searched. `impl StateSpace for MyProgram {}` is enough for `stateful`; a program that knows its text
/// has its own [`States`](super::States) as its
/// graph and so gets `stateful+persistent` and `stateful+source`.
pub trait StateSpace: Program<State: Clone> + Sized {
    /// The states of this program.
    fn graph<'p>(&'p self) -> Box<dyn Graph + 'p> {
        graph_of(ProgramStates(self))
    }

    /// A stateful search of this program.
    fn stateful_search<'p>(&'p self, options: &Options, stateful: StatefulOptions) -> Result<Box<dyn StatefulSearch + 'p>, SearchError> {
        search_graphs(|| self.graph(), options, stateful)
    }
}
