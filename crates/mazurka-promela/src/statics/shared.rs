//! The locations that processes share: the process table, the cells of global variables, the channels by number.

use crate::model::{Model, Place, Space};
use mazurka_core::Location;

/// Numbers the shared locations of a model.
#[derive(Clone, Debug)]
pub struct Shared {
    /// For each byte of the globals the cell it belongs to.
    cell_at: Vec<Option<u32>>,
    /// For each cell the cells of the same variable.
    group: Vec<std::ops::Range<u32>>,
    cells: u32,
}

impl Shared {
    /// Written when a process starts; read by a process that wants to end, which only the youngest may.
    pub const BIRTHS: Location = Location(0);
    /// Written when a process ends; read by those that wait for younger ones to end.
    pub const DEATHS: Location = Location(1);
    /// The number of processes, `_nr_pr`: births and deaths add to it.
    pub const COUNT: Location = Location(2);
    /// Touched by what waits for `timeout`, which all others together can prevent.
    pub const TIMEOUT: Location = Location(3);
    const CELLS: u32 = 4;

    /// The locations of the model.
    pub fn new(model: &Model) -> Self {
        let mut cell_at = vec![None; model.globals_size as usize];
        let mut group = Vec::new();
        for (i, cell) in model.cells.iter().enumerate() {
            if let Some(at) = cell_at.get_mut(cell.offset as usize) {
                *at = Some(i as u32);
            }
            let first = model.cells.iter().position(|c| c.variable == cell.variable).unwrap_or(i);
            let last = model.cells.iter().rposition(|c| c.variable == cell.variable).unwrap_or(i);
            group.push(first as u32..last as u32 + 1);
        }
        Shared {
            cell_at,
            group,
            cells: model.cells.len() as u32,
        }
    }

    /// The channel with this number, counted from 1.
    pub fn channel(&self, number: u32) -> Location {
        Location(Self::CELLS + self.cells + number)
    }

    /// The global cell at this offset.
    pub fn at(&self, offset: u32) -> Option<Location> {
        self.cell_at
            .get(offset as usize)
            .copied()
            .flatten()
            .map(|cell| Location(Self::CELLS + cell))
    }

    /// All cells of the global variable that the place is part of.
    pub fn whole(&self, place: &Place) -> impl Iterator<Item = Location> + use<> {
        let cell = match place.space {
            Space::Global => self.cell_at.get(place.offset as usize).copied().flatten(),
            Space::Local | Space::Nowhere => None,
        };
        let cells = cell.map_or(0..0, |cell| self.group[cell as usize].clone());
        cells.map(|cell| Location(Self::CELLS + cell))
    }
}
