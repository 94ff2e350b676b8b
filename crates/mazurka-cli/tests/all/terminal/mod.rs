//! What a person sees on a terminal: the line of progress, colours, and single keys.

#![cfg(unix)]

mod pty;

use crate::support::Desk;
use pty::{Pty, Screen};

/// A search that goes on until it is stopped, long enough for several lines of progress.
const LONG: &str = "check litmus:writers --set n=14 --algorithm optimal --timeout 1500ms";

/// The updates of the line of progress in what was written, each without what blanks the one before.
fn updates(written: &str) -> Vec<String> {
    // A narrow line ends somewhere within the rate; the verdict, which counts executions too, is on other lines.
    let progress = |part: &&str| part.contains(" executions") && !part.contains('\n');
    written
        .split('\r')
        .filter(progress)
        .map(|part| part.trim_end().to_owned())
        .collect()
}

#[test]
fn progress_is_one_line_that_is_gone_at_the_end() {
    for width in [30, 80, 160] {
        let desk = Desk::new();
        let (code, written, _) = Pty::run(&desk, LONG, width, &[]).finish();
        assert_eq!(code, 3, "{written}");
        let updates = updates(&written);
        assert!(updates.len() >= 2, "a few times a second: {written:?}");
        for update in &updates {
            assert!(update.chars().count() < usize::from(width), "{update:?} does not fit into {width}");
        }
        // Until the verdict the cursor never leaves the first line, and at the end nothing of the progress is left.
        let mut screen = Screen::new(width);
        let (before, after) = written.split_at(written.find("incomplete").expect("a verdict"));
        screen.show(before);
        assert_eq!(screen.lines().len(), 1, "{:?}", screen.lines());
        screen.show(after);
        let lines = screen.lines();
        assert!(lines[0].starts_with("incomplete: --timeout"), "{lines:?}");
        assert!(!lines.iter().any(|l| l.contains("/s")), "{lines:?}");
    }
}

#[test]
fn the_line_says_executions_rate_depth_and_total() {
    let desk = Desk::new();
    let (_, written, _) = Pty::run(&desk, LONG, 160, &[]).finish();
    let last = updates(&written).pop().expect("progress");
    for part in [" executions · ", "/s · ", "depth ", " · "] {
        assert!(last.contains(part), "{last}");
    }
    assert!(
        last.contains("of about") && last.contains(" ± ") || last.contains("total unknown"),
        "{last}"
    );
    let (_, written, _) = Pty::run(&desk, &format!("{LONG} --ascii"), 160, &[]).finish();
    assert!(written.is_ascii(), "{written:?}");
    assert!(updates(&written).len() >= 2);
}

#[test]
fn with_two_searches_in_turns_the_line_says_so() {
    let desk = Desk::new();
    let (_, written, _) = Pty::run(&desk, "check litmus:writers --set n=14 --timeout 1s", 200, &[]).finish();
    assert!(
        updates(&written)
            .iter()
            .all(|u| u.ends_with("merging, in turns, may end it sooner")),
        "{written:?}"
    );
}

#[test]
fn colours_are_for_terminals_and_for_those_who_want_them() {
    let desk = Desk::new();
    let colourful = |environment: &[(&str, &str)]| {
        let (_, written, _) = Pty::run(&desk, "check litmus:philosophers", 120, environment).finish();
        assert!(written.contains("deadlock"), "{written}");
        written.contains('\u{1b}')
    };
    assert!(colourful(&[]));
    assert!(!colourful(&[("NO_COLOR", "1")]));
    assert!(colourful(&[("NO_COLOR", "")]), "an empty NO_COLOR is none");
    assert!(!colourful(&[("TERM", "dumb")]));
    assert!(!desk.run("check litmus:philosophers").out.contains('\u{1b}'), "a pipe");
}

#[test]
fn lines_are_as_wide_as_the_terminal() {
    let desk = Desk::new();
    for width in [30_u16, 60, 90, 200] {
        let (_, written, _) = Pty::run(&desk, "check litmus:philosophers --set n=5", width, &[("NO_COLOR", "1")]).finish();
        let table = written.lines().skip(1).take_while(|l| !l.contains("schedule:"));
        let widest = table.map(|l| l.trim_end().chars().count()).max().unwrap_or(0);
        assert!(widest <= usize::from(width), "{widest} in {width}:\n{written}");
    }
}

