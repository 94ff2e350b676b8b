//! The executions of a certificate as one tree, in the order in which they are listed. A node takes eight bytes: its children and
//! theirs follow it, so it needs to know only where they end.

use crate::Rejection;
use crate::actions::Action;
use crate::claims::cannot_keep;
use crate::pages::Pages;

/// The number of a node; 0 is the root.
pub(crate) type Node = u32;

/// A tree that grows at its end, and is read when it is closed.
pub(crate) struct Tree {
    /// For each node the action that leads there, and in the upper half the first node that is not below it.
    nodes: Pages,
    /// The nodes of the current execution.
    open: Vec<Node>,
}

impl Tree {
    /// The root alone.
    pub fn new() -> Result<Self, Rejection> {
        let mut nodes = Pages::new();
        nodes.push(0).map_err(cannot_keep)?;
        Ok(Tree { nodes, open: Vec::new() })
    }

    /// Goes on with the current execution; the new node. Which action leads there is said later.
    pub fn push(&mut self) -> Result<Node, Rejection> {
        let node = self.len();
        if node == Node::MAX {
            return Err(Rejection::unreadable("it has more steps than this checker can hold"));
        }
        self.nodes.push(0).map_err(cannot_keep)?;
        self.open.push(node);
        Ok(node)
    }

    /// Says which action leads to a node.
    pub fn set_action(&mut self, node: Node, action: Action) {
        let entry = self.nodes.get(node as usize) >> 32 << 32;
        self.nodes.set(node as usize, entry | u64::from(action));
    }

    fn set_end(&mut self, node: Node) {
        let entry = self.nodes.get(node as usize) & u64::from(u32::MAX);
        self.nodes.set(node as usize, entry | u64::from(self.len()) << 32);
    }

    fn len(&self) -> Node {
        self.nodes.len() as Node
    }

    /// Goes back one step.
    pub fn pop(&mut self) {
        if let Some(node) = self.open.pop() {
            self.set_end(node);
        }
    }

    /// Ends the last execution. The tree does not change any more.
    pub fn close(&mut self) {
        while !self.open.is_empty() {
            self.pop();
        }
        self.set_end(0);
    }

    /// How many steps there are.
    pub fn steps(&self) -> u64 {
        u64::from(self.len()) - 1
    }

    #[inline]
    pub fn action(&self, node: Node) -> Action {
        self.nodes.get(node as usize) as Action
    }

    /// The first node that is not below this one.
    #[inline]
    pub fn end(&self, node: Node) -> Node {
        (self.nodes.get(node as usize) >> 32) as Node
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
