//! Where the loops of a process type begin: every way back to a location that was left passes one of these.

use crate::model::{Location, Op};

/// Marks the locations that a depth-first walk from `start` comes back to while it is still on its way from there.
pub(super) fn mark_loops(locations: &mut [Location], start: u32) {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Seen {
        Never,
        OnTheWay,
        Done,
    }
    let mut seen = vec![Seen::Never; locations.len()];
    let mut stack = vec![(start as usize, 0)];
    seen[start as usize] = Seen::OnTheWay;
    while let Some((at, edge)) = stack.pop() {
        let Some(next) = locations[at].edges.get(edge) else {
            seen[at] = Seen::Done;
            continue;
        };
        stack.push((at, edge + 1));
        // Who ends goes nowhere.
        if next.op == Op::End {
            continue;
        }
        let target = next.target as usize;
        match seen[target] {
            Seen::Never => {
                seen[target] = Seen::OnTheWay;
                stack.push((target, 0));
            }
            Seen::OnTheWay => locations[target].begins_loop = true,
            Seen::Done => {}
        }
    }
}
