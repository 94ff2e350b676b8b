//! The names of the algorithms, and which combinations make sense.
//!
//! `base ("+" modifier)* [":" reading]`, for example `optimal+observers` or `trans:as-published`. The table [`KNOWN`] describes each.

use crate::algorithms::KNOWN;
use crate::explore::Start;
use crate::nearest::nearest;
use crate::program::Features;
use crate::search::Search;
use crate::stateful::Reduction;
use std::fmt;
use std::hash::{Hash, Hasher};

/// An algorithm that the engine can run: a row of [`KNOWN`], or of your own.
#[derive(Clone, Copy)]
pub struct Algorithm(&'static About);

/// What there is to know about an algorithm before it runs.
#[derive(Debug)]
pub struct About {
    /// As the user writes it.
    pub name: &'static str,
    /// One line for `mazurka list` and the help.
    pub summary: &'static str,
    /// False for algorithms that are known to miss executions.
    pub sound: bool,
    /// What it requires of the program.
    pub needs: Needs,
    /// What a complete search promises, if the algorithm is sound.
    pub promise: Promise,
    /// How a search is made.
    pub make: Make,
}

/// How a search is made.
#[derive(Clone, Copy, Debug)]
pub enum Make {
    /// It goes through executions: `Make::Executions(|start| start.with(MyStrategy::default()))`; see [`crate::strategy`].
    Executions(for<'p, 'o> fn(Start<'p, 'o>) -> Result<Box<dyn Search + 'p>, AlgorithmError>),
    /// It stores the states it reaches.
    States(Reduction),
}

/// What a complete search promises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Promise {
    /// What is covered.
    pub covers: Covers,
    /// No trace is explored twice.
    pub once: bool,
    /// No execution is abandoned because everything enabled sleeps.
    pub unblocked: bool,
    /// Failures are found with every set of values with which they happen. Otherwise, a failure that leaves the same state whatever the
    /// values were may be reported once for all of them.
    pub failure_values: bool,
    /// One sentence for the verdict if not every trace is explored; merging has its own ([`crate::Merged::preserves`]).
    pub preserves: Option<&'static str>,
}

/// What a complete search covers, finest first. All of them cover every failure and deadlock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Covers {
    /// Every interleaving, each in its own execution.
    Interleavings,
    /// Every trace.
    Traces,
    /// Every final state.
    Finals,
    /// Everything that the processes can know at the end.
    Outcomes,
    /// What [`Observe`](crate::Observe) asks for: by default every final state, each in one execution.
    Merged,
}

/// What an algorithm requires of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    /// [`Features::static_footprints`].
    pub static_footprints: bool,
    /// [`Features::one_location_per_step`].
    pub one_location_per_step: bool,
    /// [`Features::terminating`].
    pub terminating: bool,
    /// Not [`Features::names_given_again`].
    pub names_given_once: bool,
    /// [`Features::actors`].
    pub actors: bool,
}

/// Why an algorithm cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AlgorithmError {
    /// No such name.
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// The parts are known but their combination is unsound or meaningless.
    Refused {
        /// What was asked for.
        name: String,
        /// Why not, and what to use instead.
        reason: &'static str,
    },
    /// It cannot be run by several workers.
    Alone {
        /// What was asked for.
        name: &'static str,
        /// Why not, and what to use instead.
        reason: &'static str,
    },
    /// Its searches cannot be saved.
    Unsaved {
        /// What was asked for.
        name: &'static str,
        /// Why not, and what to use instead.
        reason: &'static str,
    },
    /// The algorithm exists but this program lacks what it needs.
    Unfit {
        /// What was asked for.
        name: &'static str,
        /// What is missing, and what to use instead.
        reason: &'static str,
    },
}

