//! Every part of the state is changed alone: the fingerprint notices, or the test says why it cannot matter.
//!
//! Structures are taken apart without `..`: who adds a field has to decide here.

use super::Machine;
use super::fingerprint::Seen;
use super::identity::Identities;
use super::state::{Cog, Frame, Future, Interval, Live, NOBODY, Object, Promise, Returned, Run, Stopped, Task, Waiting};
use crate::model::{Options, open_text};
use crate::value::{Ref, Value, known};
use mazurka_core::{Effects, Failure, FailureKind, Location, Position, Program};
use smallvec::smallvec;
use std::cell::Cell;
use std::rc::Rc;

const MODEL: &str = "module M;
    interface I { Int work(I other); Int number(); }
    class C implements I {
        Int x = 0;
        Fut<Int> f;
        Int work(I other) { f = other!number(); await f? & x == 0; Int n = f.get; Int r = random(3); await x == 9; return n + r; }
        Int number() { return truncate(1 / x); }
    }
    { I a = new C(); I b = new C(); Fut<Int> f = a!work(b); Fut<Int> g = b!work(a); Int n = 1; await f?; }";

fn machine(property: Option<&str>) -> Machine {
    let options = Options {
        property: property.map(str::to_owned),
        ..Options::default()
    };
    match open_text("model.abs", MODEL, &options) {
        Ok(opened) => opened.machine,
        Err((sources, diagnostics)) => panic!("{}", diagnostics.render(&sources, false)),
    }
}

/// The state after `main` and one step of each `work`.
fn state(machine: &Machine) -> Run {
    let mut run = machine.start();
    for process in [0, 1, 2] {
        machine.step(&mut run, process, 0, &mut Effects::default());
    }
    assert_eq!((run.live.len(), run.objects.next_index()), (5, 2));
    run
}

/// A copy that remembers no hashes.
fn fresh(run: &Run) -> Run {
    let mut copy = run.clone();
    for slot in 0..copy.objects.next_index() {
        copy.object_mut(slot);
    }
    for place in copy.live.places() {
        let live = &mut copy.live[place];
        live.task = Rc::new(Task {
            hash: Cell::new(0),
            ..Task::clone(&live.task)
        });
    }
    copy
}

struct Changes {
    machine: Machine,
    run: Run,
}

impl Changes {
    fn of(property: Option<&str>) -> Self {
        let machine = machine(property);
        let run = state(&machine);
        Changes { machine, run }
    }

    fn differs(&self, change: impl FnOnce(&mut Run)) -> bool {
        let mut changed = fresh(&self.run);
        change(&mut changed);
        self.machine.fingerprint(&changed) != self.machine.fingerprint(&self.run)
    }

    #[track_caller]
    fn noticed(&self, what: &str, change: impl FnOnce(&mut Run)) {
        assert!(self.differs(change), "{what} is not noticed");
    }

    #[track_caller]
    fn irrelevant(&self, why: &str, change: impl FnOnce(&mut Run)) {
        assert!(!self.differs(change), "noticed, although {why}");
    }

    fn task(run: &mut Run, place: usize, change: impl FnOnce(&mut Task)) {
        if let Some(task) = Rc::get_mut(&mut run.live[place].task) {
            change(task);
        }
    }
}

fn failure(message: &str) -> Failure {
    Failure {
        kind: FailureKind::Exception,
        message: message.to_owned(),
        at: Some(Position {
            file: "model.abs".to_owned(),
            line: 3,
            column: 4,
        }),
    }
}

/// The first place in the list of live tasks that waits for a guard.
fn waiting(run: &Run) -> usize {
    let found = run
        .live
        .iter()
        .position(|l| matches!(l.task.stopped, Stopped::Await(_)) && l.task.id != 0);
    found.unwrap_or_else(|| panic!("nobody waits: {:?}", run.live))
}

