//! What a step reads and changes, as short as it can be said.

use crate::fields;
use crate::paint::{Paint, cut, width};
use mazurka_core::Mode;
use mazurka_core::schedule::StepRecord;

/// How many values of a step are shown.
const MOST_VALUES: usize = 8;
/// Longer values are cut.
const LONGEST_VALUE: usize = 32;

/// What a step reads, writes, sends and starts, in one line.
pub fn values(step: &StepRecord, paint: Paint) -> String {
    let mut sent = Vec::new();
    for (receiver, text) in &step.text.sends {
        sent.push(format!("{} {} {receiver}", short(text, paint), paint.arrow()));
    }
    if step.text.sends.is_empty() {
        sent.extend(step.births.iter().map(|(_, name, _)| format!("starts {name}")));
    }
    paint.text(&parts(step, sent, paint).join(", "))
}

/// What a step reads and writes, each on a line of its own: what stands in its box where messages are arrows.
pub fn touched(step: &StepRecord, paint: Paint) -> Vec<String> {
    parts(step, Vec::new(), paint)
}

fn parts(step: &StepRecord, sent: Vec<String>, paint: Paint) -> Vec<String> {
    let (mut reads, mut parts) = (Vec::new(), Vec::new());
    for access in &step.accesses {
        let changed = step.changes.iter().any(|c| c.name == access.location);
        if let (Mode::Read, Some(value), false) = (access.mode, &access.value, changed) {
            reads.push(format!("reads {} = {}", access.location, short(value, paint)));
        }
    }
    let created = created(step);
    for change in &step.changes {
        let owner = owner(&change.name).unwrap_or_default();
        match (&change.before, &change.after) {
            (Some(before), Some(after)) => parts.extend(changed(&change.name, before, after, paint)),
            (None, Some(_)) if created.contains(&owner) => {}
            (None, Some(after)) => parts.push(format!("{} = {}", change.name, short(after, paint))),
            (_, None) => parts.push(format!("{} ends", change.name)),
        }
    }
    parts.extend(created.iter().map(|owner| format!("new {owner}")));
    parts.extend(sent);
    let all = reads.len() + parts.len();
    if all > MOST_VALUES {
        // What a step changes says more than what it reads.
        parts.truncate(MOST_VALUES - 1);
        reads.truncate(MOST_VALUES - 1 - parts.len());
        parts.push(format!("{} more", all + 1 - MOST_VALUES));
    }
    parts.splice(0..0, reads);
    parts
}

/// A value that changes: of a long structure only the fields that do.
fn changed(name: &str, before: &str, after: &str, paint: Paint) -> Vec<String> {
    let one = |name: &str, before: &str, after: &str| {
        let (before, after) = cut_around_change(before, after, paint);
        format!("{name}: {before} {} {after}", paint.arrow())
    };
    let fields = match width(before).max(width(after)) > LONGEST_VALUE / 2 {
        true => fields::differing(before, after),
        false => Vec::new(),
    };
    match fields.as_slice() {
        [] => vec![one(name, before, after)],
        fields => fields.iter().map(|(path, b, a)| one(&format!("{name}{path}"), b, a)).collect(),
    }
}

/// The objects of which this step shows the first values: `Fork 0` for `Fork 0.free`.
fn created(step: &StepRecord) -> Vec<&str> {
    let mut owners: Vec<&str> = Vec::new();
    for change in &step.changes {
        if let (None, Some(owner)) = (&change.before, owner(&change.name))
            && !owners.contains(&owner)
        {
            owners.push(owner);
        }
    }
    owners
}

/// What a value belongs to.
fn owner(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(owner, _)| owner)
}

