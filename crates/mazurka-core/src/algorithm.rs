//! The names of the algorithms, and which combinations make sense.
//!
//! `base ("+" modifier)* [":" reading]`, for example `optimal+observers` or `trans:as-published`. Adding an algorithm is one file in
//! `explore/` and one line in [`KNOWN`].

use crate::nearest::nearest;
use crate::program::Features;
use std::fmt;

/// An algorithm that the engine can run, by its place in [`KNOWN`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Algorithm(usize);

/// What there is to know about an algorithm before it runs.
#[derive(Debug)]
pub struct About {
    /// As the user writes it.
    pub name: &'static str,
    /// One line for `mazurka list` and the help.
    pub summary: &'static str,
    /// False for algorithms that are known to miss executions.
    pub sound: bool,
    /// What it needs of the program.
    pub needs: Needs,
}

/// What an algorithm needs of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    /// [`Features::static_footprints`].
    pub static_footprints: bool,
    /// [`Features::one_location_per_step`].
    pub one_location_per_step: bool,
    /// [`Features::terminating`].
    pub terminating: bool,
    /// [`Features::actors`].
    pub actors: bool,
}

const ANY: Needs = Needs {
    static_footprints: false,
    one_location_per_step: false,
    terminating: false,
    actors: false,
};
const STATIC: Needs = Needs {
    static_footprints: true,
    ..ANY
};
const FINITE: Needs = Needs { terminating: true, ..ANY };
const TRANSITIVE: Needs = Needs {
    static_footprints: true,
    one_location_per_step: true,
    ..ANY
};
const ACTORS: Needs = Needs {
    static_footprints: true,
    actors: true,
    ..ANY
};

