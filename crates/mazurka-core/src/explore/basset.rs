//! `trans:basset`: TransDPOR as the tool behind the tables of FORTE'12 did it, which is not its Fig. 2.
//!
//! A node has a list of messages and a flag that says whether its last one is still to be explored. Races are looked at twice: when a
//! message is sent, and when it is delivered. A race found while sending replaces a message that waits to be explored. Delivery alone
//! never sees a message that is disabled and stays so, and then executions are lost (program A1): the repair treats every message that
//! is disabled after a step as if it were just sent. Messages that choose were not thought of: the repair tries all their choices.

use super::exploration::{Exploration, Sleeper};
use super::strategy::{Entered, Strategy};
use crate::program::{Process, Transition};
use crate::trace::{At, Causality};

/// The list of one node.
#[derive(Default)]
struct Node {
    messages: Vec<Transition>,
    taken: usize,
}

impl Node {
    /// Whether the last message of the list is still to be explored.
    fn expects(&self) -> bool {
        self.taken < self.messages.len()
    }
}

/// TransDPOR as in Basset.
#[derive(Default)]
pub(crate) struct Basset {
    nodes: Vec<Node>,
    sleep: bool,
    repaired: bool,
}

impl Basset {
    /// `sleep`: with sleep sets. `repaired`: disabled messages take part.
    pub fn new(sleep: bool, repaired: bool) -> Self {
        Basset {
            nodes: Vec::new(),
            sleep,
            repaired,
        }
    }

    /// Asks the node before the event at `i` to explore `message`.
    fn request(&mut self, exploration: &Exploration<'_>, i: At, message: Process, by_sending: bool) {
        let frame = exploration.frame(i);
        let node = &mut self.nodes[i as usize];
        if node.expects() && !by_sending {
            return;
        }
        let Some(next) = frame.enabled().find(|n| n.transition.process == message) else {
            return;
        };
        if node.messages.contains(&next.transition) || frame.sleeps(next.transition) {
            return;
        }
        if node.expects() {
            node.messages.pop();
        }
        node.messages.push(next.transition);
    }

    /// The events on the actor of a pending message that it could overtake, oldest first, each with the first step that leads to it.
    fn rivals(
        exploration: &Exploration<'_>,
        footprint: crate::footprints::FootprintId,
        before: At,
        until: At,
    ) -> Vec<(At, Option<Process>)> {
        let trace = &exploration.trace;
        (0..until)
            .filter(|&i| exploration.footprints.conflict(trace.event(i).footprint, footprint) && !trace.in_past(i, before))
            .map(|i| {
                let first = (i + 1..until).find(|&j| trace.in_past(j, before));
                (i, first.map(|j| trace.event(j).transition.process))
            })
            .collect()
    }
}

impl Strategy for Basset {
    fn enter(&mut self, exploration: &mut Exploration<'_>) -> Entered {
        self.nodes.truncate(exploration.depth());
        self.nodes.push(Node::default());
        match exploration.first_choice(|frame, t| !frame.sleeps(t)) {
            Some(first) => {
                self.nodes[exploration.depth()].messages.push(first.transition);
                Entered::Open
            }
            None => Entered::Blocked,
        }
    }

    fn choose(&mut self, exploration: &mut Exploration<'_>) -> Option<Transition> {
        let node = &mut self.nodes[exploration.depth()];
        if self.repaired && !node.expects() {
            // A message that is handled is handled with everything it can choose.
            let top = exploration.top();
            let handled = |t: Transition| node.messages.iter().any(|m| m.process == t.process) && !node.messages.contains(&t);
            let other = top.enabled().map(|n| n.transition).find(|t| handled(*t) && !top.sleeps(*t));
            node.messages.extend(other);
        }
        let next = node.messages.get(node.taken).copied()?;
        node.taken += 1;
        Some(next)
    }

    fn executed(&mut self, exploration: &mut Exploration<'_>) {
        let last = exploration.trace.len() - 1;
        let event = *exploration.trace.event(last);
        // What the step sent, in the order of sending: each could overtake what its receiver handled before.
        for at in 0..exploration.trace.births(last).len() {
            let sent = exploration.trace.births(last)[at];
            let Some(next) = exploration.top().pending.iter().find(|n| n.transition.process == sent).copied() else {
                continue;
            };
            for (i, leads) in Self::rivals(exploration, next.footprint, last, last + 1) {
                if let Some(message) = leads {
                    self.request(exploration, i, message, true);
                }
            }
        }
        if self.repaired {
            for index in 0..exploration.top().pending.len() {
                let next = exploration.top().pending[index];
                if next.enabled {
                    continue;
                }
                let before = exploration.trace.before_next(next.transition.process);
                for (i, leads) in Self::rivals(exploration, next.footprint, before, last + 1) {
                    self.request(exploration, i, leads.unwrap_or(next.transition.process), leads.is_some());
                }
            }
        }
        // What the step handled could have overtaken what its actor handled before.
        for (i, leads) in Self::rivals(exploration, event.footprint, event.before, last) {
            self.request(exploration, i, leads.unwrap_or(event.transition.process), false);
        }
    }

    fn maximal(&mut self, exploration: &mut Exploration<'_>) {
        self.nodes.truncate(exploration.depth());
        self.nodes.push(Node::default());
    }

    fn returned(&mut self, exploration: &mut Exploration<'_>, step: Sleeper) {
        if self.sleep {
            exploration.put_to_sleep(step);
        }
    }

    fn branches(&self, depth: usize) -> (u64, u64) {
        self.nodes.get(depth).map_or((0, 0), |n| (n.taken as u64, n.messages.len() as u64))
    }
}
