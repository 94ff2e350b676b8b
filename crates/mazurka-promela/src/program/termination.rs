//! Whether every execution of a model ends.

use crate::machine::{Machine, Scratch, State};
use rustc_hash::FxHashMap;

/// States looked at before the question is left open.
const MAX_STATES: usize = 50_000;

/// Bytes of states kept before the question is left open: nobody has asked for a search yet, so it must take no time and no memory to speak of.
const MAX_BYTES: usize = 32 << 20;

/// Whether it is known that no state can be reached again from itself.
///
/// A model without loops ends, even if its processes start others: a process cannot end before those it has started, so they form a tree
/// that is no deeper than there can be processes. For another one the states are searched depth-first; of a model too large for that
/// nothing is known.
pub(super) fn ends(machine: &Machine) -> bool {
    let mut locations = machine.model().proctypes.iter().flat_map(|p| &p.locations);
    if !locations.any(|l| l.begins_loop) {
        return true;
    }
    let mut numbers: FxHashMap<Vec<u8>, usize> = FxHashMap::default();
    let mut on_path: Vec<bool> = Vec::new();
    let mut scratch = Scratch::default();
    let mut buffer = Vec::new();
    let (first, _) = machine.initial();
    numbers.insert(machine.key(&first, &mut buffer).to_vec(), 0);
    on_path.push(true);
    let mut kept = 0;
    let mut stack = vec![(0, successors(machine, first.bytes(), &mut scratch, &mut kept))];
    let mut state = State::default();
    while let Some((number, rest)) = stack.last_mut() {
        let Some(next) = rest.pop() else {
            on_path[*number] = false;
            stack.pop();
            continue;
        };
        machine.load(&next, &mut state);
        let key = machine.key(&state, &mut buffer);
        match numbers.get(key) {
            Some(&known) if on_path[known] => return false,
            Some(_) => {}
            None => {
                let new = on_path.len();
                numbers.insert(key.to_vec(), new);
                on_path.push(true);
                if new >= MAX_STATES || kept > MAX_BYTES {
                    return false;
                }
                stack.push((new, successors(machine, &next, &mut scratch, &mut kept)));
            }
        }
    }
    true
}

/// The states after one, whose size is added to what was kept.
fn successors(machine: &Machine, bytes: &[u8], scratch: &mut Scratch, kept: &mut usize) -> Vec<Vec<u8>> {
    let mut state = State::default();
    machine.load(bytes, &mut state);
    let mut out = Vec::new();
    machine.successors(&state, scratch, |_, next, _| out.push(next.bytes().to_vec()));
    *kept += bytes.len() + out.iter().map(Vec::len).sum::<usize>();
    out
}
