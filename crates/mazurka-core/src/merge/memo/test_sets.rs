//! Sets of tests, each stored once, and what was found out about them.

use super::super::bits::Bits;
use super::super::guard::{Change, Changes, Condition};
use super::super::intern::Interner;
use super::super::test::{Given, Test};
use super::answers::Answers;
use crate::insights::Origin;
use crate::program::Location;
use crate::world::Situation;
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// The number of a set of tests.
pub(crate) type TestsId = u32;

/// The set without tests.
pub(crate) const NO_TESTS: TestsId = 0;

/// What was found out is forgotten when there is so much of it.
const MOST_KNOWN: usize = 1 << 16;

/// A set of tests, each of which depends on some location.
#[derive(Default)]
struct Tests {
    /// In ascending order.
    tests: Box<[u32]>,
    /// What they depend on.
    locations: Bits,
}

/// A set in a state that differs from the one at hand.
#[derive(Default)]
struct Comparison {
    tests: TestsId,
    /// By how much the locations of the set differ, in ascending order.
    differences: SmallVec<[i64; 4]>,
    /// Whether every test says the same there.
    same: bool,
    /// The set as it is there, once somebody asked.
    there: Option<TestsId>,
}

/// All tests and sets of one search.
pub(crate) struct TestSets {
    tests: Interner<Test>,
    /// For each test, what it said.
    said: Vec<u64>,
    /// For each test, the set of it alone, once there is one.
    singletons: Vec<Option<TestsId>>,
    answers: Answers,
    sets: Interner<Tests>,
    bytes: usize,
    /// What steps do to locations that tests depend on.
    steps: Interner<Changes>,
    /// What sets are before steps, by both; with the locations from which something was computed.
    earlier: FxHashMap<u64, (TestsId, Bits)>,
    unions: FxHashMap<u64, TestsId>,
    comparisons: Interner<Comparison>,
    scratch: Vec<u32>,
}

impl Default for TestSets {
    fn default() -> Self {
        let mut sets = Interner::default();
        let none = sets.insert(hash_of(&[] as &[u32]), Tests::default());
        debug_assert_eq!(none, NO_TESTS);
        TestSets {
            tests: Interner::default(),
            said: Vec::new(),
            singletons: Vec::new(),
            answers: Answers::default(),
            sets,
            bytes: 0,
            steps: Interner::default(),
            earlier: FxHashMap::default(),
            unions: FxHashMap::default(),
            comparisons: Interner::default(),
            scratch: Vec::new(),
        }
    }
}

impl TestSets {
    /// The set with one more test: that of a condition in a state.
    pub fn with(&mut self, tests: TestsId, condition: &Condition, state: &dyn Situation) -> TestsId {
        if condition.is_closed() {
            return tests;
        }
        let test = Test::of(condition, state);
        let number = self.intern(test, || condition.evaluate(state));
        let only = self.singletons[number as usize].unwrap_or_else(|| {
            self.scratch.clear();
            self.scratch.push(number);
            let only = self.intern_scratch(None);
            self.singletons[number as usize] = Some(only);
            only
        });
        self.unite(tests, only)
    }

    /// The tests of both sets.
    pub fn unite(&mut self, a: TestsId, b: TestsId) -> TestsId {
        if a == b || b == NO_TESTS {
            return a;
        }
        if a == NO_TESTS {
            return b;
        }
        let pair = u64::from(a.min(b)) << 32 | u64::from(a.max(b));
        if let Some(known) = self.unions.get(&pair) {
            return *known;
        }
        self.scratch.clear();
        match (&*self.sets.get(a).tests, &*self.sets.get(b).tests) {
            ([one], many) | (many, [one]) => {
                let at = many.partition_point(|t| t < one);
                self.scratch.extend_from_slice(many);
                if many.get(at) != Some(one) {
                    self.scratch.insert(at, *one);
                }
            }
            (one, other) => merge(one, other, &mut self.scratch),
        }
        let union = self.intern_scratch(Some([a, b]));
        if self.unions.len() >= MOST_KNOWN {
            self.unions.clear();
        }
        self.unions.insert(pair, union);
        union
    }