/// Every algorithm. The order is that of `mazurka compare`.
pub const KNOWN: &[About] = &[
    About {
        name: "naive",
        summary: "every interleaving, no reduction",
        sound: true,
        needs: ANY,
    },
    About {
        name: "dpor",
        summary: "persistent sets, all races (Flanagan and Godefroid, POPL'05, repaired)",
        sound: true,
        needs: STATIC,
    },
    About {
        name: "dpor+sleep",
        summary: "dpor with sleep sets",
        sound: true,
        needs: TRANSITIVE,
    },
    About {
        name: "dpor:actors",
        summary: "persistent sets of actors, all tasks of each in turn (FORTE'14, Fig. 2)",
        sound: true,
        needs: ACTORS,
    },
    About {
        name: "dpor+tasks",
        summary: "dpor:actors with task selection by marks, repaired (FORTE'14, Fig. 6); `optimal --dependency field` does it better",
        sound: true,
        needs: ACTORS,
    },
    About {
        name: "trans",
        summary: "TransDPOR as printed: frozen persistent sets (Tasharofi et al., FORTE'12, Fig. 2)",
        sound: true,
        needs: TRANSITIVE,
    },
    About {
        name: "trans+sleep",
        summary: "trans with sleep sets",
        sound: true,
        needs: TRANSITIVE,
    },
    About {
        name: "trans:basset",
        summary: "TransDPOR as the tool behind the tables of FORTE'12 did it, repaired",
        sound: true,
        needs: TRANSITIVE,
    },
    About {
        name: "trans+sleep:basset",
        summary: "trans:basset with sleep sets",
        sound: true,
        needs: TRANSITIVE,
    },
    About {
        name: "source",
        summary: "source sets with sleep sets (Abdulla et al., POPL'14)",
        sound: true,
        needs: STATIC,
    },
    About {
        name: "source+context",
        summary: "source, where a reversal that leads to the same state is not run to its end (CAV'17, repaired); `source+merge` does it better",
        sound: true,
        needs: STATIC,
    },
    About {
        name: "source+context:guided",
        summary: "source+context that tries the shortest sleep sequences first (CAV'17, Sect. 5.3)",
        sound: true,
        needs: STATIC,
    },
    About {
        name: "source+context:anticipating",
        summary: "source+context that tries nothing beside a skipped step that is independent of all that can still happen (CAV'17, Sect. 5.3)",
        sound: true,
        needs: STATIC,
    },
    About {
        name: "source+context:anticipating-guided",
        summary: "both optimisations of CAV'17, Sect. 5.3",
        sound: true,
        needs: STATIC,
    },
    About {
        name: "source+context:states",
        summary: "source+context with independence read as equality of states (CAV'17, line 15, repaired): fewer executions, more work for each",
        sound: true,
        needs: STATIC,
    },
    About {
        name: "source+context:as-published",
        summary: "CAV'17, Algorithm 1 as printed: misses executions (program C4)",
        sound: false,
        needs: STATIC,
    },
    About {
        name: "source+context:anticipating-as-published",
        summary: "the same with the anticipating cuts of CAV'17, Sect. 5.3, as printed: misses executions (program C6)",
        sound: false,
        needs: STATIC,
    },
    About {
        name: "source+context:states-as-published",
        summary: "the same with line 15 read as equality of states, as in CAV'17, Table 1: misses executions (program C7)",
        sound: false,
        needs: STATIC,
    },
    About {
        name: "optimal",
        summary: "wakeup trees: one execution per trace, none blocked (POPL'14, JACM'17)",
        sound: true,
        needs: STATIC,
    },
    About {
        name: "optimal+observers",
        summary: "writes that nobody observes are not ordered (Aronis et al., TACAS'18, with guards)",
        sound: true,
        needs: STATIC,
    },
    About {
        name: "optimal+context",
        summary: "optimal, where a reversal that leads to the same state is not run to its end (ISSTA'19, repaired)",
        sound: true,
        needs: STATIC,
    },
    About {
        name: "optimal+context+observers",
        summary: "optimal+context with states equal up to variables nobody can read any more (ISSTA'19, Algorithm 2, repaired)",
        sound: true,
        needs: STATIC,
    },
    About {
        name: "optimal+context:as-published",
        summary: "ISSTA'19, Algorithm 1 as printed: misses executions (programs C9, C10)",
        sound: false,
        needs: STATIC,
    },
    About {
        name: "optimal+context+observers:as-published",
        summary: "ISSTA'19, Algorithm 2 as printed: misses outcomes (program C11)",
        sound: false,
        needs: STATIC,
    },
    About {
        name: "source+merge",
        summary: "states reached before are merged, with causal cones: one execution per distinct final state",
        sound: true,
        needs: FINITE,
    },
    About {
        name: "stateful",
        summary: "every reachable state once, no reduction; cyclic state spaces too",
        sound: true,
        needs: ANY,
    },
    About {
        name: "stateful+persistent",
        summary: "stateful, from each state only a statically computed persistent set",
        sound: true,
        needs: ANY,
    },
    About {
        name: "stateful+source",
        summary: "stateful, from each state only a statically computed source set (Abdulla et al., 2017, Theorem 3)",
        sound: true,
        needs: ANY,
    },
    About {
        name: "dpor+sleep:as-published",
        summary: "persistent sets with sleep sets on steps that touch several locations: misses executions (C2, A4)",
        sound: false,
        needs: ANY,
    },
    About {
        name: "dpor:stable-as-published",
        summary: "dpor:actors that trusts a selected actor to be stable and never backtracks: misses executions (A6)",
        sound: false,
        needs: ACTORS,
    },
    About {
        name: "dpor+tasks:as-published",
        summary: "task selection by the marks of FORTE'14 Fig. 6: misses executions (A5)",
        sound: false,
        needs: ACTORS,
    },
    About {
        name: "dpor+tasks:stable-as-published",
        summary: "both selections of FORTE'14 as published: misses executions (A5, A6)",
        sound: false,
        needs: ACTORS,
    },
    About {
        name: "trans:as-published",
        summary: "TransDPOR on steps that touch several locations: misses executions (A3)",
        sound: false,
        needs: ANY,
    },
    About {
        name: "trans+sleep:as-published",
        summary: "TransDPOR where a sleeping message freezes: misses executions (A2)",
        sound: false,
        needs: ANY,
    },
    About {
        name: "trans:basset-as-published",
        summary: "TransDPOR as in the tool, blind to messages that stay disabled: misses executions (A1)",
        sound: false,
        needs: ANY,
    },
    About {
        name: "trans+sleep:basset-as-published",
        summary: "trans:basset-as-published with sleep sets: misses executions (A1)",
        sound: false,
        needs: ANY,
    },
];

