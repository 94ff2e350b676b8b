//! Values: arithmetic, order, printing.

use crate::run::common::value;

#[test]
fn integers_have_no_bounds() {
    assert_eq!(value("9223372036854775807 + 1"), "9223372036854775808");
    assert_eq!(value("pow(2, 100)"), "1267650600228229401496703205376");
    assert_eq!(value("-7 % 3"), "-1");
    assert_eq!(value("7 % -3"), "1");
    assert_eq!(value("truncate(-7/2)"), "-3");
}

#[test]
fn fractions_are_exact_and_normalised() {
    assert_eq!(value("4/2"), "2");
    assert_eq!(value("1/3 + 1/6"), "1/2");
    assert_eq!(value("2/6"), "1/3");
    assert_eq!(value("numerator(4/6) + denominator(4/6)"), "5");
}

#[test]
fn data_prints_as_the_reference_prints_it() {
    assert_eq!(value("list[1,2,3]"), "list[1,2,3]");
    assert_eq!(value("Nil"), "list[]");
    assert_eq!(value("set[3,1,2,1]"), "set[1,2,3]");
    assert_eq!(value("EmptySet"), "EmptySet");
    assert_eq!(value("map[Pair(1,2), Pair(3,4)]"), "map[Pair(1,2),Pair(3,4)]");
    assert_eq!(value("Just(\"a\")"), "Just(\"a\")");
    assert_eq!(value("\"a\""), "a");
    assert_eq!(value("Pair(True, Unit)"), "Pair(True,Unit)");
}

#[test]
fn the_order_of_data_is_that_of_constructor_names_and_arguments() {
    assert_eq!(value("Cons(1, Nil) < Nil"), "True");
    assert_eq!(value("False < True"), "True");
    assert_eq!(value("list[1,2] < list[1,3]"), "True");
    assert_eq!(value("Left(3) < Right(1)"), "True");
    assert_eq!(value("\"abc\" < \"abd\""), "True");
    assert_eq!(value("max(Just(1), Just(2))"), "Just(2)");
}

#[test]
fn the_library_keeps_its_observable_structure() {
    assert_eq!(value("put(map[Pair(1,2), Pair(3,4)], 1, 5)"), "map[Pair(1,5),Pair(3,4)]");
    assert_eq!(value("put(map[Pair(1,2)], 9, 5)"), "map[Pair(1,2),Pair(9,5)]");
    assert_eq!(value("insert(map[Pair(1,2)], Pair(9,5))"), "map[Pair(9,5),Pair(1,2)]");
    assert_eq!(value("lookup(map[Pair(1,2)], 1)"), "Just(2)");
    assert_eq!(value("lookup(map[Pair(1,2)], 2)"), "Nothing");
    assert_eq!(value("removeKey(map[Pair(1,2), Pair(3,4)], 1)"), "map[Pair(3,4)]");
    assert_eq!(value("union(set[1,3], set[2])"), "set[1,2,3]");
    assert_eq!(value("appendright(list[1,2], 3)"), "list[1,2,3]");
    assert_eq!(value("reverse(list[1,2,3])"), "list[3,2,1]");
    assert_eq!(value("nth(list[5,6,7], 1)"), "6");
    assert_eq!(value("foldl((Int x, Int acc) => x + acc)(list[1,2,3], 0)"), "6");
    assert_eq!(value("map((Int x) => x * 2)(list[1,2])"), "list[2,4]");
    assert_eq!(value("substr(\"hello\", 1, 3)"), "ell");
    assert_eq!(value("strlen(\"hello\")"), "5");
}
