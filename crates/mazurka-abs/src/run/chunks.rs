//! A vector that only grows, cheap to clone and to change: chunks behind `Rc`s, copied when they are shared.

use std::rc::Rc;

const CHUNK: usize = 16;

/// See the module.
#[derive(Debug)]
pub struct Chunks<T> {
    chunks: Vec<Rc<Vec<T>>>,
    len: u32,
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Chunks {
            chunks: Vec::new(),
            len: 0,
        }
    }
}

impl<T> Clone for Chunks<T> {
    fn clone(&self) -> Self {
        Chunks {
            chunks: self.chunks.clone(),
            len: self.len,
        }
    }

    fn clone_from(&mut self, source: &Self) {
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
        &self.chunks[index as usize / CHUNK][index as usize % CHUNK]
    }

    /// An element, to change it.
    #[inline]
    pub fn get_mut(&mut self, index: u32) -> &mut T {
        &mut Rc::make_mut(&mut self.chunks[index as usize / CHUNK])[index as usize % CHUNK]
    }

    /// All elements in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
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
}
