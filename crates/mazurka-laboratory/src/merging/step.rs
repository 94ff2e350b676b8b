//! A step that was taken, as far as what comes back over it is concerned.

use mazurka_core::{Access, Atom, Location, Mode, Origin, Process};
use std::collections::BTreeSet;

/// A set of processes.
pub type Processes = BTreeSet<Process>;

/// A set of locations.
pub type Places = BTreeSet<Location>;

/// A step `p` from a state `s`.
#[derive(Debug)]
pub struct Step {
    /// Who moved.
    pub process: Process,
    /// What the step may touch, over all its alternatives.
    pub footprint: Vec<Access>,
    /// Who exists because of it.
    pub births: Processes,
    /// Whose next steps are independent of it.
    pub independent: Processes,
    /// The locations that it gave another value; if values cannot be seen, none.
    pub changes: Vec<Change>,
}

/// A location that a step changed.
#[derive(Debug)]
pub struct Change {
    /// Which.
    pub location: Location,
    /// Where the new value comes from.
    pub origin: Origin,
    /// The new value.
    pub after: i64,
}

impl Step {
    /// What an atom was before the step, if it is `atom` after it. Locations from which its value was computed are added to `computed`.
    pub fn atom_before(&self, atom: Atom, computed: &mut Places) -> Atom {
        let Atom::Open(location, plus) = atom else { return atom };
        let Some(change) = self.changes.iter().find(|c| c.location == location) else {
            return atom;
        };
        match &change.origin {
            Origin::Copy(from, more) => Atom::Open(*from, plus.wrapping_add(*more)),
            Origin::Constant => Atom::Known(change.after.wrapping_add(plus)),
            Origin::Computed(from) => {
                computed.extend(from);
                Atom::Known(change.after.wrapping_add(plus))
            }
        }
    }

    /// The locations before the step that decide the value of a location after it.
    pub fn place_before(&self, location: Location) -> Places {
        match self.changes.iter().find(|c| c.location == location).map(|c| &c.origin) {
            None => Places::from([location]),
            Some(Origin::Constant) => Places::new(),
            Some(Origin::Copy(from, _)) => Places::from([*from]),
            Some(Origin::Computed(from)) => from.iter().copied().collect(),
        }
    }

    /// Whether it may change what decides if a step with this footprint is enabled.
    pub fn writes_guard(&self, guarded: &[Access]) -> bool {
        mazurka_core::writes_guard(&self.footprint, guarded)
    }
}

/// The changes of a step between equal states: what it writes is the same in all of them, and what it accumulates is a sum.
pub fn changes_between(footprint: &[Access], value: impl Fn(Location) -> (i64, i64)) -> Vec<Change> {
    let written = footprint.iter().filter(|a| a.mode != Mode::Read);
    let change = |a: &Access| {
        let (before, after) = value(a.location);
        let origin = match a.mode {
            Mode::Accumulate => Origin::Copy(a.location, after.wrapping_sub(before)),
            _ => Origin::Constant,
        };
        Change {
            location: a.location,
            origin,
            after,
        }
    };
    written.map(change).collect()
}
