//! Going through a recording with single keys: on a terminal as they are pressed, on a pipe as they are read.

use crate::output::print;
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, read};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode, is_raw_mode_enabled};
use mazurka_core::schedule::{RaceEnd, Recording};
use mazurka_report::Paint;
use mazurka_report::replay::alternatives;
use mazurka_report::values::values;
use mazurka_report::verdict::explanation;
use std::io::{IsTerminal, Read};

const HELP: &str = "keys: n next, b back, r to the race, s state, e what else was enabled, q quit";

/// Shows the steps one by one until `q` or the end of the input.
pub fn step_through(recording: &Recording, paint: Paint) {
    let mut walk = Walk { recording, paint, at: 0 };
    if std::io::stdin().is_terminal() {
        walk.keys_of_terminal();
    } else {
        walk.begin();
        let mut byte = [0];
        let mut input = std::io::stdin().lock();
        while matches!(input.read(&mut byte), Ok(1)) {
            if !walk.key(char::from(byte[0])) {
                return;
            }
        }
    }
}

/// A terminal that hands over every key as it is pressed, Ctrl-C among them, until this is dropped.
///
/// It stays so during the whole walk: between two keys the terminal would otherwise take a Ctrl-C that was typed ahead for itself.
struct Raw;

impl Raw {
    fn enter() -> std::io::Result<Raw> {
        enable_raw_mode().map(|()| Raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = disable_raw_mode();
    }
}

struct Walk<'a> {
    recording: &'a Recording,
    paint: Paint,
    /// How many steps have been taken.
    at: usize,
}

impl Walk<'_> {
    fn begin(&self) {
        show(&format!("{HELP}\n{}", self.here()));
    }

    fn keys_of_terminal(&mut self) {
        let Ok(_raw) = Raw::enter() else {
            return self.begin();
        };
        self.begin();
        while let Ok(event) = read() {
            let Event::Key(key) = event else { continue };
            if key.kind == KeyEventKind::Release {
                continue;
            }
            let go_on = match key.code {
                KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => false,
                KeyCode::Char(c) => self.key(c),
                KeyCode::Right | KeyCode::Down | KeyCode::Enter => self.key('n'),
                KeyCode::Left | KeyCode::Up | KeyCode::Backspace => self.key('b'),
                KeyCode::Esc => false,
                _ => true,
            };
            if !go_on {
                return;
            }
        }
    }

    /// Obeys one key; false to quit.
    fn key(&mut self, key: char) -> bool {
        let text = match key {
            'n' | ' ' => {
                self.at = (self.at + 1).min(self.recording.steps.len());
                self.here()
            }
            'b' => {
                self.at = self.at.saturating_sub(1);
                self.here()
            }
            'r' => self.jump_to_race(),
            's' => self.state(),
            'e' => self.others(),
            'q' => return false,
            '\n' | '\r' => return true,
            other => format!("unknown key `{}`; {HELP}\n", other.escape_default()),
        };
        show(&text);
        true
    }

    /// The step that was just taken.
    fn here(&self) -> String {
        let total = self.recording.steps.len();
        if self.at == 0 {
            return format!("at the start, {total} steps to go\n");
        }
        let step = &self.recording.steps[self.at - 1];
        let mark = if self.races() {
            self.paint.warn(self.paint.race())
        } else {
            " ".to_owned()
        };
        let values = values(step, self.paint);
        let values = if values.is_empty() {
            String::new()
        } else {
            format!("  [{values}]")
        };
        let at = step.text.at.as_ref().map_or(String::new(), |at| format!("  {at}"));
        let mut text = format!(
            "{mark} {}/{total}  {}: {}{values}{}\n",
            self.at,
            self.paint.text(&step.process),
            self.paint.text(&step.text.label),
            self.paint.faint(&self.paint.text(&at))
        );
        if let Some(failure) = &step.failure {
            text.push_str(&format!(
                "  {}: {}\n",
                self.paint.bad(failure.kind.name()),
                self.paint.text(&failure.message)
            ));
        }
        if self.at == total {
            text.push_str("the end\n");
            text.push_str(&explanation(self.recording, self.paint));
        }
        text
    }

    /// Whether the step just taken is one of the two that race.
    fn races(&self) -> bool {
        self.recording
            .race
            .as_ref()
            .is_some_and(|race| race.first + 1 == self.at || race.second == RaceEnd::Step(self.at - 1))
    }

    /// To the first racing step, or from there to the second.
    fn jump_to_race(&mut self) -> String {
        let Some(race) = &self.recording.race else {
            return "no race was found in this execution\n".to_owned();
        };
        let second = match race.second {
            RaceEnd::Step(step) => step + 1,
            RaceEnd::Wait(_) => self.recording.steps.len(),
        };
        self.at = if self.at == race.first + 1 { second } else { race.first + 1 };
        self.here()
    }

    /// The values here, those that the last step changed marked.
    fn state(&self) -> String {
        let changed = |name: &str| self.at > 0 && self.recording.steps[self.at - 1].changes.iter().any(|c| c.name == name);
        let mut text = String::new();
        for (name, value) in self.recording.state_after(self.at) {
            let mark = if changed(&name) { self.paint.warn("*") } else { " ".to_owned() };
            text.push_str(&format!("    {mark} {}\n", self.paint.text(&format!("{name} = {value}"))));
        }
        if text.is_empty() {
            "    no values to show\n".to_owned()
        } else {
            text
        }
    }

    /// What could have been done instead of the step just taken.
    fn others(&self) -> String {
        if self.at == 0 {
            return "    nothing was decided yet: n takes the first step\n".to_owned();
        }
        alternatives("instead of this step", &self.recording.steps[self.at - 1].alternatives, self.paint)
    }
}

/// Prints text. While a terminal is raw, a new line does not begin at the left by itself.
fn show(text: &str) {
    if is_raw_mode_enabled().unwrap_or(false) && std::io::stdout().is_terminal() {
        print(&text.replace('\n', "\r\n"));
    } else {
        print(text);
    }
}
