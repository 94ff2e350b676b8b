//! Between cargo and rustc: code under test is compiled with the façades.
//!
//! Cargo passes `--target` for code under test only, since it was told a target: procedural macros, build scripts and all they need keep the
//! real `std`.
//!
//! The crate `mazurka` and what is behind it come from the façades, whatever the user's manifest says. What cargo has compiled of it instead is never
//! used, so nothing is compiled: an empty crate takes its place.

use crate::facade::Facade;
use crate::failure::Failure;
use std::env;
use std::ffi::{OsStr, OsString};
use std::process::{Command, ExitCode};

/// What the wrapper has to pass on: `NAME=LIBRARY` and `FOLDER`, one in a line.
const EXTERNS: &str = "MAZURKA_EXTERNS";
const FOLDERS: &str = "MAZURKA_FOLDERS";
/// An empty source file.
const EMPTY: &str = "MAZURKA_EMPTY";
/// The façades, with the names that they stand for.
const FACADES: [(&str, &str); 2] = [("std", "mazurka_std"), ("core", "mazurka_corelib")];

/// Whether this process was started by cargo to run rustc.
pub(crate) fn is_wanted() -> bool {
    env::var_os(EXTERNS).is_some() && env::args_os().nth(1).is_some_and(|first| first != "mazurka")
}

/// Puts this program between cargo and rustc.
pub(crate) fn prepare(cargo: &mut Command, facade: &Facade) -> Result<(), Failure> {
    let wrapper = env::current_exe().map_err(|e| Failure::new(format!("cannot find this program: {e}")))?;
    let library = |name: &str| facade.libraries[name].display().to_string();
    let mut externs: Vec<String> = FACADES.iter().map(|(name, ours)| format!("{name}={}", library(ours))).collect();
    externs.extend(
        facade
            .libraries
            .iter()
            .filter(|(name, _)| !FACADES.iter().any(|(_, ours)| ours == name))
            .map(|(name, path)| format!("{name}={}", path.display())),
    );
    let folders: Vec<String> = facade.folders.iter().map(|folder| folder.display().to_string()).collect();
    // Examples in documentation are compiled by rustdoc, which nothing can be put before. Separated by a character that no path contains.
    let mut documentation: Vec<String> = env::var("RUSTDOCFLAGS")
        .iter()
        .flat_map(|flags| flags.split_whitespace())
        .map(str::to_owned)
        .collect();
    for (name, ours) in FACADES.iter().copied().chain([("mazurka", "mazurka")]) {
        documentation.extend(["--extern".to_owned(), format!("{name}={}", library(ours))]);
    }
    documentation.extend(folders.iter().flat_map(|folder| ["-L".to_owned(), format!("dependency={folder}")]));
    documentation.extend(["--cfg".to_owned(), "mazurka".to_owned()]);
    cargo
        .env("RUSTC_WRAPPER", wrapper)
        .env("CARGO_ENCODED_RUSTDOCFLAGS", documentation.join("\x1f"))
        .env(EXTERNS, externs.join("\n"))
        .env(EMPTY, &facade.empty)
        .env(FOLDERS, folders.join("\n"));
    Ok(())
}

/// Runs rustc as cargo wants it, with the façades if it compiles code under test.
pub(crate) fn run() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let Some(rustc) = arguments.next() else {
        return ExitCode::FAILURE;
    };
    let arguments: Vec<OsString> = arguments.collect();
    let list = |name: &str| env::var(name).unwrap_or_default().lines().map(str::to_owned).collect::<Vec<_>>();
    let who = Compiled {
        package: env::var("CARGO_PKG_NAME").unwrap_or_default(),
        repository: env::var("CARGO_PKG_REPOSITORY").unwrap_or_default(),
        primary: env::var_os("CARGO_PRIMARY_PACKAGE").is_some(),
    };
    let mut arguments = rewritten(arguments, &who, &list(EXTERNS), &list(FOLDERS));
    if let Some(empty) = env::var_os(EMPTY).filter(|_| who.is_replaced(&list(EXTERNS)))
        && let Some(source) = source(&mut arguments)
    {
        *source = empty;
    }
    let mut command = Command::new(&rustc);
    command.args(arguments).env_remove(EXTERNS);
    match command.status() {
        Ok(status) => status
            .code()
            .and_then(|code| u8::try_from(code).ok())
            .map_or(ExitCode::FAILURE, ExitCode::from),
        Err(e) => {
            eprintln!("error: cannot run {}: {e}", rustc.display());
            ExitCode::FAILURE
        }
    }
}

/// What is compiled.
struct Compiled {
    package: String,
    repository: String,
    /// Whether it is a package of the user's workspace.
    primary: bool,
}

