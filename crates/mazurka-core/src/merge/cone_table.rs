//! The cones of one search, each stored once, as rows of words; see [`super::cone`] for what is in a row.
//!
//! All rows have the same parts. When a number does not fit any more, all rows get wider: that is rare, and it makes everything else
//! loops over a few words.

use super::bits::Bits;
use super::cone::{obstacles, trail};
use super::frame::Edge;
use super::intern::Index;
use crate::footprint::Access;

/// The number of a cone.
pub(crate) type ConeId = u32;

/// The table.
pub(crate) struct ConeTable {
    index: Index,
    /// For each cone, the number of its key.
    keys: Vec<u32>,
    words: Vec<u64>,
    /// The words for initials, and as many for the past.
    processes: usize,
    /// The words of a row.
    stride: usize,
    /// The row being built.
    row: Vec<u64>,
}

impl Default for ConeTable {
    fn default() -> Self {
        ConeTable {
            index: Index::default(),
            keys: Vec::new(),
            words: Vec::new(),
            processes: 1,
            stride: 3,
            row: vec![0; 3],
        }
    }
}

/// What a step does to rows: which it stops at, and how it changes those that grow by it.
#[derive(Default)]
pub(crate) struct Masks {
    /// A cone with one of these bits does not pass.
    block: Vec<u64>,
    keep: Vec<u64>,
    add: Vec<u64>,
}

impl Masks {
    /// For a step with these accesses; the table makes room for it.
    pub fn prepare(&mut self, table: &mut ConeTable, edge: &Edge, accesses: &[Access]) {
        let words = trail(accesses).map(|(word, _)| word + 1).max().unwrap_or(0);
        table.make_room(edge.process as usize / 64 + 1, words);
        let (processes, stride) = (table.processes, table.stride);
        for list in [&mut self.block, &mut self.keep, &mut self.add] {
            list.clear();
            list.resize(stride, 0);
        }
        let (word, bit) = (edge.process as usize / 64, 1 << (edge.process % 64));
        for i in 0..processes {
            // Who is born by the step does not exist before it, and cannot be met there.
            let births = edge.births.word(i);
            self.keep[i] = edge.independent.word(i);
            self.keep[processes + i] = !births;
            self.block[processes + i] = births;
        }
        self.add[word] = bit;
        self.add[processes + word] = bit;
        self.block[processes + word] |= bit;
        let trails = 2 * processes;
        self.keep[trails..].fill(!0);
        trail(accesses).for_each(|(word, mask)| self.add[trails + word] |= mask);
        obstacles(accesses).for_each(|(word, mask)| self.block[trails + word] |= mask);
    }
}

impl ConeTable {
    #[inline]
    fn row(&self, cone: ConeId) -> &[u64] {
        let start = cone as usize * self.stride;
        &self.words[start..start + self.stride]
    }

    /// The number of its key.
    #[inline]
    pub fn key(&self, cone: ConeId) -> u32 {
        self.keys[cone as usize]
    }

    /// The processes that can start it, or for a cone that stands for many the locations that their guards read.
    #[inline]
    pub fn initials(&self, cone: ConeId) -> Bits {
        Bits::from_words(&self.row(cone)[..self.processes])
    }

    /// The processes of its past.
    #[inline]
    pub fn past(&self, cone: ConeId) -> Bits {
        Bits::from_words(&self.row(cone)[self.processes..2 * self.processes])
    }

    /// Whether nothing happens before its last step.
    #[inline]
    pub fn is_first(&self, cone: ConeId) -> bool {
        self.row(cone)[self.processes..2 * self.processes].iter().all(|w| *w == 0)
    }

    /// Whether a process takes part in its past.
    #[inline]
    pub fn involves(&self, cone: ConeId, process: u32) -> bool {
        let word = process as usize / 64;
        word < self.processes && self.row(cone)[self.processes + word] >> (process % 64) & 1 == 1
    }

