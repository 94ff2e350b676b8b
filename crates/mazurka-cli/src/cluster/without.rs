//! Instead of the cluster, in a binary that does not have it.

use super::Submission;
use crate::cli::{CheckArgs, WorkerArgs};
use crate::exit::Exit;
use crate::laboratory::without;
use crate::refusal::Refusal;
use crate::session::Session;
use mazurka_core::Options;

pub fn submit<'p>(args: &CheckArgs, _: &'p Session<'_>, _: &Options) -> Result<Option<Submission<'p>>, Refusal> {
    match args.cluster {
        None => Ok(None),
        Some(_) => Err(without("cluster")),
    }
}

pub fn work(_: &WorkerArgs) -> Result<Exit, Refusal> {
    Err(without("cluster"))
}
