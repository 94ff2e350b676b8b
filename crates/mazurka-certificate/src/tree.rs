//! The executions of a certificate as one tree, in the order in which they are listed. A node takes eight bytes: its children and
//! theirs follow it, so it needs to know only where they end.

use crate::Rejection;
use crate::actions::Action;

/// The number of a node; 0 is the root.
pub(crate) type Node = u32;

#[derive(Clone, Copy)]
struct Entry {
    /// The action that leads here.
    action: Action,
    /// The first node that is not below this one.
    end: Node,
}

/// A tree that grows at its end, and is read when it is closed.
pub(crate) struct Tree {
    entries: Vec<Entry>,
    /// The nodes of the current execution.
    open: Vec<Node>,
}

impl Tree {
    /// The root alone.
    pub fn new() -> Self {
        Tree {
            entries: vec![Entry { action: 0, end: 1 }],
            open: Vec::new(),
        }
    }

    /// Goes on with the current execution; the new node.
    pub fn push(&mut self, action: Action) -> Result<Node, Rejection> {
        let node = Node::try_from(self.entries.len()).map_err(|_| Rejection::unreadable("it has more steps than this checker can hold"))?;
        self.entries.push(Entry { action, end: 0 });
        self.open.push(node);
        Ok(node)
    }

    /// Goes back one step.
    pub fn pop(&mut self) {
        if let Some(node) = self.open.pop() {
            self.entries[node as usize].end = self.entries.len() as Node;
        }
    }

    /// Ends the last execution. The tree does not change any more.
    pub fn close(&mut self) {
        while !self.open.is_empty() {
            self.pop();
        }
        self.entries[0].end = self.entries.len() as Node;
        self.entries.shrink_to_fit();
    }

    /// How many steps there are.
    pub fn steps(&self) -> u64 {
        self.entries.len() as u64 - 1
    }

    #[inline]
    pub fn action(&self, node: Node) -> Action {
        self.entries[node as usize].action
    }

    /// The first node that is not below this one.
    #[inline]
    pub fn end(&self, node: Node) -> Node {
        self.entries[node as usize].end
    }

    /// Whether an execution ends here.
    #[inline]
    pub fn is_leaf(&self, node: Node) -> bool {
        self.end(node) == node + 1
    }

    /// The nodes just below one, in their order.
    #[inline]
    pub fn children(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let end = self.end(node);
        let mut child = node + 1;
        std::iter::from_fn(move || {
            let this = child;
            (this < end).then(|| {
                child = self.end(this);
                this
            })
        })
    }
}