impl fmt::Display for AlgorithmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AlgorithmError::Unknown { name } => {
                write!(f, "unknown algorithm `{name}`{}; expected one of {}", suggestion(name), names())
            }
            AlgorithmError::Refused { name, reason } => write!(f, "`{name}` is refused: {reason}"),
            AlgorithmError::Alone { name, reason } => write!(f, "`{name}` is run by one worker: {reason}"),
            AlgorithmError::Unsaved { name, reason } => write!(f, "`{name}` cannot be saved: {reason}"),
            AlgorithmError::Unfit { name, reason } => write!(f, "`{name}` cannot be used on this program: {reason}"),
        }
    }
}

impl std::error::Error for AlgorithmError {}

fn suggestion(name: &str) -> String {
    nearest(name, KNOWN.iter().map(|a| a.name)).map_or(String::new(), |n| format!(" (did you mean `{n}`?)"))
}

fn names() -> String {
    KNOWN.iter().map(|a| a.name).collect::<Vec<_>>().join(", ")
}

/// Combinations of known parts that are not algorithms, with the reason.
const REFUSED: &[(&str, &str)] = &[
    (
        "naive+sleep",
        "sleep sets alone keep one execution per trace but still visit every prefix; take `source`",
    ),
    (
        "trans+tasks",
        "task selection needs all tasks of an actor in turn, a frozen set has one; take `dpor+tasks`",
    ),
    ("source+sleep", "`source` already has sleep sets; write `source`"),
    ("optimal+sleep", "`optimal` already has sleep sets; write `optimal`"),
    (
        "source+observers",
        "observers are defined on wakeup trees; take `optimal+observers`",
    ),
    ("dpor+observers", "observers are defined on wakeup trees; take `optimal+observers`"),
    ("naive+observers", "observers are defined on wakeup trees; take `optimal+observers`"),
    (
        "optimal+observers+sleep",
        "sleep sets with observers are unsound; `optimal+observers` has its own redundancy test",
    ),
];

impl Algorithm {
    /// The algorithm of a row that is not in [`KNOWN`]; see [`crate::strategy`].
    pub fn new(about: &'static About) -> Self {
        Algorithm(about)
    }

    /// The algorithm of that name in [`KNOWN`].
    ///
    /// ```
    /// use mazurka_core::Algorithm;
    /// assert!(Algorithm::parse("optimal").is_ok());
    /// let error = Algorithm::parse("optimel").unwrap_err().to_string();
    /// assert!(error.contains("did you mean `optimal`?"), "{error}");
    /// ```
    pub fn parse(name: &str) -> Result<Self, AlgorithmError> {
        if let Some(about) = KNOWN.iter().find(|a| a.name == name) {
            return Ok(Algorithm(about));
        }
        match REFUSED.iter().find(|(n, _)| same_parts(n, name)) {
            Some((_, reason)) => Err(AlgorithmError::Refused {
                name: name.to_owned(),
                reason,
            }),
            None => match KNOWN.iter().find(|a| same_parts(a.name, name)) {
                Some(about) => Ok(Algorithm(about)),
                None => Err(AlgorithmError::Unknown { name: name.to_owned() }),
            },
        }
    }

    /// Every algorithm that [`search`](crate::search()) runs, in the order of `mazurka compare`.
    pub fn all() -> impl Iterator<Item = Algorithm> {
        KNOWN.iter().map(Algorithm).filter(|a| !a.is_stateful())
    }

    /// Every algorithm that [`stateful_search`](crate::stateful_search) runs, in the order of `mazurka compare`.
    pub fn stateful() -> impl Iterator<Item = Algorithm> {
        KNOWN.iter().map(Algorithm).filter(|a| a.is_stateful())
    }

    /// Whether it merges states; [`crate::Observe`] then says which differences to preserve.
    pub fn merges(self) -> bool {
        self.about().promise.covers == Covers::Merged
    }

    /// Whether it stores the states it reaches, and is run by [`stateful_search`](crate::stateful_search).
    pub fn is_stateful(self) -> bool {
        self.reduction().is_some()
    }

