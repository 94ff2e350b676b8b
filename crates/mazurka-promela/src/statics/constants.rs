//! Variables that no statement changes: parameters, channel names, sizes. Their values are known for the life of a process, and with
//! them which element of an array or which channel a statement means.

use crate::machine::{State, arithmetic};
use crate::model::{Cell, Ex, Model, Op, Operator, PRIORITY, Pattern, Place, Space};

/// Which cells keep their first value.
#[derive(Clone, Debug)]
pub(super) struct Constants {
    global: Vec<bool>,
    /// Per process type.
    local: Vec<Vec<bool>>,
}

impl Constants {
    pub fn new(model: &Model) -> Self {
        let mut constants = Constants {
            global: vec![true; model.cells.len()],
            local: model.proctypes.iter().map(|p| vec![true; p.cells.len()]).collect(),
        };
        for (p, proctype) in model.proctypes.iter().enumerate() {
            for edge in proctype.locations.iter().flat_map(|l| &l.edges) {
                for_each_written(&edge.op, &mut |place| match place.space {
                    Space::Global => forget(&model.cells, place, &mut constants.global),
                    Space::Local => forget(&proctype.cells, place, &mut constants.local[p]),
                    Space::Nowhere => {}
                });
            }
        }
        constants
    }

    /// The cells of a process type that keep their value.
    pub fn of<'a>(&'a self, model: &'a Model, proctype: usize) -> impl Iterator<Item = &'a Cell> {
        model.proctypes[proctype]
            .cells
            .iter()
            .zip(&self.local[proctype])
            .filter(|(_, constant)| **constant)
            .map(|(cell, _)| cell)
    }

    fn is_constant(&self, model: &Model, proctype: usize, place: &Place) -> bool {
        let (cells, constant) = match place.space {
            Space::Global => (&model.cells, &self.global),
            Space::Local => (&model.proctypes[proctype].cells, &self.local[proctype]),
            Space::Nowhere => return false,
        };
        cells.iter().position(|c| c.offset == place.offset).is_some_and(|i| constant[i])
    }
}

fn forget(cells: &[Cell], place: &Place, constant: &mut [bool]) {
    let Some(cell) = cells.iter().find(|c| c.offset == place.offset) else {
        return;
    };
    for (other, constant) in cells.iter().zip(constant) {
        if other.variable == cell.variable {
            *constant = false;
        }
    }
}

/// Calls `f` with every place that a statement may write.
pub(super) fn for_each_written(op: &Op, f: &mut impl FnMut(&Place)) {
    match op {
        Op::Assign(place, _) => f(place),
        Op::Receive { pattern, .. } => {
            for p in pattern {
                if let Pattern::Store(place) = p {
                    f(place);
                }
            }
        }
        Op::Run { result: Some(place), .. } => f(place),
        Op::Deterministic(inside) => inside
            .nodes
            .iter()
            .flat_map(|n| &n.edges)
            .for_each(|(op, _)| for_each_written(op, f)),
        _ => {}
    }
}

/// A process whose constants are looked up in a state.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub model: &'a Model,
    pub constants: &'a Constants,
    pub proctype: usize,
    /// The state and the place of the process in it; `None` for a process that is yet to be born.
    pub state: Option<(&'a State, usize)>,
}

impl Known<'_> {
    /// Whether a place is the priority of its process, which others may change.
    pub fn is_priority(&self, place: &Place) -> bool {
        self.model.priorities && place.space == Space::Local && place.offset == PRIORITY
    }

    /// The value of an expression, if it is the same whenever the process evaluates it.
    pub fn value(&self, ex: &Ex) -> Option<i32> {
        Some(match ex {
            Ex::Const(value) => *value,
            Ex::Pid => self.state?.1 as i32,
            Ex::Load(place) => {
                let (state, slot) = self.state?;
                if self.is_priority(place) || !self.constants.is_constant(self.model, self.proctype, place) {
                    return None;
                }
                let offset = self.offset(place)?;
                let base = if place.space == Space::Local { state.frame(slot) } else { 0 };
                crate::machine::load(state.bytes(), base + offset as usize, place.kind)
            }
            Ex::Not(e) => i32::from(self.value(e)? == 0),
            Ex::Negate(e) => self.value(e)?.wrapping_neg(),
            Ex::Invert(e) => !self.value(e)?,
            Ex::Binary(op, parts) => {
                let left = self.value(&parts.0)?;
                match op {
                    Operator::And if left == 0 => return Some(0),
                    Operator::Or if left != 0 => return Some(1),
                    _ => arithmetic(*op, left, self.value(&parts.1)?)?,
                }
            }
            Ex::Conditional(parts) => {
                if self.value(&parts.0)? != 0 {
                    self.value(&parts.1)?
                } else {
                    self.value(&parts.2)?
                }
            }
            Ex::ProcessCount
            | Ex::Timeout
            | Ex::NonProgress
            | Ex::Priority(_)
            | Ex::Enabled(_)
            | Ex::Probe(..)
            | Ex::Poll { .. }
            | Ex::RemoteLabel { .. }
            | Ex::RemoteVariable { .. } => {
                return None;
            }
        })
    }

    /// Where a place lies, relative to the globals or the frame, if its indices are known.
    pub fn offset(&self, place: &Place) -> Option<u32> {
        let mut offset = place.offset;
        for index in &place.indices {
            let value = u32::try_from(self.value(&index.value)?).ok().filter(|v| *v < index.length)?;
            offset += value * index.stride;
        }
        Some(offset)
    }
}
