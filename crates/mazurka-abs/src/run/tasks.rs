//! The live tasks of a run, oldest first: cheap to copy while they are many, and quick to search in the order in which they stand.

use super::state::Live;
use std::cell::Cell;
use std::ops::{Index, IndexMut};
use std::rc::Rc;

/// The most tasks that stand together.
const MOST: usize = 64;

/// The live tasks. The young ones are at hand; older ones stand in groups that copies share until one of a group changes.
///
/// A *place* is the number of a group and a place in it. It means something until the list changes.
#[derive(Debug, Default)]
pub struct Tasks {
    groups: Vec<Rc<Vec<Live>>>,
    young: Vec<Live>,
    /// Where the last search ended: the next one is mostly for the same task, or for the one after it.
    last: Cell<usize>,
}

impl Clone for Tasks {
    fn clone(&self) -> Self {
        Tasks {
            groups: self.groups.clone(),
            young: self.young.clone(),
            last: self.last.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.groups.clone_from(&source.groups);
        self.young.clone_from(&source.young);
    }
}

impl Tasks {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.groups.iter().map(|group| group.len()).sum::<usize>() + self.young.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty() && self.young.is_empty()
    }

    /// Adds the youngest task.
    pub fn push(&mut self, live: Live) {
        if self.young.len() == MOST {
            self.groups.push(Rc::new(std::mem::take(&mut self.young)));
        }
        self.young.push(live);
    }

    /// The youngest task.
    pub fn last_mut(&mut self) -> Option<&mut Live> {
        match self.young.is_empty() {
            false => self.young.last_mut(),
            true => Rc::make_mut(self.groups.last_mut()?).last_mut(),
        }
    }

    /// Takes a task away.
    pub fn remove(&mut self, place: usize) -> Live {
        let (group, at) = (place / MOST, place % MOST);
        let Some(shared) = self.groups.get_mut(group) else {
            return self.young.remove(at);
        };
        let tasks = Rc::make_mut(shared);
        let live = tasks.remove(at);
        if tasks.is_empty() {
            self.groups.remove(group);
        }
        live
    }

    /// All tasks, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Live> {
        self.groups.iter().flat_map(|group| group.iter()).chain(&self.young)
    }

    /// The places of all tasks, oldest first.
    pub fn places(&self) -> impl Iterator<Item = usize> + use<> {
        let sizes: Vec<usize> = self.groups.iter().map(|group| group.len()).chain([self.young.len()]).collect();
        sizes
            .into_iter()
            .enumerate()
            .flat_map(|(group, len)| (0..len).map(move |at| group * MOST + at))
    }

    /// Where a task stands.
    #[inline]
    pub fn find(&self, process: u32) -> Option<usize> {
        let is_it = |place: usize| self.get(place).is_some_and(|live| live.task.id == process);
        let last = self.last.get();
        let after = match self.group(last / MOST) {
            Some(group) if last % MOST + 1 < group.len() => last + 1,
            _ => (last / MOST + 1) * MOST,
        };
        let found = [last, after]
            .into_iter()
            .find(|place| is_it(*place))
            .or_else(|| self.search(process))?;
        self.last.set(found);
        Some(found)
    }

    fn search(&self, process: u32) -> Option<usize> {
        let in_group = |group: &[Live]| group.iter().position(|live| live.task.id == process);
        let old = self.groups.iter().enumerate();
        let mut found = old.filter_map(|(group, tasks)| Some(group * MOST + in_group(tasks)?));
        found.next().or_else(|| Some(self.groups.len() * MOST + in_group(&self.young)?))
    }

    /// The place of some task that can move, if a few that `draw` names find one.
    pub fn try_some(&self, mut draw: impl FnMut() -> u64, enabled: impl Fn(&Live) -> bool) -> Option<usize> {
        const TRIES: usize = 16;
        let groups = self.groups.len() + 1;
        for _ in 0..TRIES {
            let group = (draw() % groups as u64) as usize;
            let tasks = self.group(group)?;
            // Most groups are not full any more: as likely as the place in a full one.
            let at = (draw() % MOST as u64) as usize;
            if tasks.get(at).is_some_and(&enabled) {
                let place = group * MOST + at;
                self.last.set(place);
                return Some(place);
            }
        }
        None
    }

    fn group(&self, group: usize) -> Option<&[Live]> {
        match self.groups.get(group) {
            Some(tasks) => Some(tasks),
            None => (group == self.groups.len()).then_some(&self.young),
        }
    }

    fn get(&self, place: usize) -> Option<&Live> {
        self.group(place / MOST)?.get(place % MOST)
    }
}

