//! What `optimal` knows of the nodes of its execution, written and read: wakeup trees, and what covers reversals that are not settled.

use super::{Node, Open, Optimal};
use crate::cover::Cover;
use crate::explore::exploration::Exploration;
use crate::explore::resumable::Resumable;
use crate::saved::{Decoder, Encoder, Misfit};
use crate::trace::NOWHERE;
use crate::wakeup::{Planned, Tree};

impl Resumable for Optimal {
    fn save_node(&self, depth: usize, out: &mut Encoder) {
        let Node { tree, taken } = self.plan.nodes[depth];
        out.number(taken);
        // Depth first: each branch with how many there are below it.
        let wakeup = &self.plan.wakeup;
        out.number(wakeup.width(tree));
        let mut left = vec![wakeup.list(tree)];
        while let Some(branches) = left.last_mut() {
            match branches.next() {
                Some((transition, _, below)) => {
                    out.transition(transition);
                    out.number(wakeup.width(below));
                    left.push(wakeup.list(below));
                }
                None => drop(left.pop()),
            }
        }
    }

    fn resume_node(&mut self, exploration: &mut Exploration<'_>, from: &mut Decoder<'_>) -> Result<(), Misfit> {
        let taken = from.number()?;
        let tree = self.resumed_tree(exploration, from)?;
        let depth = exploration.depth();
        self.plan.nodes.truncate(depth);
        self.plan.nodes.push(Node { tree, taken });
        Ok(())
    }

    fn save(&self, exploration: &Exploration<'_>, out: &mut Encoder) {
        for open in [&self.open_races, &self.open_guards] {
            let known = open.partition_point(|open| open.second < exploration.fresh_from);
            out.list(open[..known].iter(), |out, open| open.save(out));
        }
    }

    fn resume(&mut self, exploration: &mut Exploration<'_>, from: &mut Decoder<'_>) -> Result<(), Misfit> {
        for open in [&mut self.open_races, &mut self.open_guards] {
            *open = from.list(|from| Open::resumed(exploration, from))?;
        }
        Ok(())
    }
}

impl Open {
    fn save(&self, out: &mut Encoder) {
        let Open { e, second, cover } = self;
        let Cover {
            latest,
            strangers,
            used_up,
        } = cover;
        // What steps touch has numbers of its own in every process. A reversal that such steps cover is looked at again.
        let latest = if strangers.is_empty() { *latest } else { NOWHERE };
        for number in [*e, *second, latest] {
            out.number(number.into());
        }
        out.flag(*used_up);
    }

    fn resumed(exploration: &Exploration<'_>, from: &mut Decoder<'_>) -> Result<Self, Misfit> {
        let (e, second, latest) = (from.small()?, from.small()?, from.small()?);
        if e > second || second >= exploration.trace.len() {
            return Err(Misfit::Garbled);
        }
        let cover = Cover {
            used_up: from.flag()?,
            ..Cover::initial(latest)
        };
        Ok(Open { e, second, cover })
    }
}

/// A list of branches that is being read.
struct Reading {
    tree: Tree,
    last: Option<Planned>,
    left: u64,
}

impl Optimal {
    /// Reads a wakeup tree. It is run, because the steps of a tree have the footprints that they have where they are pending.
    fn resumed_tree(&mut self, exploration: &mut Exploration<'_>, from: &mut Decoder<'_>) -> Result<Tree, Misfit> {
        let list = |left| Reading {
            tree: Tree::default(),
            last: None,
            left,
        };
        let mut reading = vec![list(from.number()?)];
        loop {
            let wakeup = &mut self.plan.wakeup;
            let Some(top) = reading.last_mut() else {
                return Err(Misfit::Garbled);
            };
            if top.left > 0 {
                top.left -= 1;
                let step = exploration.resumed_sleeper(from)?;
                top.last = Some(wakeup.add_last(&mut top.tree, top.last, step.transition, step.footprint));
                let below = from.number()?;
                if below > 0 {
                    if !exploration.rerun(step.transition) {
                        return Err(Misfit::OtherProgram);
                    }
                    reading.push(list(below));
                }
            } else {
                let Some(done) = reading.pop() else { return Err(Misfit::Garbled) };
                let Some(Reading { last: Some(parent), .. }) = reading.last() else {
                    return Ok(done.tree);
                };
                wakeup.set_below(*parent, done.tree);
                exploration.back();
            }
        }
    }
}
