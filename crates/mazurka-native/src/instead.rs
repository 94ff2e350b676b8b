//! Checks where a complete one is out of reach: random executions, and bounds on preemptions.

use crate::check::Check;
use mazurka_core::{Bound, Sampler, Sampling};
use std::env;

/// What to draw instead of a search, as `mazurka check --mode`.
const MODE: &str = "MAZURKA_MODE";
/// How many random executions.
const BUDGET: &str = "MAZURKA_BUDGET";
/// Which random executions.
const SEED: &str = "MAZURKA_SEED";
/// The number of the first one.
const FROM: &str = "MAZURKA_FROM";
/// The bound on preemptions.
const PREEMPTIONS: &str = "MAZURKA_PREEMPTIONS";
/// The memory model, as `mazurka check --model`.
const MODEL: &str = "MAZURKA_MODEL";
/// Whether to say which orderings could be weaker, as `mazurka check --relax`.
const RELAX: &str = "MAZURKA_RELAX";
/// How many random executions there are if only the mode is given.
const EXECUTIONS: u64 = 10_000;

impl Check {
    /// Runs so many random executions instead of a search, in which every thread that can go on is as likely as any other. The verdict is never
    /// `complete`, and says how many traces were seen and how likely the next one is new.
    ///
    /// # Panics
    /// Without any execution.
    pub fn random(self, executions: u64) -> Self {
        self.sample(Sampler::Random, executions)
    }

    /// Runs so many random executions by priorities that change at `depth - 1` random moments (PCT). A bug that needs `depth` ordering constraints is
    /// found with probability at least 1 / (n k^(depth-1)) in each, for n threads and k steps.
    ///
    /// # Panics
    /// Without any execution, and if the depth is 0.
    pub fn pct(self, executions: u64, depth: u32) -> Self {
        assert!(depth > 0, "`pct` needs a depth of at least 1");
        self.sample(Sampler::Pct { depth }, executions)
    }

    /// Runs so many random executions in which racing operations are ordered at random, independently of each other (POS).
    ///
    /// # Panics
    /// Without any execution.
    pub fn pos(self, executions: u64) -> Self {
        self.sample(Sampler::Pos, executions)
    }

    /// Runs so many random executions in which all interleavings are about equally likely (URW).
    ///
    /// # Panics
    /// Without any execution.
    pub fn urw(self, executions: u64) -> Self {
        self.sample(Sampler::Urw, executions)
    }

    /// Which random executions are run: the same seed gives the same ones. 0 unless it is said otherwise.
    ///
    /// # Panics
    /// If no random executions were asked for before.
    pub fn seed(mut self, seed: u64) -> Self {
        let Some(sampling) = self.options.sampling else {
            panic!("`seed` says which random executions are run; ask for some before, for example with `random`");
        };
        self.options.sampling = Some(sampling.seed(seed));
        self
    }

    /// Covers the executions with at most so many preemptions only: those in which a thread that could go on has to wait at most so often. Most
    /// bugs need one or two. The verdict is `complete` all the same if no execution has more.
    pub fn preemptions(mut self, most: u32) -> Self {
        self.options.bound = Some(Bound::preemptions(most));
        self.options.sampling = None;
        self
    }

    /// As [`Check::preemptions`], with 0, 1, 2 and so on in turn: what fails with few is found with few.
    pub fn preemptions_up_to(mut self, most: u32) -> Self {
        self.options.bound = Some(Bound::preemptions(most).deepening());
        self.options.sampling = None;
        self
    }

    /// Covers the executions that delay threads at most so many times only: a scheduler lets each thread run until it cannot go on, and then the
    /// next in turn, but for so many that it passes over.
    pub fn delays(mut self, most: u32) -> Self {
        self.options.bound = Some(Bound::delays(most));
        self.options.sampling = None;
        self
    }

    fn sample(mut self, sampler: Sampler, executions: u64) -> Self {
        assert!(executions > 0, "`{sampler}` needs at least one execution");
        self.options.sampling = Some(Sampling::new(sampler, executions));
        self.options.bound = None;
        self
    }

    /// What `MAZURKA_MODE` and the other variables ask for instead of what the test says, and whether they do.
    ///
    /// # Errors
    /// If the value of one of them means nothing.
    pub(crate) fn obeying_environment(self) -> Result<(Self, bool), String> {
        let value = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let instead = [MODE, PREEMPTIONS, MODEL].into_iter().any(|name| value(name).is_some());
        Ok((self.obeying(value)?, instead))
    }

