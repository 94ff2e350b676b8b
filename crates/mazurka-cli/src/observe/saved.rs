//! The final states that were seen, for checkpoints. The tree is not kept.

use super::Seen;
use mazurka_core::saved::{Decoder, Encoder, Misfit};
use mazurka_report::FinalState;
use mazurka_report::tree::End;

/// How executions can end in a final state, by number.
const ENDS: [End; 3] = [End::Finished, End::Deadlock, End::Failed];

impl Seen {
    /// Writes them.
    pub fn save(&self, out: &mut Encoder) {
        out.list(self.order.iter(), |out, state| {
            out.list(state.values.iter(), |out, (name, value)| {
                out.text(name);
                out.text(value);
            });
            out.number(state.executions);
            out.number(ENDS.iter().position(|end| *end == state.end).unwrap_or(0) as u64);
            out.flag(state.deadlock);
            out.list(state.failures.iter(), |out, failure| out.text(failure));
        });
        let mut fingerprints: Vec<_> = self.by_fingerprint.iter().collect();
        fingerprints.sort_unstable_by_key(|(_, at)| **at);
        out.list(fingerprints.into_iter(), |out, (fingerprint, _)| out.wide(*fingerprint));
    }

    /// Has seen what was written.
    pub fn resume(&mut self, from: &mut Decoder<'_>) -> Result<(), Misfit> {
        self.order = from.list(|from| {
            Ok(FinalState {
                values: from.list(|from| Ok((from.text()?, from.text()?)))?,
                executions: from.number()?,
                end: *ENDS.get(from.small::<usize>()?).ok_or(Misfit::Garbled)?,
                deadlock: from.flag()?,
                failures: from.list(Decoder::text)?,
                sample: None,
            })
        })?;
        let fingerprints = from.list(Decoder::wide)?;
        if fingerprints.len() != self.order.len() {
            return Err(Misfit::Garbled);
        }
        self.by_fingerprint = fingerprints.into_iter().zip(0..).collect();
        Ok(())
    }
}
