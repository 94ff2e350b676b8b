//! The façades: built once for a toolchain, into `target/mazurka/facade`.
//!
//! The façades, the runtime behind them and the crate `mazurka` with `check` are built together, with the real `std`. The code under test gets
//! `mazurka` from here too, whatever its manifest says: the runtime that `check` starts must be the one that the façades call.

use crate::failure::Failure;
use crate::toolchain::{Toolchain, cargo};
use serde_json::Value;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The crates that are passed on to the code under test, by the names of their libraries.
const PASSED_ON: [&str; 6] = [
    "mazurka",
    "mazurka_core",
    "mazurka_native",
    "mazurka_report",
    "mazurka_std",
    "mazurka_corelib",
];

/// What was built.
#[derive(Debug)]
pub(crate) struct Facade {
    /// Libraries by name.
    pub libraries: BTreeMap<String, PathBuf>,
    /// Folders with what they depend on.
    pub folders: Vec<PathBuf>,
    /// A source file without anything in it.
    pub empty: PathBuf,
}

impl Facade {
    /// Builds the façades, unless they are there.
    pub fn build(toolchain: &Toolchain, target: &Path) -> Result<Self, Failure> {
        let folder = target.join("mazurka").join("facade");
        write_project(&folder)?;
        let built = folder.join(format!("target-{:016x}", hash(&toolchain.version)));
        let mut command = Command::new(cargo());
        command
            .current_dir(&folder)
            .args(["build", "--quiet", "--message-format=json-render-diagnostics"])
            .args(["--target", &toolchain.host])
            .arg("--target-dir")
            .arg(&built)
            // The code under test may depend on the same crates as the checker. They must not look like the same ones: these here are
            // compiled with the real `std`.
            .env("CARGO_ENCODED_RUSTFLAGS", "-Cmetadata=mazurka-facade")
            .env_remove("RUSTC_WRAPPER")
            .env_remove("RUSTC_WORKSPACE_WRAPPER")
            .stderr(Stdio::inherit());
        let output = command.output().map_err(|e| Failure::new(format!("cannot run cargo: {e}")))?;
        if !output.status.success() {
            return Err(Failure::new(
                "the façades of `std` do not compile with this toolchain; use `mazurka::thread` and `mazurka::sync` instead",
            ));
        }
        let libraries = libraries(&String::from_utf8_lossy(&output.stdout))?;
        let folders = vec![
            built.join(&toolchain.host).join("debug").join("deps"),
            // Procedural macros.
            built.join("debug").join("deps"),
        ];
        let empty = folder.join("src").join("lib.rs");
        Ok(Facade { libraries, folders, empty })
    }

    /// Changes with what the code under test is compiled against.
    pub fn fingerprint(&self) -> Result<u64, Failure> {
        let mut hasher = DefaultHasher::new();
        for (name, path) in &self.libraries {
            let content = std::fs::read(path).map_err(Failure::about("read", path))?;
            (name, content).hash(&mut hasher);
        }
        Ok(hasher.finish())
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The files that cargo says it has made.
fn libraries(messages: &str) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let mut libraries = BTreeMap::new();
    for message in messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let name = message["target"]["name"].as_str().unwrap_or_default();
        let files = message["filenames"].as_array().into_iter().flatten().filter_map(Value::as_str);
        if let Some(file) = files.into_iter().find(|file| file.ends_with(".rlib"))
            && PASSED_ON.contains(&name)
        {
            libraries.insert(name.to_owned(), file.into());
        }
    }
    match PASSED_ON.iter().find(|name| !libraries.contains_key(**name)) {
        None => Ok(libraries),
        Some(missing) => Err(Failure::new(format!("cargo did not say where it built `{missing}`"))),
    }
}

/// Writes the project that has the façades as its dependencies.
fn write_project(folder: &Path) -> Result<(), Failure> {
    let source = source();
    let dependency = |name: &str, features: &str| match &source {
        Some(source) => format!(
            "{name} = {{ path = {:?}{features} }}\n",
            source.join("crates").join(name).display().to_string()
        ),
        None => format!("{name} = {{ version = \"={}\"{features} }}\n", env!("CARGO_PKG_VERSION")),
    };
    let level = std::env::var("MAZURKA_FACADE_OPT_LEVEL").unwrap_or_else(|_| "2".to_owned());
    let manifest = format!(
        "[package]\nname = \"facade\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{}{}{}{}\n\
         [profile.dev]\nopt-level = {level}\ndebug = false\nincremental = false\npanic = \"unwind\"\n",
        dependency("mazurka", ", features = [\"threads\"]"),
        // Pages come without another crate. One like serde_json would make code ambiguous: it implements traits for primitive types.
        dependency("mazurka-native", ", features = [\"html\"]"),
        dependency("mazurka-std", ""),
        dependency("mazurka-corelib", ""),
    );
    let lock = source.map(|source| source.join("Cargo.lock")).filter(|lock| lock.exists());
    let sources = folder.join("src");
    std::fs::create_dir_all(&sources).map_err(Failure::about("make", &sources))?;
    // Cargo looks at the time of files.
    let changed = write_if_changed(&folder.join("Cargo.toml"), &manifest)?;
    write_if_changed(&sources.join("lib.rs"), "//! Depends on the façades.\n")?;
    if let Some(from) = lock.filter(|_| changed) {
        let to = folder.join("Cargo.lock");
        std::fs::copy(&from, &to).map_err(Failure::about("write", &to))?;
    }
    Ok(())
}

fn write_if_changed(path: &Path, text: &str) -> Result<bool, Failure> {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(false);
    }
    std::fs::write(path, text).map_err(Failure::about("write", path))?;
    Ok(true)
}

/// A checkout of Mazurka: the one that the user names, or the one that this program was built in. Otherwise the registry has it.
fn source() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("MAZURKA_SOURCE") {
        return Some(named.into());
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?.parent()?;
    here.join("crates/mazurka-std/Cargo.toml").exists().then(|| here.to_owned())
}
