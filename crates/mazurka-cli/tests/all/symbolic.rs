//! `mazurka tests`: what a user sees, with good input and bad.

use crate::support::Desk;

/// A desk with the two bank accounts, if there is a solver; without one a test says so and ends, unless CI wants it.
fn desk() -> Option<Desk> {
    if std::process::Command::new("z3").arg("--version").output().is_err() {
        assert!(std::env::var("CI").is_err(), "CI installs z3");
        eprintln!("skipped: z3 is not installed");
        return None;
    }
    let desk = Desk::new();
    for file in ["bank.abs", "bank-mended.abs"] {
        let path = format!("{}/../../examples/{file}", env!("CARGO_MANIFEST_DIR"));
        desk.write(file, &std::fs::read_to_string(path).unwrap());
    }
    Some(desk)
}

#[test]
fn the_account_is_overdrawn_through_an_interleaving() {
    let Some(desk) = desk() else { return };
    let seen = desk.run("tests bank.abs --method AccountImpl.withdraw");
    assert_eq!(seen.code, 1, "{}", seen.err);
    assert!(seen.out.contains("assert balance >= 0, where balance is -1"), "{}", seen.out);
    let tests = seen.out.lines().filter(|line| line.starts_with("test ")).count();
    assert!((2..=6).contains(&tests), "a handful: {}", seen.out);
}

#[test]
fn a_suite_fails_on_the_buggy_class_and_passes_on_the_mended_one() {
    let Some(desk) = desk() else { return };
    let line = [
        "tests",
        "bank.abs",
        "--method",
        "AccountImpl.withdraw",
        "--requires",
        "log != null",
        "--json",
        "suite.json",
        "--quiet",
    ];
    let seen = desk.run_words(&line);
    assert_eq!((seen.code, seen.out.as_str()), (1, ""), "{}", seen.err);
    let buggy = desk.run("tests bank.abs --run suite.json");
    assert_eq!(buggy.code, 1, "{}{}", buggy.out, buggy.err);
    assert!(buggy.out.contains("fails      test 2"), "{}", buggy.out);
    let mended = desk.run("tests bank-mended.abs --run suite.json");
    assert_eq!(mended.code, 0, "{}{}", mended.out, mended.err);
    assert!(
        mended.out.ends_with("complete: 2 tests, 0 failed, 7 interleavings\n"),
        "{}",
        mended.out
    );
}

#[test]
fn every_criterion_gives_a_suite() {
    let Some(desk) = desk() else { return };
    let mut sizes = Vec::new();
    for criterion in ["statements", "branches", "def-use", "paths", "traces"] {
        let seen = desk.run_words(&[
            "tests",
            "bank.abs",
            "--method",
            "AccountImpl.withdraw",
            "--requires",
            "log != null",
            "--criterion",
            criterion,
        ]);
        assert_eq!(seen.code, 1, "{criterion}: {}", seen.err);
        sizes.push(seen.out.lines().filter(|line| line.starts_with("test ")).count());
    }
    assert!(sizes[0] <= sizes[1] && sizes[1] < sizes[3] && sizes[3] < sizes[4], "{sizes:?}");
}

#[test]
fn parameters_of_the_main_block_can_be_inputs() {
    let Some(desk) = desk() else { return };
    desk.write(
        "main.abs",
        "module M; def Int n() = 3; { Int x = n(); if (x > 10) { x = x - 10; } assert x != 5; }",
    );
    let seen = desk.run("tests main.abs --symbolic n");
    assert_eq!(seen.code, 1, "{}", seen.err);
    assert!(
        seen.out.contains("test 1: n = 5\n   fails: assertion failed in M.main"),
        "{}",
        seen.out
    );
}

