//! Histories whose verdicts are known.

use mazurka_history::{History, Map, MapOperation, Queue, QueueOperation, ReadWrite, Register, Set, SetOperation, Stack};

fn stale() -> History<ReadWrite<u8>, Option<u8>> {
    let mut history = History::new();
    let write = history.invoke("alice", ReadWrite::Write(1));
    let new = history.invoke("bob", ReadWrite::Read);
    history.respond(new, Some(1));
    let old = history.invoke("carol", ReadWrite::Read);
    history.respond(old, None);
    history.respond(write, None);
    history
}

#[test]
fn a_new_value_that_becomes_old_again_is_shown() {
    let why = stale().linearizable(&Register::default()).unwrap_err();
    insta::assert_snapshot!(why.to_string());
}

#[test]
fn without_real_time_it_can_be_explained() {
    let order = stale().sequentially_consistent(&Register::default()).unwrap();
    assert_eq!(order.iter().map(|id| id.0).collect::<Vec<_>>(), [2, 0, 1]);
    assert!(stale().causally_consistent(&Register::default()).is_ok());
}

#[test]
fn one_client_does_not_go_back_in_time() {
    let mut history = History::new();
    let write = history.invoke("alice", ReadWrite::Write(1));
    for answer in [Some(1), None] {
        let read = history.invoke("bob", ReadWrite::Read);
        history.respond(read, answer);
    }
    history.respond(write, None);
    assert!(history.sequentially_consistent(&Register::default()).is_err());
    assert!(history.causally_consistent(&Register::default()).is_err());
}

#[test]
fn two_readers_may_disagree_causally_only() {
    // The classic of causal memory: two writes without a cause in common, seen in different orders.
    let mut history = History::new();
    for (client, value) in [("a", 1), ("b", 2)] {
        let write = history.invoke(client, ReadWrite::Write(value));
        history.respond(write, None);
    }
    for (client, values) in [("c", [1, 2]), ("d", [2, 1])] {
        for value in values {
            let read = history.invoke(client, ReadWrite::Read);
            history.respond(read, Some(value));
        }
    }
    let register = Register::default();
    assert!(history.causally_consistent(&register).is_ok());
    assert!(history.sequentially_consistent(&register).is_err());
    assert!(history.linearizable(&register).is_err());
}

#[test]
fn what_is_not_answered_may_have_happened() {
    let mut history = History::new();
    history.invoke("alice", ReadWrite::Write(1));
    let read = history.invoke("bob", ReadWrite::Read);
    history.respond(read, Some(1));
    assert!(history.linearizable(&Register::default()).is_ok());
    let again = history.invoke("bob", ReadWrite::Read);
    history.respond(again, None);
    let why = history.linearizable(&Register::default()).unwrap_err();
    insta::assert_snapshot!(why.to_string());
}

#[test]
fn queues_and_stacks_differ_in_what_comes_first() {
    let mut history = History::new();
    for value in [1, 2] {
        let put = history.invoke("alice", QueueOperation::Put(value));
        history.respond(put, None);
    }
    let take = history.invoke("bob", QueueOperation::Take);
    history.respond(take, Some(1));
    assert!(history.linearizable(&Queue::default()).is_ok());
    assert!(history.linearizable(&Stack::default()).is_err());
}

#[test]
fn many_operations_on_many_keys_are_checked_key_by_key() {
    let mut history = History::new();
    // All inserts overlap: without keys, there would be 60 operations to put in order.
    for round in 0u32..3 {
        let inserts: Vec<_> = (0..20)
            .map(|n| history.invoke(&format!("client {n}"), MapOperation::Insert(n, round)))
            .collect();
        for insert in inserts {
            history.respond(insert, round.checked_sub(1));
        }
    }
    let order = history.linearizable(&Map::default()).unwrap();
    assert_eq!(order.len(), 60);
    let get = history.invoke("reader", MapOperation::Get(3));
    history.respond(get, Some(1));
    let why = history.linearizable(&Map::default()).unwrap_err();
    assert_eq!(why.what(), "the history is not linearizable: nothing explains Get(3) → Some(1)");
}

#[test]
fn a_set_says_what_was_there() {
    let mut history = History::new();
    let insert = history.invoke("a", SetOperation::Insert(7));
    let contains = history.invoke("b", SetOperation::Contains(7));
    history.respond(contains, true);
    history.respond(insert, true);
    assert!(history.linearizable(&Set::default()).is_err(), "it cannot have been there before");
}

#[test]
#[should_panic(expected = "`alice` asks Read before it has the answer to what it asked before")]
fn a_client_does_one_thing_after_the_other() {
    let mut history: History<ReadWrite<u8>, Option<u8>> = History::new();
    history.invoke("alice", ReadWrite::Read);
    history.invoke("alice", ReadWrite::Read);
}
