//! Types keep what their C counterparts in SPIN's verifier keep.

use crate::promela::support::{count, holds};

fn keeps(declaration: &str, statements: &str) {
    let text = format!("{declaration}; init {{ d_step {{ {statements} }} }}");
    assert!(holds(&text), "{text}: {:?}", count(&text));
}

#[test]
fn values_wrap_around() {
    keeps("byte b", "b = 255; b = b + 1; assert(b == 0); b = b - 1; assert(b == 255)");
    keeps("bit b", "b = 3; assert(b == 1); b = 2; assert(b == 0)");
    keeps("short s", "s = 32767; s = s + 1; assert(s == -32768)");
    keeps("int i", "i = 2147483647; i = i + 1; assert(i < 0)");
    keeps("unsigned u : 3", "u = 9; assert(u == 1)");
    keeps("pid p", "p = 256; assert(p == 0)");
}

#[test]
fn an_array_of_bits_is_one_of_bytes() {
    keeps("bit a[2]", "a[1] = 3; assert(a[1] == 3)");
}

#[test]
fn arithmetic_is_that_of_c() {
    keeps(
        "int x",
        "x = -7; assert(x / 2 == -3 && x % 2 == -1 && (x >> 1) == -4 && (1 << 4) == 16)",
    );
    keeps(
        "int x = 6",
        "assert((x & 3) == 2 && (x | 1) == 7 && (x ^ 5) == 3 && ~x == -7 && !x == 0)",
    );
    keeps(
        "int x = 2",
        "assert((x > 1 -> 10 : 20) == 10); assert(x + 2 * 3 == 8 && (x == 2) + 1 == 2)",
    );
}

#[test]
fn conditions_stop_at_the_first_answer() {
    keeps("byte a[2]; byte i = 5", "assert(i > 1 || a[i] == 0); assert(!(i < 2 && a[i] == 0))");
}

#[test]
fn mtype_names_are_numbered_from_the_last() {
    keeps(
        "mtype = { a, b }; mtype = { c, d }; mtype:colour = { red, green }",
        "assert(a == 2 && b == 1 && c == 4 && d == 3 && red == 2)",
    );
}

#[test]
fn first_values_of_arrays_repeat_the_last_one_given() {
    keeps(
        "byte a[3] = 7; byte b[4] = { 1, 2 }",
        "assert(a[2] == 7 && b[0] == 1 && b[1] == 2 && b[3] == 2)",
    );
}

#[test]
fn a_declaration_after_a_statement_is_a_statement() {
    let early = count("init { byte x = 3; byte y; skip }");
    let late = count("init { skip; byte x = 3; byte y }");
    assert_eq!((early.states, late.states), (3, 5));
}

#[test]
fn inner_blocks_have_names_of_their_own() {
    assert!(holds("byte x = 1; init { { byte x = 2; assert(x == 2) }; assert(x == 1) }"));
}

#[test]
fn hidden_variables_tell_states_apart_only_if_somebody_reads_them() {
    let states = |declared: &str, last: &str| {
        count(&format!(
            "{declared} byte h; byte x; init {{ if :: h = 1 :: h = 2 fi; x = {last} }}"
        ))
        .states
    };
    assert!(states("hidden", "1") < states("", "1"));
    assert_eq!(states("hidden", "h"), states("", "h"));
}
