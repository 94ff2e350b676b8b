//! What is true of small programs, worked out by hand, held against brute force and against every sound algorithm in several orders.

use mazurka_core::schedule::record;
use mazurka_core::{
    Algorithm, Comparable, Describe, Effects, Ending, FailureKind, Knowledge, Observe, Observer, Options, Order, Process, Program,
    StatefulOptions, Status, Transition, Unobserved, search, stateful_search,
};
use mazurka_litmus::{Machine, Run};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// A final state as it is printed, sorted: one line for each shared variable, each local, and each task with all its locals but without its
/// name, so that tasks that differ in nothing else are not told apart.
type State = Vec<String>;

/// What can happen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Truth {
    /// What fails, without the values that were met.
    failures: BTreeSet<String>,
    finals: BTreeSet<State>,
}

fn machine(text: &str) -> Machine {
    Machine::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn state(machine: &Machine, run: &Run) -> State {
    let mut tasks: BTreeMap<String, String> = BTreeMap::new();
    let mut state = State::new();
    for (name, value) in machine.values(run) {
        match name.rsplit_once('.') {
            Some((task, local)) if task.contains('/') => *tasks.entry(task.to_owned()).or_default() += &format!(" {local}={value}"),
            _ => state.push(format!("{name}={value}")),
        }
    }
    for (task, locals) in tasks {
        let body = task.rsplit('/').next().and_then(|t| t.split('#').next()).unwrap_or_default();
        state.push(format!("{body}:{locals}"));
    }
    state.sort();
    state
}

fn without_values(message: &str) -> String {
    message.split(", but ").next().unwrap_or_default().to_owned()
}

/// Every interleaving.
fn brute_force(machine: &Machine) -> Truth {
    fn visit(machine: &Machine, run: &Run, truth: &mut Truth) {
        let mut pending = Vec::new();
        machine.pending(run, &mut pending);
        let enabled: Vec<Transition> = pending.iter().filter(|p| p.enabled).map(|p| p.transition).collect();
        if enabled.is_empty() {
            truth.finals.insert(state(machine, run));
            if !pending.is_empty() {
                truth.failures.insert("deadlock".to_owned());
            }
        }
        for transition in enabled {
            let (mut next, mut effects) = (run.clone(), Effects::default());
            machine.step(&mut next, transition, &mut effects);
            truth.failures.extend(effects.failure.map(|f| without_values(&f.message)));
            visit(machine, &next, truth);
        }
    }
    let mut truth = Truth::default();
    visit(machine, &machine.start(), &mut truth);
    truth
}

fn failures(outcome: &mazurka_core::Outcome) -> BTreeSet<String> {
    let name = |f: &mazurka_core::FoundFailure| match f.failure.kind {
        FailureKind::Deadlock => "deadlock".to_owned(),
        _ => without_values(&f.failure.message),
    };
    outcome.failures.iter().map(name).collect()
}

struct Watch<'w>(&'w Machine, &'w RefCell<BTreeSet<State>>);

impl Observer<Run> for Watch<'_> {
    fn execution(&mut self, _: &[Transition], run: &Run, ending: Ending) {
        if matches!(ending, Ending::Finished | Ending::Deadlock) {
            self.1.borrow_mut().insert(state(self.0, run));
        }
    }
}

fn orders() -> impl Iterator<Item = Order> {
    [Order::Fifo].into_iter().chain((0..24).map(Order::Random))
}

/// Holds every sound algorithm against the truth.
fn check_algorithms(machine: &Machine, text: &str, truth: &Truth) {
    for algorithm in Algorithm::all().filter(|a| a.about().sound) {
        let observed = if algorithm.merges() {
            &Observe::ALL[..]
        } else {
            &[Observe::Finals][..]
        };
        for (observe, order) in observed.iter().flat_map(|o| orders().map(move |order| (*o, order))) {
            let options = Options::new(algorithm).keep_going(true).order(order).observe(observe);
            let finals = RefCell::default();
            let outcome = {
                let Ok(mut search) = search(machine, &options, Watch(machine, &finals)) else {
                    continue;
                };
                while search.advance(1 << 16) == Status::Running {}
                search.outcome()
            };
            let context = format!("{algorithm} --observe {} in order {order:?}:\n{text}", observe.name());
            assert_eq!(failures(&outcome), truth.failures, "failures of {context}");
            let keeps_finals = !algorithm.name().contains("observers") && matches!(observe, Observe::States | Observe::Finals);
            if keeps_finals {
                assert_eq!(*finals.borrow(), truth.finals, "final states of {context}");
            }
        }
    }
    for algorithm in Algorithm::stateful().filter(|a| a.about().sound) {
        let options = Options::new(algorithm).keep_going(true);
        let Ok(mut search) = stateful_search(machine, &options, StatefulOptions::default()) else {
            continue;
        };
        while search.advance(1 << 16) == Status::Running {}
        assert_eq!(failures(&search.outcome()), truth.failures, "failures of {algorithm}:\n{text}");
    }
}