#[test]
fn objects_and_cogs() {
    let c = Changes::of(None);
    let Object {
        id: _,
        class: _,
        cog: _,
        location: _,
        fields: _,
        dead: _,
        hash: _,
        mentions: _,
    } = Object::clone(c.run.objects.get(0));
    c.noticed("the name of an object", |run| run.object_mut(0).id = run.objects.get(1).id);
    c.irrelevant("the class is a part of the name", |run| run.object_mut(0).class = 0);
    c.noticed("the cog of an object", |run| run.object_mut(0).cog = run.objects.get(1).cog);
    c.irrelevant("locations follow from names", |run| run.object_mut(0).location = Location(77));
    c.noticed("a field", |run| run.object_mut(0).fields[0] = Value::Int(1));
    c.noticed("another field", |run| run.object_mut(1).fields[1] = Value::Null);
    c.noticed("death", |run| run.object_mut(0).dead = true);

    let Cog {
        first: _,
        class: _,
        holder: _,
        all: _,
        control: _,
        inside: _,
    } = *c.run.cogs.get(0);
    c.noticed("the name of a cog", |run| run.cogs.get_mut(1).first = None);
    c.irrelevant("the class of a cog is that of its first object", |run| {
        run.cogs.get_mut(1).class = None
    });
    c.irrelevant("the holder of a cog is the task that stands where it must hold it", |run| {
        run.cogs.get_mut(1).holder = Some(1);
    });
    c.irrelevant("locations follow from names", |run| {
        let cog = run.cogs.get_mut(1);
        (cog.all, cog.control, cog.inside) = (Location(70), Location(71), Location(72));
    });
}

#[test]
fn tasks() {
    let c = Changes::of(None);
    let at = waiting(&c.run);
    let Task {
        id: _,
        slot: _,
        cog: _,
        deadline: _,
        children: _,
        returned: _,
        objects: _,
        observed: _,
        private: _,
        future: _,
        stopped: _,
        frames: _,
        stack: _,
        also_holds: _,
        hash: _,
    } = Task::clone(&c.run.live[at].task);
    let noticed = |what: &str, change: fn(&mut Task)| c.noticed(what, |run| Changes::task(run, at, change));
    let irrelevant = |why: &str, change: fn(&mut Task)| c.irrelevant(why, |run| Changes::task(run, at, change));
    noticed("the name of a task", |task| task.id = 0);
    irrelevant("the slot of a future is where it lives in this run", |task| task.slot = 0);
    irrelevant("the cog is that of the receiver", |task| task.cog = 0);
    noticed("how many names it gave to tasks", |task| task.children += 1);
    noticed("a name that it can give again", |task| {
        task.returned.push(Returned { nth: 0, slot: 0 });
    });
    noticed("whether its name can come back", |task| task.private = !task.private);
    noticed("how many objects it made", |task| task.objects += 1);
    noticed("whether its result can be asked for", |task| task.observed = false);
    irrelevant("locations follow from names", |task| task.future = Location(77));
    noticed("a frame less", |task| {
        task.frames.pop();
    });
    let Frame {
        code: _,
        pc: _,
        base: _,
        this: _,
    } = c.run.live[at].task.frames[0];
    noticed("the code", |task| task.frames[0].code += 1);
    noticed("the next instruction", |task| task.frames[0].pc += 1);
    noticed("where variables start", |task| task.frames[0].base += 1);
    noticed("the receiver", |task| task.frames[0].this = 1 - task.frames[0].this);
    noticed("the receiver, or none", |task| task.frames[0].this = NOBODY);
    noticed("a variable", |task| task.stack[0] = Value::Null);
    noticed("an operand more", |task| task.stack.push(Value::Int(0)));
    irrelevant("what else it holds are the cogs of its frames", |task| task.also_holds.push(1));
    c.noticed("a task less", |run| {
        run.live.remove(at);
    });
    c.irrelevant("tasks are listed in the order of their births", |run| {
        let mut all: Vec<Live> = run.live.iter().cloned().collect();
        all.swap(0, 1);
        run.live = all.into_iter().collect();
    });
    let Live { task: _, ready: _ } = c.run.live[at].clone();
    c.irrelevant("whether a guard holds follows from fields and variables", |run| {
        run.live[at].ready = !run.live[at].ready;
    });
}

