//! `check --cluster` and `worker`: one search by workers on many machines.

#[cfg(not(feature = "cluster"))]
#[path = "cluster/without.rs"]
mod engine;
#[cfg(feature = "cluster")]
#[path = "cluster/with.rs"]
mod engine;

use crate::cli::CheckArgs;
use crate::plan::certified;
use crate::refusal::Refusal;
use crate::session::Session;
pub use engine::{submit, work};
use mazurka_core::Search;
use std::path::{Component, Path};

/// Who takes part in a search on a cluster.
pub trait Crowd {
    /// How many workers have answered lately.
    fn count(&self) -> usize;

    /// How many workers have ever answered.
    fn ever(&self) -> usize;

    /// Why there is no verdict, if there is a reason.
    fn trouble(&self) -> Option<Refusal>;
}

/// A search on a cluster.
pub struct Submission<'p> {
    pub search: Box<dyn Search + 'p>,
    pub crowd: Box<dyn Crowd>,
}

/// Refuses what cannot be asked of workers elsewhere.
pub fn refuse_others(args: &CheckArgs, session: &Session<'_>) -> Result<(), Refusal> {
    if args.cluster.is_none() {
        return Ok(());
    }
    let alone = [
        (args.output.final_states, "--final-states"),
        (args.output.report.is_some(), "--report"),
        (args.paranoid, "--paranoid"),
        (certified(args), "--certificate or --verify"),
        (args.checkpoint.is_some(), "--checkpoint"),
        (args.jobs.is_some_and(|jobs| jobs > 1), "--jobs"),
        (args.replay, "--replay"),
        (args.limits.max_executions.is_some(), "--max-executions"),
        (args.limits.memory.is_some(), "--memory"),
    ];
    if let Some((_, flag)) = alone.iter().find(|(given, _)| *given) {
        return Err(Refusal::new(format!(
            "`{flag}` is for a search on this machine; leave out --cluster"
        )));
    }
    if !session.replays {
        return Err(Refusal::new(
            "workers have to load the program by its name, and this one has none; leave out --cluster",
        ));
    }
    let stays = |name: &str| {
        let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        !Path::new(name).components().all(inside)
    };
    if let Some(source) = session.sources.iter().find(|source| stays(&source.name)) {
        return Err(Refusal::new(format!(
            "`{}` is not below the current directory, and its name means nothing to workers elsewhere; go there and check it by its relative name",
            source.name
        )));
    }
    Ok(())
}