impl Index<usize> for Tasks {
    type Output = Live;

    fn index(&self, place: usize) -> &Live {
        match self.groups.get(place / MOST) {
            Some(group) => &group[place % MOST],
            None => &self.young[place % MOST],
        }
    }
}

impl IndexMut<usize> for Tasks {
    fn index_mut(&mut self, place: usize) -> &mut Live {
        match self.groups.get_mut(place / MOST) {
            Some(group) => &mut Rc::make_mut(group)[place % MOST],
            None => &mut self.young[place % MOST],
        }
    }
}

impl FromIterator<Live> for Tasks {
    fn from_iter<T: IntoIterator<Item = Live>>(all: T) -> Self {
        let mut tasks = Tasks::default();
        all.into_iter().for_each(|live| tasks.push(live));
        tasks
    }
}

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::*;
    use crate::model::{Options, open_text};
    use crate::run::Machine;
    use mazurka_core::Effects;

    /// A run with so many tasks besides the main block, which has ended.
    fn many(count: u32) -> (Machine, Tasks) {
        let text = format!(
            "module M; interface I {{ Unit m(); }} class C implements I {{ Unit m() {{}} }}
             {{ I c = new C(); Int i = 0; while (i < {count}) {{ c!m(); i = i + 1; }} }}"
        );
        let options = Options::default().settings(Settings::default());
        let Ok(opened) = open_text("model.abs", &text, &options) else {
            panic!("the model is right")
        };
        let mut run = opened.machine.start();
        opened.machine.step(&mut run, 0, 0, &mut Effects::default());
        (opened.machine, run.live)
    }

    fn ids(tasks: &Tasks) -> Vec<u32> {
        tasks.iter().map(|live| live.task.id).collect()
    }

    #[test]
    fn a_copy_does_not_see_what_is_taken_away_later() {
        let (_, mut tasks) = many(200);
        let all = ids(&tasks);
        assert_eq!((tasks.len(), all.len()), (200, 200));
        let copy = tasks.clone();
        // All of one group, some of another, some of the young ones.
        for id in all.iter().filter(|id| *id % 3 == 0 || (65..=128).contains(*id)) {
            let place = tasks.find(*id).unwrap_or_else(|| panic!("{id} is there"));
            assert_eq!(tasks.remove(place).task.id, *id);
            assert_eq!(tasks.find(*id), None);
        }
        let left: Vec<u32> = all.iter().copied().filter(|id| id % 3 != 0 && !(65..=128).contains(id)).collect();
        assert_eq!(ids(&tasks), left);
        assert_eq!(tasks.places().map(|place| tasks[place].task.id).collect::<Vec<_>>(), left);
        assert_eq!(ids(&copy), all);
        let mut other = Tasks::default();
        other.clone_from(&tasks);
        assert_eq!(ids(&other), left);
    }

    #[test]
    fn every_task_is_found_and_can_be_drawn() {
        let (_, tasks) = many(150);
        for id in ids(&tasks).into_iter().rev() {
            assert_eq!(tasks.find(id).map(|place| tasks[place].task.id), Some(id));
        }
        let mut seed = 1u64;
        let mut draw = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed >> 33
        };
        let drawn: std::collections::BTreeSet<u32> = (0..4000)
            .filter_map(|_| tasks.try_some(&mut draw, |live| live.task.id % 2 == 0))
            .map(|place| tasks[place].task.id)
            .collect();
        let even: Vec<u32> = ids(&tasks).into_iter().filter(|id| id % 2 == 0).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), even);
    }
}
