//! Names of tasks, objects and locations that do not depend on the schedule.
//!
//! A task is named by its parent and the how-manieth task it started; an object by the task that made it, the how-manieth object that was,
//! and its class. The tables live as long as the program; runs only hold the numbers.
//!
//! Workers of one search have tables of their own, and give everything the same number: who meets something new asks the tables that they
//! have in common, and learns all that these have.

use crate::code::Symbols;
use crate::value::hash::Hasher;
use mazurka_core::{Location, Names, locked};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::sync::{Arc, Mutex};

/// What a location stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// Everything in a cog, named by its first object; `None` is the main block's cog.
    Cog(Option<u32>),
    /// Whether a task holds the cog while it is blocked.
    Control(Option<u32>),
    /// All fields of all objects of a cog, for calls between objects of one cog.
    Inside(Option<u32>),
    /// A field of an object.
    Field(u32, u32),
    /// Whether the future of a task is resolved.
    Future(u32),
    /// What time it is.
    Time,
    /// Whether no task can move.
    Idleness,
    /// All futures, for guards that look at a future in a field.
    Futures,
}

/// The tables.
#[derive(Debug, Default)]
pub struct Identities {
    /// The tasks.
    pub tasks: Arc<Names>,
    hashes: RefCell<Vec<u128>>,
    objects: RefCell<Objects>,
    locations: RefCell<Locations>,
    /// The locations of the tasks' futures, by task; `u32::MAX` where nobody has asked.
    futures: RefCell<Vec<u32>>,
    common: Option<Arc<Mutex<Identities>>>,
}

#[derive(Debug, Default)]
struct Objects {
    ids: FxHashMap<(u32, u32, u32), u32>,
    births: Vec<(u32, u32, u32)>,
    hashes: Vec<u128>,
}

#[derive(Debug, Default)]
struct Locations {
    ids: FxHashMap<Place, u32>,
    places: Vec<Place>,
}

impl Objects {
    fn add(&mut self, birth: (u32, u32, u32), hash: u128) -> u32 {
        let id = self.births.len() as u32;
        self.ids.insert(birth, id);
        self.births.push(birth);
        self.hashes.push(hash);
        id
    }
}

impl Locations {
    fn add(&mut self, place: Place) -> Location {
        let id = self.places.len() as u32;
        self.ids.insert(place, id);
        self.places.push(place);
        Location(id)
    }
}

impl Identities {
    /// Tables that agree with others.
    pub fn sharing(common: &Arc<Mutex<Identities>>) -> Self {
        Identities {
            tasks: Arc::clone(&locked(common).tasks),
            common: Some(Arc::clone(common)),
            ..Identities::default()
        }
    }

    /// The task of the main block.
    pub fn main_task(&self) -> u32 {
        self.tasks.root(0)
    }

    /// The clock, which nobody starts. Asked for right after the main block.
    pub fn clock(&self) -> u32 {
        self.tasks.root(1)
    }

    /// The `nth` task that `parent` starts.
    pub fn task(&self, parent: u32, nth: u32) -> u32 {
        self.tasks.child(parent, nth)
    }

    /// The hash of a task's name, the same in every search.
    pub fn task_hash(&self, id: u32) -> u128 {
        if let Some(hash) = self.hashes.borrow().get(id as usize) {
            return *hash;
        }
        let mut hashes = self.hashes.borrow_mut();
        // Parents have smaller numbers.
        while hashes.len() <= id as usize {
            let (parent, nth) = self.tasks.birth(hashes.len() as u32);
            let mut h = Hasher::new(0x7a5c);
            h.wide(parent.map_or(0, |parent| hashes[parent as usize]));
            h.word(u64::from(nth));
            hashes.push(h.finish());
        }
        hashes[id as usize]
    }

    /// What `ask` gets from the common tables, if there are any; then all that they have is here too.
    fn agreed<T>(&self, ask: impl FnOnce(&Identities) -> T) -> Option<T> {
        let common = locked(self.common.as_ref()?);
        let answer = ask(&common);
        let (mut own, theirs) = (self.objects.borrow_mut(), common.objects.borrow());
        for at in own.births.len()..theirs.births.len() {
            own.add(theirs.births[at], theirs.hashes[at]);
        }
        let (mut own, theirs) = (self.locations.borrow_mut(), common.locations.borrow());
        for at in own.places.len()..theirs.places.len() {
            own.add(theirs.places[at]);
        }
        Some(answer)
    }

    /// The `nth` object that `task` makes, of class `class`.
    pub fn object(&self, task: u32, nth: u32, class: u32) -> u32 {
        if let Some(&id) = self.objects.borrow().ids.get(&(task, nth, class)) {
            return id;
        }
        if let Some(id) = self.agreed(|common| common.object(task, nth, class)) {
            return id;
        }
        let mut h = Hasher::new(0x0b1e);
        h.wide(self.task_hash(task));
        h.word(u64::from(nth) << 32 | u64::from(class));
        self.objects.borrow_mut().add((task, nth, class), h.finish())
    }

    /// The hash of an object's name, the same in every search.
    pub fn object_hash(&self, id: u32) -> u128 {
        self.objects.borrow().hashes[id as usize]
    }

    /// The class that an object has.
    pub fn object_class(&self, id: u32) -> u32 {
        self.objects.borrow().births[id as usize].2
    }

