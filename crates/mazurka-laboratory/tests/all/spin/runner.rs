//! Asks SPIN about a model.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What SPIN says.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// States stored.
    pub stored: u64,
    /// Transitions: states stored and matched.
    pub transitions: u64,
    /// The first error, if it found one.
    pub error: Option<String>,
    /// The search was cut at the depth limit.
    pub cut: bool,
    /// Process type and line of every statement that was never reached.
    pub unreached: BTreeSet<(String, u32)>,
}

/// Whether a state where nothing can move is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ends {
    /// As SPIN does by itself.
    Checked,
    /// `-E`.
    Ignored,
}

/// A verifier that SPIN made for a model.
pub struct Verifier {
    directory: PathBuf,
}

/// Whether `spin` and `gcc` can be run. Says so visibly if not; in CI that is a failure.
pub fn is_installed() -> bool {
    let missing: Vec<&str> = [("spin", "-V"), ("gcc", "--version")]
        .into_iter()
        .filter(|(tool, flag)| {
            let status = Command::new(tool).arg(flag).stdout(Stdio::null()).stderr(Stdio::null()).status();
            !status.is_ok_and(|s| s.success())
        })
        .map(|(tool, _)| tool)
        .collect();
    if missing.is_empty() {
        return true;
    }
    let missing = missing.join(" and ");
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "{missing} must be installed in CI: apt-get install -y spin gcc"
    );
    eprintln!("SKIPPED: the comparison with SPIN needs {missing}; on Debian: apt-get install -y spin gcc");
    false
}

fn run(program: &str, arguments: &[&str], directory: &Path) -> Result<(bool, String), String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .output()
        .map_err(|e| format!("{program}: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    Ok((output.status.success(), text))
}

/// Has SPIN make a verifier without any reduction. `Err` is SPIN's complaint about the model.
///
/// `-o1 -o2 -o3` switch off what SPIN does at translation time to store fewer states: data flow, dead variables, statement merging.
pub fn compile(model: &Path, directory: &Path) -> Result<Verifier, String> {
    let (good, text) = run("spin", &["-a", "-o1", "-o2", "-o3", &model.to_string_lossy()], directory)?;
    if !good || !directory.join("pan.c").exists() {
        return Err(text);
    }
    let arguments = [
        "-O0",
        "-w",
        "-DNOREDUCE",
        "-DSAFETY",
        "-DNOCLAIM",
        "-DVECTORSZ=4096",
        "-o",
        "pan",
        "pan.c",
    ];
    let (good, text) = run("gcc", &arguments, directory)?;
    assert!(good, "SPIN's verifier does not compile: {text}");
    Ok(Verifier {
        directory: directory.to_owned(),
    })
}

/// What is asked of executions without end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// The claim of the model, or that no cycle goes through an `accept` label.
    Acceptance,
    /// That each cycle goes through a `progress` label.
    Progress,
}

/// Has SPIN make a verifier for executions without end, without any reduction.
pub fn compile_for(question: Question, model: &Path, directory: &Path) -> Result<Verifier, String> {
    let (good, text) = run("spin", &["-a", "-o1", "-o2", "-o3", &model.to_string_lossy()], directory)?;
    if !good || !directory.join("pan.c").exists() || text.to_lowercase().contains("error") {
        return Err(text);
    }
    let mut arguments = vec!["-O0", "-w", "-DNOREDUCE", "-DVECTORSZ=4096", "-DNFAIR=4", "-o", "pan", "pan.c"];
    if question == Question::Progress {
        arguments.push("-DNP");
    }
    let (good, text) = run("gcc", &arguments, directory)?;
    assert!(good, "SPIN's verifier does not compile: {text}");
    Ok(Verifier {
        directory: directory.to_owned(),
    })
}

/// One random run of SPIN's simulator, step by step.
pub fn simulate(model: &Path, directory: &Path) -> Result<String, String> {
    let (good, text) = run("spin", &["-p", "-n1", &model.to_string_lossy()], directory)?;
    if good { Ok(text) } else { Err(text) }
}

impl Verifier {
    /// Whether it finds an execution that violates what it was made for; `None` if it was cut, or stumbled over something else.
    pub fn violated(&self, question: Question, fair: bool) -> Result<Option<bool>, String> {
        let mut arguments = vec!["-m1000000", "-w18"];
        arguments.push(if question == Question::Progress { "-l" } else { "-a" });
        arguments.extend(fair.then_some("-f"));
        let (_, text) = run("./pan", &arguments, &self.directory)?;
        if !text.contains("errors: ") || text.contains("max search depth too small") {
            return Ok(None);
        }
        let error = text.lines().find_map(|line| line.strip_prefix("pan:1: "));
        let words = [
            "acceptance cycle",
            "accept stutter",
            "non-progress cycle",
            "end state in claim",
            "assertion violated",
        ];
        Ok(match error {
            None => Some(false),
            Some(error) if words.iter().any(|w| error.starts_with(w)) => Some(true),
            Some(_) => None,
        })
    }

    /// Runs it until the first error.
    pub fn run(&self, ends: Ends) -> Result<Answer, String> {
        let mut arguments = vec!["-m1000000", "-w18"];
        if ends == Ends::Ignored {
            arguments.push("-E");
        }
        let (_, text) = run("./pan", &arguments, &self.directory)?;
        let count = |what: &str| {
            text.lines()
                .find(|line| line.contains(what))
                .and_then(|line| line.split_whitespace().next())
                .and_then(|number| number.parse::<f64>().ok())
                .map(|number| number as u64)
                .ok_or_else(|| text.clone())
        };
        Ok(Answer {
            stored: count("states, stored")?,
            transitions: count("transitions (=")?,
            error: text.lines().find_map(|line| line.strip_prefix("pan:1: ")).map(str::to_owned),
            cut: text.contains("max search depth too small"),
            unreached: unreached(&text),
        })
    }
}

/// Reads `unreached in proctype p` and the lines `<tab>file:12, state 3, "x = 1"` after it.
fn unreached(text: &str) -> BTreeSet<(String, u32)> {
    let mut part = String::new();
    let mut found = BTreeSet::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("unreached in ") {
            part = name.trim_start_matches("proctype ").to_owned();
        } else if let Some((place, _)) = line.strip_prefix('\t').and_then(|l| l.split_once(", state "))
            && let Some(number) = place.rsplit(':').next().and_then(|n| n.parse().ok())
        {
            found.insert((part.clone(), number));
        }
    }
    found
}
