//! What keys do.

use crate::Subject;
use mazurka_core::schedule::{Goal, Here, RaceEnd, Walk, Way};
use mazurka_core::{AnyProgram, Transition};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// So many states are looked at for a way to somewhere.
const STATES: usize = 1_000_000;
/// So many steps are taken at once.
const STEPS: usize = 1_000;

/// Everything that is on the screen.
pub(crate) struct App<'p> {
    pub subject: &'p Subject<'p>,
    walk: Walk<'p, dyn AnyProgram + 'p>,
    pub here: Here,
    /// Steps that were taken before going back, for going forward again.
    kept: Vec<Transition>,
    /// Which step is looked at, from 1; 0 is the start.
    pub looked_at: usize,
    /// Which move would be taken.
    pub selected: usize,
    /// What came of the last key, if there is something to say.
    pub said: Option<String>,
    /// What is searched for, while it is typed, and afterwards.
    pub wanted: Option<String>,
    pub is_typing: bool,
    pub shows_help: bool,
    /// Whether clicks are for this program, or for the terminal.
    pub uses_mouse: bool,
}

impl<'p> App<'p> {
    pub fn new(subject: &'p Subject<'p>, steps: &[Transition]) -> Self {
        let mut walk = Walk::new(subject.program);
        walk.follow(steps);
        let here = walk.here();
        let mut app = App {
            subject,
            walk,
            looked_at: 0,
            here,
            kept: steps.to_vec(),
            selected: 0,
            said: None,
            wanted: None,
            is_typing: false,
            shows_help: false,
            uses_mouse: true,
        };
        app.arrived();
        app
    }

