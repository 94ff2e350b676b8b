//! Which `hidden` variables are no part of the state.
//!
//! `hidden` asks for states to be told apart without a variable. That loses nothing if the model only writes it (a place to receive into what does not
//! matter). If it, or a claim, reads the variable, two states that differ in it may have different futures, and a search that takes them for one may miss a
//! failure; SPIN's verifier does. So a variable that is read anywhere stays part of the state.

use crate::model::{Ex, Model, Place, Space};
use crate::visit::{visit_claims, visit_model};
use std::ops::Range;

/// Keeps in `model.hidden` what nothing reads.
pub(super) fn show_what_is_read(model: &mut Model) {
    if model.hidden.is_empty() {
        return;
    }
    let mut read: Vec<Range<u32>> = Vec::new();
    let mut note = |ex: &mut Ex| match ex {
        Ex::Load(place) if place.space == Space::Global => read.push(reach(place)),
        _ => {}
    };
    visit_model(model, &mut note);
    visit_claims(&mut model.claims, &mut note);
    model
        .hidden
        .retain(|hidden| !read.iter().any(|read| read.start < hidden.end && hidden.start < read.end));
}

/// All bytes that a place may stand for, whatever its indices are.
fn reach(place: &Place) -> Range<u32> {
    let furthest: u32 = place.indices.iter().map(|i| i.length.saturating_sub(1) * i.stride).sum();
    place.offset..place.offset + furthest + place.kind.size()
}
