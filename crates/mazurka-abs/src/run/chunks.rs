//! A vector that only grows, cheap to clone and to change: chunks behind `Rc`s, copied when they are shared. Once there are many chunks, they
//! stand in blocks behind `Rc`s themselves.

use std::rc::Rc;

const CHUNK: usize = 16;
const BLOCK: usize = 64;

type Chunk<T> = Rc<Vec<T>>;

/// See the module.
#[derive(Debug)]
pub struct Chunks<T> {
    /// Full blocks of full chunks.
    blocks: Vec<Rc<Vec<Chunk<T>>>>,
    /// What does not fill a block.
    chunks: Vec<Chunk<T>>,
    len: u32,
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Chunks {
            blocks: Vec::new(),
            chunks: Vec::new(),
            len: 0,
        }
    }
}

impl<T> Clone for Chunks<T> {
    fn clone(&self) -> Self {
        Chunks {
            blocks: self.blocks.clone(),
            chunks: self.chunks.clone(),
            len: self.len,
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.blocks.clone_from(&source.blocks);
        self.chunks.clone_from(&source.chunks);
        self.len = source.len;
    }
}

impl<T: Clone> Chunks<T> {
    /// The index of the next element.
    pub fn next_index(&self) -> u32 {
        self.len
    }

    /// Adds an element and tells its index.
    pub fn push(&mut self, element: T) -> u32 {
        let index = self.len;
        if (index as usize).is_multiple_of(CHUNK) {
            if self.chunks.len() == BLOCK {
                self.blocks.push(Rc::new(std::mem::take(&mut self.chunks)));
            }
            self.chunks.push(Rc::new(Vec::with_capacity(CHUNK)));
        }
        if let Some(last) = self.chunks.last_mut() {
            Rc::make_mut(last).push(element);
        }
        self.len += 1;
        index
    }

    /// An element.
    #[inline]
    pub fn get(&self, index: u32) -> &T {
        let (chunk, at) = (index as usize / CHUNK, index as usize % CHUNK);
        match self.blocks.get(chunk / BLOCK) {
            None => &self.chunks[chunk % BLOCK][at],
            Some(block) => &block[chunk % BLOCK][at],
        }
    }

    /// An element, to change it.
    #[inline]
    pub fn get_mut(&mut self, index: u32) -> &mut T {
        let (chunk, at) = (index as usize / CHUNK, index as usize % CHUNK);
        let chunks = match self.blocks.get_mut(chunk / BLOCK) {
            None => &mut self.chunks,
            Some(block) => Rc::make_mut(block),
        };
        &mut Rc::make_mut(&mut chunks[chunk % BLOCK])[at]
    }

    /// All elements in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let all = self.blocks.iter().flat_map(|block| block.iter()).chain(&self.chunks);
        all.flat_map(|chunk| chunk.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::Chunks;

    #[test]
    fn a_clone_does_not_see_later_changes() {
        let mut a = Chunks::default();
        for i in 0..40 {
            assert_eq!(a.push(i), i);
        }
        let b = a.clone();
        *a.get_mut(17) = 99;
        a.push(40);
        assert_eq!((*a.get(17), *b.get(17)), (99, 17));
        assert_eq!((a.next_index(), b.next_index()), (41, 40));
        assert_eq!(b.iter().copied().collect::<Vec<_>>(), (0..40).collect::<Vec<_>>());
    }

    #[test]
    fn many_elements_stand_in_blocks() {
        let mut a = Chunks::default();
        for i in 0..3000 {
            assert_eq!(a.push(i), i);
        }
        let b = a.clone();
        for i in [0, 1023, 1024, 2047, 2048, 2999] {
            *a.get_mut(i) = 9000 + i;
            assert_eq!((*a.get(i), *b.get(i)), (9000 + i, i));
        }
        assert_eq!(b.iter().copied().collect::<Vec<_>>(), (0..3000).collect::<Vec<_>>());
    }
}
