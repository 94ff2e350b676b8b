//! Footprints: which locations a step touches, and how.

use crate::program::Location;
use smallvec::SmallVec;

/// How a step touches a location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mode {
    /// Depends on the value.
    Read,
    /// Replaces the value (perhaps after reading it).
    Write,
    /// A commuting update whose result the step does not read: `x += 1`, posting to an unordered mailbox.
    Accumulate,
}

impl Mode {
    /// Whether two accesses to one location in these modes do not commute; only read/read and accumulate/accumulate do.
    pub fn conflicts(self, other: Mode) -> bool {
        self != other || self == Mode::Write
    }
}

/// One location with the way it is touched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Access {
    /// What is touched.
    pub location: Location,
    /// How.
    pub mode: Mode,
    /// Whether the read decides if the step, or an alternative of it, is enabled.
    pub guard: bool,
    /// Whether a write may also leave the value as it was (a *may*-write). Observers treat it as a read too.
    pub maybe: bool,
}

/// The accesses of one step.
///
/// Each location is listed once: adding a read to an accumulation or write of the same location gives a write that also reads.
#[derive(PartialEq, Eq, Debug, Default)]
pub struct Footprint {
    accesses: SmallVec<[Access; 6]>,
    /// Set when the guard can only go from false to true (futures, flags that are only ever set).
    pub monotone_guard: bool,
}

impl Clone for Footprint {
    fn clone(&self) -> Self {
        Footprint {
            accesses: SmallVec::from_slice(&self.accesses),
            monotone_guard: self.monotone_guard,
        }
    }

    /// Reuses the memory.
    fn clone_from(&mut self, source: &Self) {
        self.accesses.clear();
        self.accesses.extend_from_slice(&source.accesses);
        self.monotone_guard = source.monotone_guard;
    }
}

impl Footprint {
    /// Nothing touched.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.accesses.clear();
        self.monotone_guard = false;
    }

    /// The step depends on the value of `location`.
    pub fn read(&mut self, location: Location) {
        self.add(Access {
            location,
            mode: Mode::Read,
            guard: false,
            maybe: false,
        });
    }

    /// The step always replaces the value of `location`, and neither reads it nor depends on it: a *blind* write. If it may also keep the
    /// value, or computes the new one from it, that is [`Footprint::update`]: calling that an overwrite makes `optimal+observers` unsound.
    pub fn overwrite(&mut self, location: Location) {
        self.add(Access {
            location,
            mode: Mode::Write,
            guard: false,
            maybe: false,
        });
    }

    /// The step may replace the value of `location`: in every context or only in some, perhaps after reading it. Always safe for a write.
    pub fn update(&mut self, location: Location) {
        self.add(Access {
            location,
            mode: Mode::Write,
            guard: false,
            maybe: true,
        });
    }

    /// The step updates `location` by its commutative operation and does not read the result.
    pub fn accumulate(&mut self, location: Location) {
        self.add(Access {
            location,
            mode: Mode::Accumulate,
            guard: false,
            maybe: false,
        });
    }

    /// The value of `location` decides whether the step is enabled.
    pub fn guard(&mut self, location: Location) {
        self.add(Access {
            location,
            mode: Mode::Read,
            guard: true,
            maybe: false,
        });
    }

    /// Adds an access, joining it with earlier ones to the same location.
    pub fn add(&mut self, access: Access) {
        match self.accesses.iter_mut().find(|a| a.location == access.location) {
            None => self.accesses.push(access),
            Some(known) => {
                let blind = known.mode == Mode::Write && !known.maybe && access.mode == Mode::Write && !access.maybe;
                known.guard |= access.guard;
                if known.mode != access.mode || known.maybe != access.maybe {
                    known.mode = Mode::Write;
                    known.maybe = !blind;
                }
            }
        }
    }

    /// The accesses, in the order in which their locations were first added.
    pub fn accesses(&self) -> &[Access] {
        &self.accesses
    }

    /// Whether some read decides if the step is enabled.
    pub fn is_guarded(&self) -> bool {
        self.accesses.iter().any(|a| a.guard)
    }

    /// Whether steps with these footprints may not be swapped.
    pub fn conflicts(&self, other: &Footprint) -> bool {
        conflict(&self.accesses, &other.accesses)
    }
}

/// Whether a step with accesses `writer` may change what decides if a step with accesses `guarded` is enabled: it writes or accumulates a
/// location that the guard reads. A conflict is not enough.
///
/// Some steps touch one of many things and others any of them (a known channel or an unknown one, a field or the whole actor). Two extra
/// locations A and B express that each changes what the other's guard reads, while steps on known things stay independent: a step that
/// touches one thing reads A as a guard and accumulates B; a step that touches any reads B as a guard and writes both.
pub fn writes_guard(writer: &[Access], guarded: &[Access]) -> bool {
    guarded
        .iter()
        .filter(|g| g.guard)
        .any(|g| writer.iter().any(|w| w.location == g.location && w.mode != Mode::Read))
}

/// Whether some location is touched by both in conflicting modes.
pub fn conflict(a: &[Access], b: &[Access]) -> bool {
    a.iter()
        .any(|x| b.iter().any(|y| x.location == y.location && x.mode.conflicts(y.mode)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_reads_and_accumulates_commute_with_themselves() {
        use Mode::*;
        for (a, b, conflicts) in [
            (Read, Read, false),
            (Accumulate, Accumulate, false),
            (Read, Accumulate, true),
            (Write, Write, true),
            (Read, Write, true),
            (Write, Accumulate, true),
        ] {
            assert_eq!(a.conflicts(b), conflicts, "{a:?} {b:?}");
            assert_eq!(b.conflicts(a), conflicts, "{b:?} {a:?}");
        }
    }

    #[test]
    fn a_copy_into_an_old_footprint_leaves_nothing_of_it() {
        let mut old = Footprint::new();
        old.overwrite(Location(1));
        old.monotone_guard = true;
        let mut new = Footprint::new();
        new.guard(Location(2));
        old.clone_from(&new);
        assert_eq!(old, new);
        old.monotone_guard = true;
        old.clear();
        assert_eq!(old, Footprint::new());
    }

    #[test]
    fn a_read_and_a_write_of_one_location_are_a_write_that_reads() {
        let mut f = Footprint::new();
        f.guard(Location(3));
        f.overwrite(Location(3));
        assert_eq!(
            f.accesses(),
            [Access {
                location: Location(3),
                mode: Mode::Write,
                guard: true,
                maybe: true
            }]
        );
        f.overwrite(Location(3));
        assert!(f.accesses()[0].maybe, "a later blind write does not undo the read");
    }
}