    /// The set seen from before a step. Locations whose values must be known there are added to `values`.
    pub fn before(&mut self, tests: TestsId, changes: &Changes, values: &mut Bits) -> TestsId {
        let set = self.sets.get(tests);
        let moves = |c: &&Change| !matches!(c.source, Origin::Copy(from, _) if from == c.location);
        let relevant = changes.iter().filter(moves).filter(|c| set.locations.contains(c.location.0));
        let relevant: Changes = relevant.map(Change::without_amounts).collect();
        if relevant.is_empty() {
            return tests;
        }
        let step = self.steps.intern(relevant).0;
        let pair = u64::from(step) << 32 | u64::from(tests);
        if let Some((before, computed)) = self.earlier.get(&pair) {
            values.unite(computed);
            return *before;
        }
        let mut computed = Bits::default();
        self.scratch.clear();
        for at in 0..self.sets.get(tests).tests.len() {
            let number = self.sets.get(tests).tests[at];
            let before = self.test_before(number, step, &mut computed);
            self.scratch.extend(before);
        }
        self.scratch.sort_unstable();
        self.scratch.dedup();
        let before = self.intern_scratch(None);
        values.unite(&computed);
        if self.earlier.len() >= MOST_KNOWN {
            self.earlier.clear();
        }
        self.earlier.insert(pair, (before, computed));
        before
    }

    /// The set without the tests that depend on nothing but these locations: whoever knows their values knows what the tests say.
    pub fn without_told(&mut self, tests: TestsId, values: &Bits) -> TestsId {
        let set = self.sets.get(tests);
        if !set.locations.intersects(values) {
            return tests;
        }
        let is_told = |t: u32| self.tests.get(t).is_told_by(values);
        self.scratch.clear();
        self.scratch.extend(set.tests.iter().filter(|t| !is_told(**t)));
        if self.scratch.len() == set.tests.len() {
            return tests;
        }
        self.intern_scratch(None)
    }

    /// The locations that a set depends on, in ascending order.
    pub fn locations(&self, tests: TestsId) -> impl Iterator<Item = Location> + '_ {
        self.sets.get(tests).locations.iter().map(Location)
    }

    /// Whether all tests of a set say the same in a state as where its locations have the values `were`.
    pub fn agree(&mut self, tests: TestsId, were: &[i64], state: &dyn Situation) -> bool {
        let comparison = self.compare(tests, were, state);
        comparison.is_none_or(|c| self.comparisons.get(c).same)
    }

    /// The set of a state in which all its tests say the same as where its locations have the values `were`.
    pub fn moved(&mut self, tests: TestsId, were: &[i64], state: &dyn Situation) -> TestsId {
        let Some(number) = self.compare(tests, were, state) else {
            return tests;
        };
        let comparison = self.comparisons.get(number);
        debug_assert!(comparison.same);
        if let Some(there) = comparison.there {
            return there;
        }
        let differences = comparison.differences.clone();
        self.scratch.clear();
        for at in 0..self.sets.get(tests).tests.len() {
            let number = self.sets.get(tests).tests[at];
            let set = self.sets.get(tests);
            let test = self.tests.get(number).moved(|given| set.difference(given, &differences));
            let said = self.said[number as usize];
            let there = self.intern(test, || said);
            self.scratch.push(there);
        }
        self.scratch.sort_unstable();
        let there = self.intern_scratch(None);
        self.comparisons.get_mut(number).there = Some(there);
        there
    }

    /// The number of a comparison of a set where its locations have the values `were` with a state; `None` if these are the same there.
    fn compare(&mut self, tests: TestsId, were: &[i64], state: &dyn Situation) -> Option<u32> {
        let set = self.sets.get(tests);
        let now = set.locations.iter().map(|l| state.value(Location(l)));
        let differences: SmallVec<[i64; 4]> = now.zip(were).map(|(now, was)| now.wrapping_sub(*was)).collect();
        if differences.iter().all(|d| *d == 0) {
            return None;
        }
        let hash = hash_of(&(tests, &*differences));
        let same = |c: &Comparison| c.tests == tests && c.differences == differences;
        if let Some(known) = self.comparisons.find(hash, same) {
            return Some(known);
        }
        let same = set.tests.iter().all(|&number| {
            let Test { predicate, given } = self.tests.get(number);
            let value = |g: &Given| g.value.wrapping_add(set.difference(*g, &differences));
            let says = match &**given {
                [one] => self.answers.of(state, *predicate, &[value(one)]),
                [one, two] => self.answers.of(state, *predicate, &[value(one), value(two)]),
                all => state.evaluate(*predicate, &all.iter().map(value).collect::<Vec<_>>()),
            };
            says == self.said[number as usize]
        });
        if self.comparisons.bound() >= MOST_KNOWN {
            self.comparisons = Interner::default();
        }
        let comparison = Comparison {
            tests,
            differences,
            same,
            there: None,
        };
        Some(self.comparisons.insert(hash, comparison))
    }

    /// Roughly the bytes held.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Forgets the sets that are not `alive`, and the tests that are in no set.
    pub fn sweep(&mut self, alive: impl Iterator<Item = TestsId>) {
        let (mut live_sets, mut live_tests) = (vec![false; self.sets.bound()], vec![false; self.tests.bound()]);
        live_sets[NO_TESTS as usize] = true;
        for set in alive {
            live_sets[set as usize] = true;
            self.sets.get(set).tests.iter().for_each(|t| live_tests[*t as usize] = true);
        }
        let mut freed = 0;
        self.sets.sweep(|s| live_sets[s as usize], |set| freed += set.bytes());
        self.tests.sweep(|t| live_tests[t as usize], |test| freed += test.bytes());
        self.bytes = self.bytes.saturating_sub(freed);
        // Numbers are used again: what was known of a number says nothing about its next bearer.
        self.singletons.fill(None);
        self.earlier.clear();
        self.unions.clear();
        self.comparisons = Interner::default();
    }

    /// A test seen from before a step; `None` if it says the same in every state from there.
    fn test_before(&mut self, number: u32, step: u32, computed: &mut Bits) -> Option<u32> {
        let test = self.tests.get(number).before(self.steps.get(step), computed)?;
        let said = self.said[number as usize];
        Some(self.intern(test, || said))
    }

    /// The number of a test; `says` is asked if it is new.
    fn intern(&mut self, test: Test, says: impl FnOnce() -> u64) -> u32 {
        let bytes = test.bytes();
        let (number, new) = self.tests.intern(test);
        if new {
            self.bytes += bytes;
            let bound = self.tests.bound();
            self.said.resize(bound, 0);
            self.singletons.resize(bound, None);
            self.said[number as usize] = says();
        }
        number
    }

    /// The number of the set of the tests in `scratch`, which are in ascending order; perhaps it is the union of two.
    fn intern_scratch(&mut self, union: Option<[TestsId; 2]>) -> TestsId {
        let hash = hash_of(&*self.scratch);
        if let Some(known) = self.sets.find(hash, |s| *s.tests == *self.scratch) {
            return known;
        }
        let mut locations = Bits::default();
        match union {
            Some(sets) => sets.iter().for_each(|s| locations.unite(&self.sets.get(*s).locations)),
            None => {
                let all = self.scratch.iter().flat_map(|t| self.tests.get(*t).locations());
                all.for_each(|l| locations.insert(l.0));
            }
        }
        let set = Tests {
            tests: self.scratch.as_slice().into(),
            locations,
        };
        self.bytes += set.bytes();
        self.sets.insert(hash, set)
    }
}