#[test]
fn reasons_for_waiting() {
    let c = Changes::of(None);
    let at = waiting(&c.run);
    let Stopped::Await(was) = c.run.live[at].task.stopped.clone() else {
        panic!("it waits");
    };
    let future = Ref { slot: 1, id: 1 };
    let other = Ref { slot: 2, id: 2 };
    let next = Waiting {
        guard: was.guard + 1,
        ..was.clone()
    };
    let all = [
        Stopped::Fresh,
        Stopped::Suspended,
        Stopped::Await(was.clone()),
        Stopped::Await(next.clone()),
        Stopped::Look(was.clone()),
        Stopped::Look(next),
        Stopped::Get(future),
        Stopped::Get(other),
        Stopped::Choose(2),
        Stopped::Choose(3),
        Stopped::Sleep(until(2, 3)),
        Stopped::Sleep(until(2, 4)),
        Stopped::Sleep(until(1, 3)),
        Stopped::Await(Waiting {
            until: Some(until(2, 3)),
            ..was.clone()
        }),
    ];
    let prints: Vec<u128> = all
        .iter()
        .map(|stopped| {
            let mut run = fresh(&c.run);
            Changes::task(&mut run, at, |task| task.stopped = stopped.clone());
            c.machine.fingerprint(&run)
        })
        .collect();
    for (i, a) in prints.iter().enumerate() {
        for (j, b) in prints.iter().enumerate().skip(i + 1) {
            assert_ne!(a, b, "{:?} and {:?}", all[i], all[j]);
        }
    }
    let Waiting {
        guard: _,
        futures: _,
        args: _,
        until: _,
    } = was;
    let same = |why: &str, change: fn(&mut Waiting)| {
        c.irrelevant(why, |run| {
            Changes::task(run, at, |task| {
                if let Stopped::Await(waiting) = &mut task.stopped {
                    change(waiting);
                }
            });
        });
    };
    same("the variables that a guard captured are on the stack", |waiting| {
        waiting.args.push(Value::Int(1))
    });
    same("the futures that a guard captured are on the stack", |waiting| {
        waiting.futures.clear()
    });
}

#[test]
fn results() {
    let c = Changes::of(None);
    // The results of all tasks are mentioned: by main's variables, or by the fields.
    for slot in 0..c.run.futures.next_index() {
        let results = [
            Future::Open,
            Future::Forgotten,
            Future::Value(Value::Null),
            Future::Value(Value::Int(10)),
            Future::Failed(Value::Null),
            Future::Failed(Value::Int(10)),
        ];
        let prints: Vec<u128> = results
            .iter()
            .map(|result| {
                let mut run = fresh(&c.run);
                run.futures.get_mut(slot).result = result.clone();
                c.machine.fingerprint(&run)
            })
            .collect();
        for (i, a) in prints.iter().enumerate() {
            assert!(
                prints[i + 1..].iter().all(|b| a != b),
                "the result of task {slot}: {:?}",
                results[i]
            );
        }
    }
    let Promise { result: _, free: _ } = c.run.futures.get(0);
    let free = |free: bool| {
        let mut run = fresh(&c.run);
        *run.futures.get_mut(0) = Promise {
            result: Future::Value(Value::UNIT),
            free,
        };
        c.machine.fingerprint(&run)
    };
    assert_ne!(
        free(false),
        free(true),
        "whether the name of a task can be given again is not noticed"
    );
}

#[test]
fn results_found_in_results() {
    let c = Changes::of(None);
    for outer in [Future::Value as fn(Value) -> Future, Future::Failed] {
        let mut run = fresh(&c.run);
        let slot = run.futures.push(Promise::OPEN);
        let inner = Ref { slot, id: 0 };
        run.futures.get_mut(0).result = outer(Value::data(known::JUST, smallvec![Value::Future(inner)]));
        let before = c.machine.fingerprint(&run);
        run.futures.get_mut(slot).result = Future::Value(Value::Int(5));
        assert_ne!(before, c.machine.fingerprint(&run));
    }
}

#[test]
fn failures() {
    let c = Changes::of(None);
    let one = Ref { slot: 1, id: 1 };
    let two = Ref { slot: 2, id: 2 };
    let mut others = vec![failure("one"), failure("two"), failure("one"), failure("one"), failure("one")];
    others[2].kind = FailureKind::Assertion;
    others[3].at = None;
    others[4].at = Some(Position {
        file: "model.abs".to_owned(),
        line: 4,
        column: 3,
    });
    let mut prints = vec![c.machine.fingerprint(&c.run)];
    for failure in others {
        for task in [one, two] {
            let mut run = fresh(&c.run);
            run.unread.push((task, Rc::new(failure.clone())));
            prints.push(c.machine.fingerprint(&run));
            let mut run = fresh(&c.run);
            run.failed.push((task.id, Rc::new(failure.clone())));
            prints.push(c.machine.fingerprint(&run));
        }
    }
    let different: std::collections::BTreeSet<u128> = prints.iter().copied().collect();
    assert_eq!(different.len(), prints.len());

    let both = |first: Ref, second: Ref| {
        let mut run = fresh(&c.run);
        for task in [first, second] {
            run.unread.push((task, Rc::new(failure("one"))));
            run.failed.push((task.id, Rc::new(failure("two"))));
        }
        c.machine.fingerprint(&run)
    };
    assert_eq!(
        both(one, two),
        both(two, one),
        "the order in which tasks failed is no part of the state"
    );
}

