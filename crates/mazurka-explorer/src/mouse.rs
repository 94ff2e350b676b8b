//! What the mouse does. It is optional: everything has a key, and `m` gives the mouse back to the terminal, which selects text with it.

use crate::app::App;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture, MouseButton, MouseEvent, MouseEventKind};
use ratatui::crossterm::execute;
use ratatui::layout::{Position, Rect};
use std::io;

/// What was drawn where.
#[derive(Default)]
pub(crate) struct Spots {
    /// The steps that were taken, by their number.
    pub steps: Vec<(Rect, usize)>,
    /// The steps that can be taken, by their place among these.
    pub moves: Vec<(Rect, usize)>,
}

impl Spots {
    /// A click looks at a step, or takes one; the wheel goes through the steps.
    pub fn obey(&self, app: &mut App<'_>, event: MouseEvent) {
        let at = Position::new(event.column, event.row);
        let hit = |spots: &[(Rect, usize)]| spots.iter().find(|(area, _)| area.contains(at)).map(|(_, which)| *which);
        match event.kind {
            MouseEventKind::Down(_) if app.shows_help => app.shows_help = false,
            MouseEventKind::Down(MouseButton::Left) => {
                app.said = None;
                if let Some(which) = hit(&self.moves) {
                    app.take(which);
                } else if let Some(number) = hit(&self.steps) {
                    app.looked_at = number;
                }
            }
            MouseEventKind::ScrollUp => app.look_at(-1),
            MouseEventKind::ScrollDown => app.look_at(1),
            _ => {}
        }
    }
}

/// Whether the terminal tells about its mouse; it is given back at the end, whatever happens.
#[derive(Default)]
pub(crate) struct Capture {
    on: bool,
}

impl Capture {
    /// Takes the mouse, or gives it back. A terminal that has none is none the worse for it.
    pub fn set(&mut self, on: bool) {
        if on != self.on {
            self.on = on;
            let _ = match on {
                true => execute!(io::stdout(), EnableMouseCapture),
                false => execute!(io::stdout(), DisableMouseCapture),
            };
        }
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        self.set(false);
    }
}
