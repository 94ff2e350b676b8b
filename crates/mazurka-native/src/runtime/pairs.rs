//! Pairs of operations: what [`Op`] says about one of them must fit what the other one does.
//!
//! The search believes two things of steps of different threads whose footprints do not conflict: that they can be taken in either order with the same
//! answers and the same state, and that neither makes the other possible or impossible. Threads with random operations that fit each other (who unlocks
//! has locked) visit states here, and in each of them all pairs are tried. The one exception: `Receive` waits for sends that it
//! names as the steps that it comes after.

use super::op::{Facts, Nature, Object, Op, Shape};
use mazurka_core::Footprint;

const IT: Object = Object(1);
const OTHER: Object = Object(2);

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

/// Which operations fit: what kind of object it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Lock,
    Shared,
    Condvar,
    Token,
    Unbounded,
    Bounded,
    Rendezvous,
    Barrier,
    Once,
    End,
}

/// What a thread may do next depends on what it has done: how far it is with something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Idle,
    /// It has the lock, reads, waits, or initialises.
    In,
    /// It writes.
    Writes,
    /// It has offered the message of this number, or is in this round.
    Number(u32),
    Gone,
}

use Stage::*;

/// What a thread could do next.
fn choices(kind: Kind, process: u32, stage: Stage) -> Vec<Op> {
    let receives = process == 0;
    let timed = [false, true];
    match (kind, stage) {
        (_, Gone) => vec![],
        (Kind::Lock, Idle) => vec![Op::Lock(IT), Op::TryLock(IT), Op::Load(IT), Op::Update(IT)],
        (Kind::Lock, _) => vec![Op::Unlock(IT), Op::BeginWait { condvar: OTHER, lock: IT }],
        (Kind::Shared, Idle) => vec![Op::Read(IT), Op::TryRead(IT), Op::Write(IT), Op::TryWrite(IT), Op::ComeToWrite(IT)],
        (Kind::Shared, Number(_)) => vec![Op::Write(IT)],
        (Kind::Shared, In) => vec![Op::EndRead(IT)],
        (Kind::Shared, _) => vec![Op::EndWrite(IT)],
        (Kind::Condvar, In) => timed.map(|timed| Op::EndWait { condvar: IT, timed }).to_vec(),
        (Kind::Condvar, _) => vec![Op::NotifyOne(IT), Op::NotifyAll(IT), Op::BeginWait { condvar: IT, lock: OTHER }],
        (Kind::Token, _) if receives => timed.map(|timed| Op::Park { token: IT, timed }).to_vec(),
        (Kind::Token, _) => vec![Op::Unpark(IT)],
        (Kind::Unbounded, _) if receives => [Op::Receive(IT), Op::TryReceive(IT), Op::DropReceiver(IT)]
            .into_iter()
            .chain(timed.map(|timed| Op::ReceiveGuarded { channel: IT, timed }))
            .collect(),
        (Kind::Unbounded, _) => vec![Op::Send(IT), Op::DropSender(IT)],
        (Kind::Bounded, _) if receives => [Op::TryReceive(IT), Op::DropReceiver(IT)]
            .into_iter()
            .chain(timed.map(|timed| Op::ReceiveGuarded { channel: IT, timed }))
            .collect(),
        (Kind::Bounded, _) => vec![Op::SendBounded(IT), Op::TrySend(IT), Op::DropSender(IT)],
        (Kind::Rendezvous, Idle) if receives => vec![Op::ComeToReceive(IT), Op::TryReceive(IT), Op::DropReceiver(IT)],
        (Kind::Rendezvous, _) if receives => timed.map(|timed| Op::ReceiveGuarded { channel: IT, timed }).to_vec(),
        (Kind::Rendezvous, Number(n)) => vec![Op::Handed(IT, n)],
        (Kind::Rendezvous, _) => vec![Op::SendBounded(IT), Op::TryHand(IT), Op::DropSender(IT)],
        (Kind::Barrier, Number(n)) => vec![Op::Leave(IT, n)],
        (Kind::Barrier, _) => vec![Op::Arrive {
            barrier: IT,
            in_turn: true,
        }],
        (Kind::Once, In) => vec![Op::End(IT, true), Op::End(IT, false)],
        (Kind::Once, _) => vec![
            Op::Begin(IT),
            Op::BeginAgain(IT),
            Op::AwaitDone(IT, false),
            Op::AwaitDone(IT, true),
            Op::Load(IT),
        ],
        (Kind::End, _) if receives => vec![Op::Finish(IT)],
        (Kind::End, _) => vec![Op::IsFinished(IT)],
    }
}