    /// Whether `MAZURKA_RELAX` asks which orderings could be weaker.
    ///
    /// # Errors
    /// Without a memory model.
    pub(crate) fn is_to_relax(&self) -> Result<bool, String> {
        self.relaxing(env::var(RELAX).ok().as_deref())
    }

    fn relaxing(&self, value: Option<&str>) -> Result<bool, String> {
        let asked = value.is_some_and(|value| !value.is_empty() && value != "0");
        if asked && self.model.is_none() {
            return Err(format!("{RELAX} needs a memory model: set {MODEL}=rc11"));
        }
        Ok(asked)
    }

    fn obeying(mut self, value: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let number = |name: &str, least: u64| match value(name) {
            None => Ok(None),
            Some(text) => match text.replace('_', "").parse() {
                Ok(n) if n >= least => Ok(Some(n)),
                _ => Err(format!("{name}: expected a whole number of at least {least}, not `{text}`")),
            },
        };
        let (budget, seed, from) = (number(BUDGET, 1)?, number(SEED, 0)?, number(FROM, 0)?);
        if let Some(model) = value(MODEL) {
            if mazurka_weak::model(&model).is_none() {
                let names = mazurka_weak::MODELS.join(", ");
                return Err(format!("{MODEL}: there is no memory model `{model}`; expected one of {names}"));
            }
            self = self.model(&model);
        }
        if let Some(mode) = value(MODE) {
            let sampler: Sampler = mode.parse().map_err(|e| format!("{MODE}: `{mode}`: {e}"))?;
            self = self.sample(sampler, budget.unwrap_or(EXECUTIONS));
        }
        if let Some(sampling) = &mut self.options.sampling {
            sampling.budget = budget.unwrap_or(sampling.budget);
            sampling.seed = seed.unwrap_or(sampling.seed);
            sampling.from = from.unwrap_or(sampling.from);
        }
        if let Some(text) = value(PREEMPTIONS) {
            if value(MODE).is_some() {
                return Err(format!("{MODE} and {PREEMPTIONS} cannot be combined; set one of them"));
            }
            let most = text.strip_prefix("..").unwrap_or(&text).parse();
            let most = most.map_err(|_| format!("{PREEMPTIONS}: expected a number of preemptions, such as 2 or ..3, not `{text}`"))?;
            self = if text.starts_with("..") {
                self.preemptions_up_to(most)
            } else {
                self.preemptions(most)
            };
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(values: &[(&str, &str)]) -> Result<Check, String> {
        let value = |name: &str| values.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned());
        Check::new().obeying(value)
    }

    #[test]
    fn the_environment_says_what_to_run_instead() {
        let sampling = |values| said(values).unwrap().options.sampling;
        assert_eq!(sampling(&[]), None);
        assert_eq!(sampling(&[(MODE, "pos")]), Some(Sampling::new(Sampler::Pos, EXECUTIONS)));
        let drawn = sampling(&[(MODE, "pct:5"), (BUDGET, "1_000"), (SEED, "7"), (FROM, "9")]);
        assert_eq!(drawn, Some(Sampling::new(Sampler::Pct { depth: 5 }, 1000).seed(7).from(9)));
        let bound = said(&[(PREEMPTIONS, "..3")]).unwrap().options.bound;
        assert_eq!(bound, Some(Bound::preemptions(3).deepening()));
    }

    #[test]
    fn only_under_a_memory_model_can_orderings_be_weaker() {
        let weak = Check::new().model("rc11");
        assert_eq!(weak.relaxing(Some("1")), Ok(true));
        assert_eq!(weak.relaxing(Some("0")), Ok(false));
        assert_eq!(Check::new().relaxing(None), Ok(false));
        let error = Check::new().relaxing(Some("1")).unwrap_err();
        assert_eq!(error, "MAZURKA_RELAX needs a memory model: set MAZURKA_MODEL=rc11");
    }

    #[test]
    fn bad_values_are_named() {
        for (values, expected) in [
            (&[(MODE, "radnom")][..], "did you mean `random`?"),
            (&[(BUDGET, "0")], "MAZURKA_BUDGET"),
            (&[(SEED, "x")], "MAZURKA_SEED"),
            (&[(PREEMPTIONS, "few")], "such as 2 or ..3"),
            (&[(PREEMPTIONS, "2"), (MODE, "pos")], "cannot be combined"),
        ] {
            let error = said(values).err().unwrap_or_default();
            assert!(error.contains(expected), "{values:?}: {error}");
        }
    }
}
