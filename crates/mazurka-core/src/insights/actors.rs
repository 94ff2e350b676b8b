//! On which actor a step runs, and which actor to try first.

use crate::order::Order;
use crate::program::Transition;

/// A program whose steps run on actors or objects.
///
/// *Good for* the algorithms that select an actor first and then its tasks ([`Features::actors`](crate::Features::actors)), and for the
/// orders that go by actors.
/// *Without it* the program has no actors, and transitions are tried in the order in which they are listed.
pub trait Actors<S> {
    /// The actor or object on which the pending `transition` will run. `Some` for every transition if
    /// [`Features::actors`](crate::Features::actors) is set.
    fn actor(&self, state: &S, transition: Transition) -> Option<u32>;

    /// When `transition` is tried under `order`, smallest first; ties go to the earlier one in
    /// [`Program::pending`](crate::Program::pending). `None` if the program does not know this order. The engine itself handles `Fifo`
    /// and `Random`.
    fn precedence(&self, state: &S, order: Order, transition: Transition) -> Option<u64> {
        let _ = (state, order, transition);
        None
    }
}