/// How far a thread is after an operation.
fn next(op: Op, stage: Stage, answer: u32, shape: &Shape, facts: Facts) -> Stage {
    match op {
        Op::TryLock(_) | Op::TryRead(_) if answer == 0 => stage,
        Op::Lock(_) | Op::TryLock(_) | Op::Read(_) | Op::TryRead(_) => In,
        Op::TryWrite(_) if answer == 0 => stage,
        Op::Write(_) | Op::TryWrite(_) => Writes,
        Op::BeginWait { condvar, .. } if condvar == IT => In,
        Op::ComeToReceive(_) => In,
        Op::ComeToWrite(_) => Number(0),
        Op::SendBounded(_) if answer == 0 && facts.nature.size == u32::MAX => match shape {
            Shape::Channel(channel) => Number(channel.sent - 1),
            _ => Idle,
        },
        Op::DropSender(_) | Op::DropReceiver(_) | Op::Finish(_) => Gone,
        Op::Arrive { .. } => Number(answer / facts.nature.size),
        Op::Begin(_) if answer == 1 => In,
        Op::BeginAgain(_) if answer > 0 => In,
        _ => Idle,
    }
}

fn conflict(a: Op, b: Op) -> bool {
    let (mut one, mut other) = (Footprint::new(), Footprint::new());
    a.footprint(&mut one);
    b.footprint(&mut other);
    one.conflicts(&other)
}

/// A step that could be next: who, what, and which alternative.
type Next = (u32, Op, u32);

fn check_pair(shape: &Shape, facts: Facts, (p, a, i): Next, (q, b, j): Next) {
    let told = || format!("{a:?} ({i}) and {b:?} ({j}) in {shape:?}");
    let can = |shape: &Shape, (p, op, alternative): Next| op.enabled(alternative, p, shape, facts);
    let (one, other) = ((p, a, i), (q, b, j));
    if !can(shape, one) || conflict(a, b) {
        return;
    }
    let mut after = shape.clone();
    let answer = after.apply(a, i, p, IT, facts);
    let names_what_it_waits_for = matches!(b, Op::Receive(_)) && !can(shape, other);
    assert!(
        names_what_it_waits_for || can(&after, other) == can(shape, other),
        "the first of {} decides whether the second can be taken",
        told()
    );
    if !can(shape, other) {
        return;
    }
    let answers = (answer, after.apply(b, j, q, IT, facts));
    let mut reversed = shape.clone();
    let second = reversed.apply(b, j, q, IT, facts);
    assert!(can(&reversed, one), "the second of {} disables the first", told());
    let first = reversed.apply(a, i, p, IT, facts);
    assert_eq!(after, reversed, "{}", told());
    assert_eq!(answers, (first, second), "{}", told());
}

/// Tries all pairs on a random walk, and notes those that can be in either order.
fn walk(kind: Kind, seed: u64, commuted: &mut u32) {
    let mut random = Random(seed);
    let size = match kind {
        Kind::Bounded => 1 + random.below(2) as u32,
        Kind::Barrier => 2,
        _ => u32::MAX,
    };
    let facts = Facts {
        nature: Nature { size },
        senders: 2,
    };
    let (mut shape, mut stages) = (Shape::default(), [Idle; 3]);
    for _ in 0..20 {
        let mut pending: Vec<Next> = Vec::new();
        for (p, stage) in (0..).zip(stages) {
            for op in choices(kind, p, stage) {
                pending.extend((0..op.alternatives()).map(|alternative| (p, op, alternative)));
            }
        }
        for one in &pending {
            for other in pending.iter().filter(|other| other.0 != one.0) {
                check_pair(&shape, facts, *one, *other);
                *commuted += u32::from(!conflict(one.1, other.1));
            }
        }
        pending.retain(|(p, op, alternative)| op.enabled(*alternative, *p, &shape, facts));
        if pending.is_empty() {
            return;
        }
        let (p, op, alternative) = pending[random.below(pending.len())];
        let answer = shape.apply(op, alternative, p, IT, facts);
        stages[p as usize] = next(op, stages[p as usize], answer, &shape, facts);
    }
}

#[test]
fn what_does_not_conflict_commutes() {
    let kinds = [
        Kind::Lock,
        Kind::Shared,
        Kind::Condvar,
        Kind::Token,
        Kind::Unbounded,
        Kind::Bounded,
        Kind::Rendezvous,
        Kind::Barrier,
        Kind::Once,
        Kind::End,
    ];
    for kind in kinds {
        let mut commuted = 0;
        (0..200).for_each(|seed| walk(kind, seed, &mut commuted));
        // Whatever is done with these touches the same.
        let all_conflict = [Kind::Condvar, Kind::Token].contains(&kind);
        assert_eq!(commuted == 0, all_conflict, "{kind:?}: {commuted}");
    }
}