    /// Obeys a key; false to quit. A search for a way is given up when `impatient` says so.
    pub fn key(&mut self, key: KeyEvent, impatient: &dyn Fn() -> bool) -> bool {
        self.said = None;
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            return false;
        }
        if self.shows_help {
            self.shows_help = false;
            return key.code != KeyCode::Char('q');
        }
        if self.is_typing {
            self.type_key(key.code);
            return true;
        }
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => return false,
            KeyCode::Char('?') | KeyCode::F(1) => self.shows_help = true,
            KeyCode::Up | KeyCode::Char('k') => self.select(-1),
            KeyCode::Down | KeyCode::Char('j') => self.select(1),
            KeyCode::Enter | KeyCode::Char('t') => self.take(self.selected),
            KeyCode::Char(digit @ '1'..='9') => self.take(digit as usize - '1' as usize),
            KeyCode::Right | KeyCode::Char('n' | ' ' | 'l') => self.forward(),
            KeyCode::Left | KeyCode::Char('b' | 'h') | KeyCode::Backspace => self.go_to(self.walk.taken().len().saturating_sub(1)),
            KeyCode::Home | KeyCode::Char('0') => self.go_to(0),
            KeyCode::End => {
                self.walk.back_to(0);
                self.walk.follow(&self.kept.clone());
                self.arrived();
            }
            KeyCode::Char('[') | KeyCode::PageUp => self.look_at(-1),
            KeyCode::Char(']') | KeyCode::PageDown => self.look_at(1),
            KeyCode::Char('m') => {
                self.uses_mouse = !self.uses_mouse;
                let whose = if self.uses_mouse {
                    "clicks take steps and look at them"
                } else {
                    "the mouse is the terminal's"
                };
                self.said = Some(whose.to_owned());
            }
            KeyCode::Char('r') => self.look_at_race(),
            KeyCode::Char('e') => {
                if self.walk.run_on(STEPS) == STEPS {
                    self.said = Some(format!("{STEPS} steps were taken, and there are more"));
                }
                self.moved();
            }
            KeyCode::Char('f') => {
                let deadlock = self.subject.deadlock_is_error;
                self.search(Goal::Failure { deadlock }, "failure", impatient);
            }
            KeyCode::Char('g') => self.search(
                Goal::GoodEnd,
                "end at which every process has finished and nothing failed",
                impatient,
            ),
            KeyCode::Char('/') => {
                self.is_typing = true;
                self.wanted = Some(String::new());
            }
            KeyCode::Char('N') => self.find(self.looked_at + 1),
            _ => self.said = Some("no key here: ? shows those that are".to_owned()),
        }
        true
    }

    fn type_key(&mut self, code: KeyCode) {
        let Some(wanted) = &mut self.wanted else { return };
        match code {
            KeyCode::Char(c) => wanted.push(c),
            KeyCode::Backspace => drop(wanted.pop()),
            KeyCode::Esc => (self.is_typing, self.wanted) = (false, None),
            KeyCode::Enter => {
                self.is_typing = false;
                self.find(1);
            }
            _ => {}
        }
    }

    /// Looks at the first step from `from` on that has what is wanted in its name, label or values, or else the first of all that has.
    fn find(&mut self, from: usize) {
        let Some(wanted) = self.wanted.as_deref().filter(|w| !w.is_empty()).map(str::to_lowercase) else {
            return;
        };
        let steps = &self.here.recording.steps;
        let has = |number: &usize| {
            let step = &steps[number - 1];
            let changes = step.changes.iter().map(|c| c.name.as_str());
            let texts = [step.process.as_str(), step.text.label.as_str()].into_iter().chain(changes);
            texts.into_iter().any(|text| text.to_lowercase().contains(&wanted))
        };
        match (from..=steps.len()).chain(1..from.min(steps.len() + 1)).find(has) {
            Some(found) => self.looked_at = found,
            None => self.said = Some(format!("no step so far has `{wanted}`")),
        }
    }

    /// The moves that can be taken, by their place in all of them.
    pub fn enabled(&self) -> Vec<usize> {
        let moves = self.here.moves.iter().enumerate();
        moves.filter(|(_, m)| m.enabled).map(|(at, _)| at).collect()
    }

    fn select(&mut self, by: isize) {
        let most = self.enabled().len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by).min(most);
    }

    /// Looks at a step so many after this one.
    pub fn look_at(&mut self, by: isize) {
        self.looked_at = self.looked_at.saturating_add_signed(by).min(self.walk.taken().len());
    }

    /// Takes one of the steps that can be taken.
    pub fn take(&mut self, which: usize) {
        let Some(&at) = self.enabled().get(which) else {
            self.said = Some("nothing can be taken there".to_owned());
            return;
        };
        if self.walk.take(self.here.moves[at].transition).is_ok() {
            self.moved();
        }
    }

    /// Along the steps that were taken before, or else the selected one.
    fn forward(&mut self) {
        let taken = self.walk.taken().len();
        match self.kept.get(taken).copied() {
            Some(next) if self.walk.take(next).is_ok() => self.arrived(),
            _ => self.take(self.selected),
        }
    }

    fn go_to(&mut self, steps: usize) {
        self.walk.back_to(steps);
        self.arrived();
    }

    fn search(&mut self, goal: Goal, what: &str, impatient: &dyn Fn() -> bool) {
        match self.walk.way_to(goal, STATES, impatient) {
            Way::Found(way) => {
                self.walk.follow(&way);
                self.moved();
            }
            Way::None => {
                self.said = Some(format!(
                    "there is no {what} from here: every state that can be reached was looked at"
                ))
            }
            Way::GivenUp(seen) => self.said = Some(format!("no {what} was found in the {seen} states that were looked at")),
        }
    }

    /// Looks at the first racing step, or from there at the second.
    fn look_at_race(&mut self) {
        let Some(race) = &self.here.recording.race else {
            self.said = Some("no race was found in this execution: go to its failure first".to_owned());
            return;
        };
        self.looked_at = match race.second {
            RaceEnd::Step(second) if self.looked_at == race.first + 1 => second + 1,
            _ => race.first + 1,
        };
    }

    /// Somewhere new: what was kept is kept only as far as it is the same.
    fn moved(&mut self) {
        if !self.kept.starts_with(self.walk.taken()) {
            self.kept = self.walk.taken().to_vec();
        }
        self.arrived();
    }

    fn arrived(&mut self) {
        self.here = self.walk.here();
        self.looked_at = self.walk.taken().len();
        self.selected = 0;
        // The next of the steps that were taken before is the one that forward takes.
        if let Some(next) = self.kept.get(self.looked_at) {
            let position = self.enabled().iter().position(|&at| self.here.moves[at].transition == *next);
            self.selected = position.unwrap_or(0);
        }
    }
}
