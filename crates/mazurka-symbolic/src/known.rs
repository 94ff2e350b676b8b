//! Runs what starts with everything known.

use crate::explore::{Execution, STRIDE};
use crate::keep::{Keep, Keeper};
use mazurka_abs::run::Machine;
use mazurka_abs::run::scene::Scene;
use mazurka_core::{Algorithm, Limits, Options, SearchError, Status, search};
use std::cell::RefCell;
use std::rc::Rc;

/// Explores every schedule from a start in which everything is known: a scene, or the main block. Of executions that come to the same, one is kept.
///
/// # Errors
/// The algorithm does not take this program.
pub fn run_known(
    machine: &mut Machine,
    scene: Option<Scene>,
    algorithm: Algorithm,
    executions: u64,
) -> Result<(Vec<Execution>, mazurka_core::Outcome), SearchError> {
    machine.scene = scene;
    let kept = Rc::new(RefCell::new(Vec::new()));
    let outcome = {
        let keeper = Keeper::new(machine, machine.scene.as_ref(), Keep::Outcomes, &kept);
        let options = Options::new(algorithm)
            .keep_going(true)
            .limits(Limits::default().executions(executions));
        let mut searching = search(&*machine, &options, keeper)?;
        while searching.advance(STRIDE * 16) == Status::Running {}
        searching.outcome()
    };
    machine.scene = None;
    Ok((kept.take(), outcome))
}
