//! Programs whose states can be searched.

use super::program_states::ProgramStates;
use super::{StatefulOptions, StatefulSearch, search_states};
use crate::program::Program;
use crate::search::{Options, SearchError};

/// A program whose states can be searched. `impl StateSpace for MyProgram {}` is enough for `stateful`; a program that knows its text
/// gives its own [`States`](super::States) to [`search_states`] and so gets `stateful+persistent` and `stateful+source`.
pub trait StateSpace: Program<State: Clone> + Sized {
    /// A stateful search of this program.
    fn stateful_search<'p>(&'p self, options: &Options, stateful: StatefulOptions) -> Result<Box<dyn StatefulSearch + 'p>, SearchError> {
        search_states(ProgramStates(self), options, stateful)
    }
}
