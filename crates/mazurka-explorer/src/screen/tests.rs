//! The screen after some keys, on a terminal in memory.

use super::*;
use crate::Subject;
use mazurka_litmus::Machine;
use mazurka_report::Source;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

const TEXT: &str = "init fork[2];\nphilosopher[id<2]:[lock fork[id]]\n[lock fork[(id+1)%2]]\n[unlock fork[id]; unlock fork[(id+1)%2]]\n";

/// The screen after these keys.
fn screen(keys: &str, width: u16, height: u16) -> String {
    let program = Machine::parse_file("p.litmus", TEXT).expect("a program").boxed();
    let sources = [Source {
        name: "p.litmus".to_owned(),
        text: TEXT.to_owned(),
    }];
    let subject = Subject {
        program: &*program,
        title: "p.litmus".to_owned(),
        sources: &sources,
        deadlock_is_error: true,
        ascii: false,
    };
    let mut app = App::new(&subject, &[]);
    for c in keys.chars() {
        let code = if c == '\n' { KeyCode::Enter } else { KeyCode::Char(c) };
        assert!(app.key(KeyEvent::new(code, KeyModifiers::NONE), &|| false), "{c} does not quit");
    }
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal in memory");
    terminal.draw(|frame| drop(draw(&app, frame))).expect("nothing is written");
    terminal.backend().to_string()
}

#[test]
fn at_a_deadlock_everything_is_blocked_and_says_why() {
    let seen = screen("f", 140, 40);
    assert!(seen.contains("deadlock: philosopher 0 waits for"), "{seen}");
    assert!(seen.contains("- philosopher 0: lock fork[(id+1)%2] is blocked (fork[1]"), "{seen}");
    assert!(seen.contains("fork[1]: 0 → 2"), "what the last step changed: {seen}");
    assert!(seen.contains("race on"), "{seen}");
}

#[test]
fn two_steps_back_another_path_leads_to_a_good_end() {
    let seen = screen("fbb", 140, 40);
    assert!(seen.contains("0 steps taken, 2 possible"), "{seen}");
    let seen = screen("fbg", 140, 40);
    assert!(seen.contains("the end: every process has finished"), "{seen}");
    let seen = screen("fbn", 140, 40);
    assert!(seen.contains("deadlock:"), "forward goes where one came from: {seen}");
    let seen = screen("g", 80, 20);
    assert!(seen.contains("step  philosopher"), "the names of the columns stay in sight: {seen}");
    let seen = screen("gf", 140, 40);
    assert!(seen.contains("there is no failure from here"), "{seen}");
}

#[test]
fn searching_finds_steps_and_help_shows_keys() {
    let seen = screen("g/unlock\n", 140, 40);
    assert!(seen.contains("state after step 3"), "{seen}");
    let seen = screen("g/nothing\n", 140, 40);
    assert!(seen.contains("no step so far has `nothing`"), "{seen}");
    assert!(screen("?", 140, 40).contains("the shortest way from here to a failure"));
    assert!(screen("x", 140, 40).contains("no key here"));
    assert!(screen("r", 140, 40).contains("no race was found"));
}

#[test]
fn a_click_takes_a_step_and_looks_at_one() {
    let program = Machine::parse_file("p.litmus", TEXT).expect("a program").boxed();
    let subject = Subject {
        program: &*program,
        title: "p.litmus".to_owned(),
        sources: &[],
        deadlock_is_error: true,
        ascii: false,
    };
    let mut app = App::new(&subject, &[]);
    let mut terminal = Terminal::new(TestBackend::new(120, 30)).expect("a terminal in memory");
    // Clicks at the first place where this is written.
    let mut click = |app: &mut App<'_>, text: &str| {
        let mut spots = Spots::default();
        terminal.draw(|frame| spots = draw(app, frame)).expect("nothing is written");
        let screen = terminal.backend().to_string();
        let row = screen.lines().position(|line| line.contains(text)).expect(text);
        let line = screen.lines().nth(row).expect("that line");
        let column = line[..line.find(text).expect(text)].chars().count() - 1;
        let kind = MouseEventKind::Down(MouseButton::Left);
        let (column, row, modifiers) = (column as u16, row as u16, KeyModifiers::NONE);
        spots.obey(
            app,
            MouseEvent {
                kind,
                column,
                row,
                modifiers,
            },
        );
    };
    click(&mut app, "2 philosopher 1: lock fork[id]");
    click(&mut app, "2 philosopher 1: lock fork[(id+1)%2]");
    let processes: Vec<_> = app.here.recording.steps.iter().map(|step| step.process.as_str()).collect();
    assert_eq!((processes, app.looked_at), (vec!["philosopher 1"; 2], 2));
    click(&mut app, "1  lock fork[id]");
    assert_eq!(app.looked_at, 1);
    click(&mut app, "what can be done");
    assert_eq!(app.here.recording.steps.len(), 2, "a frame is nothing to click at");
}

#[test]
fn small_terminals_are_no_problem() {
    for (width, height) in [(1, 1), (10, 5), (20, 10), (60, 24), (99, 12), (300, 100)] {
        for keys in ["", "f", "f?", "g[[[", "/a"] {
            screen(keys, width, height);
        }
    }
}
