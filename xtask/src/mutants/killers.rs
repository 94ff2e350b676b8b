//! The tests that have to notice a mutant: which there are, how long each takes, and which mutants each can reach.

use super::process::{End, Limits, run};
use super::selection::{CRATES, Mutated};
use super::workspace::Workspace;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The program with the integration tests of a crate.
const INTEGRATION: &str = "all";

/// Address space for a test.
pub const MEMORY: u64 = 3_000;

/// A test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Killer {
    /// Its package.
    pub package: String,
    /// The program it is in.
    pub program: PathBuf,
    /// The test's name; `None` for a program that is no collection of tests.
    pub test: Option<String>,
    /// The arguments of such a program.
    pub arguments: Vec<String>,
    /// How long it takes; `None` if it is too slow, or fails without a mutant.
    pub seconds: Option<f64>,
    /// The mutants it reaches.
    pub reached: BTreeSet<u32>,
}

impl Killer {
    /// What to call it.
    pub fn name(&self) -> String {
        match &self.test {
            Some(test) => format!("{} {test}", self.package),
            None => format!("{} {}", self.package, self.arguments.join(" ")),
        }
    }
}

/// What was measured before, and of which programs.
#[derive(Default, Serialize, Deserialize)]
struct Measured {
    /// The programs, with their size and the time they were built.
    programs: HashMap<PathBuf, String>,
    killers: Vec<Killer>,
}

/// Builds the tests and measures them, unless they are the same as before.
pub fn prepare(workspace: &Workspace, mutated: &[&Mutated], slowest: u64, jobs: usize, cache: &Path) -> Result<Vec<Killer>, String> {
    let programs = build(workspace, mutated)?;
    let known: Measured = fs::read(cache)
        .ok()
        .and_then(|t| serde_json::from_slice(&t).ok())
        .unwrap_or_default();
    let stamps: HashMap<PathBuf, String> = programs.iter().map(|(_, _, p)| (p.clone(), stamp(p))).collect();
    let mut killers = Vec::new();
    let mut fresh = Vec::new();
    for (package, name, program) in &programs {
        if known.programs.get(program) == Some(&stamps[program]) {
            killers.extend(known.killers.iter().filter(|k| k.program == *program).cloned());
        } else {
            list(workspace, package, name, program, mutated, &mut fresh)?;
        }
    }
    eprintln!("{} tests as before, {} to measure", killers.len(), fresh.len());
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(killer) = fresh.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let measured = measure(workspace, killer.clone(), slowest);
                    done.lock().unwrap_or_else(|e| e.into_inner()).push(measured);
                }
            });
        }
    });
    for measured in done.into_inner().unwrap_or_else(|e| e.into_inner()) {
        killers.push(measured?);
    }
    killers.sort_by_key(Killer::name);
    let measured = Measured { programs: stamps, killers };
    let text = serde_json::to_vec(&measured).map_err(|e| e.to_string())?;
    fs::write(cache, text).map_err(|e| e.to_string())?;
    Ok(measured.killers)
}

fn stamp(program: &Path) -> String {
    fs::metadata(program).map_or(String::new(), |m| format!("{} {:?}", m.len(), m.modified().ok()))
}

