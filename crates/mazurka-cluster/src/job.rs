//! What travels with a job, and with a result.

use mazurka_core::saved::{Decoder, Encoder, Misfit};

/// Units and results mean something to this version only.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What is to be searched, and how: enough to load it on another machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// Who has written it; others do not run it.
    pub version: String,
    /// The arguments of the command that began it.
    pub arguments: Vec<String>,
    /// The texts of the program, with their paths.
    pub files: Vec<(String, String)>,
    /// Stands for the program with its options: whoever loads it must get the same.
    pub digest: u128,
}

impl Job {
    /// As bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        out.text(&self.version);
        out.list(self.arguments.iter(), |out, argument| out.text(argument));
        out.list(self.files.iter(), |out, (name, text)| {
            out.text(name);
            out.text(text);
        });
        out.wide(self.digest);
        out.into_bytes()
    }

    /// From bytes.
    ///
    /// # Errors
    /// If they are no job.
    pub fn read(bytes: &[u8]) -> Result<Self, Misfit> {
        let mut from = Decoder::new(bytes);
        let job = Job {
            version: from.text()?,
            arguments: from.list(Decoder::text)?,
            files: from.list(|from| Ok((from.text()?, from.text()?)))?,
            digest: from.wide()?,
        };
        from.end()?;
        Ok(job)
    }
}

/// What a worker says of a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Who says it.
    pub worker: String,
    /// The result for the hub, or why there is none.
    pub result: Result<Vec<u8>, String>,
}

impl Answer {
    /// As bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        out.text(&self.worker);
        out.flag(self.result.is_ok());
        match &self.result {
            Ok(result) => out.bytes(result),
            Err(why) => out.text(why),
        }
        out.into_bytes()
    }

    /// From bytes.
    ///
    /// # Errors
    /// If they are no answer.
    pub fn read(bytes: &[u8]) -> Result<Self, Misfit> {
        let mut from = Decoder::new(bytes);
        let answer = Answer {
            worker: from.text()?,
            result: match from.flag()? {
                true => Ok(from.bytes()?.to_vec()),
                false => Err(from.text()?),
            },
        };
        from.end()?;
        Ok(answer)
    }
}