fn until(earliest: i64, latest: i64) -> Box<Interval> {
    Box::new(Interval {
        earliest: moment(earliest),
        latest: moment(latest),
    })
}

fn moment(n: i64) -> num_rational::BigRational {
    num_rational::BigRational::from_integer(n.into())
}

/// The fingerprints of a run at some time, with a task that sleeps until some other, and has a deadline.
fn at_time(parts: Seen, now: i64, (earliest, latest): (i64, i64), deadline: i64) -> u128 {
    let machine = machine(None);
    let mut run = fresh(&state(&machine));
    run.clock = (now > 0).then(|| Rc::new(moment(now)));
    Changes::task(&mut run, 3, |task| {
        task.stopped = Stopped::Sleep(until(earliest, latest));
        task.deadline = (deadline > 0).then(|| Rc::new(moment(deadline)));
    });
    run.fingerprint(&machine.ids, parts)
}

#[test]
fn only_how_long_it_is_to_a_moment_counts_if_nobody_asks_for_the_time() {
    let unasked = Seen { main: false, clock: false };
    let asked = Seen { main: false, clock: true };
    let shifted = |parts: Seen| at_time(parts, 5, (7, 8), 9) == at_time(parts, 6, (8, 9), 10);
    assert!(shifted(unasked) && !shifted(asked));
    let print = |now, until, deadline| at_time(unasked, now, until, deadline);
    let one = print(5, (7, 8), 9);
    assert_ne!(one, print(5, (6, 8), 9), "the first moment");
    assert_ne!(one, print(5, (7, 9), 9), "the last moment");
    assert_ne!(one, print(5, (7, 8), 10), "the deadline");
    assert_ne!(one, print(5, (7, 8), 0), "no deadline");
    assert_ne!(one, print(7, (7, 8), 9), "a moment that is past");
    assert_ne!(print(9, (1, 1), 9), print(10, (1, 1), 9), "a deadline that is past");
    assert_eq!(print(7, (7, 8), 0), print(9, (6, 9), 0), "past moments are all the same");
    assert_eq!(print(10, (1, 1), 8), print(10, (1, 1), 9), "and past deadlines");
}

#[test]
fn the_whole_run() {
    let Run {
        cogs: _,
        objects: _,
        futures: _,
        live: _,
        waiting: _,
        clock: _,
        main: _,
        unread: _,
        failed: _,
        printed: _,
    } = Run::default();
    let end = |n: i64| Some(Rc::new(vec![Value::Int(n)]));
    let c = Changes::of(None);
    c.irrelevant("no property speaks about main's variables", |run| run.main = end(1));
    c.irrelevant("output is no part of the state", |run| run.print("text".to_owned()));
    c.irrelevant("nobody asks what time it is", |run| run.clock = Some(Rc::new(moment(3))));
    let c = Changes::of(Some("n == 1"));
    c.noticed("main's variables", |run| run.main = end(1));
    let print = |n: i64| {
        let mut run = fresh(&c.run);
        run.main = end(n);
        c.machine.fingerprint(&run)
    };
    assert_ne!(print(1), print(2));
}

#[test]
fn slots_do_not_show() {
    // The same objects, cogs and tasks in another order of creation.
    let machine = machine(None);
    let mut one = state(&machine);
    let mut two = machine.start();
    for process in [0, 2, 1] {
        machine.step(&mut two, process, 0, &mut Effects::default());
    }
    assert_eq!(machine.fingerprint(&one), machine.fingerprint(&two));
    let mut all: Vec<Live> = one.live.iter().cloned().collect();
    all.reverse();
    one.live = all.into_iter().collect();
    assert_eq!(machine.fingerprint(&one), machine.fingerprint(&two));
}

