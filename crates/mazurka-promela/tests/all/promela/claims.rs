//! Claims: how formulas are read, what claims mean, and what becomes of those that are not checked.

use super::support::messages;
use mazurka_core::{Algorithm, Checks, FailureKind, Options, StatefulOptions, Status, Verdict, stateful_search};
use mazurka_promela::model::Never;
use mazurka_promela::{Asked, Claims, Promela, parse_text_with};

const TRACES: [&str; 2] = ["trace { do :: c!1; c?1 od }", "notrace { if :: c!1; c?1 fi }"];

const CLAIMS: [&str; 4] = [
    "ltl { [] (x < 3) && (<> (x == 1 -> !(x == 2))) U x > 0 }",
    "ltl named { p@here implies eventually (x == 1) }",
    "never { T0: do :: np_ -> goto accept :: skip od; accept: { skip } }",
    "never named { do :: x < 2 :: atomic { else -> assert(x < 3) } :: d_step { x == 2; x > 1 } -> break od }",
];

fn model(claim: &str) -> String {
    format!("byte x; chan c = [1] of {{ byte }};\n{claim}\nactive proctype p() {{ here: x = 1; assert(x == 1) }}")
}

fn read(text: &str, asked: &Asked) -> Promela {
    let parsed = parse_text_with("model.pml", text, &[], asked);
    let said = parsed.diagnostics.render(&parsed.sources, false);
    Promela::new(parsed.machine.unwrap_or_else(|| panic!("{said}\n{text}")), parsed.sources)
}

/// What is violated, by name.
fn violated(text: &str, asked: &Asked, fair: bool) -> Vec<String> {
    let promela = read(text, asked);
    let options = Options::new(Algorithm::parse("stateful+source").unwrap()).keep_going(true);
    let how = StatefulOptions::default().fair(fair).checks(Checks::Properties);
    let mut search = stateful_search(&promela, &options, how).unwrap();
    while search.advance(1_000) == Status::Running {}
    let properties = search.report().properties;
    assert!(search.outcome().failures.iter().all(|f| f.failure.kind == FailureKind::Property));
    assert!(properties.iter().all(|p| p.verdict.is_some_and(|v| v != Verdict::Incomplete)));
    (properties.into_iter().filter(|p| p.verdict == Some(Verdict::Violation)))
        .map(|p| p.name)
        .collect()
}

fn progress() -> Asked {
    Asked {
        non_progress: true,
        ..Asked::default()
    }
}

#[test]
fn traces_are_refused_with_a_way_out() {
    for claim in TRACES {
        let text = messages(&model(claim));
        assert!(text.contains("--> model.pml:2:1") && text.contains("--ignore-claims"), "{text}");
    }
}

#[test]
fn claims_are_read_or_left_out_with_a_note() {
    for claim in CLAIMS {
        assert_eq!(read(&model(claim), &Asked::default()).machine().model().claims.len(), 1, "{claim}");
    }
    for claim in CLAIMS.iter().chain(&TRACES) {
        let asked = Asked {
            claims: Claims::Ignore,
            ..Asked::default()
        };
        let parsed = parse_text_with("model.pml", &model(claim), &[], &asked);
        let text = parsed.diagnostics.render(&parsed.sources, false);
        assert!(parsed.machine.is_some_and(|m| m.model().claims.is_empty()), "{text}");
        assert!(text.starts_with("note[ignored]") && text.contains("is not checked"), "{text}");
        assert_eq!(parsed.left_out.len(), 1);
    }
}

#[test]
fn one_claim_of_several_can_be_chosen() {
    let text = model("ltl a { <> (x == 1) }\nltl b { [] (x == 0) }");
    let only = |name: &str| Asked {
        claims: Claims::Only(vec![name.to_owned()]),
        ..Asked::default()
    };
    let chosen = parse_text_with("model.pml", &text, &[], &only("b"));
    assert_eq!(chosen.left_out, ["claim a"]);
    let parsed = parse_text_with("model.pml", &text, &[], &only("c"));
    let said = parsed.diagnostics.render(&parsed.sources, false);
    assert!(parsed.machine.is_none() && said.contains("the model has no claim `c`"), "{said}");
}

#[test]
fn formulas_that_are_asked_for_use_the_macros_of_the_model() {
    let asked = Asked {
        formulas: vec!["<> one".to_owned(), "[] !one".to_owned()],
        ..Asked::default()
    };
    let text = "#define one (x == 1)\nbyte x; active proctype p() { x = 1 }";
    assert_eq!(violated(text, &asked, false), ["claim asked_2"]);
}

