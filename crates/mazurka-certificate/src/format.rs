//! The bytes of a certificate: numbers, texts, and a sum of everything at the end. No length that is read is believed: nothing is
//! allocated for what has not been read yet.

use crate::Rejection;
use std::io::{ErrorKind, Read, Write};

/// The first line of every certificate.
pub const MAGIC: &[u8] = b"mazurka certificate 1\n";

/// No key, message or version is longer.
const LONGEST_TEXT: u64 = 1 << 20;

/// A hash of any number of texts, for which program and options a certificate is: FNV-1a with 128 bits.
pub fn digest<'t>(texts: impl IntoIterator<Item = &'t str>) -> u128 {
    let mut hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    let mut add = |byte: u8| hash = (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    for text in texts {
        (text.len() as u64).to_le_bytes().into_iter().for_each(&mut add);
        text.bytes().for_each(&mut add);
    }
    hash
}

/// FNV-1a with 64 bits, byte by byte.
struct Sum(u64);

impl Sum {
    const START: Sum = Sum(0xcbf2_9ce4_8422_2325);

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// Writes the parts of a certificate.
pub(crate) struct Out<W> {
    to: W,
    sum: Sum,
}

impl<W: Write> Out<W> {
    pub fn new(to: W) -> Self {
        Out { to, sum: Sum::START }
    }

    pub fn bytes(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.sum.add(bytes);
        self.to.write_all(bytes)
    }

    /// Seven bits in a byte, the lowest first.
    pub fn number(&mut self, mut number: u64) -> std::io::Result<()> {
        let mut bytes = [0; 10];
        let mut length = 0;
        loop {
            bytes[length] = (number & 0x7f) as u8 | if number > 0x7f { 0x80 } else { 0 };
            length += 1;
            number >>= 7;
            if number == 0 {
                return self.bytes(&bytes[..length]);
            }
        }
    }

    pub fn text(&mut self, text: &str) -> std::io::Result<()> {
        self.number(text.len() as u64)?;
        self.bytes(text.as_bytes())
    }

    /// The sum of all that was written, and the end.
    pub fn end(mut self) -> std::io::Result<W> {
        let sum = self.sum.0.to_le_bytes();
        self.to.write_all(&sum)?;
        self.to.flush()?;
        Ok(self.to)
    }
}

/// Reads the parts of a certificate.
pub(crate) struct In<R> {
    from: R,
    sum: Sum,
}

impl<R: Read> In<R> {
    pub fn new(from: R) -> Self {
        In { from, sum: Sum::START }
    }

    pub fn bytes(&mut self, bytes: &mut [u8]) -> Result<(), Rejection> {
        self.raw(bytes)?;
        self.sum.add(bytes);
        Ok(())
    }

    fn raw(&mut self, bytes: &mut [u8]) -> Result<(), Rejection> {
        self.from.read_exact(bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => Rejection::unreadable("it ends too early"),
            _ => Rejection::unreadable(format!("cannot read it: {error}")),
        })
    }

    pub fn byte(&mut self) -> Result<u8, Rejection> {
        let mut byte = [0];
        self.bytes(&mut byte)?;
        Ok(byte[0])
    }

    pub fn number(&mut self) -> Result<u64, Rejection> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Rejection::unreadable("a number in it is too large"))
    }

    /// A number that must fit into 32 bits.
    pub fn small(&mut self) -> Result<u32, Rejection> {
        u32::try_from(self.number()?).map_err(|_| Rejection::unreadable("a number in it is too large"))
    }

    pub fn text(&mut self) -> Result<String, Rejection> {
        let length = self.number()?;
        if length > LONGEST_TEXT {
            return Err(Rejection::unreadable("a text in it is too long"));
        }
        let mut bytes = vec![0; length as usize];
        self.bytes(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_| Rejection::unreadable("a text in it is not UTF-8"))
    }

    /// Whether the sum is right, and nothing follows.
    pub fn end(&mut self) -> Result<(), Rejection> {
        let expected = self.sum.0.to_le_bytes();
        let mut sum = [0; 8];
        self.raw(&mut sum)?;
        if sum != expected {
            return Err(Rejection::unreadable("it was changed: its checksum is wrong"));
        }
        match self.from.read(&mut [0]) {
            Ok(0) => Ok(()),
            _ => Err(Rejection::unreadable("something follows its end")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX];
        let mut out = Out::new(Vec::new());
        numbers.iter().for_each(|n| out.number(*n).unwrap());
        let bytes = out.end().unwrap();
        let mut input = In::new(&bytes[..]);
        for number in numbers {
            assert_eq!(input.number().unwrap(), number);
        }
        input.end().unwrap();
    }

    #[test]
    fn a_number_with_too_many_bytes_is_refused() {
        for bytes in [
            &[0xff; 11][..],
            &[0x80; 40],
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
        ] {
            assert!(In::new(bytes).number().is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn a_text_of_a_thousand_gigabytes_is_refused_without_reading_it() {
        let mut out = Out::new(Vec::new());
        out.number(1 << 40).unwrap();
        assert!(In::new(&out.end().unwrap()[..]).text().is_err());
    }

    #[test]
    fn digests_tell_where_one_text_ends_and_the_next_begins() {
        assert_ne!(digest(["ab", "c"]), digest(["a", "bc"]));
        assert_ne!(digest(["a"]), digest(["a", ""]));
        assert_eq!(digest(["a", "b"]), digest(["a", "b"]));
    }
}
