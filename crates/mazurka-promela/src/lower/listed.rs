//! The statements that a report lists when control never comes to them: those that SPIN lists.
//!
//! SPIN counts a statement as reached once a process stands before it, whether or not it can be executed there. It does not list jumps,
//! `skip`, the guards of `if`, or the first statement of an escape: reaching them is reaching something else. A loop is listed at its
//! first guard.

use super::flow::{Content, ElementId, Flow, SequenceId};
use crate::model::{Ex, Listed, Op};
use rustc_hash::FxHashMap;

/// What the first statement of a sequence is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// A statement like others.
    Plain,
    /// A guard of `if`, another guard of `do`, the start of an escape.
    Unlisted,
    /// The guard that stands for its loop.
    Loop,
}

/// Lists the statements of a body; returns the number of each listed element too.
pub(super) fn listed(flow: &Flow, body: SequenceId) -> (Vec<Listed>, FxHashMap<ElementId, u32>) {
    let mut elements = Vec::new();
    collect(flow, body, First::Plain, &mut elements);
    elements.sort_by_key(|&e| (flow.elements[e].span.start, e));
    elements.dedup();
    let numbers = elements.iter().enumerate().map(|(i, &e)| (e, i as u32)).collect();
    let listed = |&e: &ElementId| Listed {
        span: flow.elements[e].span,
        is_end: matches!(flow.elements[e].content, Content::Op(Op::End)),
    };
    (elements.iter().map(listed).collect(), numbers)
}

fn collect(flow: &Flow, sequence: SequenceId, first: First, out: &mut Vec<ElementId>) {
    let ends = flow.sequences[sequence];
    let mut role = first;
    let mut at = ends.first;
    while let Some(id) = at {
        let element = &flow.elements[id];
        match &element.content {
            Content::Op(_) | Content::DStep if role == First::Loop => out.push(id),
            Content::Op(Op::Skip) => {}
            Content::Op(_) | Content::DStep if role == First::Plain => out.push(id),
            Content::Block | Content::Atomic => {
                let part = element.parts[0];
                let block = matches!(element.content, Content::Block) && role == First::Plain;
                out.extend(block.then(|| leading_choice(flow, part)).flatten());
                collect(flow, part, role, out);
            }
            Content::Unless => {
                collect(flow, element.parts[0], role, out);
                collect(flow, element.parts[1], First::Unlisted, out);
            }
            Content::Choice => options(flow, id, out),
            _ => {}
        }
        if Some(id) == ends.extent {
            break;
        }
        role = First::Plain;
        at = element.next;
    }
}

fn options(flow: &Flow, choice: ElementId, out: &mut Vec<ElementId>) {
    let element = &flow.elements[choice];
    let is_loop = element
        .next
        .is_some_and(|next| matches!(flow.elements[next].content, Content::AfterLoop));
    let first_of = |option: SequenceId| flow.sequences[option].first.map(|f| &flow.elements[f].content);
    // A loop that can be left at once is not listed itself.
    let mut stands_for_it = is_loop && !element.parts.iter().any(|&o| matches!(first_of(o), Some(Content::Goto(_))));
    for &option in &element.parts {
        let dead = matches!(first_of(option), Some(Content::Op(Op::Condition(Ex::Const(0)))));
        let first = if stands_for_it && !dead { First::Loop } else { First::Unlisted };
        stands_for_it &= dead;
        collect(flow, option, first, out);
    }
}

/// The first guard of an `if` with which a block begins: SPIN lists the block there.
fn leading_choice(flow: &Flow, block: SequenceId) -> Option<ElementId> {
    let first = flow.sequences[block].first?;
    let Content::Choice = flow.elements[first].content else {
        return None;
    };
    let guard = flow.sequences[*flow.elements[first].parts.first()?].first?;
    matches!(flow.elements[guard].content, Content::Op(_)).then_some(guard)
}