    /// `Main.Node:0.2-1`: the class, the path of the task that made the object, the how-manieth it was.
    pub fn object_name(&self, id: u32, symbols: &Symbols) -> String {
        let (task, nth, class) = self.objects.borrow().births[id as usize];
        format!("{}:{}-{nth}", symbols.classes[class as usize], self.tasks.path(task))
    }

    /// As [`Identities::object_name`], without the module and without what all names share: `Node 1`, or `Node 0.2-1` if the main block did
    /// not make it.
    pub fn short_object_name(&self, id: u32, symbols: &Symbols) -> String {
        let (task, nth, class) = self.objects.borrow().births[id as usize];
        let name = &symbols.classes[class as usize];
        let name = name.rsplit('.').next().unwrap_or(name);
        if task == 0 {
            format!("{name} {nth}")
        } else {
            let path = self.tasks.path(task);
            format!("{name} {}-{nth}", path.strip_prefix("0.").unwrap_or(&path))
        }
    }

    /// Tasks in the order of their paths.
    pub fn compare_tasks(&self, a: u32, b: u32) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        self.path(a).cmp(&self.path(b))
    }

    fn path(&self, mut id: u32) -> Vec<u32> {
        let mut path = Vec::new();
        loop {
            let (parent, nth) = self.tasks.birth(id);
            path.push(nth);
            match parent {
                Some(parent) => id = parent,
                None => break,
            }
        }
        path.reverse();
        path
    }

    /// Objects in the order of the tasks that made them, and then in the order in which those made them.
    pub fn compare_objects(&self, a: u32, b: u32) -> Ordering {
        let (first, second) = {
            let objects = self.objects.borrow();
            (objects.births[a as usize], objects.births[b as usize])
        };
        self.compare_tasks(first.0, second.0)
            .then(first.1.cmp(&second.1))
            .then(first.2.cmp(&second.2))
    }

    /// The location of a place.
    pub fn location(&self, place: Place) -> Location {
        if let Some(&id) = self.locations.borrow().ids.get(&place) {
            return Location(id);
        }
        let agreed = self.agreed(|common| common.location(place));
        agreed.unwrap_or_else(|| self.locations.borrow_mut().add(place))
    }

    /// The location of a task's future.
    pub fn future(&self, task: u32) -> Location {
        let mut futures = self.futures.borrow_mut();
        if futures.len() <= task as usize {
            futures.resize(task as usize + 1, u32::MAX);
        }
        let known = &mut futures[task as usize];
        if *known == u32::MAX {
            *known = self.location(Place::Future(task)).0;
        }
        Location(*known)
    }

    /// What a location stands for.
    pub fn place(&self, location: Location) -> Option<Place> {
        self.locations.borrow().places.get(location.index()).copied()
    }

    /// The first of the locations of an object's fields, which follow each other.
    pub fn fields(&self, object: u32, count: u32) -> Location {
        let known = self.locations.borrow().ids.contains_key(&Place::Field(object, 0));
        if !known && let Some(first) = self.agreed(|common| common.fields(object, count)) {
            return first;
        }
        let first = self.location(Place::Field(object, 0));
        for field in 1..count {
            self.location(Place::Field(object, field));
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_block_is_task_0() {
        let ids = Identities::default();
        assert_eq!(ids.tasks.path(ids.main_task()), "0");
    }

    #[test]
    fn workers_give_the_same_numbers_whoever_asks_first() {
        let common = Arc::default();
        let [one, other] = [Identities::sharing(&common), Identities::sharing(&common)];
        let main = one.main_task();
        assert_eq!(other.main_task(), main);
        let task = one.task(main, 2);
        assert_eq!(other.task(main, 2), task);
        assert_eq!(other.task_hash(task), one.task_hash(task));
        let object = other.object(task, 1, 7);
        assert_eq!(one.object(task, 1, 7), object);
        assert_eq!(one.object_hash(object), other.object_hash(object));
        let fields = one.fields(object, 3);
        assert_eq!(other.location(Place::Futures), Location(fields.0 + 3), "fields follow each other");
        assert_eq!(other.location(Place::Field(object, 2)), Location(fields.0 + 2));
        assert_eq!(other.fields(object, 3), fields);
        assert_eq!(one.place(Location(fields.0 + 3)), None, "not asked for yet");
        assert_eq!(one.future(task), other.future(task));
    }

    /// They are the same in every search and every build. The numbers come from another implementation.
    #[test]
    fn names_have_known_hashes() {
        let ids = Identities::default();
        let main = ids.main_task();
        assert_eq!(ids.task_hash(main), 0x3bd9_2e9d_2e64_a5a2_9df7_437d_a5b2_64cc);
        assert_eq!(ids.task_hash(ids.task(main, 3)), 0x0a68_a775_ac7e_aa23_00a8_4ce4_57e5_6028);
        assert_eq!(ids.object_hash(ids.object(main, 1, 2)), 0x1b02_b498_5cd2_cf7d_f245_f67f_aefb_00a2);
    }

    #[test]
    fn tasks_are_ordered_by_their_paths_from_the_root() {
        let ids = Identities::default();
        let main = ids.main_task();
        let (first, second) = (ids.task(main, 0), ids.task(main, 1));
        let ordered = [main, first, ids.task(first, 1), second, ids.task(second, 0)];
        for (i, a) in ordered.iter().enumerate() {
            for (j, b) in ordered.iter().enumerate() {
                assert_eq!(
                    ids.compare_tasks(*a, *b),
                    i.cmp(&j),
                    "{} and {}",
                    ids.tasks.path(*a),
                    ids.tasks.path(*b)
                );
            }
        }
    }
}
