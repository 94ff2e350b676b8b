//! What the search for places finds, and what the splicer makes of it.

use super::equivalents::Equivalents;
use super::find::find;
use super::site::Shape;
use super::splice::{Spliced, splice};

/// All changes of the text, each with its number, from 1.
fn changes(source: &str) -> Vec<String> {
    let sites = find(source).unwrap();
    sites.iter().flat_map(|s| s.changes.iter().map(|c| c.text.clone())).collect()
}

/// The text with all its switches.
fn all_spliced(source: &str) -> Spliced {
    let sites = find(source).unwrap();
    let mut next = 0;
    let numbers: Vec<Vec<Option<u32>>> = sites
        .iter()
        .map(|s| {
            s.changes
                .iter()
                .map(|_| {
                    next += 1;
                    Some(next)
                })
                .collect()
        })
        .collect();
    splice(source, &sites, &numbers)
}

#[test]
fn an_operator_is_swapped_behind_a_switch() {
    let spliced = all_spliced("fn f(a: &T, b: &T) -> impl Fn() { g(a == b); }");
    assert!(
        spliced.text.contains("g((if crate::__mutant(2) { a != b } else { a == b }));"),
        "{}",
        spliced.text
    );
}

#[test]
fn switches_nest() {
    let source = "fn f() -> impl T { h(a + b < c) }";
    let spliced = all_spliced(source);
    assert_eq!(
        spliced.text,
        "fn f() -> impl T { h((if crate::__mutant(1) { a + b <= c } else if crate::__mutant(2) { a + b >= c } else { \
         (if crate::__mutant(3) { a - b } else { a + b }) < c })) }"
    );
    assert!(syn::parse_file(&spliced.text).is_ok());
}

#[test]
fn a_condition_that_is_no_comparison_is_negated() {
    let found = changes("fn f() -> impl T { if ready(x) { 'a' } else { 'b' } }");
    assert_eq!(found, ["ready(x) → !(ready(x))"]);
    let found = changes("fn f() -> impl T { if !ready(x) { 'a' } else { 'b' } }");
    assert_eq!(found, ["!ready(x) → ready(x)"], "the opposite once is enough");
}

#[test]
fn a_condition_with_a_let_can_be_made_never_to_hold() {
    let spliced = all_spliced("fn f() -> impl T { if let Some(x) = y && x { 'a' } else { 'b' } }");
    assert_eq!(
        spliced.text,
        "fn f() -> impl T { if !crate::__mutant(1) && let Some(x) = y && x { 'a' } else { 'b' } }"
    );
}

#[test]
fn calls_assignments_and_jumps_can_be_left_out() {
    let found = changes("fn f() -> impl T { for x in y { g(x); z = x; z += w; if a == b { continue; } self.h(x) } k }");
    assert_eq!(
        found,
        [
            "without self.h(x)",
            "without g(x);",
            "without z = x;",
            "without z += w;",
            "z += w → z -= w",
            "a == b → a != b",
            "without continue;",
        ]
    );
    let spliced = all_spliced("fn f() -> impl T { g(x); k }");
    assert_eq!(spliced.text, "fn f() -> impl T { if !crate::__mutant(1) { g(x); } k }");
}

#[test]
fn what_only_saves_time_is_not_left_out() {
    assert!(changes("fn f() -> impl T { x.reserve(y); k }").is_empty());
}

#[test]
fn an_arm_is_left_out_only_if_another_takes_its_place() {
    assert!(changes("fn f() -> impl T { match x { A => 'a', B(c) => c } }").is_empty());
    assert!(
        changes("fn f() -> impl T { match x { A => 'a', None => 'b' } }").is_empty(),
        "a variant is no name for the rest"
    );
    let spliced = all_spliced("fn f() -> impl T { match x { A => 'a', B(c) if c(d) || e => c, _ => 'b' } }");
    assert_eq!(
        spliced.text,
        "fn f() -> impl T { match x { A if !crate::__mutant(1) => 'a', B(c) if !crate::__mutant(2) && (\
         (if crate::__mutant(3) { !(c(d) || e) } else { (if crate::__mutant(4) { c(d) && e } else { c(d) || e }) })) => c, _ => 'b' } }"
    );
}

