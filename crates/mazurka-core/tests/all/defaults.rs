//! A program that says no more than it must: nothing is assumed about it, and still it can be searched and shown.

use mazurka_core::schedule::record;
use mazurka_core::*;
use smallvec::SmallVec;

/// Two processes, each of which waits for the other: one for ever, because nobody begins.
struct Taciturn;

impl Program for Taciturn {
    type State = [bool; 2];

    fn start(&self) -> [bool; 2] {
        [false; 2]
    }

    fn pending(&self, done: &[bool; 2], out: &mut Vec<Pending>) {
        for process in (0..2).filter(|&p| !done[p]) {
            out.extend((0..2).map(|choice| Pending {
                transition: Transition {
                    process: Process(process as u32),
                    choice,
                },
                enabled: done[1 - process],
            }));
        }
    }

    fn footprint(&self, _: &[bool; 2], t: Transition, out: &mut Footprint) {
        out.guard(Location(1 - t.process.0));
        out.overwrite(Location(t.process.0));
    }

    fn step(&self, done: &mut [bool; 2], t: Transition, _: &mut Effects) {
        done[t.process.index()] = true;
    }

    fn fingerprint(&self, done: &[bool; 2]) -> Fingerprint {
        u128::from(done[0]) << 1 | u128::from(done[1])
    }
}

impl StateSpace for Taciturn {}

impl Describe for Taciturn {
    fn process_key(&self, process: Process) -> String {
        process.0.to_string()
    }

    fn describe(&self, _: &[bool; 2], t: Transition) -> StepText {
        StepText {
            label: format!("answer {} of {}", t.choice, 1 - t.process.0),
            ..StepText::default()
        }
    }

    fn location_name(&self, location: Location) -> String {
        format!("done {}", location.0)
    }

    fn values(&self, done: &[bool; 2]) -> Vec<(String, String)> {
        (0..2).map(|p| (format!("done {p}"), done[p].to_string())).collect()
    }
}

#[test]
fn nothing_is_promised_by_default() {
    assert_eq!(
        Taciturn.features(),
        Features {
            static_footprints: false,
            static_alternatives: false,
            one_location_per_step: false,
            terminating: false,
            names_given_again: false,
            actors: false,
        }
    );
}

/// It has no values that could be compared; only the default of the trait is of interest.
impl Comparable<[bool; 2]> for Taciturn {
    fn value(&self, _: &[bool; 2], _: Location) -> i64 {
        unreachable!()
    }

    fn guard(&self, _: &[bool; 2], _: Process, _: &mut SmallVec<[Atom; 4]>) -> Predicate {
        unreachable!()
    }

    fn evaluate(&self, _: Predicate, _: &[i64]) -> u64 {
        unreachable!()
    }

    fn control(&self, _: &[bool; 2], _: Knowledge, _: Option<&mut Vec<Task>>) -> Fingerprint {
        unreachable!()
    }

    fn influence(&self, _: &[bool; 2], _: Transition, _: Knowledge, _: &mut Influence) {
        unreachable!()
    }

    fn addressing(&self, _: &[bool; 2], _: Process, _: &mut Vec<Location>) {
        unreachable!()
    }

    fn shared_locations(&self) -> std::ops::Range<u32> {
        unreachable!()
    }
}

#[test]
fn values_may_be_replaced_unseen_by_default() {
    assert!(Comparable::overwrites(&Taciturn));
}

#[test]
fn an_algorithm_that_assumes_something_is_refused() {
    for algorithm in Algorithm::all() {
        // A name is that of one process unless a program says that it is not.
        let needs = Needs {
            names_given_once: false,
            ..algorithm.about().needs
        };
        let assumes_nothing = needs == Needs::default();
        let found = search(&Taciturn, &Options::new(algorithm), Unobserved);
        assert_eq!(found.is_ok(), assumes_nothing, "{algorithm}");
    }
}

#[test]
fn the_states_can_be_searched() {
    let options = Options::new(Algorithm::parse("stateful").unwrap());
    let mut search = stateful_search(&Taciturn, &options, StatefulOptions::default()).unwrap();
    while search.advance(10) == Status::Running {}
    assert_eq!(search.outcome().verdict, Verdict::Violation);
    assert_eq!(search.outcome().failures[0].failure.message, "2 processes wait for ever");
}

#[test]
fn who_waits_is_known_by_what_is_pending() {
    let recording = record(&Taciturn, &[], None);
    let waits: Vec<(&str, &str)> = recording.waits.iter().map(|w| (w.process.as_str(), w.what.as_str())).collect();
    assert_eq!(
        waits,
        [
            ("process 0", "answer 0 of 1 or answer 1 of 1"),
            ("process 1", "answer 0 of 0 or answer 1 of 0")
        ]
    );
}
