//! Methods with one kind of input each: their classes, and the tests of these. That each test does what it says was compared already when the suite was
//! made.

use crate::common::{class, paths};
use mazurka_symbolic::Bounds;

fn check(text: &str, expected: &[&str]) {
    if let Some((found, exploration)) = paths(text, Bounds::default()) {
        assert_eq!(found, expected);
        assert!(exploration.cuts.is_empty(), "{:?}", exploration.cuts);
    }
}

#[test]
fn numbers_are_told_apart_by_what_is_asked_of_them() {
    let text = class(
        "",
        "",
        "Int m(Int x)",
        "Int r = 0; if (x > 100) { r = x - 100; } else { if (x == 7) { r = 1; } } return r;",
    );
    check(&text, &["x = 0: 0", "x = 101: 1", "x = 7: 1"]);
}

#[test]
fn a_division_has_a_class_in_which_it_fails() {
    let text = class("", "", "Rat m(Int x, Int y)", "return x / y;");
    check(&text, &["x = 0, y = 0: throws DivisionByZeroException", "x = 0, y = 1: 0"]);
}

#[test]
fn remainders_and_truncation_are_those_of_the_checker() {
    let text = class(
        "",
        "",
        "Int m(Int x, Int y)",
        "Int r = 0; if (y != 0) { if (x % y == 0 - 2) { r = truncate(x / y); } } return r;",
    );
    if let Some((found, _)) = paths(&text, Bounds::default()) {
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(
            found.iter().any(|test| test.starts_with("x = -")),
            "the remainder has the sign of the dividend: {found:?}"
        );
    }
}

#[test]
fn fractions_are_exact() {
    let text = class("", "", "Bool m(Rat x)", "return x * 3 == 1;");
    check(&text, &["x = 0: False", "x = 1/3: True"]);
}

#[test]
fn strings_are_compared_and_put_together() {
    let text = class("", "", "Bool m(String s)", "return s + \"!\" == \"ready!\";");
    check(&text, &["s = \"\": False", "s = \"ready\": True"]);
}

#[test]
fn truth_values_that_nobody_looks_at_are_not_told_apart() {
    let text = class("", "", "Int m(Bool a, Bool b)", "Int r = 0; if (a && b) { r = 1; } return r;");
    check(
        &text,
        &["a = False, b = False: 0", "a = True, b = False: 0", "a = True, b = True: 1"],
    );
}

#[test]
fn data_are_taken_apart_as_far_as_the_code_does() {
    let text = class(
        "data Shape = Circle(Int radius) | Square(Int side) | Nothing2;",
        "",
        "Int m(Shape s)",
        "return case s { Circle(r) => r; Square(0) => 0 - 1; Square(x) => x * x; Nothing2 => 0; };",
    );
    check(
        &text,
        &["s = Circle(0): 0", "s = Nothing2: 0", "s = Square(0): -1", "s = Square(1): 1"],
    );
}

#[test]
fn lists_are_as_long_as_the_code_looks() {
    let text = class(
        "",
        "",
        "Int m(List<Int> xs)",
        "return case xs { Nil => 0; Cons(x, Nil) => 1; Cons(x, Cons(y, _)) => 2; };",
    );
    check(&text, &["xs = list[0,0]: 2", "xs = list[0]: 1", "xs = list[]: 0"]);
}

#[test]
fn elements_of_sets_are_different_and_ascend() {
    let text = class(
        "",
        "",
        "Bool m(Set<Int> s)",
        "return contains(s, 1) && contains(s, 2) && size(s) == 2;",
    );
    if let Some((found, exploration)) = paths(&text, Bounds::default()) {
        assert!(found.contains(&"s = set[1,2]: True".to_owned()), "{found:?}");
        // Nothing that is no set: `set[2,1]` and `set[1,1]` are not values of that type.
        assert!(
            !found.iter().any(|test| test.contains("set[2,1]") || test.contains("set[1,1]")),
            "{found:?}"
        );
        assert!(
            exploration.cuts.contains(&mazurka_symbolic::bounds::Cut::Size),
            "sets of more than three are left out"
        );
    }
}

#[test]
fn keys_of_maps_are_different() {
    let text = class(
        "",
        "",
        "Int m(Map<Int, Int> xs)",
        "return case lookup(xs, 5) { Just(v) => v; Nothing => 0 - 1; };",
    );
    if let Some((found, _)) = paths(&text, Bounds::default()) {
        assert!(found.contains(&"xs = map[Pair(5,0)]: 0".to_owned()), "{found:?}");
        assert!(
            found
                .iter()
                .any(|test| test.contains("map[Pair(") && test.contains(",Pair(5,0)]: 0")),
            "{found:?}"
        );
        assert!(!found.iter().any(|test| test.contains("Pair(5,0),Pair(5,0)")), "{found:?}");
    }
}

const CELLS: &str = "interface Cell { Unit set(Int v); Int get(); }\n\
                     class CellImpl implements Cell { Int value = 0; Unit set(Int v) { value = v; } Int get() { return value; } }";

#[test]
fn references_may_be_null_other_objects_or_the_same_one_twice() {
    let text = class(
        CELLS,
        "",
        "Int m(Cell a, Cell b)",
        "Int r = 0; if (a != null && b != null) { if (a == b) { r = 1; } else { r = 2; } } return r;",
    );
    check(
        &text,
        &[
            "a = CellImpl 1, b = CellImpl 1, a.value = 0: 1",
            "a = CellImpl 1, b = CellImpl 2, a.value = 0, b.value = 0: 2",
            "a = CellImpl 1, b = null, a.value = 0: 0",
            "a = null, b = null: 0",
        ],
    );
}

#[test]
fn what_is_written_through_one_reference_is_read_through_its_alias() {
    let text = class(
        CELLS,
        "",
        "Int m(Cell a, Cell b)",
        "Int r = 0; if (a != null && b != null) { a.set(1); b.set(2); r = a.get(); } return r;",
    );
    if let Some((found, _)) = paths(&text, Bounds::default()) {
        let of = |pair: &str| {
            found
                .iter()
                .find(|test| test.starts_with(pair))
                .and_then(|test| test.rsplit(": ").next())
        };
        assert_eq!(of("a = CellImpl 1, b = CellImpl 1,"), Some("2"), "{found:?}");
        assert_eq!(of("a = CellImpl 1, b = CellImpl 2,"), Some("1"), "{found:?}");
    }
}

#[test]
fn fields_are_inputs_and_their_last_values_are_predicted() {
    let text = class("", "Int total = 0;", "Unit m(Int x)", "if (total < 10) { total = total + x; }");
    if let Some((found, _)) = paths(&text, Bounds::default()) {
        assert_eq!(found, ["x = 0, this.total = 0: Unit", "x = 0, this.total = 10: Unit"]);
    }
}

#[test]
fn functions_of_the_library_are_followed() {
    let text = class("", "", "Rat m(Int x, Int y)", "return max(abs(x), min(y, 3));");
    if let Some((found, _)) = paths(&text, Bounds::default()) {
        assert!(found.len() >= 4, "{found:?}");
    }
}
