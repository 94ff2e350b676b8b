//! What is known of channels.

use mazurka_crossbeam_channel::{
    Receiver, Select, TryRecvError, TrySendError, after, bounded, never, select, select_biased, tick, unbounded,
};
use mazurka_native::{Check, thread};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

/// Everything that `f` ever returns, and how many executions that took.
fn outcomes<T: Ord + 'static>(f: impl Fn() -> T + 'static) -> (BTreeSet<T>, u64) {
    let found: Rc<RefCell<BTreeSet<T>>> = Rc::default();
    let collected = Rc::clone(&found);
    let checked = Check::new().max_executions(20_000).run(move || {
        let outcome = f();
        collected.borrow_mut().insert(outcome);
    });
    assert_eq!(checked.failures().count(), 0, "{}", checked.report());
    assert!(checked.outcome().limit.is_none(), "{}", checked.report());
    (found.take(), checked.executions())
}

fn report(f: impl Fn() + 'static) -> String {
    let report = Check::new().max_executions(20_000).run(f).report();
    report.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn messages_of_several_senders_come_in_every_order() {
    let (orders, executions) = outcomes(|| {
        let (sender, receiver) = unbounded();
        for n in 0..4 {
            let sender = sender.clone();
            thread::spawn(move || sender.send(n).unwrap());
        }
        drop(sender);
        receiver.iter().collect::<Vec<i32>>()
    });
    assert_eq!((orders.len(), executions), (24, 24));
}

#[test]
fn several_receivers_share_the_messages() {
    let (shares, _) = outcomes(|| {
        let (sender, receiver) = unbounded();
        let other = receiver.clone();
        let other = thread::spawn(move || other.into_iter().collect::<Vec<i32>>());
        (1..=2).for_each(|n| sender.send(n).unwrap());
        drop(sender);
        let mine: Vec<i32> = receiver.iter().collect();
        (mine, other.join().unwrap())
    });
    let every = [(vec![], vec![1, 2]), (vec![1], vec![2]), (vec![2], vec![1]), (vec![1, 2], vec![])];
    assert_eq!(shares, every.into());
}

#[test]
fn room_is_waited_for() {
    let (seen, _) = outcomes(|| {
        let (sender, receiver) = bounded(1);
        let other = thread::spawn(move || {
            sender.send(1).unwrap();
            let full = sender.try_send(2) == Err(TrySendError::Full(2));
            sender.send(3).unwrap();
            full
        });
        let received: Vec<i32> = receiver.iter().collect();
        (other.join().unwrap(), received)
    });
    assert_eq!(seen, [(true, vec![1, 3]), (false, vec![1, 2, 3])].into());
    let report = report(|| {
        let (sender, _receiver) = bounded(1);
        sender.send(1).unwrap();
        sender.send(2).unwrap();
    });
    assert!(report.contains("for room in channel 0"), "{report}");
}

#[test]
fn without_room_messages_are_handed_over() {
    let (seen, _) = outcomes(|| {
        let (sender, receiver) = bounded(0);
        let other = thread::spawn(move || receiver.recv().ok());
        let handed = sender.try_send(1).is_ok();
        drop(sender);
        (handed, other.join().unwrap())
    });
    assert_eq!(seen, [(true, Some(1)), (false, None)].into());
    let (seen, _) = outcomes(|| {
        let (sender, receiver) = bounded(0);
        let other = thread::spawn(move || receiver.recv_timeout(SECOND).ok());
        let handed = sender.send_timeout(1, SECOND).is_ok();
        (handed, other.join().unwrap())
    });
    assert_eq!(seen, [(true, Some(1)), (false, None)].into());
}

#[test]
fn one_of_several_channels_is_selected() {
    let (seen, _) = outcomes(|| {
        let (one, from_one) = unbounded();
        let (other, from_other) = unbounded();
        let first = thread::spawn(move || one.send(1).unwrap());
        let second = thread::spawn(move || other.send("two").unwrap());
        let got = select! {
            recv(from_one) -> message => message.map_or(0, |n| n),
            recv(from_other) -> message => {
                assert_eq!(message, Ok("two"));
                2
            }
        };
        first.join().unwrap();
        second.join().unwrap();
        got
    });
    assert_eq!(seen, [1, 2].into());
    let (seen, _) = outcomes(|| {
        let (one, from_one) = bounded(1);
        let (other, from_other) = bounded(1);
        one.send(1).unwrap();
        other.send(2).unwrap();
        select_biased! {
            recv(from_one) -> message => message.unwrap(),
            recv(from_other) -> message => message.unwrap(),
        }
    });
    assert_eq!(seen, [1].into());
}

#[test]
fn selections_have_defaults_and_send() {
    let (seen, _) = outcomes(|| {
        let (sender, receiver) = bounded(1);
        let (other, from_other) = bounded::<i32>(1);
        let reader = thread::spawn(move || receiver.recv().ok());
        let writer = thread::spawn(move || other.send(5).unwrap());
        let what = select! {
            send(sender, 7) -> sent => { sent.unwrap(); "sent" }
            recv(from_other) -> message => { message.unwrap(); "received" }
        };
        let again = select! {
            recv(from_other) -> message => if message.is_ok() { "received" } else { "over" },
            default => "nothing",
        };
        drop(sender);
        writer.join().unwrap();
        (what, again, reader.join().unwrap())
    });
    let every = [
        ("sent", "received", Some(7)),
        ("sent", "nothing", Some(7)),
        ("received", "nothing", None),
        ("received", "over", None),
    ];
    assert_eq!(seen, every.into());
}

#[test]
fn the_clock_may_be_faster_or_slower() {
    let (seen, _) = outcomes(|| {
        let (sender, receiver) = unbounded();
        let other = thread::spawn(move || {
            let _ = sender.send(1);
        });
        let first = select! {
            recv(receiver) -> message => message.map_or("gone", |_| "message"),
            recv(after(SECOND)) -> _ => "late",
        };
        let second = select! {
            recv(never::<()>()) -> _ => "never",
            default(SECOND) => "over",
        };
        other.join().unwrap();
        (first, second)
    });
    assert_eq!(seen, [("message", "over"), ("late", "over")].into());
    let (ticks, executions) = outcomes(|| {
        let ticker = tick(SECOND);
        ticker.iter().take(3).count()
    });
    assert_eq!((ticks, executions), ([3].into(), 1));
}

#[test]
fn what_is_ready_is_seen_and_left_there() {
    let (seen, _) = outcomes(|| {
        let (sender, receiver) = bounded(1);
        let mut selection = Select::new();
        let receive = selection.recv(&receiver);
        let before = selection.try_ready().is_ok();
        let other = thread::spawn(move || sender.send(1).unwrap());
        let now = selection.ready_timeout(SECOND);
        assert_eq!(selection.ready(), receive);
        let left = receiver.len();
        assert_eq!(receiver.try_recv(), Ok(1));
        other.join().unwrap();
        (before, now.is_ok(), left)
    });
    assert_eq!(seen, [(false, true, 1), (false, false, 1)].into());
}

#[test]
fn what_nobody_receives_is_dropped_by_the_last_receiver() {
    outcomes(|| {
        let (inner, receiver) = bounded::<()>(1);
        let (sender, messages) = unbounded();
        sender.send(inner).unwrap();
        let other = messages.clone();
        let dropper = thread::spawn(move || drop(other));
        drop(messages);
        dropper.join().unwrap();
        assert_eq!(receiver.try_recv(), Err(TryRecvError::Disconnected));
        assert!(sender.send(bounded(1).0).is_err());
    });
}

#[test]
fn what_cannot_be_checked_is_refused() {
    let report = report(|| {
        let (sender, receiver) = bounded(0);
        let mut selection = Select::new();
        selection.send(&sender);
        let _ = selection.try_select().map(|selected| selected.send(&sender, 1));
        drop(receiver);
    });
    assert!(report.contains("give the channel room for one message"), "{report}");
}

#[test]
fn outside_of_a_check_channels_are_real() {
    let (sender, receiver) = bounded(1);
    let (other, from_other): (_, Receiver<u32>) = unbounded();
    let threads = [
        std::thread::spawn(move || (0..100).for_each(|n| sender.send(n).unwrap())),
        std::thread::spawn(move || (0..100).for_each(|n| other.send(n).unwrap())),
    ];
    let mut sum = 0;
    let mut open = 2;
    let (mut receiver, mut from_other) = (receiver, from_other);
    while open > 0 {
        select! {
            recv(receiver) -> message => match message {
                Ok(n) => sum += n,
                Err(_) => { open -= 1; receiver = never() }
            },
            recv(from_other) -> message => match message {
                Ok(n) => sum += n,
                Err(_) => { open -= 1; from_other = never() }
            },
        }
    }
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(sum, 9_900);
    assert!(after(Duration::from_millis(1)).recv().is_ok());
}