/// Why an algorithm cannot be had.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AlgorithmError {
    /// No such name.
    #[error("unknown algorithm `{name}`{}; expected one of {}", suggestion(name), names())]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// The parts are known but their combination is unsound or meaningless.
    #[error("`{name}` is refused: {reason}")]
    Refused {
        /// What was asked for.
        name: String,
        /// Why not, and what to take instead.
        reason: &'static str,
    },
    /// The algorithm exists but this program lacks what it needs.
    #[error("`{name}` cannot be used on this program: {reason}")]
    Unfit {
        /// What was asked for.
        name: &'static str,
        /// What is missing, and what to take instead.
        reason: &'static str,
    },
}

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
    /// The algorithm of that name.
    ///
    /// ```
    /// use mazurka_core::Algorithm;
    /// assert!(Algorithm::parse("optimal").is_ok());
    /// let error = Algorithm::parse("optimel").unwrap_err().to_string();
    /// assert!(error.contains("did you mean `optimal`?"), "{error}");
    /// ```
    pub fn parse(name: &str) -> Result<Self, AlgorithmError> {
        if let Some(at) = KNOWN.iter().position(|a| a.name == name) {
            return Ok(Algorithm(at));
        }
        match REFUSED.iter().find(|(n, _)| same_parts(n, name)) {
            Some((_, reason)) => Err(AlgorithmError::Refused {
                name: name.to_owned(),
                reason,
            }),
            None => match KNOWN.iter().position(|a| same_parts(a.name, name)) {
                Some(at) => Ok(Algorithm(at)),
                None => Err(AlgorithmError::Unknown { name: name.to_owned() }),
            },
        }
    }

    /// Every algorithm that [`search`](crate::search()) runs, in the order of `mazurka compare`.
    pub fn all() -> impl Iterator<Item = Algorithm> {
        (0..KNOWN.len()).map(Algorithm).filter(|a| !a.is_stateful())
    }

    /// Every algorithm that [`stateful_search`](crate::stateful_search) runs, in the order of `mazurka compare`.
    pub fn stateful() -> impl Iterator<Item = Algorithm> {
        (0..KNOWN.len()).map(Algorithm).filter(|a| a.is_stateful())
    }

    /// Whether it merges states, so that it must be told what to tell apart.
    pub fn merges(self) -> bool {
        self.name().contains("merge")
    }

    /// Whether it stores the states it reaches, and is run by [`stateful_search`](crate::stateful_search).
    pub fn is_stateful(self) -> bool {
        crate::Reduction::named(self.name()).is_some()
    }

    /// What there is to know about it.
    pub fn about(self) -> &'static About {
        &KNOWN[self.0]
    }

    /// As the user writes it.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// Whether it can be used on a program with these features.
    pub fn fits(self, features: Features) -> Result<(), AlgorithmError> {
        let About { name, needs, .. } = self.about();
        let unfit = |reason| Err(AlgorithmError::Unfit { name, reason });
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
                "what its steps touch depends on shared values, and then it misses executions (program C3 in docs/src/soundness.md)",
            );
        }
        if needs.terminating && !features.terminating {
            return unfit("its state space may have cycles; take `stateful+source`");
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
    fn sleep_sets_on_persistent_sets_need_one_location_per_step() {
        let a = Algorithm::parse("dpor+sleep").unwrap();
        assert!(a.fits(Features::default()).is_err());
        assert!(
            a.fits(Features {
                one_location_per_step: true,
                ..Features::default()
            })
            .is_ok()
        );
    }
}
