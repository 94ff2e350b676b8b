//! A long list of numbers: the first ones in memory, the others in a file of its own that is mapped, so the system decides how much of them
//! is kept in memory.

use memmap2::MmapMut;
use std::fs::File;
use std::io::{Result, Seek, SeekFrom, Write};
use std::ops::Range;

/// So many numbers are on a page.
const PAGE: usize = 1 << 20;
/// So many pages are kept in memory.
const IN_MEMORY: usize = 8;

/// The bytes of a page.
enum Page {
    Here(Vec<u8>),
    Mapped(MmapMut),
}

/// See the module.
pub(crate) struct Pages {
    pages: Vec<Page>,
    length: usize,
    /// How many pages stay in memory.
    in_memory: usize,
    /// What the others are in. It has no name, and is gone with the last page.
    file: Option<File>,
}

fn place(at: usize) -> Range<usize> {
    let at = at % PAGE * 8;
    at..at + 8
}

impl Pages {
    pub fn new() -> Self {
        Pages {
            pages: Vec::new(),
            length: 0,
            in_memory: IN_MEMORY,
            file: None,
        }
    }

    pub fn len(&self) -> usize {
        self.length
    }

    #[inline]
    pub fn get(&self, at: usize) -> u64 {
        let page: &[u8] = match &self.pages[at / PAGE] {
            Page::Here(bytes) => bytes,
            Page::Mapped(bytes) => bytes,
        };
        let mut number = [0; 8];
        number.copy_from_slice(&page[place(at)]);
        u64::from_le_bytes(number)
    }

    #[inline]
    pub fn set(&mut self, at: usize, number: u64) {
        let page: &mut [u8] = match &mut self.pages[at / PAGE] {
            Page::Here(bytes) => bytes,
            Page::Mapped(bytes) => bytes,
        };
        page[place(at)].copy_from_slice(&number.to_le_bytes());
    }

    /// Adds a number at the end.
    pub fn push(&mut self, number: u64) -> Result<()> {
        if self.length == self.pages.len() * PAGE {
            let page = match self.pages.len() < self.in_memory {
                true => Page::Here(Vec::new()),
                false => Page::Mapped(self.map()?),
            };
            self.pages.push(page);
        }
        self.length += 1;
        match self.pages.last_mut() {
            Some(Page::Here(bytes)) => bytes.extend_from_slice(&number.to_le_bytes()),
            _ => self.set(self.length - 1, number),
        }
        Ok(())
    }

    /// One more page of the file.
    fn map(&mut self) -> Result<MmapMut> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        // What was written has a place on the disk: there is no surprise when the page is used.
        let begin = file.seek(SeekFrom::End(0))?;
        let zeros = [0; 1 << 16];
        for _ in 0..PAGE * 8 / zeros.len() {
            file.write_all(&zeros)?;
        }
        // SAFETY: the file has no name and is ours alone, so nobody changes it or makes it shorter.
        unsafe { memmap2::MmapOptions::new().offset(begin).len(PAGE * 8).map_mut(&*file) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_the_file_are_kept_like_those_in_memory() {
        let mut pages = Pages {
            in_memory: 1,
            ..Pages::new()
        };
        let all = 2 * PAGE + 5;
        for n in 0..all {
            pages.push(n as u64 * 3).unwrap();
        }
        assert_eq!(pages.len(), all);
        for at in [0, PAGE - 1, PAGE, 2 * PAGE, all - 1] {
            assert_eq!(pages.get(at), at as u64 * 3);
            pages.set(at, u64::MAX - at as u64);
        }
        for at in [0, PAGE - 1, PAGE, 2 * PAGE, all - 1] {
            assert_eq!(pages.get(at), u64::MAX - at as u64);
        }
        assert_eq!(pages.get(PAGE + 1), (PAGE as u64 + 1) * 3);
    }
}
