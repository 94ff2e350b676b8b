//! Where the output goes: pipes that close, disks that are full, widths that were asked for.

#![cfg(unix)]

use crate::support::Desk;
use std::io::Read;
use std::process::Stdio;

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let desk = Desk::new();
    desk.run("check litmus:philosophers --quiet --save-schedule s.json");
    for (line, code) in [
        ("check litmus:philosophers", 1),
        ("check litmus:writers --set n=6 --final-states --algorithm optimal", 0),
        ("check litmus:writers --set n=6 --final-states --algorithm optimal --json", 0),
        ("replay litmus:philosophers s.json", 1),
        ("explain litmus:writers", 0),
        ("compare litmus:readers --set n=3", 0),
        ("list", 0),
        ("help check", 0),
    ] {
        let mut command = desk.command();
        command.args(line.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Read a little, then close the pipe, as `head -c 1` does.
        let mut out = child.stdout.take().unwrap();
        let _ = out.read(&mut [0]);
        drop(out);
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(said, "", "{line}");
        assert_eq!(child.wait().unwrap().code(), Some(code), "{line}");
    }
}

#[test]
fn a_reader_of_errors_may_go_away_too() {
    let desk = Desk::new();
    desk.write("bad.pml", &"$ ".repeat(20_000));
    for line in ["check bad.pml", "check litmus:nothing", "check --bogus"] {
        // Nobody ever reads what is written into this pipe.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = desk.command();
        let status = command.args(line.split_whitespace()).stderr(writer).status().unwrap();
        assert_eq!(status.code(), Some(2), "{line}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let desk = Desk::new();
    let full = || Stdio::from(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    for words in [&["check", "litmus:readers"][..], &["--help"], &["check", "--help"], &["--version"]] {
        let output = desk.command().args(words).stdout(full()).output().unwrap();
        let said = crate::support::said(output);
        assert_eq!(
            (said.code, said.err.as_str()),
            (2, "error: cannot write to standard output: no space left on device\n"),
            "{words:?}"
        );
    }
    let said = desk.run("check litmus:readers --report /dev/full");
    assert_eq!(
        (said.code, said.err.as_str()),
        (2, "error: cannot write `/dev/full`: no space left on device\n")
    );
}

#[test]
fn text_is_as_wide_as_was_asked_for() {
    let desk = Desk::new();
    for (line, widths) in [
        ("check litmus:philosophers --set n=4", &[20, 40, 60, 100, 300][..]),
        ("explain litmus:incr", &[80, 100, 300][..]),
    ] {
        for &width in widths {
            let said = desk.run(&format!("{line} --width {width}"));
            assert_eq!(said.err, "", "{line} --width {width}");
            // Verdicts and commands to copy are not broken.
            let whole = |l: &&str| l.contains(".json") || l.starts_with("violation");
            let longest = said.out.lines().filter(|l| !whole(l)).map(|l| l.chars().count()).max();
            assert!(longest.unwrap_or(0) <= width.max(40), "{line} in {width} columns:\n{}", said.out);
        }
    }
}