/// Checks that these failures, and that many final states, are what there is and what every algorithm finds.
fn check(text: &str, expected: &[&str], finals: usize) {
    let machine = machine(text);
    let truth = brute_force(&machine);
    let expected: BTreeSet<String> = expected.iter().map(|s| (*s).to_owned()).collect();
    assert_eq!(truth.failures, expected, "{text}");
    assert_eq!(truth.finals.len(), finals, "final states of\n{text}\n{:#?}", truth.finals);
    check_algorithms(&machine, text, &truth);
}

#[test]
fn each_of_three_alternatives_has_its_own_footprint() {
    // x=1 with y untouched, or y=0 or y=1; the assertion comes before or after.
    check(
        "p0:[choose l 3; if (l==2) x=1 else y=l] p1:[l=x] p2:[assert y!=1]",
        &["p2 asserts y!=1"],
        4,
    );
    // The choice; for 0 and 1 p2 reads 0 or 1, for 2 p1 does.
    check("p0:[choose l 3; if (l==2) x=1 else y=1] p1:[l=x] p2:[l=y]", &[], 6);
    check(
        "p0:[choose l 5; if (l==1) x=1 else if (l==3) z=1 else y=1] p1:[l=x] p2:[l=y] p3:[l=z]",
        &[],
        10,
    );
}

#[test]
fn a_guard_that_faults_is_reported_and_ends_its_process() {
    check("p1:[assert x==0] p0(l=0):[await 1/l==0; x=2]", &["p0 divides by zero"], 1);
    check(
        "init a[2], b[2]; p1:[assert a[0]==0] p0(i=2):[await b[i]!=1; a[0]=2]",
        &["p0 uses b[2], which is outside the array"],
        1,
    );
    // p0 either fails at once or, after x=1, goes on.
    check("p0:[await 1/x; y=1] p1:[x=1]", &["p0 divides by zero"], 2);
    check(
        "p0:[await 1/x; y=1] p1:[x=1] p2:[assert y==0]",
        &["p0 divides by zero", "p2 asserts y==0"],
        2,
    );
    // The fault of one alternative.
    check("p0:[choose l 3; await 2/(l-1)!=x; y=l] p1:[x=2]", &["p0 divides by zero"], 3);
    check(
        "init m[2]; p0:[lock m[x]; y=1][unlock m[x]] p1:[x=1][x=2]",
        &["p0 uses m[2], which is outside the array"],
        4,
    );
}

#[test]
fn connectives_look_at_their_right_operand_only_if_the_left_one_does_not_decide() {
    check(
        "init a[2]; p0(i=2):[await i>=2 || a[i]==0; x=1] p1(i=2):[if (i<2 && a[i]==0) y=1]",
        &[],
        1,
    );
    check("init a[2]; p0:[l=x<2 && a[x]==1] p1:[x=1][x=2] p2:[a[1]=1]", &[], 2);
    check("p0:[await x!=0 && 4/x==2; y=1] p1:[x=2][x=0]", &["deadlock"], 2);
    check("p0:[y=x || 1/z] p1:[x=1][z=1]", &["p0 divides by zero"], 2);
    check("p0:[assert x==0 || 2/z==2] p1:[x=1][z=1]", &["p0 divides by zero"], 1);
    check("p0:[assert l==1 && x==1] p1:[x=1]", &["p0 asserts l==1 && x==1"], 1);
}

#[test]
fn how_a_condition_fails_is_told_apart_when_states_are_merged() {
    check(
        "init a[2], y=7; p0:[await w==2; a[y]=1/x] p1:[x=1; w@+1] p2:[x=0; w@+1] p3:[await w==2; x=0]",
        &["p0 divides by zero", "p0 uses a[7], which is outside the array"],
        1,
    );
    check(
        "init a[2], y=7; p0:[await w==2; if (x && a[y]) z=1; if (1/x) z=2] p1:[x=1; w@+1] p2:[x=0; w@+1] p3:[await w==2; x=0]",
        &["p0 divides by zero", "p0 uses a[7], which is outside the array"],
        1,
    );
    check(
        "init a[2]; p0:[await w==2; await a[y]==0; x=0] p1:[y=7; w@+1] p2:[y=9; w@+1] p3:[await w==2; y=0]",
        &[
            "p0 uses a[7], which is outside the array",
            "p0 uses a[9], which is outside the array",
        ],
        1,
    );
    // These once had the same number.
    check(
        "init a[2]; p0:[await w==2; x=a[y]] p1:[y=7; w@+1] p2:[y=1031; w@+1] p3:[await w==2; y=0]",
        &[
            "p0 uses a[7], which is outside the array",
            "p0 uses a[1031], which is outside the array",
        ],
        1,
    );
}

