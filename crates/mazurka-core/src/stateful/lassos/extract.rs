//! From an accepted component to an execution that a person can read: a short beginning and a short loop.

use super::components::Marks;
use super::product::{Expansion, Point, Product};
use crate::program::Transition;
use crate::stateful::graph::Graph;
use crate::stateful::numbered::Numbered;

/// So many pairs are looked at for a shorter way to the loop.
const PATIENCE: usize = 200_000;

/// An execution: a beginning, and a loop that repeats. The loop is empty where the program stays in its last state for ever.
pub(super) struct Lasso {
    pub stem: Vec<Transition>,
    pub cycle: Vec<Transition>,
}

/// The number of a pair in the component; `None` for others.
pub(super) type Member<'m> = dyn Fn(&dyn Graph, Point) -> Option<u32> + 'm;

/// A transition taken, and where it led.
#[derive(Clone, Copy)]
struct Move {
    by: Option<Transition>,
    to: Point,
}

/// An execution that comes to the component by `stem`, at `root`, and stays there.
pub(super) fn extract(product: &mut Product<'_>, exact: bool, stem: Vec<Option<Transition>>, root: Point, member: &Member<'_>) -> Lasso {
    let mut search = Nearest { product, exact };
    let (lead, start, mut cycle) = if search.product.fair {
        (Vec::new(), root, search.fair_cycle(root, member))
    } else {
        search.cycle(root, member)
    };
    let mut stem: Vec<Option<Transition>> = stem.into_iter().chain(lead.iter().map(|m| m.by)).collect();
    // Where each step of the loop begins.
    let begins: Vec<Point> = (0..cycle.len()).map(|i| if i == 0 { start } else { cycle[i - 1].to }).collect();
    if let Some((shorter, at)) = search.shorter(stem.len(), &begins, member) {
        stem = shorter;
        cycle.rotate_left(at);
    }
    Lasso {
        stem: stem.into_iter().flatten().collect(),
        cycle: cycle.into_iter().filter_map(|m| m.by).collect(),
    }
}

/// Breadth-first searches in the product, which leave nothing out: what was explored is a part of that.
struct Nearest<'s, 'p> {
    product: &'s mut Product<'p>,
    exact: bool,
}

impl Nearest<'_, '_> {
    /// The shortest way from a pair, of at least one transition, to one where `goal` says so. Only pairs are gone through that `admits` lets
    /// in, and no more than `most`.
    fn way(
        &mut self,
        from: Point,
        most: usize,
        admits: &dyn Fn(&dyn Graph, Point) -> bool,
        goal: &mut dyn FnMut(&mut Product<'_>, &Move) -> bool,
    ) -> Option<Vec<Move>> {
        let mut seen = Numbered::new(self.exact);
        let mut nodes: Vec<(usize, Move)> = vec![(0, Move { by: None, to: from })];
        seen.number(&*self.product.graph, from.state, from.at);
        let mut done = 0;
        while done < nodes.len() && done < most {
            let mut expansion = Expansion::default();
            self.product.expand(nodes[done].1.to, true, &mut expansion);
            expansion.readings.retain(|r| r.failure.is_none());
            for nth in 0..expansion.len() {
                let (step, at) = expansion.get(nth);
                let taken = Move {
                    by: step.map(|s| s.transition),
                    to: Point {
                        state: step.map_or(nodes[done].1.to.state, |s| s.state),
                        at,
                    },
                };
                if !admits(&*self.product.graph, taken.to) {
                    continue;
                }
                if goal(self.product, &taken) {
                    let mut way = vec![taken];
                    let mut node = done;
                    while node != 0 {
                        way.push(nodes[node].1);
                        node = nodes[node].0;
                    }
                    way.reverse();
                    return Some(way);
                }
                if seen.number(&*self.product.graph, taken.to.state, at).1 {
                    nodes.push((done, taken));
                }
            }
            done += 1;
        }
        None
    }

    /// From the root to the nearest accepting pair, and the shortest loop through that.
    fn cycle(&mut self, root: Point, member: &Member<'_>) -> (Vec<Move>, Point, Vec<Move>) {
        let inside = |graph: &dyn Graph, point: Point| member(graph, point).is_some();
        let mut lead = Vec::new();
        if !self.product.accepts(root) {
            let accepts = &mut |product: &mut Product<'_>, taken: &Move| product.accepts(taken.to);
            lead = self.way(root, usize::MAX, &inside, accepts).unwrap_or_default();
        }
        let start = lead.last().map_or(root, |last| last.to);
        let cycle = self.back_to(start, start, member);
        (lead, start, cycle)
    }

    /// The shortest way to a pair of the component.
    fn back_to(&mut self, from: Point, to: Point, member: &Member<'_>) -> Vec<Move> {
        let number = member(&*self.product.graph, to);
        let inside = |graph: &dyn Graph, point: Point| member(graph, point).is_some();
        let arrives = &mut |product: &mut Product<'_>, taken: &Move| member(&*product.graph, taken.to) == number;
        self.way(from, usize::MAX, &inside, arrives).unwrap_or_default()
    }

    /// A loop from the root that has all that fairness asks for: always on to the nearest thing that is missing.
    fn fair_cycle(&mut self, root: Point, member: &Member<'_>) -> Vec<Move> {
        let inside = |graph: &dyn Graph, point: Point| member(graph, point).is_some();
        let mut cycle: Vec<Move> = Vec::new();
        let mut has = self.marks(root);
        while has != Marks::ALL {
            let from = cycle.last().map_or(root, |last| last.to);
            let helps = &mut |product: &mut Product<'_>, taken: &Move| {
                let mut expansion = Expansion::default();
                product.expand(taken.to, true, &mut expansion);
                has.lacks(product.marks_of(taken.by).or(expansion.marks))
            };
            let Some(way) = self.way(from, usize::MAX, &inside, helps) else {
                break;
            };
            for taken in &way {
                has = has.or(self.product.marks_of(taken.by)).or(self.marks(taken.to));
            }
            cycle.extend(way);
        }
        let at = cycle.last().map_or(root, |last| last.to);
        let closed = !cycle.is_empty() && member(&*self.product.graph, at) == member(&*self.product.graph, root);
        if !closed {
            cycle.extend(self.back_to(at, root, member));
        }
        cycle
    }

    fn marks(&mut self, point: Point) -> Marks {
        let mut expansion = Expansion::default();
        self.product.expand(point, true, &mut expansion);
        expansion.marks
    }

    /// A way of less than so many steps from the start to the loop, and where in it that arrives.
    fn shorter(&mut self, than: usize, begins: &[Point], member: &Member<'_>) -> Option<(Vec<Option<Transition>>, usize)> {
        let numbers: Vec<Option<u32>> = begins.iter().map(|&b| member(&*self.product.graph, b)).collect();
        let place = |graph: &dyn Graph, point: Point| {
            let number = member(graph, point)?;
            numbers.iter().position(|n| *n == Some(number))
        };
        let (state, _) = self.product.graph.start();
        let start = Point {
            state,
            at: self.product.property.start,
        };
        if let Some(at) = place(&*self.product.graph, start) {
            return Some((Vec::new(), at));
        }
        let mut found = None;
        let arrives = &mut |product: &mut Product<'_>, taken: &Move| {
            found = place(&*product.graph, taken.to);
            found.is_some()
        };
        let way = self.way(start, PATIENCE, &|_, _| true, arrives)?;
        (way.len() < than).then(|| (way.iter().map(|m| m.by).collect(), found.unwrap_or(0)))
    }
}
