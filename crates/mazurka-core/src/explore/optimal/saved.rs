//! What `optimal` knows of the nodes of its execution, written and read: wakeup trees, and what covers reversals that are not settled.

use super::{Node, Open, Optimal};
use crate::cover::Cover;
use crate::explore::exploration::Exploration;
use crate::explore::resumable::Resumable;
use crate::footprint::{Access, Footprint, Mode};
use crate::footprints::Footprints;
use crate::program::Location;
use crate::saved::{Decoder, Encoder, Misfit};
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
            out.list(open[..known].iter(), |out, open| open.save(&exploration.footprints, out));
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
    fn save(&self, footprints: &Footprints, out: &mut Encoder) {
        let Open { e, second, cover } = self;
        let Cover {
            latest,
            strangers,
            used_up,
        } = cover;
        for number in [e, second, latest] {
            out.number((*number).into());
        }
        out.flag(*used_up);
        out.list(strangers.iter(), |out, (transition, footprint)| {
            out.transition(*transition);
            out.list(footprints.accesses(*footprint).iter(), save_access);
            out.flag(footprints.has_monotone_guard(*footprint));
        });
    }

    fn resumed(exploration: &mut Exploration<'_>, from: &mut Decoder<'_>) -> Result<Self, Misfit> {
        let (e, second, latest) = (from.small()?, from.small()?, from.small()?);
        if e > second || second >= exploration.trace.len() {
            return Err(Misfit::Garbled);
        }
        let used_up = from.flag()?;
        let strangers = from.list(|from| {
            let transition = from.transition()?;
            let mut footprint = Footprint::new();
            from.list(resumed_access)?.into_iter().for_each(|access| footprint.add(access));
            footprint.monotone_guard = from.flag()?;
            Ok((transition, exploration.footprints.intern(&footprint)))
        })?;
        let cover = Cover {
            latest,
            strangers: strangers.into(),
            used_up,
        };
        Ok(Open { e, second, cover })
    }
}

const MODES: [Mode; 3] = [Mode::Read, Mode::Write, Mode::Accumulate];

fn save_access(out: &mut Encoder, access: &Access) {
    out.number(access.location.0.into());
    out.number(MODES.iter().position(|mode| *mode == access.mode).unwrap_or(0) as u64);
    out.flag(access.guard);
    out.flag(access.maybe);
}

fn resumed_access(from: &mut Decoder<'_>) -> Result<Access, Misfit> {
    Ok(Access {
        location: Location(from.small()?),
        mode: *MODES.get(from.small::<usize>()?).ok_or(Misfit::Garbled)?,
        guard: from.flag()?,
        maybe: from.flag()?,
    })
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