#[test]
fn nobody_is_shown_progress_who_did_not_ask_for_it() {
    let desk = Desk::new();
    for option in ["--quiet", "--json", "--json-lines"] {
        let (_, written, _) = Pty::run(&desk, &format!("{LONG} {option}"), 100, &[]).finish();
        assert_eq!(updates(&written), [] as [String; 0], "{option}");
    }
    // With the text in a pipe the line still goes to the terminal, and nowhere else.
    let (code, written, piped) = Pty::run_piped(&desk, LONG, 100).finish();
    assert_eq!(code, 3);
    assert!(updates(&written).len() >= 2, "{written:?}");
    assert!(
        piped.starts_with("incomplete") && !piped.contains('\r') && !piped.contains('\u{1b}'),
        "{piped:?}"
    );
}

#[test]
fn single_keys_walk_through_a_schedule() {
    let desk = Desk::new();
    desk.run("check litmus:philosophers --algorithm optimal --quiet --save-schedule s.json");
    let mut pty = Pty::run(
        &desk,
        "replay litmus:philosophers s.json --step",
        100,
        &[("NO_COLOR", "1"), ("TERM", "dumb")],
    );
    pty.wait_for("keys: n next, b back, r to the race, s state, e what else was enabled, q quit");
    pty.wait_for("at the start, 3 steps to go");
    let mut press = |keys: &str, expected: &str| {
        pty.press(keys);
        pty.wait_for(expected)
    };
    press("n", "1/3  philosopher0: lock fork[0]");
    press("n", "2/3  philosopher1: lock fork[1]");
    press("b", "1/3  philosopher0: lock fork[0]");
    press("\u{1b}[C", "2/3  philosopher1: lock fork[1]");
    press("\u{1b}[D", "1/3  philosopher0: lock fork[0]");
    press(" ", "2/3  philosopher1: lock fork[1]");
    press("s", "* fork[1] = 2");
    press("e", "instead of this step:");
    press("n", "a cycle: philosopher0");
    press("r", "● 2/3  philosopher1: lock fork[1]");
    press("r", "3/3  philosopher2: lock fork[2]");
    press("x", "unknown key `x`");
    pty.press("q");
    let (code, rest, _) = pty.finish();
    assert_eq!(code, 1, "the schedule fails: {rest}");
}

#[test]
fn escape_and_ctrl_c_end_the_walk_and_leave_the_terminal_as_it_was() {
    let desk = Desk::new();
    desk.run("check litmus:philosophers --algorithm optimal --quiet --save-schedule s.json");
    for key in ["\u{3}", "q"] {
        let mut pty = Pty::run(&desk, "replay litmus:philosophers s.json --step", 100, &[("TERM", "dumb")]);
        pty.wait_for("steps to go");
        pty.press("n");
        pty.wait_for("1/3");
        pty.press(key);
        for _ in 0..500 {
            if pty.echoes() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        assert!(pty.echoes(), "raw mode is left");
        assert_eq!(pty.finish().0, 1);
    }
}

#[test]
fn a_walk_fills_the_screen_and_leaves_the_terminal_as_it_was() {
    let desk = Desk::new();
    let mut pty = Pty::run(&desk, "explore litmus:philosophers", 140, &[]);
    pty.wait_for("what can be done");
    pty.press("f");
    pty.wait_for("deadlock: ");
    pty.press("bb");
    pty.wait_for("steps taken, ");
    pty.press("g");
    pty.wait_for("every process has finished");
    pty.press("q");
    let (code, rest, _) = pty.finish();
    assert_eq!(code, 0, "{rest}");
}

#[test]
fn a_schedule_is_stepped_through_on_the_whole_screen() {
    let desk = Desk::new();
    desk.run("check litmus:philosophers --algorithm optimal --quiet --save-schedule s.json");
    let mut pty = Pty::run(&desk, "replay litmus:philosophers s.json --step", 140, &[]);
    pty.wait_for("deadlock: ");
    pty.press("q");
    assert_eq!(pty.finish().0, 1, "the schedule fails");
}
