//! What the cones after a step say about the state before it: which of them pass, which race with the step, which grow by it.
//!
//! This is the loop over the cones `c = u.f` that `Explore(s.p, …)` returned. The same steps meet the same cones over and over, so every
//! question is asked of [`Memo`] first; the functions here say what the answers are.

use super::bits::Bits;
use super::cone::{Key, UNBORN};
use super::cone_set::{Cones, SetId};
use super::cone_table::{ConeId, Masks};
use super::frame::{Edge, Frame};
use super::guard::GuardId;
use super::memo::{Memo, StepId};
use super::view::View;
use crate::footprints::Footprints;
use crate::world::Situation;

/// What a race demands of the node before the step: one of these processes beside it.
pub(crate) struct Demand {
    initials: Bits,
    when: When,
}

/// When a demand is made.
enum When {
    Always,
    /// If that process is enabled.
    Enabled(u32),
    /// If the guard holds after the past of the cone; the process is that of the last step.
    Holds(GuardId, u32),
    /// Each of them that is enabled is demanded for itself.
    Each,
}

/// What the cones after a step become before it.
#[derive(Default)]
pub(crate) struct SetBefore {
    /// They and those that were known before.
    pub cones: SetId,
    pub demands: Box<[Demand]>,
    /// The locations whose values were looked at on the way.
    pub values: Bits,
}

/// What one cone after a step becomes before it.
#[derive(Clone, Copy)]
pub(crate) struct ConeBefore {
    /// It is a cone of the state before the step, too.
    pub stays: bool,
    /// So is this one, which has the step put before everything else. If both are, the step and the last one of the cone race.
    pub longer: Option<ConeId>,
}

/// How the last step of a cone stands to the step that is put before it.
#[derive(Clone, Copy)]
pub(crate) struct Relation {
    /// The step is of the same process, or its birth.
    pub own: bool,
    /// The steps may not be swapped.
    pub conflict: bool,
}

/// The way back over steps.
#[derive(Default)]
pub(crate) struct WayBack {
    memo: Memo,
    masks: Masks,
    members: Vec<ConeId>,
    demands: Vec<Demand>,
}

/// What the rule needs to know of the step and of the search.
struct Context<'c, V> {
    step: StepId,
    edge: &'c Edge,
    masks: &'c Masks,
    footprints: &'c Footprints,
    view: &'c mut V,
    /// The locations whose values were looked at.
    values: Bits,
}

impl WayBack {
    /// Forgets everything: numbers of sets are about to be used again.
    pub fn clear(&mut self) {
        self.memo.clear();
    }

    /// Brings the cones `after` of the state after `frame.edge` into the frame, and notes what its races demand.
    #[inline]
    pub fn go<V: View>(
        &mut self,
        frame: &mut Frame,
        cones: &mut Cones,
        after: SetId,
        view: &mut V,
        footprints: &Footprints,
        state: &dyn Situation,
    ) {
        let question = self.memo.question(&frame.edge, frame.cones, after, cones, view);
        let answer = match self.memo.set(&question) {
            Some(answer) => answer,
            None => {
                let step = self.memo.step(&question);
                let before = self.set_before(step, &frame.edge, (frame.cones, after), cones, view, footprints);
                self.memo.remember_set(question, before)
            }
        };
        let before = self.memo.answer(answer);
        frame.cones = before.cones;
        frame.draft.values.unite(&before.values);
        demand(frame, &before.demands, view, state);
    }

    /// What a set of cones becomes, together with those that were known before.
    #[inline(never)]
    fn set_before<V: View>(
        &mut self,
        step: StepId,
        edge: &Edge,
        (before, after): (SetId, SetId),
        cones: &mut Cones,
        view: &mut V,
        footprints: &Footprints,
    ) -> SetBefore {
        self.masks.prepare(&mut cones.table, edge, footprints.accesses(edge.footprint));
        let mut context = Context {
            step,
            edge,
            masks: &self.masks,
            footprints,
            view,
            values: Bits::default(),
        };
        // Collapsed cones are first taken together, and then with those that were known before.
        let apart = cones.is_collapsed(before) || cones.is_collapsed(after);
        cones.gather((!apart).then_some(before));
        self.members.clear();
        self.members.extend_from_slice(cones.set(after));
        for &id in &self.members {
            if apart && cones.key(cones.table.key(id)).is_collapsed() {
                let seen = context.collapsed(cones, id, &mut self.demands);
                cones.add(seen);
                continue;
            }
            let ConeBefore { stays, longer } = match self.memo.cone(step, id, cones, context.masks) {
                Some(known) => known,
                None => context.cone_before(cones, id, &mut self.memo),
            };
            if stays {
                cones.add(id);
            }
            if let Some(longer) = longer {
                if stays {
                    self.demands.push(race(cones, id));
                }
                cones.add(longer);
            }
        }
        let gathered = cones.gathered((!apart).then_some(before));
        SetBefore {
            cones: if apart { cones.unite(before, gathered) } else { gathered },
            demands: self.demands.drain(..).collect(),
            values: context.values,
        }
    }
}