impl Compiled {
    /// Whether it belongs to Mazurka, and is never under test.
    fn is_ours(&self) -> bool {
        let name = self.package == "mazurka" || self.package.starts_with("mazurka-");
        name && self.repository == env!("CARGO_PKG_REPOSITORY")
    }

    /// Whether another library is used instead.
    fn is_replaced(&self, externs: &[String]) -> bool {
        let name = format!("{}=", self.package.replace('-', "_"));
        self.is_ours() && !self.primary && externs.iter().any(|line| line.starts_with(&name))
    }
}

/// The source file, if code under test is compiled.
fn source(arguments: &mut [OsString]) -> Option<&mut OsString> {
    if !arguments.iter().any(is_target) {
        return None;
    }
    arguments.iter_mut().find(|argument| {
        let text = argument.to_string_lossy();
        text.ends_with(".rs") && !text.starts_with('-')
    })
}

fn is_target(argument: &OsString) -> bool {
    argument == "--target" || argument.to_string_lossy().starts_with("--target=")
}

/// The arguments for rustc.
fn rewritten(arguments: Vec<OsString>, who: &Compiled, externs: &[String], folders: &[String]) -> Vec<OsString> {
    if !arguments.iter().any(is_target) {
        return arguments;
    }
    let pairs: Vec<(&str, &str)> = externs.iter().filter_map(|line| line.split_once('=')).collect();
    let is_facade = |name: &str| FACADES.iter().any(|(facade, _)| *facade == name);
    let ours = |name: &str| pairs.iter().find(|(known, _)| *known == name && !is_facade(name));
    let mut out: Vec<OsString> = Vec::new();
    let mut replaced: Vec<&str> = Vec::new();
    let mut after_extern = false;
    for argument in arguments {
        let name = argument
            .to_str()
            .and_then(|text| text.split_once('='))
            .map(|(name, _)| name.to_owned());
        match name.as_deref().filter(|_| after_extern).and_then(ours) {
            Some((name, path)) => {
                out.push(format!("{name}={path}").into());
                replaced.push(name);
            }
            None => out.push(argument.clone()),
        }
        after_extern = argument == "--extern";
    }
    if !who.is_ours() {
        for (name, path) in pairs.iter().filter(|(name, _)| is_facade(name)) {
            out.extend(["--extern".into(), OsString::from(format!("{name}={path}"))]);
        }
        // Who does not depend on it can use it too: plain `cargo test` never compiles that code.
        if let Some((name, path)) = ours("mazurka").filter(|_| who.primary && !replaced.contains(&"mazurka")) {
            out.extend(["--extern".into(), OsString::from(format!("{name}={path}"))]);
        }
        out.extend(["--cfg", "mazurka", "--check-cfg", "cfg(mazurka)"].map(OsString::from));
    }
    for folder in folders {
        out.push(OsStr::new("-L").to_owned());
        out.push(format!("dependency={folder}").into());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(package: &str, repository: &str) -> Compiled {
        Compiled {
            package: package.to_owned(),
            repository: repository.to_owned(),
            primary: false,
        }
    }

    fn rewriting(arguments: &str, who: &Compiled) -> String {
        let externs = ["std=s.rlib", "core=c.rlib", "mazurka=m.rlib"].map(str::to_owned);
        let arguments = arguments.split(' ').map(OsString::from).collect();
        let out = rewritten(arguments, who, &externs, &["deps".to_owned()]);
        let out: Vec<String> = out.iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
        out.join(" ")
    }

    #[test]
    fn code_under_test_gets_the_facades_and_our_mazurka() {
        let text = rewriting("a.rs --target x --extern mazurka=other.rlib --extern b=b.rlib", &of("a", ""));
        assert_eq!(
            text,
            "a.rs --target x --extern mazurka=m.rlib --extern b=b.rlib --extern std=s.rlib --extern core=c.rlib \
             --cfg mazurka --check-cfg cfg(mazurka) -L dependency=deps"
        );
    }

    #[test]
    fn code_that_runs_at_compile_time_keeps_the_real_std() {
        assert_eq!(rewriting("build.rs --extern b=b.rlib", &of("a", "")), "build.rs --extern b=b.rlib");
    }

    #[test]
    fn a_model_of_ours_keeps_the_real_std_and_gets_our_runtime() {
        let ours = of("mazurka-tokio", env!("CARGO_PKG_REPOSITORY"));
        let text = rewriting("a.rs --target=x --extern mazurka=other.rlib", &ours);
        assert_eq!(text, "a.rs --target=x --extern mazurka=m.rlib -L dependency=deps");
        assert!(!of("mazurka-tokio", "https://example.org").is_ours());
    }
}