/// The automaton of a formula, as text.
fn automaton(formula: &str) -> String {
    let text = format!("byte a, b, c; ltl {{ {formula} }} active proctype p() {{ a = 1 }}");
    match &read(&text, &Asked::default()).machine().model().claims[0].never {
        Never::Formula { automaton, atoms, .. } => format!("{atoms:?}\n{automaton}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn operators_bind_as_in_spin() {
    for (one, other) in [
        ("a -> b || c", "a -> (b || c)"),
        ("a || b -> c", "(a || b) -> c"),
        ("a U b U c", "(a U b) U c"),
        ("<> a U b", "(<> a) U b"),
        ("a && b U c", "a && (b U c)"),
        ("!a U b", "(!a) U b"),
        ("a == 1 U b == 2", "(a == 1) U (b == 2)"),
        ("a -> b -> c", "(a -> b) -> c"),
        ("[] a -> b", "([] a) -> b"),
        ("always a implies eventually b", "([] a) -> (<> b)"),
        ("a /\\ b \\/ c", "(a && b) || c"),
        ("a weakuntil b", "([] a) || (a U b)"),
        ("a equivalent b", "(a && b) || (!a && !b)"),
        ("a release b", "!(!a U !b)"),
        ("a stronguntil (next b)", "a U (X b)"),
    ] {
        assert_eq!(automaton(one), automaton(other), "{one} is {other}");
    }
    assert_ne!(automaton("a U (b U c)"), automaton("(a U b) U c"));
}

#[test]
fn what_has_no_value_is_an_error_only_where_it_decides() {
    let model =
        |claim: &str| format!("byte i, a[3]; ltl f {{ {claim} }} active proctype p() {{ do :: i < 3 -> i++ :: i == 3 -> i = 0 od }}");
    assert_eq!(violated(&model("[] (i < 3 -> a[i] == 0)"), &Asked::default(), false), [""; 0]);
    assert_eq!(violated(&model("[] (a[i] == 0)"), &Asked::default(), false), ["claim f"]);
}

#[test]
fn what_cannot_be_a_formula_says_why() {
    for (formula, why) in [
        ("[] a == 1", "temporal operators bind more strongly"),
        ("a U", "expected an expression"),
        ("d", "`d` is not declared"),
        ("p@there", "has no label `there`"),
    ] {
        let text = messages(&format!("byte a; ltl f {{ {formula} }} active proctype p() {{ a = 1 }}"));
        assert!(text.contains(why), "{formula}: {text}");
    }
    let text = messages("byte a; never { a = 1 } active proctype p() { a = 1 }");
    assert!(text.contains("a claim only looks on"), "{text}");
    let text = messages("byte a; active proctype p() { np_ -> a = 1 }");
    assert!(text.contains("can only be asked in a claim"), "{text}");
    let many: Vec<String> = (0..70).map(|n| format!("a == {n}")).collect();
    let text = messages(&format!(
        "byte a; ltl {{ [] ({}) }} active proctype p() {{ a = 1 }}",
        many.join(" || ")
    ));
    assert!(text.contains("at most 64"), "{text}");
}

#[test]
fn an_execution_that_ends_stays_where_it_is() {
    let text = "byte x; ltl settles { <> [] (x == 2) } ltl moves { [] <> (x == 1) } active proctype p() { x = 1; x = 2 }";
    assert_eq!(violated(text, &Asked::default(), false), ["claim moves"]);
    let text = "byte x; active proctype p() { x = 1; accept_here: x == 3 }";
    assert_eq!(violated(text, &Asked::default(), false), ["accept labels"]);
    // It makes no progress, but it is no cycle.
    assert_eq!(violated(text, &progress(), false), ["accept labels"]);
}

#[test]
fn a_claim_is_violated_at_its_end_and_by_its_assertions() {
    let ends = "byte x; never { do :: x == 0 :: x == 1 -> break od } active proctype p() { x = 1; x = 2 }";
    assert_eq!(violated(ends, &Asked::default(), false), ["claim never_0"]);
    let asserts = "byte x; never { do :: assert(x < 2) od } active proctype p() { x = 1; x = 2 }";
    assert_eq!(violated(asserts, &Asked::default(), false), ["claim never_0"]);
    let blocks = "byte x; never { x == 1; x == 1 } active proctype p() { x = 1; x = 2 }";
    assert_eq!(violated(blocks, &Asked::default(), false), [""; 0]);
}

#[test]
fn fairness_rules_out_that_a_process_is_forgotten() {
    let text = "bit x, y; ltl f { <> (y == 1) } active proctype p() { do :: x = 1 - x od } active proctype q() { y = 1 }";
    assert_eq!(violated(text, &Asked::default(), false), ["claim f"]);
    assert_eq!(violated(text, &Asked::default(), true), [""; 0]);
    // A process that can move only now and then may be passed over for ever.
    let text = "bit x, y; ltl f { <> (y == 1) } active proctype p() { do :: x = 1 - x od } active proctype q() { x == 1 -> y = 1 }";
    assert_eq!(violated(text, &Asked::default(), true), ["claim f"]);
}

#[test]
fn progress_is_asked_for_when_that_is_wanted() {
    let text = "bit x; active proctype p() { do :: x = 0; progress: x = 1 :: x = 1; x = 0 od }";
    let parsed = parse_text_with("model.pml", text, &[], &Asked::default());
    assert_eq!(parsed.left_out, ["progress labels"]);
    assert_eq!(violated(text, &progress(), false), ["progress labels"]);
    let text = "bit x; active proctype p() { do :: x = 0; progress: x = 1 od }";
    assert_eq!(violated(text, &progress(), false), [""; 0]);
}

#[test]
fn what_must_not_be_reduced_says_why() {
    let reason = |claim: &str| {
        let promela = read(
            &format!("bit x; {claim} active proctype p() {{ do :: x = 1 - x od }}"),
            &Asked::default(),
        );
        let options = Options::new(Algorithm::parse("stateful+source").unwrap());
        let search = stateful_search(&promela, &options, StatefulOptions::default()).unwrap();
        let _ = &search;
        let graph = mazurka_core::StateSpace::graph(&promela);
        graph.properties()[0].unreduced.clone()
    };
    assert_eq!(reason("ltl { [] <> (x == 1) }"), None);
    assert_eq!(reason("ltl { <> (x == 1 && X !(x == 1)) }"), None);
    assert!(reason("ltl { [] (x == 1 -> X (x == 0)) }").is_some_and(|why| why.contains("`X`")));
    assert!(reason("ltl { [] !timeout }").is_some_and(|why| why.contains("`timeout`")));
    assert!(reason("never { do :: x == 0 od }").is_some_and(|why| why.contains("`never`")));
}
