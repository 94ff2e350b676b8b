//! Which channel variables never change: what they name is then known from the text, or from the frame.

use crate::model::{Meaning, Model, Op, Pattern, Place, Space};
use rustc_hash::{FxHashMap, FxHashSet};

/// What never changes, and where the cells are.
#[derive(Debug)]
pub(crate) struct Fixed {
    /// Global channel variables that are never assigned to: by offset, the number of the channel.
    pub channels: FxHashMap<u32, u32>,
    /// Per process type: offsets of channel variables that are never assigned to after birth.
    pub locals: Vec<FxHashSet<u32>>,
    /// Global cells by offset.
    pub cells: FxHashMap<u32, u32>,
}

impl Fixed {
    pub fn new(model: &Model) -> Self {
        let mut written: FxHashSet<u32> = FxHashSet::default();
        let mut locals = Vec::new();
        for proctype in &model.proctypes {
            let mut written_locals: FxHashSet<u32> = FxHashSet::default();
            for op in proctype.locations.iter().flat_map(|l| &l.edges).map(|e| &e.op) {
                each_store(op, &mut |place| {
                    let set = match place.space {
                        Space::Global => &mut written,
                        Space::Local => &mut written_locals,
                        Space::Nowhere => return,
                    };
                    each_offset(place, &mut |offset| {
                        set.insert(offset);
                    });
                });
            }
            let fixed = proctype
                .cells
                .iter()
                .filter(|c| c.meaning == Meaning::Channel && !written_locals.contains(&c.offset))
                .map(|c| c.offset)
                .collect();
            locals.push(fixed);
        }
        let initial: FxHashSet<u32> = model.initial.iter().map(|first| first.place.offset).collect();
        let channels = model
            .global_channels
            .iter()
            .enumerate()
            .filter(|(_, slot)| !written.contains(&slot.variable) && !initial.contains(&slot.variable))
            .map(|(i, slot)| (slot.variable, i as u32 + 1))
            .collect();
        Fixed {
            channels,
            locals,
            cells: model.cells.iter().enumerate().map(|(i, c)| (c.offset, i as u32)).collect(),
        }
    }
}

/// Calls `f` for every place that an operation stores to.
pub(crate) fn each_store(op: &Op, f: &mut impl FnMut(&Place)) {
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
        Op::Deterministic(inside) => {
            for (op, _) in inside.nodes.iter().flat_map(|n| &n.edges) {
                each_store(op, f);
            }
        }
        _ => {}
    }
}

/// Calls `f` for every offset that a place can mean, whatever its indices are.
pub(crate) fn each_offset(place: &Place, f: &mut impl FnMut(u32)) {
    fn walk(place: &Place, depth: usize, offset: u32, f: &mut impl FnMut(u32)) {
        match place.indices.get(depth) {
            None => f(offset),
            Some(index) => (0..index.length).for_each(|i| walk(place, depth + 1, offset + i * index.stride, f)),
        }
    }
    walk(place, 0, place.offset, f);
}