/// Builds the tests. Returns package, name and program of each.
fn build(workspace: &Workspace, mutated: &[&Mutated]) -> Result<Vec<(String, String, PathBuf)>, String> {
    let packages: BTreeSet<&str> = mutated.iter().flat_map(|m| m.tested_by.iter().copied()).collect();
    let mut arguments = vec![
        "test",
        "--no-run",
        "--lib",
        "--test",
        INTEGRATION,
        "--test",
        "killer",
        "--message-format=json-render-diagnostics",
    ];
    for package in &packages {
        arguments.extend(["--package", package]);
    }
    // With the switches there is much to compile: less is optimised than usual.
    let quickly: Vec<String> = CRATES
        .iter()
        .map(|c| c.name)
        .chain(["mazurka-laboratory"])
        .map(|name| format!("profile.test.package.{name}.opt-level=1"))
        .collect();
    for setting in &quickly {
        arguments.extend(["--config", setting]);
    }
    let output = workspace
        .cargo(&arguments)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("cargo test: {e}"))?;
    if !output.status.success() {
        return Err("the tests do not compile".to_owned());
    }
    let mut programs = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        let Some(program) = message["executable"].as_str() else { continue };
        let manifest = message["manifest_path"].as_str().unwrap_or("");
        let package = Path::new(manifest)
            .parent()
            .and_then(Path::file_name)
            .map(|n| n.to_string_lossy().into_owned());
        let name = message["target"]["name"].as_str().unwrap_or("").to_owned();
        if let Some(package) = package {
            programs.push((package, name, PathBuf::from(program)));
        }
    }
    programs.sort();
    Ok(programs)
}

fn list(
    workspace: &Workspace,
    package: &str,
    name: &str,
    program: &Path,
    mutated: &[&Mutated],
    killers: &mut Vec<Killer>,
) -> Result<(), String> {
    let killer = |test: Option<String>, arguments: Vec<String>| Killer {
        package: package.to_owned(),
        program: program.to_owned(),
        test,
        arguments,
        seconds: None,
        reached: BTreeSet::new(),
    };
    if name == "killer" {
        let runs: BTreeSet<&str> = mutated.iter().flat_map(|m| m.fuzz.iter().copied()).collect();
        killers.extend(runs.iter().map(|r| killer(None, r.split(' ').map(str::to_owned).collect())));
        return Ok(());
    }
    let output = std::process::Command::new(program)
        .args(["--list", "--format", "terse"])
        .current_dir(folder(workspace, package))
        .output()
        .map_err(|e| format!("{}: {e}", program.display()))?;
    let modules: BTreeSet<&str> = mutated.iter().flat_map(|m| m.tests.iter().copied()).collect();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Some(test) = line.strip_suffix(": test") else { continue };
        let takes_part = name != INTEGRATION || test.split("::").next().is_some_and(|module| modules.contains(module));
        if takes_part {
            killers.push(killer(Some(test.to_owned()), Vec::new()));
        }
    }
    Ok(())
}

/// The folder in which a package's tests run.
pub fn folder(workspace: &Workspace, package: &str) -> PathBuf {
    workspace.root.join("crates").join(package)
}

fn measure(workspace: &Workspace, mut killer: Killer, slowest: u64) -> Result<Killer, String> {
    static FILES: AtomicUsize = AtomicUsize::new(0);
    let file = workspace.target.join(format!("reached-{}", FILES.fetch_add(1, Ordering::Relaxed)));
    let _ = fs::remove_file(&file);
    let arguments = match &killer.test {
        Some(test) => vec!["--exact".to_owned(), test.clone(), "--test-threads=1".to_owned()],
        None => killer.arguments.clone(),
    };
    let limits = Limits {
        processor: slowest,
        memory: MEMORY,
    };
    let variables = [
        ("MUTANT_REACHED", file.display().to_string()),
        ("INSTA_WORKSPACE_ROOT", workspace.root.display().to_string()),
    ];
    let ran = run(&killer.program, &arguments, &folder(workspace, &killer.package), &variables, limits)?;
    match ran.end {
        End::Passed => {
            killer.seconds = Some(ran.seconds.max(0.01));
            let reached = fs::read_to_string(&file).unwrap_or_default();
            killer.reached = reached.lines().filter_map(|l| l.parse().ok()).collect();
        }
        End::Failed(how) => eprintln!("left out, because it fails without a mutant: {} ({how})", killer.name()),
        End::Exceeded(_) => eprintln!("left out, because it takes longer than {slowest} s: {}", killer.name()),
    }
    let _ = fs::remove_file(&file);
    Ok(killer)
}