    /// Whether it explores every trace exactly once and nothing else: it has as many executions as there are traces.
    pub fn is_optimal(self) -> bool {
        let Promise {
            covers, once, unblocked, ..
        } = self.about().promise;
        covers == Covers::Traces && once && unblocked
    }

    /// Which states it leaves out, if it is stateful.
    pub fn reduction(self) -> Option<Reduction> {
        match self.about().make {
            Make::States(reduction) => Some(reduction),
            Make::Executions(_) => None,
        }
    }

    /// Whether [`parallel_search`](crate::parallel_search) runs it: there is a proof that its branches may be run in any order.
    pub fn runs_in_parallel(self) -> bool {
        KNOWN.iter().any(|about| std::ptr::eq(about, self.0)) && self.is_optimal()
    }

    /// What there is to know about it.
    pub fn about(self) -> &'static About {
        self.0
    }

    /// As the user writes it.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// Whether it can be used on a program with these features.
    pub fn fits(self, features: Features) -> Result<(), AlgorithmError> {
        let About { name, needs, .. } = self.about();
        let unfit = |reason| Err(AlgorithmError::Unfit { name, reason });
        if needs.names_given_once && features.names_given_again {
            return unfit(
                "names of processes are given again, and it tells steps apart by them; take `stateful`, or let names grow (`--names grow`)",
            );
        }
        if needs.one_location_per_step && !features.one_location_per_step {
            return unfit(
                "it misses executions unless each step touches one location only, as with `--dependency actor` (program C2 in docs/src/soundness.md); take `source`",
            );
        }
        if needs.actors && !features.actors {
            return unfit("it selects actors, and this program has none; take `source` or `optimal`");
        }
        if needs.static_footprints && !features.static_footprints {
            return unfit(
                "what its steps touch may depend on shared values, and then it misses executions (program C3 in docs/src/soundness.md)",
            );
        }
        if needs.terminating && !features.terminating {
            return unfit("its state space may have cycles; take `stateful`");
        }
        Ok(())
    }
}

/// Whether two names have the same base, the same modifiers in any order and the same reading.
fn same_parts(a: &str, b: &str) -> bool {
    fn parts(name: &str) -> (Vec<&str>, Option<&str>) {
        let (combination, reading) = name.split_once(':').map_or((name, None), |(c, r)| (c, Some(r)));
        let mut parts: Vec<&str> = combination.split('+').collect();
        parts[1..].sort_unstable();
        (parts, reading)
    }
    parts(a) == parts(b)
}

impl PartialEq for Algorithm {
    /// Whether they are the same row.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Algorithm {}

impl Hash for Algorithm {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Algorithm").field(&self.name()).finish()
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_parses_to_itself() {
        for a in Algorithm::all().chain(Algorithm::stateful()) {
            assert_eq!(Algorithm::parse(a.name()), Ok(a));
        }
    }

    #[test]
    fn every_refusal_says_why() {
        for (name, reason) in REFUSED {
            let error = Algorithm::parse(name).unwrap_err();
            assert_eq!(
                error,
                AlgorithmError::Refused {
                    name: (*name).to_owned(),
                    reason
                }
            );
        }
    }

    #[test]
    fn names_that_are_given_again_are_for_stored_states() {
        let features = Features {
            names_given_again: true,
            terminating: true,
            ..Features::STATIC
        };
        let fitting = Algorithm::all().chain(Algorithm::stateful()).filter(|a| a.fits(features).is_ok());
        assert_eq!(fitting.map(Algorithm::name).collect::<Vec<_>>(), ["naive", "stateful"]);
    }

    #[test]
    fn sleep_sets_on_persistent_sets_need_one_location_per_step() {
        let a = Algorithm::parse("dpor+sleep").unwrap();
        assert!(a.fits(Features::STATIC).is_err());
        assert!(
            a.fits(Features {
                one_location_per_step: true,
                ..Features::STATIC
            })
            .is_ok()
        );
    }
}
