//! What every engine promises.

use crate::for_every_engine;
use mazurka_cluster::Engine;
use std::time::Duration;

const NOW: Duration = Duration::from_millis(100);
const SOON: Duration = Duration::from_secs(5);

for_every_engine!(
    a_job_is_known_until_it_is_closed,
    a_unit_is_taken_once,
    the_first_result_counts,
    results_come_in_the_order_in_which_they_were_committed,
);

fn a_job_is_known_until_it_is_closed<E: Engine>(engine: &mut dyn FnMut() -> E) {
    let (mut one, mut other) = (engine(), engine());
    assert_eq!(other.job("a").unwrap(), None);
    one.announce("a", b"what it is").unwrap();
    assert_eq!(other.job("a").unwrap().as_deref(), Some(&b"what it is"[..]));
    one.offer("a", 1, b"unit").unwrap();
    one.commit("a", 7, b"result").unwrap();
    one.close("a").unwrap();
    assert_eq!(other.job("a").unwrap(), None);
    assert!(other.take(NOW).unwrap().is_none());
    assert!(engine().results("a", NOW).unwrap().is_empty());
}

fn a_unit_is_taken_once<E: Engine>(engine: &mut dyn FnMut() -> E) {
    let (mut one, mut other) = (engine(), engine());
    one.offer("a", 1, b"first").unwrap();
    one.offer("b", 2, &[0, 255, 10]).unwrap();
    let first = one.take(SOON).unwrap().expect("there are two");
    let second = other.take(SOON).unwrap().expect("there is another one");
    let mut taken = [
        (first.job.clone(), first.unit, first.bytes.clone()),
        (second.job.clone(), second.unit, second.bytes.clone()),
    ];
    taken.sort();
    assert_eq!(
        taken,
        [("a".to_owned(), 1, b"first".to_vec()), ("b".to_owned(), 2, vec![0, 255, 10])]
    );
    assert!(one.take(NOW).unwrap().is_none());
    one.acknowledge(first).unwrap();
    other.acknowledge(second).unwrap();
    assert!(one.take(NOW).unwrap().is_none());
}

fn the_first_result_counts<E: Engine>(engine: &mut dyn FnMut() -> E) {
    let (mut one, mut other) = (engine(), engine());
    assert_eq!(one.commit("a", 3, b"mine"), Ok(true));
    assert_eq!(other.commit("a", 3, b"mine, too"), Ok(false));
    assert_eq!(one.commit("a", 3, b"mine"), Ok(false));
    assert_eq!(other.commit("b", 3, b"of another job"), Ok(true));
    assert_eq!(engine().results("a", SOON).unwrap(), [b"mine".to_vec()]);
}

fn results_come_in_the_order_in_which_they_were_committed<E: Engine>(engine: &mut dyn FnMut() -> E) {
    let (mut one, mut other) = (engine(), engine());
    let mut seen = Vec::new();
    let mut collect = |engine: &mut E, expected: usize| {
        while seen.len() < expected {
            let new = engine.results("a", SOON).unwrap();
            assert!(!new.is_empty(), "{seen:?}");
            seen.extend(new);
        }
        assert!(engine.results("a", NOW).unwrap().is_empty(), "each comes once");
        seen.clone()
    };
    for unit in [5, 1, 9] {
        one.commit("a", unit, &[unit as u8]).unwrap();
    }
    assert_eq!(collect(&mut other, 3), [[5], [1], [9]]);
    one.commit("a", 2, &[2]).unwrap();
    assert_eq!(collect(&mut other, 4), [[5], [1], [9], [2]]);
}
