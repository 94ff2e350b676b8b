//! One file with one table. Each save is one transaction: what is there afterwards is the old state or the new one.

use crate::asked::Asked;
use crate::quiet::quietly;
use crate::unusable::{Unusable, Why};
use redb::{Database, ReadableDatabase, TableDefinition};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The version that writes here. What another one would make of it is unknown: the counts of a search may change from one to the next.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The form of what is written. To be changed with it.
const FORM: &str = "1";

const FILE: &str = "checkpoint.redb";
/// What is not complete has another name.
const DRAFT: &str = "checkpoint.redb.new";

const TABLE: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("checkpoint");
const WRITTEN_BY: &str = "written by";
const ASKED: &str = "asked";
const STATE: &str = "state";

/// A checkpoint that this process works on; no other one can at the same time.
pub struct Store {
    directory: PathBuf,
    database: Database,
}

impl Store {
    /// Begins one in a directory that has none, and makes the directory if need be.
    ///
    /// # Errors
    /// If there is one, or nothing can be written.
    pub fn create(directory: &Path, asked: &Asked, state: &[u8]) -> Result<Self, Unusable> {
        let unusable = |why| Unusable::new(directory, why);
        let system = |error: std::io::Error| unusable(Why::System(reason(&error)));
        let file = directory.join(FILE);
        if file.exists() {
            return Err(unusable(Why::Occupied));
        }
        if directory.exists() && !directory.is_dir() {
            return Err(unusable(Why::Foreign));
        }
        std::fs::create_dir_all(directory).map_err(system)?;
        let draft = directory.join(DRAFT);
        match std::fs::remove_file(&draft) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(system(error)),
            _ => {}
        }
        let written_by = format!("{VERSION} {FORM}");
        let write = || {
            let database = Database::create(&draft).map_err(redb::Error::from)?;
            put(
                &database,
                &[(WRITTEN_BY, written_by.as_bytes()), (ASKED, &asked.write()), (STATE, state)],
            )
        };
        let written = write();
        written.map_err(|error: redb::Error| unusable(why(&error)))?;
        std::fs::rename(&draft, &file).map_err(system)?;
        synchronise(directory).map_err(system)?;
        let database = Database::open(&file).map_err(|error| unusable(why(&error.into())))?;
        Ok(Store {
            directory: directory.to_owned(),
            database,
        })
    }

    /// Goes on with one: what was asked, and where the search stands.
    ///
    /// # Errors
    /// If there is none that this version can go on with.
    pub fn open(directory: &Path) -> Result<(Self, Asked, Vec<u8>), Unusable> {
        let unusable = |why| Unusable::new(directory, why);
        let file = directory.join(FILE);
        if !file.is_file() {
            return Err(unusable(Why::Missing));
        }
        // What the store does not notice, or panics at, is noticed here.
        let opened = quietly(|| {
            let mut database = Database::open(&file).map_err(redb::Error::from)?;
            // Otherwise damage to what is free shows at the next write only.
            database.check_integrity().map_err(redb::Error::from)?;
            let kept = [WRITTEN_BY, ASKED, STATE].map(|name| get(&database, name));
            Ok::<_, redb::Error>((database, kept))
        });
        let (database, [written_by, asked, state]) = match opened {
            Some(Ok(opened)) => opened,
            Some(Err(error)) => return Err(unusable(why(&error))),
            None => return Err(unusable(Why::Torn)),
        };
        let torn = || unusable(Why::Torn);
        let written_by = written_by.and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(torn)?;
        if written_by != format!("{VERSION} {FORM}") {
            let theirs = written_by.split(' ').next().unwrap_or_default();
            let theirs = if theirs == VERSION {
                format!("{theirs} (another build)")
            } else {
                theirs.to_owned()
            };
            return Err(unusable(Why::OtherVersion(theirs)));
        }
        let asked = Asked::read(&asked.ok_or_else(torn)?).map_err(|_| torn())?;
        let store = Store {
            directory: directory.to_owned(),
            database,
        };
        Ok((store, asked, state.ok_or_else(torn)?))
    }

    /// Replaces the state; it is on the disk when this returns.
    ///
    /// # Errors
    /// If it cannot be written. The last one is still there then.
    pub fn save(&mut self, state: &[u8]) -> Result<(), Unusable> {
        put(&self.database, &[(STATE, state)]).map_err(|error| Unusable::new(&self.directory, why(&error)))
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.directory
    }
}

/// Writes values, each followed by its checksum, all or none.
fn put(database: &Database, values: &[(&str, &[u8])]) -> Result<(), redb::Error> {
    let transaction = database.begin_write()?;
    {
        let mut table = transaction.open_table(TABLE)?;
        for (name, value) in values {
            let mut checked = value.to_vec();
            checked.extend_from_slice(&checksum(name, value).to_le_bytes());
            table.insert(*name, checked.as_slice())?;
        }
    }
    transaction.commit()?;
    Ok(())
}

/// A value, if it is what was written.
fn get(database: &Database, name: &str) -> Option<Vec<u8>> {
    let table = database.begin_read().ok()?.open_table(TABLE).ok()?;
    let value = table.get(name).ok()??;
    let (value, sum) = value.value().split_last_chunk::<8>()?;
    (checksum(name, value) == u64::from_le_bytes(*sum)).then(|| value.to_vec())
}

/// FNV-1a by words of eight bytes.
fn checksum(name: &str, value: &[u8]) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325u64;
    let mut add = |word: u64| sum = (sum ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    for bytes in [name.as_bytes(), value] {
        add(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| add(u64::from_le_bytes(*word)));
        rest.iter().for_each(|byte| add((*byte).into()));
    }
    sum
}

fn why(error: &redb::Error) -> Why {
    match error {
        redb::Error::DatabaseAlreadyOpen => Why::InUse,
        redb::Error::Io(error) if error.kind() == ErrorKind::InvalidData => Why::Foreign,
        redb::Error::Io(error) if error.kind() == ErrorKind::UnexpectedEof => Why::Torn,
        redb::Error::Io(error) => Why::System(reason(error)),
        redb::Error::UpgradeRequired(form) => Why::OtherVersion(format!("with form {form} of the store")),
        redb::Error::Corrupted(_) | redb::Error::RepairAborted => Why::Torn,
        error => Why::System(error.to_string()),
    }
}

/// What the system says, without its error number.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_lowercase(),
        None => text,
    }
}

/// Has the system write what the directory contains.
fn synchronise(directory: &Path) -> std::io::Result<()> {
    // Where directories cannot be opened, their contents are written with the files.
    match std::fs::File::open(directory) {
        Ok(directory) if cfg!(unix) => directory.sync_all(),
        _ => Ok(()),
    }
}
