//! Deliberate errors. Only tests switch them on, to show that the oracle would notice such an error.

/// An error to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mutation {
    /// None: the algorithm as it should be.
    #[default]
    None,
    /// Races of blocked steps are not looked for.
    IgnoreBlocked,
    /// Explored steps are not put to sleep (loses no execution, but repeats them).
    NoSleep,
    /// The sleep set is inherited whole, dependent steps included.
    SleepUnfiltered,
    /// A sequence is put into the wakeup tree whether or not a sleeping step covers it (repeats executions).
    AlwaysInsert,
    /// A sequence is taken to be covered by any sleeping step of one of its processes.
    NeverInsertSleeping,
    /// When a merged state is explored further, what sleeps there now is left out even if it was explored with that awake before (program Y0).
    WakeAsleep,
    /// A reversal contains only what came before the second event of its race, not the whole execution (program A7).
    PrefixOnly,
    /// `source+context`, `optimal+context`: what would follow a skipped step is forgotten with it.
    ForgetSkipped,
}
