//! A solver as a process: what is written to it, what it answers, and what becomes of it.

use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Which solver, and how long it may think about one question.
#[derive(Clone, Debug)]
pub struct Setup {
    /// `z3`, `cvc5`, or the path of a program that reads SMT-LIB from its input; without it, the first of these that is installed.
    pub command: Option<String>,
    /// How long it may think.
    pub time: Duration,
}

impl Default for Setup {
    fn default() -> Self {
        Setup {
            command: None,
            time: Duration::from_secs(2),
        }
    }
}

/// What is wrong with a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolverError {
    /// None is installed.
    None,
    /// The one that was asked for cannot be started.
    Start(String, String),
    /// It has ended.
    Died(String),
    /// It says nothing for so long.
    Silent(Duration),
    /// It says what no solver should say.
    Strange(String),
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverError::None => f.write_str(
                "no solver is installed: `apt-get install z3`, `brew install z3` or `pip install z3-solver` brings one; `--solver` names another \
                 (z3, cvc5, or the path of a program that reads SMT-LIB)",
            ),
            SolverError::Start(command, why) => {
                write!(
                    f,
                    "the solver `{command}` cannot be started: {why}; `--solver` takes z3, cvc5, or the path of a program that reads SMT-LIB"
                )
            }
            SolverError::Silent(time) => write!(f, "the solver says nothing for {} s", time.as_secs()),
            SolverError::Died(last) if last.is_empty() => f.write_str("the solver ended in the middle of its work"),
            SolverError::Died(last) => write!(f, "the solver ended in the middle of its work; the last it said was: {last}"),
            SolverError::Strange(said) => write!(f, "the solver says what is not understood: {said}"),
        }
    }
}

impl std::error::Error for SolverError {}

/// A solver that runs.
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    patience: Duration,
}

/// Solvers that are looked for.
const KNOWN: [&str; 2] = ["z3", "cvc5"];

impl Process {
    /// Starts it and sees whether it answers.
    pub fn start(setup: &Setup) -> Result<Self, SolverError> {
        let mut process = match &setup.command {
            Some(command) => Process::spawn(command, setup.time).map_err(|error| SolverError::Start(command.clone(), error.to_string()))?,
            None => {
                let mut found = KNOWN.iter().filter_map(|command| Process::spawn(command, setup.time).ok());
                found.next().ok_or(SolverError::None)?
            }
        };
        process.prepare()?;
        let hello = process.ask("(echo \"ready\")\n")?;
        if hello.trim_matches('"') != "ready" {
            return Err(SolverError::Strange(hello));
        }
        Ok(process)
    }

    fn spawn(command: &str, time: Duration) -> std::io::Result<Self> {
        let name = std::path::Path::new(command)
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or(command);
        let millis = time.as_millis().max(1);
        let arguments = if name.starts_with("z3") {
            vec!["-in".to_owned(), "-smt2".to_owned(), format!("-t:{millis}")]
        } else if name.starts_with("cvc5") {
            vec![
                "--lang=smt2".to_owned(),
                "--incremental".to_owned(),
                format!("--tlimit-per={millis}"),
            ]
        } else {
            Vec::new()
        };
        let mut child = Command::new(command)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (input, output) = match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => (input, output),
            _ => return Err(std::io::Error::other("it has no input or no output")),
        };
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { break };
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Process {
            child,
            input,
            lines,
            // A solver that does not keep its time is given as much again, and some to start with.
            patience: time * 3 + Duration::from_secs(3),
        })
    }

    fn prepare(&mut self) -> Result<(), SolverError> {
        self.tell("(set-option :print-success false)\n(set-option :produce-models true)\n(set-option :produce-unsat-cores true)\n")?;
        self.tell("(set-option :global-declarations true)\n(set-logic ALL)\n")
    }

    /// Waits until it has said all that it has to say.
    pub fn settle(&mut self) -> Result<(), SolverError> {
        self.tell("(echo \"settled\")\n")?;
        self.input.flush().map_err(|_| self.died(""))?;
        loop {
            match self.lines.recv_timeout(self.patience) {
                Ok(line) if line.trim().trim_matches('"') == "settled" => return Ok(()),
                Ok(_) => {}
                Err(_) => return Err(self.died("")),
            }
        }
    }

    /// Makes it forget everything.
    pub fn reset(&mut self) -> Result<(), SolverError> {
        self.tell("(reset)\n")?;
        self.prepare()
    }

    /// Tells it something that it does not answer.
    pub fn tell(&mut self, text: &str) -> Result<(), SolverError> {
        if text.is_empty() {
            return Ok(());
        }
        self.input.write_all(text.as_bytes()).map_err(|_| self.died(""))
    }

    /// Asks it something; its answer is an atom or a list, perhaps over several lines.
    pub fn ask(&mut self, text: &str) -> Result<String, SolverError> {
        self.tell(text)?;
        self.input.flush().map_err(|_| self.died(""))?;
        let mut answer = String::new();
        loop {
            match self.lines.recv_timeout(self.patience) {
                Ok(line) => {
                    answer.push_str(&line);
                    if super::text::balanced(&answer) && !answer.trim().is_empty() {
                        break;
                    }
                    answer.push('\n');
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(SolverError::Silent(self.patience));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.died(&answer)),
            }
        }
        let answer = answer.trim().to_owned();
        if answer.starts_with("(error") {
            return Err(SolverError::Strange(answer));
        }
        Ok(answer)
    }

    fn died(&self, last: &str) -> SolverError {
        SolverError::Died(last.trim().to_owned())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