    /// The initials that it keeps when the step is put before it, if these fit into one word.
    #[inline]
    pub fn kept(&self, cone: ConeId, step: &Masks) -> Option<u64> {
        (self.processes == 1).then(|| self.words[cone as usize * self.stride] & step.keep[0])
    }

    /// Whether the step can be moved over all its past.
    #[inline]
    pub fn lets_pass(&self, cone: ConeId, step: &Masks) -> bool {
        all(self.row(cone), &step.block, |word, block| word & block == 0)
    }

    /// Whether cone `a` makes `b` superfluous, and whether `b` makes `a` so: it demands no less wherever both apply. None of them is a
    /// collapsed one, and they have the same key.
    #[inline]
    pub fn dominate(&self, a: ConeId, b: ConeId) -> (bool, bool) {
        let (more, less) = match (self.row(a), self.row(b)) {
            ([a0, a1, a2], [b0, b1, b2]) => (a0 & !b0 | a1 & !b1 | a2 & !b2, b0 & !a0 | b1 & !a1 | b2 & !a2),
            (a, b) => a.iter().zip(b).fold((0, 0), |(more, less), (a, b)| (more | a & !b, less | b & !a)),
        };
        (more == 0, less == 0)
    }

    /// The cone whose only step is the next one of a process.
    pub fn first(&mut self, key: u32, process: u32) -> ConeId {
        self.make_room(process as usize / 64 + 1, 0);
        self.row.fill(0);
        self.row[process as usize / 64] = 1 << (process % 64);
        self.intern(key)
    }

    /// The cone with the step put before everything else.
    #[inline]
    pub fn extended(&mut self, cone: ConeId, key: u32, step: &Masks) -> ConeId {
        let start = cone as usize * self.stride;
        let words = &self.words[start..start + self.stride];
        match (&mut *self.row, words, &*step.keep, &*step.add) {
            ([n0, n1, n2], [w0, w1, w2], [k0, k1, k2], [a0, a1, a2]) => {
                (*n0, *n1, *n2) = (w0 & k0 | a0, w1 & k1 | a1, w2 & k2 | a2);
            }
            (row, words, keep, add) => {
                for (((new, word), keep), add) in row.iter_mut().zip(words).zip(keep).zip(add) {
                    *new = word & keep | add;
                }
            }
        }
        self.intern(key)
    }

    /// A collapsed cone that stands for all that it stood for, with the step put before some.
    pub fn grown(&mut self, cone: ConeId, key: u32, step: &Masks) -> ConeId {
        let start = cone as usize * self.stride;
        self.row.copy_from_slice(&self.words[start..start + self.stride]);
        let changed = step.keep.iter().zip(&step.add).skip(self.processes);
        for (word, (keep, add)) in self.row[self.processes..].iter_mut().zip(changed) {
            *word = *word & keep | add;
        }
        self.intern(key)
    }

    /// The collapsed cone that stands for all that two others stand for.
    pub fn covering(&mut self, a: ConeId, b: ConeId) -> ConeId {
        let words = |cone| &self.words[cone as usize * self.stride..][..self.stride];
        for ((new, a), b) in self.row.iter_mut().zip(words(a)).zip(words(b)) {
            *new = a | b;
        }
        self.intern(self.keys[a as usize])
    }

    /// The collapsed cone with these parts.
    pub fn collapsed(&mut self, key: u32, initials: &Bits, past: &Bits, trail: &Bits) -> ConeId {
        self.make_room(initials.words().max(past.words()), trail.words());
        for i in 0..self.processes {
            self.row[i] = initials.word(i);
            self.row[self.processes + i] = past.word(i);
        }
        for i in 2 * self.processes..self.stride {
            self.row[i] = trail.word(i - 2 * self.processes);
        }
        self.intern(key)
    }

    /// What its past touches.
    pub fn trail(&self, cone: ConeId) -> Bits {
        Bits::from_words(&self.row(cone)[2 * self.processes..])
    }