impl<V: View> Context<'_, V> {
    /// What one cone becomes.
    #[inline]
    fn cone_before(&mut self, cones: &mut Cones, id: ConeId, memo: &mut Memo) -> ConeBefore {
        let number = cones.table.key(id);
        let Relation { own, conflict } = memo.relation(self.step, number, || self.relation(cones.key(number)));
        let stays = cones.table.lets_pass(id, self.masks) && !own;
        let mut before = ConeBefore { stays, longer: None };
        let mut lasts = true;
        if !stays || conflict {
            let key = match memo.key(self.step, number) {
                Some(known) => known,
                None => {
                    let looked_at = &mut Bits::default();
                    let key = self.key_before(cones, number, looked_at);
                    // What was looked at belongs to the set that asked: it is found out again for the next one.
                    lasts = looked_at.is_empty();
                    if lasts {
                        memo.remember_key(self.step, number, key);
                    } else {
                        self.values.unite(looked_at);
                    }
                    key
                }
            };
            before.longer = Some(cones.table.extended(id, key, self.masks));
        }
        if lasts {
            memo.remember_cone(self.step, id, before, cones, self.masks);
        }
        before
    }

    fn relation(&self, key: Key) -> Relation {
        Relation {
            own: key.process == self.edge.process || self.edge.births.contains(key.process),
            conflict: self.footprints.conflict(key.footprint, self.edge.footprint),
        }
    }

    /// The key of cones that grow by the step.
    fn key_before(&mut self, cones: &mut Cones, number: u32, looked_at: &mut Bits) -> u32 {
        let key = cones.key(number);
        let born = self.edge.births.contains(key.process);
        let guard = match key.guard {
            GuardId::NONE => GuardId::NONE,
            guard => {
                let writes = || self.footprints.writes_guard(self.edge.footprint, key.footprint);
                let touches = born || key.process == self.edge.process || writes();
                self.view.extended(guard, &self.edge.changes, touches, looked_at)
            }
        };
        let process = if born { UNBORN } else { key.process };
        if (process, guard) == (key.process, key.guard) {
            number
        } else {
            cones.intern_key(Key { process, guard, ..key })
        }
    }

    /// What a cone that stands for many becomes. If it does not pass, any of them may race, and any may grow.
    fn collapsed(&mut self, cones: &mut Cones, id: ConeId, demands: &mut Vec<Demand>) -> ConeId {
        self.view.collapsed(&cones.table.initials(id), &self.edge.changes, &mut self.values);
        let key = cones.key(cones.table.key(id));
        let born = self.edge.births.contains(key.process);
        let own = born || key.process == self.edge.process;
        if !own && cones.table.lets_pass(id, self.masks) {
            return id;
        }
        if !own {
            // Whatever starts one of them is enabled before the step and takes part in it.
            let mut initials = cones.table.past(id);
            if key.process != UNBORN {
                initials.insert(key.process);
            }
            demands.push(Demand {
                initials,
                when: When::Each,
            });
        }
        let number = if born {
            cones.intern_key(Key { process: UNBORN, ..key })
        } else {
            cones.table.key(id)
        };
        cones.table.grown(id, number, self.masks)
    }
}

/// A race: without the step, the last step of the cone is pending after the same past.
fn race(cones: &Cones, id: ConeId) -> Demand {
    let table = &cones.table;
    let key = cones.key(table.key(id));
    let when = match key.guard {
        _ if table.is_first(id) => When::Enabled(key.process),
        GuardId::NONE if key.process == UNBORN || table.involves(id, key.process) => When::Always,
        GuardId::NONE => When::Enabled(key.process),
        guard => When::Holds(guard, key.process),
    };
    Demand {
        initials: table.initials(id),
        when,
    }
}

/// Makes the demands that apply at the node of the frame.
fn demand<V: View>(frame: &mut Frame, demands: &[Demand], view: &mut V, state: &dyn Situation) {
    let mover = frame.edge.process;
    for demand in demands {
        let applies = match demand.when {
            When::Always => true,
            When::Enabled(process) => frame.enabled.contains(process),
            When::Holds(guard, process) => view.holds(state, guard, frame.enabled.contains(process)),
            When::Each => {
                let mut starts = demand.initials.clone();
                starts.intersect(&frame.enabled);
                starts.iter().filter(|&i| i != mover).for_each(|i| frame.request(&Bits::only(i)));
                false
            }
        };
        if applies {
            frame.request(&demand.initials);
        }
    }
}
