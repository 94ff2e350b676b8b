//! A program whose type is forgotten says and does the same as the program itself.

use mazurka_core::*;
use std::cell::RefCell;

/// Two processes that write their names, and that have something of their own to say to every question.
struct Talkative;

type State = Vec<u32>;

impl Program for Talkative {
    type State = State;

    fn start(&self) -> State {
        Vec::new()
    }

    fn pending(&self, written: &State, out: &mut Vec<Pending>) {
        out.extend((0..2).filter(|p| !written.contains(p)).map(|p| Pending {
            transition: Transition::of(Process(p)),
            enabled: true,
        }));
    }

    fn footprint(&self, _: &State, _: Transition, out: &mut Footprint) {
        out.update(Location(0));
    }

    fn step(&self, written: &mut State, t: Transition, _: &mut Effects) {
        written.push(t.process.0);
    }

    fn fingerprint(&self, written: &State) -> Fingerprint {
        written.iter().fold(1, |h, p| h * 3 + u128::from(*p))
    }

    fn failures_at_end(&self, written: &State, out: &mut Vec<Failure>) {
        if written[0] == 1 {
            out.push(Failure {
                kind: FailureKind::Assertion,
                message: "the second was first".to_owned(),
                at: None,
            });
        }
    }

    fn features(&self) -> Features {
        Features {
            terminating: true,
            ..Features::STATIC
        }
    }

    fn insights(&self) -> Insights<'_, State> {
        Insights {
            futures: Some(self),
            guard_locations: Some(self),
            liveness: Some(self),
            comparable: None,
            enabling: None,
            actors: Some(self),
            names: None,
            objects: None,
            properties: None,
            instruments: Some(self),
        }
    }
}

impl StateSpace for Talkative {}

impl Futures<State> for Talkative {
    fn future(&self, written: &State, process: Process, out: &mut Footprint) -> bool {
        out.update(Location(0));
        !written.contains(&process.0)
    }
}

impl GuardLocations for Talkative {
    fn may_guard(&self, location: Location) -> bool {
        location.0 == 7
    }
}

impl Liveness<State> for Talkative {
    fn live_fingerprint(&self, written: &State) -> Fingerprint {
        written.len() as u128
    }
}

impl Actors<State> for Talkative {
    fn actor(&self, written: &State, t: Transition) -> Option<u32> {
        Some(t.process.0 + written.len() as u32)
    }

    fn precedence(&self, written: &State, _: Order, t: Transition) -> Option<u64> {
        Some(u64::from(t.process.0) + 10 * written.len() as u64)
    }
}

impl Instruments<State> for Talkative {
    fn guard_reads(&self, written: &State, _: Transition, out: &mut Footprint) -> bool {
        out.read(Location(written.len() as u32));
        true
    }

    fn perturb(&self, written: &mut State, location: Location, seed: u64) -> bool {
        written.push(location.0 + seed as u32);
        true
    }
}

impl Describe for Talkative {
    fn process_key(&self, process: Process) -> String {
        format!("key {}", process.0)
    }

    fn describe(&self, written: &State, t: Transition) -> StepText {
        StepText {
            label: format!("write {} after {written:?}", t.process.0),
            ..StepText::default()
        }
    }

    fn location_name(&self, location: Location) -> String {
        format!("place {}", location.0)
    }

    fn values(&self, written: &State) -> Vec<(String, String)> {
        vec![("written".to_owned(), format!("{written:?}"))]
    }

    fn process_name(&self, written: &State, process: Process) -> String {
        format!("writer {} after {written:?}", process.0)
    }

    fn column(&self, written: &State, process: Process) -> String {
        format!("column {} after {written:?}", process.0)
    }

    fn agent(&self, written: &State, t: Transition) -> Option<String> {
        Some(format!("agent {} after {written:?}", t.process.0))
    }

    fn label(&self, written: &State, t: Transition) -> String {
        format!("{} after {written:?}", t.process.0)
    }

    fn waits(&self, written: &State) -> Vec<Wait> {
        vec![Wait {
            process: Process(0),
            agent: None,
            what: format!("more than {written:?}"),
            on: None,
            at: None,
        }]
    }

    fn results(&self, written: &State) -> Vec<(String, String)> {
        vec![("result".to_owned(), format!("{written:?}"))]
    }

    fn objection(&self) -> Option<String> {
        Some("this is a test".to_owned())
    }

    fn output(&self, written: &State) -> String {
        format!("printed {written:?}")
    }
}

const SECOND: Transition = Transition {
    process: Process(1),
    choice: 0,
};

