//! What a search has done.

use super::{Decoder, Encoder, Misfit};
use crate::outcome::Counts;

impl Counts {
    pub(crate) fn save(&self, out: &mut Encoder) {
        let Counts {
            executions,
            blocked,
            cut,
            skipped,
            unknown_futures,
            steps,
            extra_steps,
            states,
            max_depth,
            deadlocks,
        } = *self;
        for number in [
            executions,
            blocked,
            cut,
            skipped,
            unknown_futures,
            steps,
            extra_steps,
            states,
            max_depth,
            deadlocks,
        ] {
            out.number(number);
        }
    }

    pub(crate) fn resumed(from: &mut Decoder<'_>) -> Result<Self, Misfit> {
        Ok(Counts {
            executions: from.number()?,
            blocked: from.number()?,
            cut: from.number()?,
            skipped: from.number()?,
            unknown_futures: from.number()?,
            steps: from.number()?,
            extra_steps: from.number()?,
            states: from.number()?,
            max_depth: from.number()?,
            deadlocks: from.number()?,
        })
    }
}
