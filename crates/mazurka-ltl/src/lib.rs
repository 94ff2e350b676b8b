//! Linear temporal logic: formulas, what they mean, and automata that accept the executions that satisfy them.
//!
//! Atoms are numbers below [`MOST_ATOMS`]; what they stand for is the business of the user. A [`Formula`] is translated by
//! [`Automaton::of`]; [`Lasso::satisfies`] is the definition that the translation is tested against.
//!
//! ```
//! use mazurka_ltl::{Automaton, Formula, Lasso};
//!
//! // Every request is answered: [] (0 -> <> 1).
//! let answered = Formula::atom(0).implies(Formula::atom(1).eventually()).always();
//! let automaton = Automaton::of(&answered)?;
//! assert_eq!(automaton.states().len(), 2);
//! // One request, then nothing for ever.
//! let lasso = Lasso { stem: vec![0b01], cycle: vec![0b00] };
//! assert!(!lasso.satisfies(&answered) && !automaton.accepts(&lasso));
//! # Ok::<(), mazurka_ltl::TooLarge>(())
//! ```

mod alternating;
mod automaton;
mod degeneralise;
mod formula;
mod lasso;
mod simplify;
mod simulation;
mod stutter;
mod translate;

pub use automaton::{Automaton, Cube, Edge, State};
pub use formula::{Formula, MOST_ATOMS};
pub use lasso::{Lasso, Letter};
pub use stutter::is_stutter_invariant;
pub use translate::TooLarge;
