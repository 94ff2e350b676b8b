//! The copy of the workspace in which the sources are changed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// What every changed crate gets: the switch. Without `MUTANT` nothing is switched; with `MUTANT_REACHED` the numbers of the switches that
/// were asked for are written to that file.
const SWITCH: &str = r#"
#[doc(hidden)]
#[inline]
pub fn __mutant(number: u32) -> bool {
    use std::sync::atomic::{AtomicU32, Ordering};
    const UNREAD: u32 = u32::MAX;
    const RECORD: u32 = u32::MAX - 1;
    static ACTIVE: AtomicU32 = AtomicU32::new(UNREAD);
    #[cold]
    fn slow(number: u32) -> bool {
        if ACTIVE.load(Ordering::Relaxed) == UNREAD {
            let recording = std::env::var_os("MUTANT_REACHED").is_some();
            let chosen = std::env::var("MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
            ACTIVE.store(if recording { RECORD } else { chosen }, Ordering::Relaxed);
        }
        let active = ACTIVE.load(Ordering::Relaxed);
        if active == RECORD {
            static SEEN: std::sync::Mutex<Vec<bool>> = std::sync::Mutex::new(Vec::new());
            static KNOWN: [AtomicU32; 1 << 16] = [const { AtomicU32::new(0) }; 1 << 16];
            if KNOWN[(number & 0xffff) as usize].swap(number, Ordering::Relaxed) == number {
                return false;
            }
            let Ok(mut seen) = SEEN.lock() else { return false };
            let at = number as usize;
            if seen.len() <= at {
                seen.resize(at + 1, false);
            }
            if !std::mem::replace(&mut seen[at], true)
                && let Some(path) = std::env::var_os("MUTANT_REACHED")
                && let Ok(mut file) = std::fs::OpenOptions::new().append(true).create(true).open(path)
            {
                let _ = std::io::Write::write_all(&mut file, format!("{number}\n").as_bytes());
            }
        }
        active == number
    }
    let active = ACTIVE.load(Ordering::Relaxed);
    if active >= RECORD { slow(number) } else { active == number }
}
"#;

/// The copy.
pub struct Workspace {
    /// The original.
    pub original: PathBuf,
    /// The copy.
    pub root: PathBuf,
    /// Where the copy is built.
    pub target: PathBuf,
}

impl Workspace {
    /// Brings the copy up to date with the original, except for the files that are changed, of which `is_changed` knows: they are written by
    /// [`Workspace::write`].
    pub fn copy(original: &Path, below: &Path, is_changed: impl Fn(&str) -> bool) -> Result<Workspace, String> {
        let root = below.join("workspace");
        let listed = Command::new("git")
            .args(["ls-files", "-co", "--exclude-standard", "-z"])
            .current_dir(original)
            .output()
            .map_err(|e| format!("git ls-files: {e}"))?;
        let workspace = Workspace {
            original: original.to_owned(),
            root,
            target: below.join("target"),
        };
        let mut present = std::collections::HashSet::new();
        for path in String::from_utf8_lossy(&listed.stdout).split('\0').filter(|p| !p.is_empty()) {
            let from = original.join(path);
            if !from.is_file() {
                continue;
            }
            present.insert(path.to_owned());
            if !is_changed(path) {
                let content = fs::read(&from).map_err(|e| format!("{path}: {e}"))?;
                workspace.write(path, &content)?;
            }
        }
        workspace.remove_others(&workspace.root, &present).map_err(|e| e.to_string())?;
        Ok(workspace)
    }

    /// Writes a file of the copy, unless it is the same already: then it need not be compiled again.
    pub fn write(&self, path: &str, content: &[u8]) -> Result<(), String> {
        let to = self.root.join(path);
        let result = (|| -> io::Result<()> {
            if fs::read(&to).is_ok_and(|old| old == content) {
                return Ok(());
            }
            if let Some(folder) = to.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(&to, content)
        })();
        result.map_err(|e| format!("{}: {e}", to.display()))
    }

    /// The source of a crate's root with the switch in it.
    pub fn with_switch(text: &str) -> String {
        format!("{text}{SWITCH}")
    }

    fn remove_others(&self, folder: &Path, present: &std::collections::HashSet<String>) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                self.remove_others(&path, present)?;
            } else if let Ok(relative) = path.strip_prefix(&self.root)
                && !present.contains(&relative.to_string_lossy().into_owned())
            {
                fs::remove_file(&path)?;
            }
        }
        Ok(())
    }

    /// A cargo command in the copy.
    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("cargo");
        command
            .args(arguments)
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("RUSTFLAGS", "-Awarnings")
            .env("CARGO_PROFILE_TEST_DEBUG", "false");
        command
    }
}