#[test]
fn a_function_returns_plausible_values_at_once() {
    assert_eq!(changes("fn f(x: &T) -> bool { g(x) }"), ["return true", "return false"]);
    assert_eq!(
        changes("fn f(x: &T) -> Option<T> { g(x) }"),
        ["return None", "return Some(Default::default())"]
    );
    assert_eq!(changes("fn f(x: &T) -> &[T] { g(x) }"), ["return &[]"]);
    assert_eq!(changes("fn f(x: &T) { g(x) }"), ["return", "without g(x)"]);
    assert!(changes("fn f() -> Option<T> { None }").is_empty(), "it does so already");
    let spliced = all_spliced("fn f(x: &T) -> usize { g(x) }");
    assert_eq!(
        spliced.text,
        "fn f(x: &T) -> usize { if crate::__mutant(1) { return 0; }  if crate::__mutant(2) { return 1; }  g(x) }"
    );
}

#[test]
fn constants_are_one_off() {
    assert_eq!(
        changes("fn f() -> impl T { g(3u8, true) }"),
        ["3u8 → 2u8", "3u8 → 4u8", "true → false"]
    );
    assert_eq!(changes("fn f() -> impl T { g(0) }"), ["0 → 1"]);
    assert!(
        changes("fn f() -> impl T { g(0x9e3779b9) }").is_empty(),
        "a multiplier of a hash function"
    );
}

#[test]
fn what_the_compiler_evaluates_and_what_is_for_tests_or_people_stays() {
    for source in [
        "const A: usize = 1 + 2;",
        "const fn f() -> usize { 1 + 2 }",
        "static A: [u8; 2] = [1; 2];",
        "enum E { A = 1 }",
        "#[cfg(test)] mod tests { fn f() -> usize { 1 + 2 } }",
        "#[test] fn f() { assert(1 + 2) }",
        "impl std::fmt::Debug for T { fn fmt(&self) -> bool { 1 == 2 } }",
        "impl std::fmt::Display for T { fn fmt(&self) -> bool { 1 == 2 } }",
        "fn f(a: [u8; 3]) -> impl T { match a { 3 => b, c::<4>() => d } }",
    ] {
        let source = source.replace("c::<4>()", "C");
        assert_eq!(changes(&source), [] as [&str; 0], "{source}");
    }
}

#[test]
fn everything_that_is_spliced_parses() {
    for path in ["find.rs", "splice.rs", "hunt.rs", "viable.rs", "catalogue.rs"] {
        let source = std::fs::read_to_string(format!("{}/src/mutants/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let spliced = all_spliced(&source);
        assert!(spliced.placed.len() > 10, "{path}");
        assert!(syn::parse_file(&spliced.text).is_ok(), "{path}\n{}", spliced.text);
    }
}

#[test]
fn the_place_of_a_mutant_is_where_its_code_is() {
    let spliced = all_spliced("fn f() -> impl T { g(a == b); match x { A => c, _ => d } }");
    for placed in &spliced.placed {
        let own = &spliced.text[placed.own.clone()];
        match placed.shape {
            Shape::Expression => assert_eq!(own, "a != b"),
            Shape::Statement => assert!(own.starts_with("if !crate::__mutant(1)") && own.ends_with("; }"), "{own}"),
            Shape::NewGuard => assert_eq!(own, " if !crate::__mutant(3)"),
            other => panic!("{other:?}"),
        }
        assert!(placed.whole.start <= placed.own.start && placed.own.end <= placed.whole.end);
    }
    assert_eq!(spliced.placed.len(), 3);
}

#[test]
fn a_key_names_a_change_until_its_function_is_edited() {
    let keys = |source: &str| -> Vec<String> {
        let sites = find(source).unwrap();
        sites.iter().flat_map(|s| s.changes.iter().map(|c| c.key.clone())).collect()
    };
    let before = keys("fn f() -> impl T { g(a == b, a == b) }");
    assert_ne!(before[0], before[1], "the same words twice");
    let moved = keys("fn e() {}\n\nfn f() -> impl T { g(a == b, a == b) }");
    assert_eq!(before, moved);
    let edited = keys("fn f() -> impl T { h(a == b, a == b) }");
    assert_ne!(before, edited);
}

#[test]
fn an_equivalent_mutant_needs_a_reason() {
    let entry = "[[equivalent]]\nfile = \"a/src/b.rs\"\nfunction = \"f\"\nchange = \"1 → 2\"\n";
    assert!(Equivalents::parse(&format!("{entry}reason = \"it is only a cache\"\n")).is_ok());
    assert!(Equivalents::parse(&format!("{entry}reason = \"\"\n")).is_err());
    assert!(Equivalents::parse(entry).is_err());
}

#[test]
fn the_list_of_equivalents_can_be_read() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/equivalent-mutants.toml");
    Equivalents::read(path.as_ref()).unwrap();
}
