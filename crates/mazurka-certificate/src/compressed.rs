//! Certificates are compressed with Zstandard, a frame for each megabyte, so that both sides need little memory. One that is not
//! compressed can be checked as well.

use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use ruzstd::encoding::{CompressionLevel, FrameCompressor};
use std::io::{Chain, Cursor, Error, ErrorKind, Read, Result, Write};

/// So many bytes are compressed together.
const TOGETHER: usize = 1 << 20;
/// What nobody needs who compresses certificates: a frame could ask for any amount of memory.
const LARGEST_WINDOW: u64 = 8 << 20;
/// How every frame begins.
const MAGIC: [u8; 4] = 0xfd2f_b528_u32.to_le_bytes();

/// Compresses what is written.
pub struct Compressed<W: Write> {
    to: W,
    waiting: Vec<u8>,
}

impl<W: Write> Compressed<W> {
    /// Goes on to this.
    pub fn new(to: W) -> Self {
        Compressed { to, waiting: Vec::new() }
    }

    /// Compresses what is left; what it went to.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> Result<W> {
        self.compress()?;
        self.to.flush()?;
        Ok(self.to)
    }

    fn compress(&mut self) -> Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let mut frame = Vec::new();
        let mut compressor = FrameCompressor::new(CompressionLevel::Fastest);
        compressor.set_source(&self.waiting[..]);
        compressor.set_drain(&mut frame);
        compressor.compress();
        drop(compressor);
        self.waiting.clear();
        self.to.write_all(&frame)
    }
}

impl<W: Write> Write for Compressed<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= TOGETHER {
            self.compress()?;
        }
        Ok(bytes.len())
    }

    /// What waits to be compressed goes on waiting.
    fn flush(&mut self) -> Result<()> {
        self.to.flush()
    }
}

/// What begins with bytes that were read already.
type Rest<R> = Chain<Cursor<Vec<u8>>, R>;

/// What was written, compressed or not.
pub(crate) enum Plain<R: Read> {
    AsItIs(Rest<R>),
    Frame(Box<StreamingDecoder<Rest<R>, FrameDecoder>>),
    /// Something went wrong.
    Over,
}

impl<R: Read> Plain<R> {
    pub fn of(from: R) -> Result<Self> {
        let rest = Cursor::new(Vec::new()).chain(from);
        let (begin, rest) = ahead(rest)?;
        if begin == MAGIC { frame(rest) } else { Ok(Plain::AsItIs(rest)) }
    }
}

/// The next four bytes, and all that there is with them.
fn ahead<R: Read>(mut rest: Rest<R>) -> Result<(Vec<u8>, Rest<R>)> {
    let mut begin = Vec::new();
    rest.by_ref().take(MAGIC.len() as u64).read_to_end(&mut begin)?;
    // Whatever was put in front before was read first.
    let (_, from) = rest.into_inner();
    Ok((begin.clone(), Cursor::new(begin).chain(from)))
}

fn frame<R: Read>(rest: Rest<R>) -> Result<Plain<R>> {
    let decoder = StreamingDecoder::new_with_max_window_size(rest, LARGEST_WINDOW);
    Ok(Plain::Frame(Box::new(decoder.map_err(Error::other)?)))
}

impl<R: Read> Read for Plain<R> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize> {
        loop {
            match self {
                Plain::AsItIs(rest) => return rest.read(bytes),
                Plain::Frame(frame) => match frame.read(bytes)? {
                    0 if !bytes.is_empty() => {}
                    read => return Ok(read),
                },
                Plain::Over => return Err(ErrorKind::UnexpectedEof.into()),
            }
            let Plain::Frame(ended) = std::mem::replace(self, Plain::Over) else {
                continue;
            };
            let (begin, rest) = ahead(ended.into_inner())?;
            *self = if begin.is_empty() { Plain::AsItIs(rest) } else { frame(rest)? };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compressed(bytes: &[u8], each: usize) -> Vec<u8> {
        let mut to = Compressed::new(Vec::new());
        bytes.chunks(each).for_each(|chunk| to.write_all(chunk).unwrap());
        to.finish().unwrap()
    }

    fn plain(bytes: &[u8]) -> Result<Vec<u8>> {
        let mut all = Vec::new();
        Plain::of(bytes)?.read_to_end(&mut all).map(|_| all)
    }

    #[test]
    fn what_was_compressed_comes_back() {
        let bytes: Vec<u8> = (0..5_000_000_u32).map(|n| (n % 1009 * (n % 7)) as u8).collect();
        for (length, each) in [(0, 1), (3, 1), (1 << 20, 1 << 20), ((1 << 20) + 1, 4096), (5_000_000, 100)] {
            let small = compressed(&bytes[..length], each);
            assert!(small.len() <= length / 3 + 30);
            assert_eq!(plain(&small).unwrap(), &bytes[..length]);
        }
        assert_eq!(plain(b"mazurka").unwrap(), b"mazurka");
        assert_eq!(plain(b"ma").unwrap(), b"ma");
    }

    #[test]
    fn a_frame_cannot_ask_for_much_memory() {
        // A window of 64 GB.
        let mut bytes = MAGIC.to_vec();
        bytes.extend([0, 26 << 3, 1, 0, 0]);
        assert!(plain(&bytes).is_err());
    }

    #[test]
    fn whatever_is_changed_it_is_read_or_refused() {
        let bytes: Vec<u8> = (0..3000_u32).map(|n| (n * n % 251) as u8).collect();
        let good = compressed(&bytes, 1000);
        for at in 0..good.len() {
            for change in [0x01, 0x80, 0xff, 0x55] {
                let mut bad = good.clone();
                bad[at] ^= change;
                drop(plain(&bad));
            }
            drop(plain(&good[..at]));
        }
    }
}
