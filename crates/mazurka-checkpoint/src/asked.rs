//! What the search was asked, with what is needed to ask it again.

use mazurka_core::saved::{Decoder, Encoder, Misfit};

/// What the search was asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// Where: paths are relative to it.
    pub directory: String,
    /// The arguments of the command.
    pub arguments: Vec<String>,
    /// Stands for the program with its options.
    pub digest: u128,
}

impl Asked {
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        out.text(&self.directory);
        out.list(self.arguments.iter(), |out, argument| out.text(argument));
        out.wide(self.digest);
        out.into_bytes()
    }

    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Misfit> {
        let mut from = Decoder::new(bytes);
        let asked = Asked {
            directory: from.text()?,
            arguments: from.list(Decoder::text)?,
            digest: from.wide()?,
        };
        from.end()?;
        Ok(asked)
    }
}
