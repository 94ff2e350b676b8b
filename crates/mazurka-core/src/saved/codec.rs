//! Numbers, texts and lists as bytes.

use super::Misfit;
use crate::program::{Process, Transition};

/// Writes.
///
/// ```
/// use mazurka_core::saved::{Decoder, Encoder};
/// let mut out = Encoder::default();
/// out.number(300);
/// out.text("forks");
/// let bytes = out.into_bytes();
/// let mut from = Decoder::new(&bytes);
/// assert_eq!((from.number()?, from.text()?.as_str()), (300, "forks"));
/// from.end()?;
/// # Ok::<(), mazurka_core::saved::Misfit>(())
/// ```
#[derive(Default, Debug)]
pub struct Encoder {
    bytes: Vec<u8>,
}

impl Encoder {
    /// A number, in as many groups of seven bits as it needs.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// A hash.
    pub fn wide(&mut self, number: u128) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    /// A number with a fraction, bit by bit.
    pub fn float(&mut self, number: f64) {
        self.bytes.extend_from_slice(&number.to_bits().to_le_bytes());
    }

    /// Yes or no.
    pub fn flag(&mut self, flag: bool) {
        self.bytes.push(u8::from(flag));
    }

    /// Bytes, with their number.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }

    /// A text, with its length.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// A step.
    pub fn transition(&mut self, transition: Transition) {
        self.number(transition.process.0.into());
        self.number(transition.choice.into());
    }

    /// How many things follow, and they.
    pub fn list<T>(&mut self, things: impl ExactSizeIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        self.number(things.len() as u64);
        things.for_each(|thing| write(self, thing));
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads, and trusts nothing.
#[derive(Clone, Debug)]
pub struct Decoder<'b> {
    bytes: &'b [u8],
}

impl<'b> Decoder<'b> {
    /// From the beginning.
    pub fn new(bytes: &'b [u8]) -> Self {
        Decoder { bytes }
    }

    fn take(&mut self, len: usize) -> Result<&'b [u8], Misfit> {
        let (taken, rest) = self.bytes.split_at_checked(len).ok_or(Misfit::Garbled)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Misfit> {
        self.take(N)?.try_into().map_err(|_| Misfit::Garbled)
    }

    /// A number.
    pub fn number(&mut self) -> Result<u64, Misfit> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let [byte] = self.array()?;
            let group = u64::from(byte & 0x7f);
            if group << shift >> shift != group {
                return Err(Misfit::Garbled);
            }
            number |= group << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Misfit::Garbled)
    }

    /// A number that fits.
    pub fn small<T: TryFrom<u64>>(&mut self) -> Result<T, Misfit> {
        T::try_from(self.number()?).map_err(|_| Misfit::Garbled)
    }

    /// A hash.
    pub fn wide(&mut self) -> Result<u128, Misfit> {
        Ok(u128::from_le_bytes(self.array()?))
    }

    /// A number with a fraction.
    pub fn float(&mut self) -> Result<f64, Misfit> {
        Ok(f64::from_bits(u64::from_le_bytes(self.array()?)))
    }

    /// Yes or no.
    pub fn flag(&mut self) -> Result<bool, Misfit> {
        match self.array()? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(Misfit::Garbled),
        }
    }

    /// Bytes.
    pub fn bytes(&mut self) -> Result<&'b [u8], Misfit> {
        let len = self.small()?;
        self.take(len)
    }

    /// A text.
    pub fn text(&mut self) -> Result<String, Misfit> {
        String::from_utf8(self.bytes()?.to_vec()).map_err(|_| Misfit::Garbled)
    }

    /// A step.
    pub fn transition(&mut self) -> Result<Transition, Misfit> {
        Ok(Transition {
            process: Process(self.small()?),
            choice: self.small()?,
        })
    }

    /// How many things follow, each of which has a byte at least.
    pub fn count(&mut self) -> Result<usize, Misfit> {
        let len = self.small()?;
        if len > self.bytes.len() { Err(Misfit::Garbled) } else { Ok(len) }
    }

    /// Things, after how many there are.
    pub fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Result<T, Misfit>) -> Result<Vec<T>, Misfit> {
        let len = self.count()?;
        (0..len).map(|_| read(self)).collect()
    }

    /// That nothing follows.
    pub fn end(&self) -> Result<(), Misfit> {
        if self.bytes.is_empty() { Ok(()) } else { Err(Misfit::Garbled) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let mut out = Encoder::default();
        out.list(numbers.iter(), |out, n| out.number(*n));
        out.wide(u128::MAX - 7);
        out.float(-0.5);
        out.flag(true);
        let bytes = out.into_bytes();
        let mut from = Decoder::new(&bytes);
        assert_eq!(from.list(Decoder::number), Ok(numbers.to_vec()));
        assert_eq!(from.wide(), Ok(u128::MAX - 7));
        assert_eq!(from.float(), Ok(-0.5));
        assert_eq!(from.flag(), Ok(true));
        assert_eq!(from.end(), Ok(()));
    }

    #[test]
    fn what_ends_early_or_means_nothing_is_garbled() {
        let garbled = |bytes: &[u8], read: fn(&mut Decoder<'_>) -> bool| assert!(read(&mut Decoder::new(bytes)), "{bytes:?}");
        garbled(&[], |from| from.number().is_err());
        garbled(&[0x80], |from| from.number().is_err());
        garbled(&[0xff; 11], |from| from.number().is_err());
        garbled(&[2], |from| from.flag().is_err());
        garbled(&[5, 1], |from| from.bytes().is_err());
        garbled(&[0xff, 0xff, 0xff, 0x7f], |from| from.list(Decoder::number).is_err());
        garbled(&[1, 0xff], |from| from.text().is_err());
        garbled(&[0xff, 0xff, 0xff, 0xff, 0x7f], |from| from.small::<u32>().is_err());
        garbled(&[1], |from| from.end().is_err());
    }
}
