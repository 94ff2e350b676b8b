//! Walking through a concurrent program by hand, full-screen in a terminal.
//!
//! `app` is what keys do, `screen` what is drawn; neither needs a terminal, so both are tested without one. What a step looks like is decided by
//! `mazurka-report`, as everywhere.

mod app;
mod mouse;
mod screen;

use app::App;
use mazurka_core::{AnyProgram, Transition};
use mazurka_report::Source;
use mouse::{Capture, Spots};
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use std::io;
use std::time::Duration;

/// What is explored.
pub struct Subject<'p> {
    /// The program.
    pub program: &'p dyn AnyProgram,
    /// What the user calls it.
    pub title: String,
    /// Its texts.
    pub sources: &'p [Source],
    /// Whether processes that wait for ever are a failure.
    pub deadlock_is_error: bool,
    /// Use no characters outside ASCII.
    pub ascii: bool,
}

/// Takes over the terminal until the user has seen enough. The walk begins after these steps.
///
/// # Errors
/// If the terminal cannot be drawn on or read from.
pub fn run(subject: &Subject<'_>, steps: &[Transition]) -> io::Result<()> {
    let mut terminal = ratatui::try_init()?;
    let result = (|| {
        let mut app = App::new(subject, steps);
        let mut capture = Capture::default();
        loop {
            capture.set(app.uses_mouse);
            let mut spots = Spots::default();
            terminal.draw(|frame| spots = screen::draw(&app, frame))?;
            // A search for a way ends when another key is pressed.
            let impatient = || event::poll(Duration::ZERO).unwrap_or(true);
            match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release && !app.key(key, &impatient) => return Ok(()),
                Event::Mouse(event) => spots.obey(&mut app, event),
                _ => {}
            }
        }
    })();
    ratatui::restore();
    result
}