/// Of two long values, what is different: `holder: None` and `holder: Some(1)` of two structures that are otherwise the same.
fn difference(before: &str, after: &str, paint: Paint) -> (String, String) {
    if width(before).max(width(after)) <= LONGEST_VALUE / 2 {
        return (before.to_owned(), after.to_owned());
    }
    let (b, a): (Vec<char>, Vec<char>) = (before.chars().collect(), after.chars().collect());
    let breaks = |c: char| !c.is_alphanumeric() && c != '_' && c != '-';
    let mut front = b.iter().zip(&a).take_while(|(x, y)| x == y).count();
    while front > 0 && !breaks(b[front - 1]) {
        front -= 1;
    }
    // A name belongs to its value: `holder: None` says more than `None`.
    if front >= 2 && b[front - 1] == ' ' && b[front - 2] == ':' {
        front -= 2;
        while front > 0 && !breaks(b[front - 1]) {
            front -= 1;
        }
    }
    let most = b.len().min(a.len()) - front;
    let mut back = b.iter().rev().zip(a.iter().rev()).take(most).take_while(|(x, y)| x == y).count();
    while back > 0 && !breaks(b[b.len() - back]) {
        back -= 1;
    }
    let middle = |text: &[char]| {
        let inner: String = text[front..text.len() - back].iter().collect();
        let (start, end) = (
            if front > 0 { paint.ellipsis() } else { "" },
            if back > 0 { paint.ellipsis() } else { "" },
        );
        format!("{start}{}{end}", inner.trim())
    };
    // An end that is empty says nothing.
    if front + back >= b.len() || front + back >= a.len() {
        return (before.to_owned(), after.to_owned());
    }
    (middle(&b), middle(&a))
}

/// Two values, cut so that it is seen what changed.
fn cut_around_change(before: &str, after: &str, paint: Paint) -> (String, String) {
    let (b, a) = difference(before, after, paint);
    let (b, a) = (short(&b, paint), short(&a, paint));
    if b != a {
        return (b, a);
    }
    // What is different was cut off: it is shown with a little of what comes before it.
    let common: usize = before.chars().zip(after.chars()).take_while(|(x, y)| x == y).count();
    let skipped = common.saturating_sub(LONGEST_VALUE / 4);
    let from_there = |text: &str| {
        let rest: String = text.chars().skip(skipped).collect();
        let start = if skipped > 0 { paint.ellipsis() } else { "" };
        short(&format!("{start}{rest}"), paint)
    };
    (from_there(before), from_there(after))
}

/// A value that is not longer than a glance.
fn short(value: &str, paint: Paint) -> String {
    cut(value, LONGEST_VALUE, paint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_long_values_only_the_difference_is_shown() {
        let plain = Paint::default();
        let pair = |b: &str, a: &str| {
            let (b, a) = difference(b, a, plain);
            format!("{b} → {a}")
        };
        assert_eq!(pair("0", "1"), "0 → 1");
        assert_eq!(
            pair("Fork { holder: None, uses: 12 }", "Fork { holder: Some(philosopher 0), uses: 12 }"),
            "…holder: None… → …holder: Some(philosopher 0)…"
        );
        assert_eq!(pair("list[Replica 1, Replica 2]", "list[]"), "list[Replica 1, Replica 2] → list[]");
        assert_eq!(
            pair("a long value that is replaced", "by another"),
            "a long value that is replaced → by another"
        );
    }

    #[test]
    fn of_long_structures_the_fields_that_differ_are_named() {
        let before = "Fork { holder: None, uses: 12, name: fork 0 }";
        let after = "Fork { holder: Some(philosopher 0), uses: 13, name: fork 0 }";
        assert_eq!(
            changed("Fork 0", before, after, Paint::default()),
            ["Fork 0.holder: None → Some(philosopher 0)", "Fork 0.uses: 12 → 13"]
        );
        assert_eq!(changed("x", "Some(1)", "Some(2)", Paint::default()), ["x: Some(1) → Some(2)"]);
    }

    #[test]
    fn a_change_far_behind_is_shown() {
        let plain = Paint::default();
        let long = "x".repeat(60);
        let (before, after) = cut_around_change(&format!("{long}1"), &format!("{long}2"), plain);
        assert_eq!((before.as_str(), after.as_str()), ("…xxxxxxxx1", "…xxxxxxxx2"));
        let words = "one two three four five six seven eight nine";
        let (before, after) = cut_around_change(words, &format!("{words} ten"), plain);
        assert_ne!(before, after);
        assert!(after.ends_with("ten"), "{after}");
    }
}