    /// Makes rows wide enough for a process.
    pub fn make_room_for(&mut self, process: u32) {
        self.make_room(process as usize / 64 + 1, 0);
    }

    /// The cone with its past and, if `initials`, its initials renamed; `moved` are the processes that change their names, `names` has the
    /// new name of each process up to the last of them. There is room for all of these.
    pub fn renamed(&mut self, cone: ConeId, key: u32, (moved, names): (&Bits, &[u32]), initials: bool) -> ConeId {
        let (start, processes) = (cone as usize * self.stride, self.processes);
        let words = &self.words[start..start + self.stride];
        self.row.copy_from_slice(words);
        let mut changed = self.keys[cone as usize] != key;
        for part in (if initials { 0 } else { processes }..2 * processes).step_by(processes) {
            let (old, new) = (&words[part..part + processes], &mut self.row[part..part + processes]);
            for (i, word) in new.iter_mut().enumerate() {
                *word &= !moved.word(i);
            }
            // A new name may be the old one of another: all old ones are gone before the first new one comes.
            for (i, word) in old.iter().enumerate() {
                let mut rest = word & moved.word(i);
                changed |= rest != 0;
                while rest != 0 {
                    let to = names[i * 64 + rest.trailing_zeros() as usize];
                    new[to as usize / 64] |= 1 << (to % 64);
                    rest &= rest - 1;
                }
            }
        }
        if changed { self.intern(key) } else { cone }
    }

    /// The number of the cone with this key whose row was built.
    #[inline]
    fn intern(&mut self, key: u32) -> ConeId {
        let hash = hash(key, &self.row);
        let same = |id: u32| self.keys[id as usize] == key && all(self.row(id), &self.row, |a, b| a == b);
        if let Some(id) = self.index.find(hash, same) {
            return id;
        }
        let id = self.index.insert(hash);
        if id as usize == self.keys.len() {
            self.keys.push(key);
            self.words.extend_from_slice(&self.row);
        } else {
            self.keys[id as usize] = key;
            let start = id as usize * self.stride;
            self.words[start..start + self.stride].copy_from_slice(&self.row);
        }
        id
    }

    /// Numbers are below this.
    #[inline]
    pub fn bound(&self) -> usize {
        self.keys.len()
    }

    /// Roughly the bytes held.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.index.len() * (self.stride * 8 + 4 + Index::BYTES)
    }

    /// Forgets the cones that are not `alive`: their numbers are used again.
    pub fn sweep(&mut self, alive: impl Fn(ConeId) -> bool) {
        self.index.sweep(alive, |_| {});
    }

    /// Makes rows wide enough for so many words of processes and of trails.
    #[inline]
    fn make_room(&mut self, processes: usize, trail: usize) {
        if processes > self.processes || trail > self.stride - 2 * self.processes {
            self.widen(processes.max(self.processes), trail.max(self.stride - 2 * self.processes));
        }
    }

    #[cold]
    fn widen(&mut self, processes: usize, trail: usize) {
        let (old, old_stride) = (self.processes, self.stride);
        let stride = 2 * processes + trail;
        let mut words = vec![0; self.keys.len() * stride];
        for (new, known) in words.chunks_exact_mut(stride).zip(self.words.chunks_exact(old_stride)) {
            new[..old].copy_from_slice(&known[..old]);
            new[processes..processes + old].copy_from_slice(&known[old..2 * old]);
            new[2 * processes..][..old_stride - 2 * old].copy_from_slice(&known[2 * old..]);
        }
        (self.words, self.processes, self.stride) = (words, processes, stride);
        self.row.resize(stride, 0);
        let (keys, words) = (&self.keys, &self.words);
        self.index
            .rehash(|id| hash(keys[id as usize], &words[id as usize * stride..][..stride]));
    }
}

