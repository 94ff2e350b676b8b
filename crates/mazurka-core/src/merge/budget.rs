//! Memory: what is forgotten when it is scarce. That costs exploring states again, never a wrong answer.

use super::cone_set::SetId;
use super::search::Merging;
use super::view::{NoteId, View};

/// Without a store, unused cones are swept away when they take so many bytes.
const CONES_WITHOUT_STORE: usize = 64 << 20;

impl<V: View> Merging<'_, V> {
    /// Forgets stored states, cones and notes if there is too much of them. `cones` and `note`, which are about to be handed up, are kept.
    #[inline]
    pub(super) fn keep_within_memory(&mut self, cones: SetId, note: NoteId) {
        let bytes = self.states.bytes() + self.futures_bytes();
        self.most_bytes = self.most_bytes.max(bytes);
        // With sleep sets the search does well without a store; without them it would visit states over and over.
        if self.sleep_sets && !self.keep_store && self.states.give_up_if_useless() {
            self.forget_unused(cones, note);
        }
        if self.limits.memory.is_some_and(|limit| bytes as u64 > limit) {
            if !self.states.closed {
                self.states.evict();
            }
            // What the current execution needs cannot be forgotten: it is not looked through again and again.
            if self.futures_bytes() >= self.next_sweep {
                self.forget_unused(cones, note);
                self.next_sweep = self.futures_bytes() + (self.futures_bytes() / 4).max(256);
            }
        } else if self.states.closed && self.cones.bytes() > CONES_WITHOUT_STORE {
            self.forget_unused(cones, note);
        }
    }

    /// What cones and notes take.
    fn futures_bytes(&self) -> usize {
        self.cones.bytes() + self.view.bytes()
    }

    /// Forgets cones and notes that no stored state and no node of the current execution has.
    fn forget_unused(&mut self, returned: SetId, note: NoteId) {
        let notes = &mut self.states.iter().map(|s| s.note).chain([note]);
        self.view
            .sweep(notes, &mut self.frames[..=self.schedule.len()].iter().map(|f| &f.draft));
        self.way_back.clear();
        let frames = &mut self.frames[..=self.schedule.len()];
        frames.iter_mut().flat_map(|f| &mut f.units).for_each(|u| u.cone = None);
        let on_stack = frames.iter().map(|f| f.cones);
        self.cones
            .sweep(self.states.iter().map(|s| s.cones).chain([returned]).chain(on_stack));
    }
}