impl Test {
    /// Roughly, with what is known of it.
    fn bytes(&self) -> usize {
        let heap = if self.given.spilled() {
            self.given.len() * size_of::<Given>()
        } else {
            0
        };
        Interner::<Test>::bytes_per_item() + 16 + heap
    }
}

impl Tests {
    /// By how much a value differs where the locations of the set differ by so much.
    #[inline]
    fn difference(&self, given: Given, differences: &[i64]) -> i64 {
        let Some(location) = given.location else { return 0 };
        match differences {
            [only] => *only,
            all => self
                .locations
                .iter()
                .zip(all)
                .find(|(l, _)| *l == location.0)
                .map_or(0, |(_, d)| *d),
        }
    }

    fn bytes(&self) -> usize {
        Interner::<Tests>::bytes_per_item() + self.tests.len() * 4 + self.locations.heap_bytes()
    }
}

fn hash_of(what: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = FxHasher::default();
    what.hash(&mut hasher);
    hasher.finish()
}

/// Appends the members of two ascending lists in ascending order, each once.
fn merge(mut a: &[u32], mut b: &[u32], out: &mut Vec<u32>) {
    while let (Some(x), Some(y)) = (a.first(), b.first()) {
        out.push(*x.min(y));
        let (left, right) = (x <= y, y <= x);
        a = &a[usize::from(left)..];
        b = &b[usize::from(right)..];
    }
    out.extend_from_slice(a);
    out.extend_from_slice(b);
}

#[cfg(test)]
mod tests {
    use super::merge;

    #[test]
    fn merging_keeps_the_order_and_each_member_once() {
        let mut out = Vec::new();
        merge(&[1, 3, 5, 9], &[0, 3, 4, 9, 10], &mut out);
        assert_eq!(out, [0, 1, 3, 4, 5, 9, 10]);
    }
}
