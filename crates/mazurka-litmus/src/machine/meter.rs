//! What a step really touches, noted at the accesses themselves.

use mazurka_core::{Access, Footprint, Location, Mode};
use smallvec::SmallVec;

/// Is told of every access to a shared cell when it happens.
pub(super) trait Meter {
    fn read(&mut self, cell: u32);
    fn write(&mut self, cell: u32);
    /// An addition that commutes.
    fn accumulate(&mut self, cell: u32);
}

/// Nobody asks.
impl Meter for () {
    #[inline(always)]
    fn read(&mut self, _: u32) {}
    #[inline(always)]
    fn write(&mut self, _: u32) {}
    #[inline(always)]
    fn accumulate(&mut self, _: u32) {}
}

/// How a cell was touched so far.
#[derive(Clone, Copy, Debug)]
struct Touched {
    cell: u32,
    read: bool,
    written: bool,
    accumulated: bool,
}

/// Notes every access.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    touched: SmallVec<[Touched; 8]>,
}

impl Recorder {
    fn of(&mut self, cell: u32) -> &mut Touched {
        let at = self.touched.iter().position(|t| t.cell == cell).unwrap_or_else(|| {
            self.touched.push(Touched {
                cell,
                read: false,
                written: false,
                accumulated: false,
            });
            self.touched.len() - 1
        });
        &mut self.touched[at]
    }

    /// Adds everything to a footprint.
    pub(super) fn add_to(&self, out: &mut Footprint) {
        for t in &self.touched {
            let location = Location(t.cell);
            match (t.written, t.accumulated, t.read) {
                (true, _, false) => out.overwrite(location),
                (true, _, true) | (false, true, true) => out.update(location),
                (false, true, false) => out.accumulate(location),
                (false, false, _) => out.read(location),
            }
        }
    }

    /// Adds what was read to a footprint, as what decides whether a step is enabled.
    pub(super) fn add_guards_to(&self, out: &mut Footprint) {
        for t in &self.touched {
            out.add(Access {
                location: Location(t.cell),
                mode: Mode::Read,
                guard: true,
                maybe: false,
            });
        }
    }
}

impl Meter for Recorder {
    fn read(&mut self, cell: u32) {
        // What the step itself has written is not read from outside.
        let touched = self.of(cell);
        touched.read |= !touched.written;
    }

    fn write(&mut self, cell: u32) {
        self.of(cell).written = true;
    }

    fn accumulate(&mut self, cell: u32) {
        let touched = self.of(cell);
        touched.accumulated |= !touched.written;
    }
}