/// Everything that a program says about the state after the second process has moved.
fn said<P: Describe + ?Sized>(program: &P) -> Vec<String> {
    let (mut state, mut effects) = (program.start(), Effects::default());
    program.step(&mut state, SECOND, &mut effects);
    let first = Transition::of(Process(0));
    let (mut pending, mut footprint, mut failures) = (Vec::new(), Footprint::new(), Vec::new());
    program.pending(&state, &mut pending);
    program.footprint(&state, first, &mut footprint);
    program.failures_at_end(&state, &mut failures);
    let insights = program.insights();
    let (futures, actors, instruments) = (insights.futures.unwrap(), insights.actors.unwrap(), insights.instruments.unwrap());
    let (mut future, mut reads) = (Footprint::new(), Footprint::new());
    let known = [Process(0), Process(1)].map(|p| futures.future(&state, p, &mut future));
    let reads_known = instruments.guard_reads(&state, first, &mut reads);
    let mut said = vec![
        format!("{pending:?} {:?} {failures:?} {:?}", footprint.accesses(), program.features()),
        format!(
            "{} {}",
            program.fingerprint(&state),
            insights.liveness.unwrap().live_fingerprint(&state)
        ),
        format!("{known:?} {:?} {reads_known} {:?}", future.accesses(), reads.accesses()),
        format!(
            "{:?} {:?}",
            actors.actor(&state, first),
            actors.precedence(&state, Order::Fifo, first)
        ),
        format!("{:?}", [6, 7].map(|l| insights.guard_locations.unwrap().may_guard(Location(l)))),
        format!("{} {:?}", program.process_key(Process(0)), program.describe(&state, first)),
        format!("{} {:?}", program.location_name(Location(3)), program.values(&state)),
        format!(
            "{} {}",
            program.process_name(&state, Process(0)),
            program.column(&state, Process(0))
        ),
        format!(
            "{:?} {} {:?}",
            program.agent(&state, first),
            program.label(&state, first),
            program.waits(&state)
        ),
        format!("{:?} {} {:?}", program.results(&state), program.output(&state), program.objection()),
    ];
    said.push(format!("{}", instruments.perturb(&mut state, Location(4), 5)));
    said.push(format!("{:?}", program.values(&state)));
    said
}

#[test]
fn it_says_the_same() {
    let any = any(Talkative);
    assert_eq!(said(&Talkative), said(&*any));
}

#[test]
fn copies_of_states_are_independent() {
    let any = any(Talkative);
    let mut state = any.start();
    let mut copy = state.clone();
    any.step(&mut state, SECOND, &mut Effects::default());
    assert_eq!(any.output(&copy), "printed []");
    copy.clone_from(&state);
    any.step(&mut state, Transition::of(Process(0)), &mut Effects::default());
    assert_eq!(any.output(&copy), "printed [1]");
    assert_eq!(any.output(&state), "printed [1, 0]");
}

struct Ends<'a>(&'a RefCell<Vec<String>>, &'a dyn AnyProgram);

impl Observer<AnyState> for Ends<'_> {
    fn execution(&mut self, _: &[Transition], state: &AnyState, _: Ending) {
        self.0.borrow_mut().push(self.1.output(state));
    }

    fn step(&mut self, depth: usize, t: Transition) {
        self.0.borrow_mut().push(format!("{depth}: {}", t.process.0));
    }
}

#[test]
fn it_is_searched_and_observed_as_itself() {
    let any = any(Talkative);
    let options = Options::new(Algorithm::parse("optimal").unwrap()).keep_going(true);
    let seen = RefCell::new(Vec::new());
    let mut search = any.search(&options, Some(Box::new(Ends(&seen, &*any)))).unwrap();
    while search.advance(100) == Status::Running {}
    assert_eq!(search.outcome().counts.executions, 2);
    assert_eq!(search.outcome().failures.len(), 1);
    let expected = ["0: 0", "1: 1", "printed [0, 1]", "0: 1", "1: 0", "printed [1, 0]"];
    assert_eq!(*seen.borrow(), expected);
    let stateful = Options::new(Algorithm::parse("stateful").unwrap());
    let mut search = any.stateful_search(&stateful, StatefulOptions::default()).unwrap();
    while search.advance(100) == Status::Running {}
    assert_eq!(search.outcome().failures.len(), 1);
}

#[test]
#[should_panic(expected = "a state of another program")]
fn a_state_of_another_program_means_nothing() {
    struct Other;
    impl Program for Other {
        type State = ();
        fn start(&self) {}
        fn pending(&self, (): &(), _: &mut Vec<Pending>) {}
        fn footprint(&self, (): &(), _: Transition, _: &mut Footprint) {}
        fn step(&self, (): &mut (), _: Transition, _: &mut Effects) {}
        fn fingerprint(&self, (): &()) -> Fingerprint {
            0
        }
    }
    impl StateSpace for Other {}
    impl Describe for Other {
        fn process_key(&self, _: Process) -> String {
            String::new()
        }
        fn describe(&self, (): &(), _: Transition) -> StepText {
            StepText::default()
        }
        fn location_name(&self, _: Location) -> String {
            String::new()
        }
        fn values(&self, (): &()) -> Vec<(String, String)> {
            Vec::new()
        }
    }
    any(Talkative).fingerprint(&any(Other).start());
}
