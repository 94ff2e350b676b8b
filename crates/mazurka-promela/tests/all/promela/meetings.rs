//! Who may meet whom in a rendezvous, and what a step touches that moves more than one process.

use crate::promela::footprints::{after, touched, touched_at};
use crate::promela::support::program;
use mazurka_promela::analysis::Access;

/// The process types that are one process to the engine, as groups of names.
fn groups(text: &str) -> Vec<String> {
    let program = program(text);
    let name = |&p: &usize| program.machine().model().proctypes[p].name.to_string();
    let clusters = &program.analysis().clusters;
    clusters
        .iter()
        .map(|c| c.proctypes.iter().map(name).collect::<Vec<_>>().join(" & "))
        .collect()
}

#[test]
fn those_who_use_a_rendezvous_channel_are_a_group() {
    let model = |other: &str| {
        format!(
            "byte x; chan h = [0] of {{ byte }}; chan q = [1] of {{ byte }};
             active proctype s() {{ h!1 }} active proctype r() {{ h?x }} active proctype o() {{ {other} }}"
        )
    };
    assert_eq!(groups(&model("q!1; q?x")), ["s & r"]);
    assert_eq!(groups(&model("h?x")), ["s & r & o"]);
    // A `d_step` may begin with a meeting, and nowhere else can there be one.
    assert_eq!(groups(&model("d_step { h?x; x = 2 }")), ["s & r & o"]);
    assert_eq!(groups(&model("d_step { if :: q?x :: h?x fi; x = 2 }")), ["s & r & o"]);
    assert_eq!(groups(&model("d_step { x = 1; h?x }")), ["s & r"]);
}

#[test]
fn a_meeting_touches_what_both_do() {
    let text = "byte x, y; chan h = [0] of { byte }; active proctype s() { h!y } active proctype r() { h?x }";
    let expected = ["channel h: write*", "the set of processes: read*", "x: write", "y: read*"];
    assert_eq!(touched(text, "h!y with r 1: h?x"), expected);
}

#[test]
fn who_is_met_is_seen_to_move() {
    let text = "byte x; chan h = [0] of { byte }; active proctype s() { h!1 } active proctype r() { at: h?x; skip }
         active proctype watcher() { r[1]@at }";
    let expected = [
        "channel h: write*",
        "the processes of type r: add",
        "the set of processes: read*",
        "x: write",
    ];
    assert_eq!(touched(text, "h!1 with r 1: h?x"), expected);
}

/// Three processes that may meet: `s` begins, `r` goes on with `t`, and `t` has more to do later. `watcher` looks at `t`.
fn chain(s: &str, r: &str) -> String {
    format!(
        "byte x, y, z; chan h = [0] of {{ byte }}; chan g = [0] of {{ byte }};
         active proctype s() {{ {s} }}
         active proctype r() {{ {r} }}
         active proctype t() {{ byte l; g?l; at: z = 1; end: g?l }}
         active proctype watcher() {{ t[2]@at }}"
    )
}

#[test]
fn who_goes_on_to_meet_others_may_move_any_of_the_group() {
    let anything = ["the processes of type t: add", "z: write"];
    let begins = |text: String, label: &str| {
        let lines = touched(&text, label);
        anything.map(|line| lines.contains(&line.to_owned()))
    };
    let both = "h!1 with r 1: h?x; r 1: g!2 with t 2: g?l";
    // Only the partner goes on, then both would, then nobody does.
    assert_eq!(begins(chain("h!1", "atomic { h?x; g!2 }"), both), [true, true]);
    assert_eq!(begins(chain("atomic { h!1; g!2 }", "atomic { h?x; g!2 }"), both), [true, true]);
    assert_eq!(begins(chain("h!1", "h?x; g!2"), "h!1 with r 1: h?x"), [false, false]);
    // The one who begins goes on, to one meeting or to several.
    assert_eq!(
        begins(chain("atomic { x = 1; g!2 }", "h?x; g!2"), "x = 1; g!2 with t 2: g?l"),
        [true, true]
    );
    let twice = chain("atomic { x = 1; g!2; g!3 }", "h?x; g!2");
    assert_eq!(begins(twice, "x = 1; g!2 with t 2: g?l"), [true, true]);
}

#[test]
fn another_way_through_a_sequence_of_a_group_may_be_anybodys() {
    let text = chain("atomic { x = 1; if :: y = 1 :: y = 2 fi }; h!1", "h?x; g!2");
    let model = program(&text);
    let run = after(&model, &[]);
    let first = touched_at(&model, &run, "x = 1; y = 1; if :: y = 1 :: y = 2 fi");
    assert!(
        first.contains(&"y: write".to_owned()) && !first.contains(&"z: write".to_owned()),
        "{first:?}"
    );
    // What replaces a value on one way does not on the others.
    let second = touched_at(&model, &run, "x = 1; y = 2; if :: y = 1 :: y = 2 fi");
    for line in ["x: write", "y: write", "z: write", "the processes of type t: add"] {
        assert!(second.contains(&line.to_owned()), "{line}: {second:?}");
    }
}

#[test]
fn where_a_sequence_of_a_group_branches_all_that_it_reads_decides() {
    let text = "byte x; byte a[2]; chan h = [0] of { byte };
         active proctype r() { h?a[x % 2] }
         active proctype s() { atomic { h!1; if :: (a[0]) :: skip fi } }";
    let expected = [
        "a[0]: write*",
        "a[1]: write",
        "channel h: write*",
        "the set of processes: read*",
        "x: read*",
    ];
    assert_eq!(touched(text, "h!1 with r 0: h?a[x % 2]"), expected);
}

#[test]
fn no_access_is_listed_twice() {
    let text = "byte x, y, a[2]; chan h = [0] of { byte };
         active proctype p() { byte i, j; atomic { x = y; x = y; h!x; h!x; if :: a[i] == a[j] && a[i] == 0 :: a[j] && a[i] fi } }
         active proctype q() { byte i, j; h?x; h?x; (a[i] == a[j] && a[i] == 0) }";
    let program = program(text);
    let different = |accesses: &[Access]| accesses.windows(2).all(|w| w[0] < w[1]);
    let analysis = program.analysis();
    for location in analysis.proctypes.iter().flatten() {
        assert!(different(&location.guards), "{:?}", location.guards);
        assert!(location.edges.iter().all(|e| different(&e.step)));
    }
    for cluster in &analysis.clusters {
        assert!(different(&cluster.guards) && different(&cluster.all));
    }
}
