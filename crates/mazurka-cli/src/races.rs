//! Counting the races of a search: which two places of the program, on which location.

use mazurka_core::schedule::Causes;
use mazurka_core::{AnyProgram, AnyState, Effects, Ending, Footprint, Location, Observer, Process, Transition};
use mazurka_report::explain::Pair;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What was counted.
#[derive(Default)]
pub struct Tally {
    pairs: BTreeMap<(String, String, String), u64>,
    hot: BTreeMap<String, u64>,
    processes: BTreeSet<Process>,
    locations: BTreeSet<Location>,
    fewest: Option<u64>,
    most: u64,
    races: u64,
}

/// Runs every execution of the search again and counts the races of its new part.
pub struct Races<'p> {
    program: &'p dyn AnyProgram,
    last: Vec<Transition>,
    tally: Rc<RefCell<Tally>>,
}

/// A step of the current execution.
struct Event {
    process: Process,
    footprint: Footprint,
    place: String,
}

impl<'p> Races<'p> {
    /// A counter and the place where it counts.
    pub fn new(program: &'p dyn AnyProgram) -> (Self, Rc<RefCell<Tally>>) {
        let tally = Rc::new(RefCell::new(Tally::default()));
        let races = Races {
            program,
            last: Vec::new(),
            tally: Rc::clone(&tally),
        };
        (races, tally)
    }

    /// The source line, or where there is none what the step does.
    fn place(&self, run: &AnyState, transition: Transition) -> String {
        let text = self.program.describe(run, transition);
        match text.at {
            Some(at) => format!("{}:{} ({})", at.file, at.line, without_numbers(&text.label)),
            None => format!(
                "`{}` of {}",
                without_numbers(&text.label),
                without_numbers(&self.program.process_name(run, transition.process))
            ),
        }
    }
}

/// Steps of processes that differ only in a number are the same place. A number inside of a name, as in `s2r`, belongs to the name.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let end = rest[at..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |n| at + n);
        out.push_str(&rest[..at]);
        let in_a_word = |c: char| c.is_alphabetic() || c == '_';
        if out.ends_with(in_a_word) && rest[end..].starts_with(in_a_word) {
            out.push_str(&rest[at..end]);
        } else {
            out.push('#');
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

impl Observer<AnyState> for Races<'_> {
    fn execution(&mut self, schedule: &[Transition], _: &AnyState, ending: Ending) {
        let program = self.program;
        let shared = self.last.iter().zip(schedule).take_while(|(a, b)| a == b).count();
        self.last = schedule.to_vec();
        let mut run = program.start();
        let mut causes = Causes::new();
        let mut effects = Effects::default();
        let mut events: Vec<Event> = Vec::with_capacity(schedule.len());
        let mut tally = self.tally.borrow_mut();
        for (at, &transition) in schedule.iter().enumerate() {
            let mut footprint = Footprint::new();
            program.footprint(&run, transition, &mut footprint);
            let place = self.place(&run, transition);
            effects.clear();
            program.step(&mut run, transition, &mut effects);
            causes.push(transition.process, footprint.accesses(), &effects.births, &effects.after);
            tally.processes.insert(transition.process);
            tally.locations.extend(footprint.accesses().iter().map(|a| a.location));
            let event = Event {
                process: transition.process,
                footprint,
                place,
            };
            if at >= shared {
                for first in racing(&causes, &events, &event, at) {
                    tally.count(program, &events[first], &event);
                }
            }
            events.push(event);
        }
        if matches!(ending, Ending::Finished | Ending::Deadlock | Ending::Limit) {
            let steps = schedule.len() as u64;
            tally.fewest = Some(tally.fewest.map_or(steps, |f| f.min(steps)));
            tally.most = tally.most.max(steps);
        }
    }
}

/// The events that race with the last one: in conflict, of another process, with nothing in between that orders them.
fn racing(causes: &Causes, events: &[Event], event: &Event, at: usize) -> Vec<usize> {
    let direct = causes.direct(at);
    let races = |&first: &usize| {
        let other = &events[first];
        let later: Vec<usize> = direct.iter().copied().filter(|&c| c > first).collect();
        other.process != event.process && other.footprint.conflicts(&event.footprint) && !causes.past(&later)[first]
    };
    direct.iter().copied().filter(|first| races(first)).collect()
}

impl Tally {
    fn count(&mut self, program: &dyn AnyProgram, first: &Event, second: &Event) {
        self.races += 1;
        let conflict = first.footprint.accesses().iter().find(|a| {
            let same = |b: &&mazurka_core::Access| a.location == b.location && a.mode.conflicts(b.mode);
            second.footprint.accesses().iter().any(|b| same(&b))
        });
        let location = conflict.map_or(String::new(), |a| program.location_name(a.location));
        *self.hot.entry(location.clone()).or_default() += 1;
        let (a, b) = if first.place <= second.place {
            (&first.place, &second.place)
        } else {
            (&second.place, &first.place)
        };
        *self.pairs.entry((a.clone(), b.clone(), without_numbers(&location))).or_default() += 1;
    }

    /// Distinct processes.
    pub fn processes(&self) -> u64 {
        self.processes.len() as u64
    }

    /// Distinct locations.
    pub fn locations(&self) -> u64 {
        self.locations.len() as u64
    }

    /// The fewest and the most steps of an execution.
    pub fn steps(&self) -> (u64, u64) {
        (self.fewest.unwrap_or(0), self.most)
    }

    /// All races.
    pub fn races(&self) -> u64 {
        self.races
    }

    /// The pairs with the most races.
    pub fn pairs(&self, most: usize) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = self
            .pairs
            .iter()
            .map(|((first, second, location), &races)| Pair {
                first: first.clone(),
                second: second.clone(),
                location: location.clone(),
                races,
            })
            .collect();
        pairs.sort_by_key(|p| std::cmp::Reverse(p.races));
        pairs.truncate(most);
        pairs
    }

    /// The locations with the most races.
    pub fn hot(&self, most: usize) -> Vec<(String, u64)> {
        let mut hot: Vec<(String, u64)> = self.hot.iter().map(|(name, &n)| (name.clone(), n)).collect();
        hot.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        hot.truncate(most);
        hot
    }
}

#[cfg(test)]
mod tests {
    use super::without_numbers;

    #[test]
    fn numbers_are_left_out_unless_they_are_inside_of_a_name() {
        assert_eq!(without_numbers("fork[12] of philosopher3"), "fork[#] of philosopher#");
        assert_eq!(without_numbers("s2r!msg(1)"), "s2r!msg(#)");
        assert_eq!(without_numbers("x=10"), "x=#");
    }
}
