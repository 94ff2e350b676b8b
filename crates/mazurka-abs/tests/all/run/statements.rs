//! Statements: loops, branches, blocks, returns, output.

use crate::run::common::prints;

#[test]
fn while_counts() {
    assert_eq!(prints("", "Int i = 0; while (i < 3) { print(toString(i)); i = i + 1; }"), "012");
}

#[test]
fn foreach_visits_a_list_with_and_without_index() {
    assert_eq!(prints("", "foreach (x in list[5,6]) { print(toString(x)); }"), "56");
    assert_eq!(
        prints(
            "",
            "foreach (x, i in list[5,6]) { print(toString(i) + \":\" + toString(x) + \" \"); }"
        ),
        "0:5 1:6 "
    );
    assert_eq!(prints("", "List<Int> l = Nil; foreach (x in l) { print(\"never\"); }"), "");
}

#[test]
fn switch_takes_the_first_branch_that_fits() {
    let main = "
        Maybe<Int> m = Just(3);
        switch (m) {
            Nothing => { println(\"nothing\"); }
            Just(2) => { println(\"two\"); }
            Just(x) => { println(toString(x)); }
        }";
    assert_eq!(prints("", main), "3\n");
}

#[test]
fn a_variable_in_scope_is_compared_in_a_pattern() {
    let main = "
        Int x = 3;
        switch (Pair(3, 4)) {
            Pair(x, y) => { println(\"same \" + toString(y)); }
            _ => { println(\"other\"); }
        }
        switch (Pair(5, 4)) {
            Pair(x, y) => { println(\"same\"); }
            _ => { println(\"other\"); }
        }";
    assert_eq!(prints("", main), "same 4\nother\n");
}

#[test]
fn a_variable_may_occur_twice_in_a_pattern() {
    let functions = "def Bool twins(Pair<Int, Int> p) = case p { Pair(x, x) => True; _ => False; };";
    assert_eq!(
        prints(
            functions,
            "println(toString(twins(Pair(1, 1)))); println(toString(twins(Pair(1, 2))));"
        ),
        "True\nFalse\n"
    );
}

#[test]
fn template_strings_show_values() {
    assert_eq!(prints("", "Int n = 3; println(`n is $n$, next $n + 1$`);"), "n is 3, next 4\n");
}

#[test]
fn nested_blocks_and_branches() {
    let main = "
        Int i = 0;
        while (i < 4) {
            if (i % 2 == 0) { print(\"even \"); } else { print(\"odd \"); }
            { Int j = i * 10; print(toString(j) + \" \"); }
            i = i + 1;
        }";
    assert_eq!(prints("", main), "even 0 odd 10 even 20 odd 30 ");
}