#[test]
fn bad_input_gets_one_clear_message() {
    let Some(desk) = desk() else { return };
    desk.write(
        "types.abs",
        "module T; interface I { Unit f(Float x); Unit g(Fut<Int> x); Unit h(); }\n\
         class C implements I { Int x = 0; Unit f(Float x) { } Unit g(Fut<Int> x) { } Unit h() { } }\nclass C2 { }",
    );
    desk.write("dies", "");
    let method = "--method AccountImpl.withdraw";
    for (line, said) in [
        ("tests bank.abs".to_owned(), "--method"),
        (
            "tests bank.abs --method withdraw".to_owned(),
            "`withdraw` is no method: write `Class.method`",
        ),
        (
            "tests bank.abs --method AccountImpl.withdrew".to_owned(),
            "has no method `withdrew` (did you mean `withdraw`?)",
        ),
        ("tests bank.abs --method Acount.withdraw".to_owned(), "there is no class `Acount`"),
        (
            "tests types.abs --method C.f".to_owned(),
            "parameter `x` of `C.f`: `Float` cannot be symbolic",
        ),
        (
            "tests types.abs --method C.g".to_owned(),
            "parameter `x` of `C.g`: `Fut<Int>` cannot be symbolic",
        ),
        (
            format!("tests bank.abs {method} --solver /nowhere/z3"),
            "the solver `/nowhere/z3` cannot be started",
        ),
        (
            format!("tests bank.abs {method} --solver true"),
            "the solver ended in the middle of its work",
        ),
        (format!("tests bank.abs {method} --unroll 0"), "--unroll"),
        (format!("tests bank.abs {method} --objects 0"), "--objects"),
        (
            format!("tests bank.abs {method} --requires balance<balance"),
            "no state satisfies what --requires asks for",
        ),
        (format!("tests bank.abs {method} --requires balans>0"), "balans"),
        (format!("tests bank.abs {method} --requires balance"), "Bool"),
        ("tests bank.abs --symbolic n".to_owned(), "the model has no parameter `n`"),
        (format!("tests nothing.abs {method}"), "nothing.abs"),
        (format!("tests bank.litmus {method}"), "no ABS model"),
        ("tests bank.abs --run bank.abs".to_owned(), "it is no JSON"),
        (format!("tests bank.abs {method} --algorithm optimum"), "optimum"),
        (
            format!("tests bank.abs {method} --algorithm source+merge"),
            "`source+merge` cannot be used for tests",
        ),
        (
            "tests bank.abs --run bank.abs --algorithm optimal+observers".to_owned(),
            "`optimal+observers` cannot be used for tests",
        ),
    ] {
        let seen = desk.run(&line);
        assert_eq!(seen.code, 2, "{line}\n{}{}", seen.out, seen.err);
        assert!(seen.err.contains(said), "{line}\n{}", seen.err);
        assert!(!seen.err.contains("panicked"), "{line}\n{}", seen.err);
    }
}

#[test]
fn suites_that_do_not_fit_are_refused() {
    let Some(desk) = desk() else { return };
    let suite = |class: &str, method: &str, field: &str| {
        format!(
            r#"{{"format": "mazurka tests", "version": 1, "tests": [{{"heap": [{{"name": "this", "class": "{class}", "fields": {{"{field}": 1}}}}],
                "calls": [{{"method": "{method}", "args": [1]}}]}}]}}"#
        )
    };
    for (text, said) in [
        ("{}".to_owned(), "it is no suite"),
        (suite("Bank.Other", "withdraw", "balance"), "no class `Bank.Other`"),
        (suite("Bank.AccountImpl", "other", "balance"), "no method `other`"),
        (suite("Bank.AccountImpl", "withdraw", "other"), "no field `other`"),
    ] {
        desk.write("suite.json", &text);
        let seen = desk.run("tests bank.abs --run suite.json");
        assert_eq!(seen.code, 2, "{text}\n{}", seen.out);
        assert!(seen.err.contains(said), "{}", seen.err);
    }
    desk.write("suite.json", &suite("Bank.AccountImpl", "deposit", "balance"));
    assert_eq!(
        desk.run("tests bank.abs --run suite.json").code,
        0,
        "whatever is not named is as in a new object"
    );
}