#[test]
fn an_index_is_evaluated_before_the_value_that_is_written_there() {
    check(
        "init a[2], b[2]; p0(l=0):[a[b[y]]=1/l] p1:[y=7]",
        &["p0 divides by zero", "p0 uses b[7], which is outside the array"],
        1,
    );
    // Whether the element exists matters only when it is written.
    check("init a[2]; p0(l=0):[a[y]=1/l] p1:[y=7]", &["p0 divides by zero"], 1);
    // An addition reads the element first.
    for add in ["+=", "@+"] {
        check(
            &format!("init a[2]; p0(l=0):[a[y] {add} 1/l] p1:[y=7]"),
            &["p0 divides by zero", "p0 uses a[7], which is outside the array"],
            1,
        );
    }
    check(
        "init a[2]; p0(l=0):[x=a[y]+1/l] p1:[y=7]",
        &["p0 divides by zero", "p0 uses a[7], which is outside the array"],
        1,
    );
}

#[test]
fn what_finished_tasks_knew_belongs_to_the_final_state() {
    check("p0:[spawn k] p1:[x=1] k:[l=x]", &[], 2);
    check("p0:[spawn k][spawn k] p1:[x=1] k:[l=x]", &[], 3);
    check("p0:[spawn k(1)][spawn k(2)] k(n):[x=n][l=x]", &[], 4);
}

#[test]
fn how_many_tasks_were_started_decides_the_names_of_those_to_come() {
    for text in [
        "init m=0; p1(l=0):[choose l 2; if (l) {spawn k0}][spawn k0] p2:[lock m] k0:[lock m; unlock m]",
        "p1:[x=1] p0:[if (x==1) spawn e][spawn k] e:[] k:[lock m] p2:[lock m]",
    ] {
        let machine = machine(text);
        let truth = brute_force(&machine);
        assert_eq!(truth.failures, BTreeSet::from(["deadlock".to_owned()]), "{text}");
        check_algorithms(&machine, text, &truth);
    }
    // Two ways to the same positions and values. Only the second has started a task, which has ended.
    let machine = machine("p1:[x=1] p0:[if (x==1) spawn e][spawn k] e:[] k:[lock m] p2:[lock m]");
    let after = |processes: &[u32]| {
        let mut run = machine.start();
        for p in processes {
            machine.step(&mut run, Transition::of(Process(*p)), &mut Effects::default());
        }
        run
    };
    let (none, one) = (after(&[1, 0]), after(&[0, 1, 3]));
    for knowledge in [Knowledge::Everything, Knowledge::Locals, Knowledge::Positions] {
        assert_ne!(
            machine.control(&none, knowledge, None),
            machine.control(&one, knowledge, None),
            "{knowledge:?}"
        );
    }
}

#[test]
fn the_token_of_a_lock_is_no_number() {
    for program in [
        "p1:[x=1] p0:[if (x==1) spawn e][spawn k] e:[] k:[lock m] p2:[await m!=0; assert m<1712469785]",
        "p0:[lock m] p1:[m += 1]",
        "p0:[lock m] p1:[x=m]",
        "init a[2]; p0:[lock a[0]] p1:[if (x==a[1]) y=1]",
    ] {
        let error = Machine::parse(program).expect_err(program).to_string();
        assert!(error.contains("is a lock"), "{program}: {error}");
    }
    assert!(Machine::parse("p0:[lock m][m=0] p1:[lock m][unlock m]").is_ok());
}

/// Other processes that wait, or wait elsewhere, are another deadlock: to show one of them only would be to lose the others.
#[test]
fn deadlocks_are_told_apart_by_who_waits_and_where() {
    let machine = Machine::parse("p:[lock m][lock n] q:[lock n][lock m] r:[lock m]").unwrap();
    for algorithm in ["naive", "optimal", "source", "source+merge"] {
        let options = Options::new(Algorithm::parse(algorithm).unwrap()).keep_going(true);
        let mut search = search(&machine, &options, Unobserved).unwrap();
        while search.advance(1_000) == Status::Running {}
        let outcome = search.outcome();
        let mut said: Vec<&str> = outcome.failures.iter().map(|f| f.failure.message.as_str()).collect();
        said.sort_unstable();
        assert_eq!(
            said,
            [
                "p in its step 1 and q in its step 2 wait for ever",
                "p in its step 1 and r in its step 1 wait for ever",
                "p in its step 2, q in its step 2 and r in its step 1 wait for ever",
                "q in its step 1 and r in its step 1 wait for ever",
            ],
            "{algorithm}"
        );
    }
}

#[test]
fn a_number_in_a_lock_names_no_holder() {
    let machine = Machine::parse("p:[m=3] q:[lock m] r:[skip]").unwrap();
    let schedule = [Transition::of(Process(0)), Transition::of(Process(2))];
    let recording = record(&machine, &schedule, None);
    assert_eq!(recording.waits.len(), 1);
    assert!(recording.cycle.is_empty());
    assert!(
        recording.waits[0].on.as_ref().is_none_or(|(_, name, _)| name != "r" && name != "q"),
        "{recording:?}"
    );
}
