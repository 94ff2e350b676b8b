//! What bounds cut off is said.

use crate::common::{class, explored, paths, solver, target, tests};
use mazurka_symbolic::Bounds;
use mazurka_symbolic::bounds::Cut;
use mazurka_symbolic::coverage::Criterion;

fn cuts(text: &str, bounds: Bounds) -> Option<(usize, Vec<Cut>)> {
    paths(text, bounds).map(|(found, exploration)| (found.len(), exploration.cuts.into_iter().collect()))
}

#[test]
fn loops_are_unrolled_so_many_times() {
    let text = class("", "", "Int m(Int n)", "Int i = 0; while (i < n) { i = i + 1; } return i;");
    let unroll = |unroll| Bounds {
        unroll,
        ..Bounds::default()
    };
    for most in [1, 4] {
        if let Some((tests, cuts)) = cuts(&text, unroll(most)) {
            assert_eq!((tests, cuts), (most as usize, vec![Cut::Unroll]), "0 to {} rounds", most - 1);
        }
    }
}

#[test]
fn lists_have_so_many_elements() {
    let text = class("", "", "Int m(List<Int> xs)", "return length(xs);");
    for size in [1, 3] {
        if let Some((tests, cuts)) = cuts(&text, Bounds { size, ..Bounds::default() }) {
            assert_eq!((tests, cuts), (size as usize + 1, vec![Cut::Size]));
        }
    }
}

#[test]
fn heaps_have_so_many_objects() {
    let text = class(
        "",
        "I next;",
        "Int m()",
        "Int r = 0; if (next != null && next != this) { r = next.m(); } return r;",
    );
    for objects in [1, 3] {
        if let Some((_, cuts)) = cuts(
            &text,
            Bounds {
                objects,
                ..Bounds::default()
            },
        ) {
            assert!(cuts.contains(&Cut::Objects), "{cuts:?}");
        }
    }
}

#[test]
fn what_is_not_followed_is_said_with_its_place() {
    let text = class(
        "",
        "",
        "String m(Int x)",
        "String s = \"small\"; if (x > 9) { s = toString(x); } return s;",
    );
    if let Some((tests, cuts)) = cuts(&text, Bounds::default()) {
        assert_eq!(tests, 1);
        let [Cut::Step(why)] = cuts.as_slice() else { panic!("{cuts:?}") };
        assert!(
            why.contains("M.C.m: the text of a value that depends on an input") && why.contains("model.abs:"),
            "{why}"
        );
    }
}

#[test]
fn classes_and_depth_are_bounded() {
    let text = class(
        "",
        "",
        "Int m(Int x)",
        "Int r = 0; suspend; if (x > 0) { suspend; r = 1; } return r;",
    );
    let few = Bounds {
        classes: 1,
        ..Bounds::default()
    };
    if let Some((tests, cuts)) = cuts(&text, few) {
        assert_eq!((tests, cuts), (1, vec![Cut::Classes]));
    }
    let shallow = Bounds {
        depth: 1,
        ..Bounds::default()
    };
    if let Some((tests, cuts)) = cuts(&text, shallow) {
        assert_eq!((tests, cuts), (0, vec![Cut::Depth]));
    }
}

#[test]
fn what_was_not_run_under_every_schedule_is_counted() {
    let Some(solver) = solver() else { return };
    let text = class("", "Int f = 0;", "Unit m(Int x)", "suspend; f = f + x; suspend; f = f * 2;");
    for (executions, partly) in [(100, 0), (2, 1)] {
        let mut target = target(&text, "C.m");
        let bounds = Bounds {
            executions,
            ..Bounds::default()
        };
        let found = explored(&mut target, &solver, bounds);
        assert_eq!(tests(&mut target, &found, Criterion::Paths).partly, partly);
    }
}
