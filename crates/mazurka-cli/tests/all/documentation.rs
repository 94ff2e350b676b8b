//! Every command in the README and the book is run, and what it prints is what the text shows.
//!
//! A block marked `console` has commands after `$ ` and what they print below. A command without output must not be refused. With
//! `UPDATE_DOCS=1` the outputs are written into the texts instead. Times and memory are those of the machine on which a text was
//! written: an output that differs in nothing else is left as it is.

use crate::support::{Desk, timeless};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The texts with commands.
fn texts() -> Vec<PathBuf> {
    let mut texts = vec![root().join("README.md")];
    let book = root().join("docs/src");
    let mut pages: Vec<PathBuf> = std::fs::read_dir(book).unwrap().map(|e| e.unwrap().path()).collect();
    pages.sort();
    texts.extend(pages.into_iter().filter(|p| p.extension().is_some_and(|e| e == "md")));
    texts
}

/// A directory with the examples, in which commands may leave files.
fn desk() -> Desk {
    let desk = Desk::new();
    for dir in ["examples", "examples/herd", "benchmarks/abs", "benchmarks/promela"] {
        std::fs::create_dir_all(desk.path(dir)).unwrap();
        for entry in std::fs::read_dir(root().join(dir)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                std::fs::copy(&path, desk.path(dir).join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    desk
}

/// Runs a command of the text; `None` for those that are not ours.
fn run(desk: &Desk, command: &str) -> Option<(i32, String)> {
    let words = command
        .strip_prefix("mazurka ")
        .or_else(|| command.strip_prefix("cargo run --release -- "))
        .or_else(|| command.strip_prefix("cargo run --release --features laboratory -- "))?;
    // Without a solver there are no tests to generate. CI installs one.
    if words.starts_with("tests ") && std::env::var("CI").is_err() && !has_solver() {
        return None;
    }
    let said = desk.run(words);
    Some((said.code, format!("{}{}", said.out, said.err)))
}

/// The outputs in the book are those of Z3.
fn has_solver() -> bool {
    std::process::Command::new("z3").arg("--version").output().is_ok()
}

/// The text with the outputs of its commands as they are now.
fn refreshed(text: &str, desk: &Desk) -> String {
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        if line.trim() != "```console" {
            continue;
        }
        while let Some(line) = lines.next_if(|l| l.trim() != "```") {
            let command = line.strip_prefix("$ ").unwrap_or_else(|| panic!("a command is expected: {line}"));
            out.push_str(line);
            out.push('\n');
            let mut shown = String::new();
            while let Some(line) = lines.next_if(|l| l.trim() != "```" && !l.starts_with("$ ")) {
                shown.push_str(line);
                shown.push('\n');
            }
            match run(desk, command) {
                Some((code, printed)) => {
                    assert_ne!(code, 2, "{command}\n{printed}");
                    let changed = !shown.is_empty() && timeless(&shown) != timeless(&printed);
                    out.push_str(if changed { &printed } else { &shown });
                }
                None => out.push_str(&shown),
            }
        }
    }
    out
}

#[test]
fn every_command_does_what_the_text_shows() {
    for path in texts() {
        let text = std::fs::read_to_string(&path).unwrap();
        let now = refreshed(&text, &desk());
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, now).unwrap();
        } else {
            assert_eq!(text, now, "{}: run with UPDATE_DOCS=1 and look at the difference", path.display());
        }
    }
}

#[test]
fn the_readme_has_the_two_commands() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let commands: Vec<&str> = readme.lines().filter_map(|l| l.strip_prefix("$ ")).collect();
    assert_eq!(commands[..2], ["cargo run --release -- check examples/bank.litmus", "./test"]);
    let ci = std::fs::read_to_string(root().join(".ci/run")).unwrap();
    assert!(ci.contains("./test"), "the second command is what CI runs");
}

#[test]
fn every_page_of_the_book_exists_and_is_in_its_summary() {
    let book = root().join("docs/src");
    let summary = std::fs::read_to_string(book.join("SUMMARY.md")).unwrap();
    let mut listed: Vec<String> = summary
        .split("](")
        .skip(1)
        .filter_map(|l| l.split_once(')'))
        .map(|(l, _)| l.to_owned())
        .collect();
    listed.sort();
    let mut pages: Vec<String> = std::fs::read_dir(&book)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".md") && name != "SUMMARY.md")
        .collect();
    pages.sort();
    assert_eq!(listed, pages);
}

/// The Markdown files of the repository point only at files that exist.
#[test]
fn links_lead_somewhere() {
    let mut texts = texts();
    texts.extend(["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|f| root().join(f)));
    for path in texts {
        let text = std::fs::read_to_string(&path).unwrap();
        for link in text.split("](").skip(1).filter_map(|l| l.split_once(')')).map(|(l, _)| l) {
            let file = link.split('#').next().unwrap();
            if !file.is_empty() && !file.contains("://") {
                assert!(path.parent().unwrap().join(file).exists(), "{}: {link}", path.display());
            }
        }
    }
}
