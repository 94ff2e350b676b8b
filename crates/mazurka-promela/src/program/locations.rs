//! The shared things of a model as the engine numbers them.

use crate::analysis::{Analysis, Object};
use crate::machine::{Machine, State};
use mazurka_core::Location;
use rustc_hash::FxHashMap;

/// Who is alive.
pub(super) const POPULATION: Location = Location(0);
/// Births alone.
pub(super) const BIRTHS: Location = Location(1);
/// Everything: written by every step where some step reads it.
pub(super) const EVERYTHING: Location = Location(2);
/// All channels, where some operation does not tell which one it is about: read by such operations, and accumulated into by those that
/// change a channel they name. So each changes what the other's guard reads, while operations on different named channels stay
/// independent.
pub(super) const CHANNELS: Location = Location(3);
/// The priorities of processes.
pub(super) const PRIORITIES: Location = Location(4);
/// The other direction: read by operations that name their channel, written by those that do not.
pub(super) const KNOWN_CHANNELS: Location = Location(5);
const FIRST: u32 = 6;

/// A variable of more cells than this is one location if some access may touch many of its cells.
const MANY_CELLS: usize = 16;

/// What a location number means.
pub(super) enum Meaning {
    Population,
    Births,
    Everything,
    Channels,
    Priorities,
    /// Processes of this type, looked at from outside.
    Processes(usize),
    /// A global cell, the first one of its location.
    Cell(usize),
    /// A global channel, by number.
    Channel(usize),
    /// A channel of the process with this name.
    OwnChannel(u32, usize),
}

#[derive(Debug)]
pub(super) struct Locations {
    /// Per global cell.
    cells: Vec<u32>,
    /// Per global cell: whether others have the same location.
    shared: Vec<bool>,
    /// Per location of cells, the first cell of it.
    first_cells: Vec<u32>,
    first_cell_location: u32,
    first_channel: u32,
    global_channels: u32,
    /// Locations of a process: its channels.
    first_process: u32,
    per_process: u32,
}

impl Locations {
    pub fn new(machine: &Machine, analysis: &Analysis) -> Self {
        let model = machine.model();
        let first_cell_location = FIRST + model.proctypes.len() as u32;
        let coarse = coarse_variables(machine, analysis);
        let mut cells = Vec::new();
        let mut first_cells: Vec<u32> = Vec::new();
        let mut shared: FxHashMap<u32, u32> = FxHashMap::default();
        for (i, cell) in model.cells.iter().enumerate() {
            let next = first_cell_location + first_cells.len() as u32;
            let location = match coarse.get(&cell.variable) {
                Some(()) => *shared.entry(cell.variable).or_insert(next),
                None => next,
            };
            if location == next {
                first_cells.push(i as u32);
            }
            cells.push(location);
        }
        let first_channel = first_cell_location + first_cells.len() as u32;
        let global_channels = model.global_channels.len() as u32;
        let per_process = model.proctypes.iter().map(|p| p.channels.len()).max().unwrap_or_default() as u32;
        Locations {
            shared: model.cells.iter().map(|c| coarse.contains_key(&c.variable)).collect(),
            cells,
            first_cells,
            first_cell_location,
            first_channel,
            global_channels,
            first_process: first_channel + global_channels,
            per_process,
        }
    }

    pub fn cell(&self, cell: u32) -> Location {
        Location(self.cells[cell as usize])
    }

    pub fn processes(&self, proctype: usize) -> Location {
        Location(FIRST + proctype as u32)
    }

    pub fn own_channel(&self, process: u32, channel: usize) -> Location {
        Location(self.first_process + process * self.per_process + channel as u32)
    }

    pub fn global_channel(&self, index: usize) -> Location {
        Location(self.first_channel + index as u32)
    }

    /// The location of a channel by its number in a state; `None` for a number that names no channel.
    pub fn channel(&self, machine: &Machine, state: &State, names: &[u32], number: i32) -> Option<Location> {
        let index = u32::try_from(number).ok()?.checked_sub(1)?;
        if index < self.global_channels {
            return Some(Location(self.first_channel + index));
        }
        let mut before = self.global_channels;
        for (slot, &name) in names.iter().enumerate().take(state.processes()) {
            let own = machine.model().proctypes[state.proctype(slot)].channels.len() as u32;
            if index < before + own {
                return Some(self.own_channel(name, (index - before) as usize));
            }
            before += own;
        }
        None
    }

    pub fn meaning(&self, location: Location) -> Meaning {
        match location {
            POPULATION => Meaning::Population,
            BIRTHS => Meaning::Births,
            EVERYTHING => Meaning::Everything,
            CHANNELS | KNOWN_CHANNELS => Meaning::Channels,
            PRIORITIES => Meaning::Priorities,
            Location(n) if n < self.first_cell_location => Meaning::Processes((n - FIRST) as usize),
            Location(n) if n < self.first_channel => Meaning::Cell(self.first_cells[(n - self.first_cell_location) as usize] as usize),
            Location(n) if n < self.first_process => Meaning::Channel((n - self.first_channel) as usize + 1),
            Location(n) => {
                let own = n - self.first_process;
                Meaning::OwnChannel(own / self.per_process, (own % self.per_process) as usize)
            }
        }
    }

    /// Whether several cells share the location.
    pub fn is_coarse(&self, cell: u32) -> bool {
        self.shared[cell as usize]
    }
}

/// Large variables of which some access may touch many cells.
fn coarse_variables(machine: &Machine, analysis: &Analysis) -> FxHashMap<u32, ()> {
    let mut coarse = FxHashMap::default();
    let steps = analysis
        .proctypes
        .iter()
        .flatten()
        .flat_map(|l| l.edges.iter().flat_map(|e| &e.step).chain(&l.guards));
    for access in steps {
        if let Object::Cells(cells) = &access.object
            && cells.len() > MANY_CELLS
        {
            coarse.extend(cells.iter().map(|&c| (machine.model().cells[c as usize].variable, ())));
        }
    }
    coarse
}
