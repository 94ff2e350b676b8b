//! What was found in a shared-variable program against what should have been.

use mazurka_laboratory::litmus::reference::Printed;
use mazurka_laboratory::litmus::{Found, Promise, View};

fn state(text: &str) -> Printed {
    let pair = |part: &str| part.split_once('=').map(|(n, v)| (n.to_owned(), v.to_owned()));
    text.split(' ').filter_map(pair).collect()
}

fn found(finals: &[&str], failures: &[&str]) -> Found {
    let mut found = Found::default();
    found.finals = finals.iter().map(|s| state(s)).collect();
    found.failures = failures.iter().map(|m| ("assertion", (*m).to_owned(), Some((1, 2)))).collect();
    found
}

fn promise(shared: bool, names: bool, failure_values: bool) -> Promise {
    Promise {
        view: View {
            shared,
            locals: true,
            names,
        },
        failure_values,
    }
}

#[test]
fn what_is_missing_or_too_much_is_named() {
    let expected = found(&["x=1", "x=2"], &["p asserts x, but x is 1", "p asserts x, but x is 2"]);
    assert_eq!(expected.keeps(Promise::ALL, &expected), Ok(()));
    let less = found(&["x=1"], &["p asserts x, but x is 1", "p asserts x, but x is 2"]);
    assert_eq!(less.keeps(Promise::ALL, &expected), Err("misses a final state: x=2".to_owned()));
    let other = found(&["x=1", "x=2"], &["p asserts x, but x is 1"]);
    assert_eq!(
        other.keeps(Promise::ALL, &expected),
        Err("misses a failure: assertion at 1:2: p asserts x, but x is 2".to_owned())
    );
    assert_eq!(other.keeps(promise(true, true, false), &expected), Ok(()), "the statement is known");
    assert_eq!(
        expected.keeps(Promise::ALL, &less),
        Err("reports a final state that does not exist: x=2".to_owned())
    );
}

#[test]
fn who_promises_less_is_asked_for_less() {
    let expected = found(&["p.l=0 x=1", "p.l=0 x=2"], &[]);
    let less = found(&["p.l=0 x=1"], &[]);
    assert_eq!(less.keeps(promise(false, true, true), &expected), Ok(()));
    assert!(less.keeps(promise(true, true, true), &expected).is_err());
    let expected = found(&["p/k#1.l=1 p/k.l=0", "p/k#1.l=0 p/k.l=1"], &[]);
    let less = found(&["p/k#1.l=1 p/k.l=0"], &[]);
    assert_eq!(
        less.keeps(promise(true, false, true), &expected),
        Ok(()),
        "up to the names of tasks"
    );
    assert!(less.keeps(promise(true, true, true), &expected).is_err());
}
