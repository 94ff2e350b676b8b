//! Which algorithms explore schedules so that tests can be made of what they find.

use mazurka_core::{Algorithm, Covers};

/// Whether an algorithm explores every trace. Equal final states are not enough: what calls returned that nobody waits for is no part of a state.
///
/// # Errors
/// It does not: outcomes that a test has to allow would be missing.
pub fn admit(algorithm: Algorithm) -> Result<(), String> {
    match algorithm.about().promise.covers {
        Covers::Interleavings | Covers::Traces => Ok(()),
        Covers::Finals | Covers::Outcomes | Covers::Merged => Err(format!(
            "`{}` cannot be used for tests: it leaves out executions whose results tests tell apart; take `optimal`",
            algorithm.name()
        )),
    }
}