/// Whether a test holds of all pairs of words. Rows of three words, which is what small programs have, are worth a case of their own.
#[inline(always)]
fn all(a: &[u64], b: &[u64], test: impl Fn(u64, u64) -> bool) -> bool {
    match (a, b) {
        ([a0, a1, a2], [b0, b1, b2]) => test(*a0, *b0) && test(*a1, *b1) && test(*a2, *b2),
        _ => a.iter().zip(b).all(|(a, b)| test(*a, *b)),
    }
}

#[inline]
fn hash(key: u32, row: &[u64]) -> u64 {
    let mix = |hash: u64, word: &u64| {
        let product = (hash ^ word).wrapping_mul(0xd1b5_4a32_d192_ed03);
        product ^ product >> 32
    };
    let key = u64::from(key);
    match row {
        [a, b, c] => mix(mix(mix(key, a), b), c),
        row => row.iter().fold(key, mix),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn numbers() -> impl Strategy<Value = Bits> {
        let small_or_large = prop_oneof![0u32..60, 0u32..400];
        prop::collection::vec(small_or_large, 0..5).prop_map(|list| list.into_iter().collect())
    }

    #[test]
    fn a_step_that_comes_first_is_its_own_initial() {
        let mut table = ConeTable::default();
        for process in [0, 1, 63, 64, 65, 128, 300] {
            let cone = table.first(0, process);
            assert_eq!((table.initials(cone), table.is_first(cone)), (Bits::only(process), true));
            assert!(!table.involves(cone, process));
            let longer = table.collapsed(0, &Bits::only(1), &Bits::only(process), &Bits::default());
            assert!(table.involves(longer, process) && !table.involves(longer, process + 1));
        }
    }

    proptest! {
        #[test]
        fn cones_stay_what_they_are_when_rows_get_wider(cones in prop::collection::vec((0u32..2, numbers(), numbers(), numbers()), 1..12)) {
            let mut table = ConeTable::default();
            let mut put = |(key, initials, past, trail): &(u32, Bits, Bits, Bits)| table.collapsed(*key, initials, past, trail);
            let ids: Vec<ConeId> = cones.iter().map(&mut put).collect();
            prop_assert_eq!(&cones.iter().map(&mut put).collect::<Vec<_>>(), &ids);
            for (a, (key, initials, past, trail)) in ids.iter().zip(&cones) {
                prop_assert_eq!(table.key(*a), *key);
                prop_assert_eq!((&table.initials(*a), &table.past(*a), &table.trail(*a)), (initials, past, trail));
                prop_assert_eq!(table.is_first(*a), past.is_empty());
                for (b, other) in ids.iter().zip(&cones) {
                    prop_assert_eq!(a == b, (key, initials, past, trail) == (&other.0, &other.1, &other.2, &other.3));
                    let below = |x: &(u32, Bits, Bits, Bits), y: &(u32, Bits, Bits, Bits)| {
                        x.1.is_subset(&y.1) && x.2.is_subset(&y.2) && x.3.is_subset(&y.3)
                    };
                    let cone = (*key, initials.clone(), past.clone(), trail.clone());
                    prop_assert_eq!(table.dominate(*a, *b), (below(&cone, other), below(other, &cone)));
                }
            }
        }

        #[test]
        fn names_are_exchanged_all_at_once(initials in numbers(), past in numbers(), shift in 1u32..400) {
            let mut table = ConeTable::default();
            let cone = table.collapsed(0, &initials, &past, &Bits::default());
            let names: Vec<u32> = (0..400).map(|p| (p + shift) % 400).collect();
            let moved: Bits = (0..400).filter(|p| names[*p as usize] != *p).collect();
            table.make_room_for(399);
            let of = |set: &Bits| set.iter().map(|p| names[p as usize]).collect::<Bits>();
            let renamed = table.renamed(cone, 0, (&moved, &names), true);
            prop_assert_eq!((table.initials(renamed), table.past(renamed)), (of(&initials), of(&past)));
            let renamed = table.renamed(cone, 0, (&moved, &names), false);
            prop_assert_eq!((table.initials(renamed), table.past(renamed)), (initials, of(&past)));
        }
    }
}