#[test]
fn values() {
    let number = |text: &str| -> Value { text.parse::<num_bigint::BigInt>().map_or(Value::Null, Value::from) };
    let ratio = |over: i64, under: i64| -> Value { num_rational::BigRational::new(over.into(), under.into()).into() };
    let list = |values: &[i64]| {
        let link = |rest, n: &i64| Value::data(known::CONS, smallvec![Value::Int(*n), rest]);
        values.iter().rev().fold(Value::Atom(known::NIL), link)
    };
    let values = [
        Value::Int(0),
        Value::Int(1),
        Value::Int(-1),
        number("18446744073709551617"),
        number("-18446744073709551617"),
        number("36893488147419103233"),
        ratio(1, 2),
        ratio(-1, 2),
        ratio(2, 3),
        ratio(1, 3),
        Value::float(0.0),
        Value::float(1.0),
        Value::float(-1.0),
        Value::string(""),
        Value::string("a"),
        Value::string("a\0"),
        Value::string("b"),
        Value::string("abcdefgh"),
        Value::string("abcdefghi"),
        Value::UNIT,
        Value::bool(true),
        list(&[]),
        list(&[1]),
        list(&[1, 2]),
        list(&[2, 1]),
        Value::data(known::JUST, smallvec![Value::Int(1)]),
        Value::data(known::PAIR, smallvec![Value::Int(1), Value::Atom(known::NIL)]),
        Value::Object(Ref { slot: 0, id: 0 }),
        Value::Object(Ref { slot: 0, id: 1 }),
        Value::Future(Ref { slot: 0, id: 0 }),
        Value::Future(Ref { slot: 0, id: 1 }),
        Value::Null,
    ];
    let machine = machine(None);
    let run = state(&machine);
    let print = |value: &Value| {
        let mut run = fresh(&run);
        run.object_mut(0).fields[0] = value.clone();
        machine.fingerprint(&run)
    };
    for (i, value) in values.iter().enumerate() {
        assert_eq!(print(value), print(&value.clone()));
        for other in &values[i + 1..] {
            assert_ne!(print(value), print(other), "{value:?} and {other:?}");
        }
    }
    assert_eq!(print(&Value::float(-0.0)), print(&Value::float(0.0)), "there is one zero");
    let slots = [0, 1].map(|slot| print(&Value::Object(Ref { slot, id: 1 })));
    assert_eq!(slots[0], slots[1], "references are told apart by names");
}

/// A state that no model made, so that nothing but the fingerprint itself can change the number. It comes from another implementation.
#[test]
fn a_state_has_a_known_fingerprint() {
    let ids = Identities::default();
    let one = ids.task(ids.main_task(), 2);
    let two = ids.task(one, 3);
    let object = ids.object(one, 4, 5);
    let mut run = Run::default();
    let cog = run.cogs.push(Cog {
        first: Some(object),
        class: Some(5),
        holder: None,
        all: Location(0),
        control: Location(0),
        inside: Location(0),
    });
    run.objects
        .push(Rc::new(Object::new(object, 5, cog, Location(0), smallvec![Value::Int(6)])));
    let slot = run.futures.push(Promise {
        result: Future::Forgotten,
        free: false,
    });
    let frame = |code, pc, base, this| Frame { code, pc, base, this };
    run.live.push(Live {
        task: Rc::new(Task {
            id: one,
            slot,
            cog,
            deadline: None,
            children: 8,
            returned: smallvec![Returned { nth: 7, slot: 0 }],
            objects: 9,
            observed: true,
            private: false,
            future: Location(0),
            stopped: Stopped::Suspended,
            frames: smallvec![frame(10, 11, 0, NOBODY), frame(12, 13, 1, 0)],
            stack: smallvec![Value::Future(Ref { slot, id: two }), Value::Int(14)],
            also_holds: smallvec![],
            hash: Cell::new(0),
        }),
        ready: true,
    });
    run.main = Some(Rc::new(vec![Value::Int(15)]));
    assert_eq!(
        run.fingerprint(&ids, Seen { main: true, clock: true }),
        0x143e_9eeb_c7c7_9705_7df5_4ee3_5d70_328c
    );
}

#[test]
fn nobody_asks_for_results_that_only_the_ended_main_block_knew() {
    let c = Changes::of(Some("n == 1"));
    let print = |result: Future| {
        let mut run = fresh(&c.run);
        run.live.remove(0);
        run.main = Some(Rc::new(vec![Value::Future(Ref { slot: 0, id: 1 })]));
        run.futures.get_mut(0).result = result;
        c.machine.fingerprint(&run)
    };
    assert_eq!(print(Future::Open), print(Future::Value(Value::Int(5))));
}
