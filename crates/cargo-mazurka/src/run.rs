//! Commands of cargo, with the façades.

use crate::facade::Facade;
use crate::failure::Failure;
use crate::project;
use crate::toolchain::{Toolchain, cargo};
use crate::wrapper;
use serde_json::Value;
use std::ffi::OsString;
use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Runs a command of cargo.
pub(crate) fn cargo_with(command: &str, arguments: &[OsString], environment: &[(&str, OsString)]) -> Result<ExitCode, Failure> {
    let toolchain = Toolchain::detect()?;
    let target = project::target_folder(arguments)?;
    let ours = target.join("mazurka");
    let build = ours.join("build");
    let facade = {
        let _alone = alone(&ours)?;
        let facade = Facade::build(&toolchain, &target)?;
        forget_other_builds(&build, facade.fingerprint()?)?;
        facade
    };
    let given = |name: &str| {
        let before = arguments.iter().take_while(|argument| *argument != "--");
        before.into_iter().any(|argument| {
            let text = argument.to_string_lossy();
            text == name || text.starts_with(&format!("{name}="))
        })
    };
    let mut run = Command::new(cargo());
    run.arg(command);
    if command == "nextest" {
        run.args(arguments.first());
    }
    // Without a target cargo does not tell code that runs at compile time, which needs the real `std`, from code under test.
    if !given("--target") {
        run.args(["--target", &toolchain.host]);
    }
    if !given("--target-dir") {
        run.arg("--target-dir").arg(&build);
    }
    run.args(arguments.iter().skip(usize::from(command == "nextest")));
    wrapper::prepare(&mut run, &facade)?;
    run.env("MAZURKA_SCHEDULES", ours.join("schedules"))
        .env("MAZURKA_COMMAND", "cargo mazurka");
    run.envs(environment.iter().map(|(name, value)| (name, value)));
    let status = run.status().map_err(|e| Failure::new(format!("cannot run cargo: {e}")))?;
    Ok(status
        .code()
        .and_then(|code| u8::try_from(code).ok())
        .map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Waits until no other process prepares a build in this folder. It is ours until the file is dropped.
fn alone(ours: &Path) -> Result<File, Failure> {
    std::fs::create_dir_all(ours).map_err(Failure::about("make", ours))?;
    let path = ours.join("lock");
    let file = File::create(&path).map_err(Failure::about("write", &path))?;
    file.lock().map_err(Failure::about("lock", &path))?;
    Ok(file)
}

/// What was compiled against other façades cannot be used, and cargo does not know.
fn forget_other_builds(build: &Path, fingerprint: u64) -> Result<(), Failure> {
    let stamp = build.join("facade");
    let text = format!("{fingerprint:016x}\n");
    if std::fs::read_to_string(&stamp).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if build.exists() {
        std::fs::remove_dir_all(build).map_err(Failure::about("remove", build))?;
    }
    std::fs::create_dir_all(build).map_err(Failure::about("make", build))?;
    std::fs::write(&stamp, text).map_err(Failure::about("write", &stamp))
}

/// Runs the schedule of a failed test again.
pub(crate) fn replay(file: &Path, arguments: &[OsString]) -> Result<ExitCode, Failure> {
    let file = std::path::absolute(file).map_err(Failure::about("find", file))?;
    let text = std::fs::read_to_string(&file).map_err(Failure::about("read", &file))?;
    let schedule: Value = serde_json::from_str(&text).map_err(|e| Failure::new(format!("{} is not a schedule: {e}", file.display())))?;
    let Some((_, test)) = schedule["program"].as_str().and_then(|name| name.split_once("::")) else {
        return Err(Failure::new(format!("{} is not the schedule of a Rust test", file.display())));
    };
    let mut all: Vec<OsString> = arguments.to_vec();
    if !all.iter().any(|argument| argument == "--") {
        all.push("--".into());
    }
    all.extend(["--exact", test, "--nocapture", "--include-ignored"].map(OsString::from));
    cargo_with("test", &all, &[("MAZURKA_REPLAY", file.into())])
}

/// Runs the tests, and names the pages that they wrote.
pub(crate) fn report(arguments: &[OsString]) -> Result<ExitCode, Failure> {
    let folder = project::target_folder(arguments)?.join("mazurka").join("reports");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(Failure::about("remove", &folder))?;
    }
    let mut all: Vec<OsString> = arguments.to_vec();
    // One test that fails must not keep other programs of tests from theirs.
    let options = all.iter().position(|argument| argument == "--").unwrap_or(all.len());
    if !all[..options].iter().any(|argument| argument == "--no-fail-fast") {
        all.insert(options, "--no-fail-fast".into());
    }
    let code = cargo_with("test", &all, &[("MAZURKA_REPORT", folder.clone().into())])?;
    let mut pages: Vec<_> = match std::fs::read_dir(&folder) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(_) => Vec::new(),
    };
    pages.sort();
    if pages.is_empty() {
        eprintln!("no reports: none of the tests that ran is marked with `#[mazurka::test]`");
    }
    for page in pages {
        println!("report: {}", page.display());
    }
    Ok(code)
}

/// Removes all that was built.
pub(crate) fn clean() -> Result<(), Failure> {
    let ours = project::target_folder(&[])?.join("mazurka");
    if ours.exists() {
        std::fs::remove_dir_all(&ours).map_err(Failure::about("remove", &ours))?;
    }
    Ok(())
}
