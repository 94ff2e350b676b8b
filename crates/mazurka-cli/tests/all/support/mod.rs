//! Running the built binary in a directory of its own.

#![allow(dead_code, reason = "each test file uses a part of this")]

pub mod json_schema;
pub mod xml;

use std::path::PathBuf;
use std::process::{Command, Output};

/// A fresh directory in which commands run.
pub struct Desk {
    dir: tempfile::TempDir,
}

/// What a command printed and how it ended.
pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Desk {
    pub fn new() -> Self {
        Desk {
            dir: tempfile::tempdir().expect("a temporary directory"),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file in the temporary directory");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// The binary, to be run here, in an environment that does not depend on who runs the tests.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        command.current_dir(self.dir.path()).env_remove("COLUMNS").env_remove("NO_COLOR");
        command
    }

    /// Runs the binary with the words of a line.
    /// The words of a command line; what stands between single quotes is one word.
    pub fn run(&self, line: &str) -> Said {
        let mut words = Vec::new();
        for (at, part) in line.split('\'').enumerate() {
            match at % 2 {
                0 => words.extend(part.split_whitespace()),
                _ => words.push(part),
            }
        }
        self.run_words(&words)
    }

    pub fn run_words(&self, words: &[&str]) -> Said {
        said(self.command().args(words).output().expect("the binary runs"))
    }
}

pub fn said(output: Output) -> Said {
    Said {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
        err: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
    }
}

impl Said {
    /// The JSON object on standard output.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e} in {}{}", self.out, self.err))
    }

    /// Everything that a person sees, with times and memory replaced.
    pub fn seen(&self) -> String {
        let err = if self.err.is_empty() {
            String::new()
        } else {
            format!("--- stderr\n{}", timeless(&self.err))
        };
        format!("{}{err}--- exit {}\n", timeless(&self.out), self.code)
    }
}

/// Replaces what differs from run to run: times and memory.
pub fn timeless(text: &str) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        for at in 1..words.len() {
            let unit = words[at].trim_end_matches(['\n', ',', ';']).to_owned();
            let number = words[at - 1].chars().all(|c| c.is_ascii_digit() || c == '.') && !words[at - 1].is_empty();
            if number && ["ms", "s", "MB", "kB", "GB"].contains(&unit.as_str()) {
                words[at - 1] = "N".to_owned();
                if ["ms", "s"].contains(&unit.as_str()) {
                    words[at] = words[at].replacen(&unit, "time", 1);
                } else {
                    words[at] = words[at].replacen(&unit, "memory", 1);
                }
            }
        }
        out.push_str(&unpadded(&words.join(" ")));
    }
    out
}

/// A last column of times is as wide as its longest one: two spaces before it stand for any number.
fn unpadded(line: &str) -> String {
    for last in ["N time\n", "time\n"] {
        if let Some(rest) = line.strip_suffix(last)
            && rest.ends_with("  ")
        {
            return format!("{}  {last}", rest.trim_end());
        }
    }
    line.to_owned()
}
