//! The store, in a binary that has it.

use super::{Kept, Store};
use crate::frontends::reason;
use crate::refusal::Refusal;
use mazurka_checkpoint::{Asked, Unusable};
use std::path::{Path, PathBuf};

/// Whatever the current directory will be.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

impl From<Unusable> for Refusal {
    fn from(unusable: Unusable) -> Self {
        Refusal::new(unusable)
    }
}

impl Store for mazurka_checkpoint::Store {
    fn save(&mut self, state: &[u8]) -> Result<(), Refusal> {
        Ok(mazurka_checkpoint::Store::save(self, state)?)
    }

    fn directory(&self) -> &Path {
        mazurka_checkpoint::Store::directory(self)
    }
}

/// Begins a checkpoint of what this process was asked.
pub fn create(directory: &Path, digest: u128, state: &[u8]) -> Result<Box<dyn Store>, Refusal> {
    let here = std::env::current_dir().map_err(|e| Refusal::new(format!("cannot tell the current directory: {}", reason(&e))))?;
    let asked = Asked {
        directory: here.to_string_lossy().into_owned(),
        arguments: std::env::args().skip(1).collect(),
        digest,
    };
    Ok(Box::new(mazurka_checkpoint::Store::create(&absolute(directory), &asked, state)?))
}

/// Opens a checkpoint, and goes where its search was started.
pub fn open(directory: &Path) -> Result<Kept, Refusal> {
    let (store, asked, state) = mazurka_checkpoint::Store::open(&absolute(directory)).map_err(|unusable| Unusable {
        directory: directory.to_owned(),
        ..unusable
    })?;
    std::env::set_current_dir(&asked.directory).map_err(|e| {
        Refusal::new(format!(
            "cannot go to `{}`, where the search was started: {}",
            asked.directory,
            reason(&e)
        ))
    })?;
    Ok(Kept {
        store: Box::new(store),
        digest: asked.digest,
        state,
        arguments: asked.arguments,
    })
}
