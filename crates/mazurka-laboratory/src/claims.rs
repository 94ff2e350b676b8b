//! What each algorithm claims to find. The comparison tests exactly this.

use mazurka_core::{Algorithm, Covers, Promise};

/// The claims of an algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Claims {
    /// One execution for each interleaving.
    pub interleavings: bool,
    /// Every trace.
    pub traces: bool,
    /// No trace twice.
    pub once: bool,
    /// No execution abandoned because everything sleeps.
    pub unblocked: bool,
    /// Every final state, and every deadlocked one.
    pub finals: bool,
    /// Everything that the processes can know in the end.
    pub outcomes: bool,
    /// Every failure.
    pub failures: bool,
    /// Every set of values with which something fails, too. A failure that leaves the state the same whatever the values were can be met
    /// once for all of them.
    pub failure_values: bool,
    /// As many executions as there are final states.
    pub one_per_final: bool,
}

impl Claims {
    /// The claims of the algorithm of that name; none for published readings that are known to miss executions.
    pub fn of(algorithm: &str) -> Option<Claims> {
        let about = Algorithm::parse(algorithm).ok()?.about();
        let Promise {
            covers,
            once,
            unblocked,
            failure_values,
            ..
        } = about.promise;
        about.sound.then_some(Claims {
            interleavings: covers == Covers::Interleavings,
            traces: covers <= Covers::Traces,
            once,
            unblocked,
            finals: covers != Covers::Outcomes,
            outcomes: true,
            failures: true,
            failure_values,
            one_per_final: covers == Covers::Merged,
        })
    }
}
