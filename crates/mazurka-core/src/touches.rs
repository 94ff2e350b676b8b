//! Who touched each location in the current execution, in order.

use crate::footprint::{Access, Mode};
use crate::program::Location;
use crate::trace::{At, NOWHERE};

#[derive(Clone, Copy)]
struct Touch {
    at: At,
    mode: Mode,
    /// Index of the last write at or below this entry in the location's stack, [`NOWHERE`] if there is none.
    last_write: u32,
    /// The same for anything but reads, plus one; 0 if there is none.
    changes: u32,
}

/// A stack of touches for each location.
#[derive(Default)]
pub(crate) struct Touches(Vec<Vec<Touch>>);

impl Touches {
    /// The event at `at` touches a location.
    pub fn push(&mut self, at: At, access: &Access) {
        let location = access.location.index();
        if location >= self.0.len() {
            self.0.resize_with(location + 1, Vec::new);
        }
        let stack = &mut self.0[location];
        let (below, next) = (stack.last(), stack.len() as u32);
        let last_write = match access.mode {
            Mode::Write => next,
            _ => below.map_or(NOWHERE, |t| t.last_write),
        };
        let changes = match access.mode {
            Mode::Read => below.map_or(0, |t| t.changes),
            _ => next + 1,
        };
        stack.push(Touch {
            at,
            mode: access.mode,
            last_write,
            changes,
        });
    }

    /// Takes the last touch of a location back.
    pub fn pop(&mut self, location: Location) {
        self.0[location.index()].pop();
    }

    /// Appends the touches that one more conflicts with and that are not all in the past of a later such touch.
    pub fn add_conflicting(&self, access: &Access, out: &mut Vec<At>) {
        let stack = self.of(access.location);
        let Some(top) = stack.last() else { return };
        let last_write = top.last_write;
        let since = if last_write == NOWHERE { 0 } else { last_write as usize + 1 };
        out.extend(stack[since..].iter().filter(|t| t.mode.conflicts(access.mode)).map(|t| t.at));
        if last_write != NOWHERE {
            out.push(stack[last_write as usize].at);
        }
    }

    /// Whether some touch after `e` that conflicts with an access is one of those meant.
    #[inline]
    pub fn conflict_after(&self, e: At, access: &Access, meant: impl Fn(At) -> bool) -> bool {
        let stack = self.of(access.location);
        let mut left = stack;
        while let [others @ .., top] = left {
            if top.at <= e {
                break;
            }
            left = others;
            if !top.mode.conflicts(access.mode) {
                // Where many read, who changed the value last is not looked for among them.
                if access.mode == Mode::Read {
                    left = &stack[..top.changes as usize];
                }
            } else if meant(top.at) {
                return true;
            }
        }
        false
    }

    /// Who changed a location before `until`, latest first, and whether by a write.
    pub fn changes(&self, location: Location, until: At) -> impl Iterator<Item = (At, bool)> + '_ {
        let stack = self.of(location);
        let before = stack.partition_point(|touch| touch.at < until);
        let changes = stack[..before].iter().rev().filter(|t| t.mode != Mode::Read);
        changes.map(|t| (t.at, t.mode == Mode::Write))
    }

    /// Who changed a location at `from` or later, earliest first, and whether by a write.
    pub fn changes_from(&self, location: Location, from: At) -> impl Iterator<Item = (At, bool)> + '_ {
        let stack = self.of(location);
        let since = stack.partition_point(|touch| touch.at < from);
        let changes = stack[since..].iter().filter(|t| t.mode != Mode::Read);
        changes.map(|t| (t.at, t.mode == Mode::Write))
    }

    fn of(&self, location: Location) -> &[Touch] {
        self.0.get(location.index()).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conflicts_are_found_among_many_that_only_read() {
        use Mode::{Accumulate, Read, Write};
        let access = |mode| Access {
            location: Location(3),
            mode,
            guard: false,
            maybe: false,
        };
        let modes = [Write, Read, Read, Accumulate, Read, Accumulate, Read, Read, Write, Read];
        let mut touches = Touches::default();
        for (at, mode) in modes.into_iter().enumerate() {
            touches.push(at as At, &access(mode));
        }
        for len in (1..=modes.len()).rev() {
            for e in 0..len {
                for mode in [Read, Write, Accumulate] {
                    for (meant, touched) in modes.iter().enumerate().take(len) {
                        let found = touches.conflict_after(e as At, &access(mode), |at| at as usize == meant);
                        let expected = meant > e && touched.conflicts(mode);
                        assert_eq!(found, expected, "{len} {e} {mode:?} {meant}");
                    }
                }
            }
            touches.pop(Location(3));
        }
    }
}
