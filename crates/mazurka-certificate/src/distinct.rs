//! How many different states there are, however many: those that were met last are in memory, the others in sorted files.

use mazurka_core::Fingerprint;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Result, Seek, Write};

/// So many are kept in memory.
const IN_MEMORY: usize = 1 << 20;

/// See the module.
pub(crate) struct Distinct {
    recent: FxHashSet<Fingerprint>,
    /// How many are kept in memory.
    in_memory: usize,
    /// Each has its states in order, without repetition. They have no names, and are gone with this.
    sorted: Vec<File>,
}

impl Distinct {
    pub fn new() -> Self {
        Distinct {
            recent: FxHashSet::default(),
            in_memory: IN_MEMORY,
            sorted: Vec::new(),
        }
    }

    pub fn insert(&mut self, state: Fingerprint) -> Result<()> {
        self.recent.insert(state);
        if self.recent.len() >= self.in_memory {
            self.put_away()
        } else {
            Ok(())
        }
    }

    /// Those of another, too.
    pub fn add(&mut self, mut other: Distinct) -> Result<()> {
        self.sorted.append(&mut other.sorted);
        other.recent.into_iter().try_for_each(|state| self.insert(state))
    }

    fn put_away(&mut self) -> Result<()> {
        let mut states: Vec<Fingerprint> = self.recent.drain().collect();
        states.sort_unstable();
        let mut file = BufWriter::new(tempfile::tempfile()?);
        states.into_iter().try_for_each(|state| file.write_all(&state.to_le_bytes()))?;
        let mut file = file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        file.rewind()?;
        self.sorted.push(file);
        Ok(())
    }

    /// How many there are.
    pub fn count(mut self) -> Result<u64> {
        if self.sorted.is_empty() {
            return Ok(self.recent.len() as u64);
        }
        self.put_away()?;
        let mut files: Vec<_> = self.sorted.into_iter().map(BufReader::new).collect();
        let mut next = BinaryHeap::new();
        for (number, file) in files.iter_mut().enumerate() {
            next.extend(read(file)?.map(|state| Reverse((state, number))));
        }
        let (mut count, mut last) = (0, None);
        while let Some(Reverse((state, number))) = next.pop() {
            count += u64::from(last != Some(state));
            last = Some(state);
            next.extend(read(&mut files[number])?.map(|state| Reverse((state, number))));
        }
        Ok(count)
    }
}

fn read(file: &mut impl Read) -> Result<Option<Fingerprint>> {
    let mut bytes = [0; 16];
    match file.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(Fingerprint::from_le_bytes(bytes))),
        Err(e) if e.kind() == ErrorKind::UnexpectedEof => Ok(None),
        Err(e) => Err(e),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_away_is_counted_once() {
        for in_memory in [1, 7, 1000] {
            let few = || Distinct {
                in_memory,
                ..Distinct::new()
            };
            let (mut one, mut other) = (few(), few());
            for n in 0..300_u128 {
                one.insert((n % 90) << 100).unwrap();
                other.insert((n % 100 + 50) << 100).unwrap();
            }
            one.add(other).unwrap();
            assert_eq!(one.count().unwrap(), 150);
        }
    }
}
