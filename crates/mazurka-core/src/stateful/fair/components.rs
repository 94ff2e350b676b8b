//! Strongly connected components: Tarjan's algorithm with an explicit stack.

use super::graph::FairGraph;

/// The strongly connected components of the part of the graph that `within` holds for, reached from `nodes`; each is sorted.
pub(super) fn components(graph: &FairGraph, nodes: &[u32], within: &dyn Fn(u32) -> bool) -> Vec<Vec<u32>> {
    let mut tarjan = Tarjan {
        index: vec![0; graph.nodes.len()],
        low: vec![0; graph.nodes.len()],
        on_stack: vec![false; graph.nodes.len()],
        stack: Vec::new(),
        next: 1,
        found: Vec::new(),
    };
    for &root in nodes {
        if tarjan.index[root as usize] == 0 {
            tarjan.visit(graph, root, within);
        }
    }
    tarjan.found
}

struct Tarjan {
    /// When each node was visited, from 1; 0 before.
    index: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<u32>,
    next: u32,
    found: Vec<Vec<u32>>,
}

impl Tarjan {
    fn enter(&mut self, at: u32) {
        self.index[at as usize] = self.next;
        self.low[at as usize] = self.next;
        self.next += 1;
        self.stack.push(at);
        self.on_stack[at as usize] = true;
    }

    fn visit(&mut self, graph: &FairGraph, root: u32, within: &dyn Fn(u32) -> bool) {
        let targets = |at: u32| -> Vec<u32> { graph.edges_of(at).map(|(_, e)| e.target).filter(|t| within(*t)).collect() };
        self.enter(root);
        let mut way = vec![(root, targets(root))];
        while let Some((at, rest)) = way.last_mut() {
            let at = *at;
            if let Some(to) = rest.pop() {
                if self.index[to as usize] == 0 {
                    self.enter(to);
                    way.push((to, targets(to)));
                } else if self.on_stack[to as usize] {
                    self.low[at as usize] = self.low[at as usize].min(self.index[to as usize]);
                }
                continue;
            }
            way.pop();
            if let Some((above, _)) = way.last() {
                self.low[*above as usize] = self.low[*above as usize].min(self.low[at as usize]);
            }
            if self.low[at as usize] == self.index[at as usize] {
                self.leave(at);
            }
        }
    }

    /// The component whose first node is `at` is complete.
    fn leave(&mut self, at: u32) {
        let mut component = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.on_stack[member as usize] = false;
            component.push(member);
            if member == at {
                break;
            }
        }
        component.sort_unstable();
        self.found.push(component);
    }
}
