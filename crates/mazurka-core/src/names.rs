//! Schedule-independent identities.
//!
//! A process or an object is named by its place of birth: its parent and the how-manieth child it is. [`Names`] interns such names to
//! dense ids. The same name gets the same id for as long as the table lives, whatever the schedule; which number that is depends on
//! who asked first, so ids must not leave the program that owns the table: schedules and reports use [`Names::path`].

use crate::growing::Growing;
use crate::locked::locked;
use rustc_hash::FxHashMap;
use std::sync::Mutex;

/// An interner of birth places. Shared by all states of a program.
///
/// ```
/// let names = mazurka_core::Names::default();
/// let main = names.root(0);
/// let first = names.child(main, 0);
/// assert_eq!(names.child(main, 0), first);
/// assert_ne!(names.child(main, 1), first);
/// assert_eq!(names.path(names.child(first, 4)), "0.0.4");
/// ```
#[derive(Debug, Default)]
pub struct Names {
    ids: Mutex<FxHashMap<Birth, u32>>,
    births: Growing<Birth>,
}

/// A parent, if there is one, and the place among its children.
type Birth = (Option<u32>, u32);

impl Names {
    /// The `nth` name that has no parent.
    pub fn root(&self, nth: u32) -> u32 {
        self.intern(None, nth)
    }

    /// The `nth` child of `parent`.
    pub fn child(&self, parent: u32, nth: u32) -> u32 {
        self.intern(Some(parent), nth)
    }

    /// How many names there are: ids are below this.
    pub fn len(&self) -> usize {
        locked(&self.ids).len()
    }

    /// Whether no name was interned yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The parent of a name and its place among the siblings.
    pub fn birth(&self, id: u32) -> (Option<u32>, u32) {
        *self.births.get(id).expect("an id that this table gave out")
    }

    /// The name as dot-separated birth places from the root, the same in every search and every build.
    pub fn path(&self, id: u32) -> String {
        let (mut parent, nth) = self.birth(id);
        let mut path = nth.to_string();
        while let Some(p) = parent {
            let (grandparent, nth) = self.birth(p);
            path = format!("{nth}.{path}");
            parent = grandparent;
        }
        path
    }

    fn intern(&self, parent: Option<u32>, nth: u32) -> u32 {
        let mut ids = locked(&self.ids);
        let next = ids.len();
        *ids.entry((parent, nth)).or_insert_with(|| {
            let id = u32::try_from(next).expect("fewer than 2^32 names");
            self.births.get_or_add(id, || (parent, nth));
            id
        })
    }
}
