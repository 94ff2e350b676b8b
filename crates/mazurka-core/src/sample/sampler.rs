//! Which executions to draw, and how they are named on the command line.

use crate::nearest::nearest;
use std::fmt;
use std::str::FromStr;

/// How the next process of a random execution is drawn. Which of its alternatives it takes is always drawn with equal probabilities.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sampler {
    /// Every process that can move is as likely as any other.
    #[default]
    Random,
    /// Probabilistic concurrency testing: the process with the highest priority, and at random moments priorities change. A bug that needs
    /// `depth` ordering constraints is found with probability at least 1 / (n k^(depth-1)), for n processes and k steps.
    Pct {
        /// One more than there are changes of priority.
        depth: u32,
    },
    /// Partial order sampling: every pending step has a random priority, and a new one whenever a step it races with is taken.
    Pos,
    /// Uniform random walk: a process is as likely as the number of steps it still has to take, so that all interleavings are about equally
    /// likely. The numbers are estimated from the first few executions.
    Urw,
}

/// The default of [`Sampler::Pct`].
const PCT_DEPTH: u32 = 3;

impl Sampler {
    /// The names, without parameters.
    pub const NAMES: [&'static str; 4] = ["random", "pct", "pos", "urw"];

    /// Whether the first executions are drawn by a plain random walk, to learn how long executions are.
    pub(super) fn needs_pilots(self) -> bool {
        matches!(self, Sampler::Pct { .. } | Sampler::Urw)
    }
}

impl fmt::Display for Sampler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sampler::Random => f.write_str("random"),
            Sampler::Pct { depth } => write!(f, "pct:{depth}"),
            Sampler::Pos => f.write_str("pos"),
            Sampler::Urw => f.write_str("urw"),
        }
    }
}

impl FromStr for Sampler {
    type Err = String;

    /// ```
    /// use mazurka_core::Sampler;
    /// assert_eq!("pct".parse(), Ok(Sampler::Pct { depth: 3 }));
    /// assert_eq!("pct:5".parse(), Ok(Sampler::Pct { depth: 5 }));
    /// assert!("radnom".parse::<Sampler>().unwrap_err().contains("did you mean `random`?"));
    /// assert!("pct:0".parse::<Sampler>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest))) {
            ("random", None) => Ok(Sampler::Random),
            ("pos", None) => Ok(Sampler::Pos),
            ("urw", None) => Ok(Sampler::Urw),
            ("pct", None) => Ok(Sampler::Pct { depth: PCT_DEPTH }),
            ("pct", Some(depth)) => match depth.parse() {
                Ok(depth @ 1..=1000) => Ok(Sampler::Pct { depth }),
                _ => Err("expected a depth from 1 to 1000: pct:3".to_owned()),
            },
            (name, rest) => {
                if rest.is_some() && Sampler::NAMES.contains(&name) {
                    return Err(format!("`{name}` takes no number; only pct does, as in pct:3"));
                }
                let hint = nearest(name, Sampler::NAMES).map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
                Err(format!("unknown mode{hint}; expected random, pct, pct:DEPTH, pos or urw"))
            }
        }
    }
}

/// Which random executions to run instead of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sampling {
    /// How they are drawn.
    pub sampler: Sampler,
    /// How many.
    pub budget: u64,
    /// Which: the same seed gives the same executions.
    pub seed: u64,
    /// The number of the first one, 0 unless an earlier sample is continued.
    pub from: u64,
}

impl Sampling {
    /// So many executions, from the first one of seed 0.
    pub fn new(sampler: Sampler, budget: u64) -> Self {
        Sampling {
            sampler,
            budget,
            seed: 0,
            from: 0,
        }
    }

    /// Sets [`Sampling::seed`].
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Sampling { seed, ..self }
    }

    /// Sets [`Sampling::from`].
    #[must_use]
    pub fn from(self, from: u64) -> Self {
        Sampling { from, ..self }
    }
}
