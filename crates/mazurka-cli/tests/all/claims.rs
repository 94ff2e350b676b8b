//! What litmus tests of herd say of their executions is what is checked.

use crate::support::Desk;

/// Store buffering, or message passing that works.
fn test(store: &str, claim: &str) -> String {
    let both = "(atomic_int* x, atomic_int* y)";
    let one = |number: u32, mine: &str, other: &str| {
        format!("P{number} {both} {{\n  atomic_store_explicit({mine}, 1, memory_order_{store});\n  int r0 = atomic_load({other});\n}}\n")
    };
    format!("C SB\n{{}}\n{}{}{claim}\n", one(0, "x", "y"), one(1, "y", "x"))
}

#[test]
fn claims_hold_or_fail() {
    let desk = Desk::new();
    let weak = "(0:r0=0 /\\ 1:r0=0)";
    for (store, claim, model, code, words) in [
        (
            "relaxed",
            format!("exists {weak}"),
            "rc11",
            0,
            "holds: an execution graph ends like this",
        ),
        (
            "seq_cst",
            format!("exists {weak}"),
            "rc11",
            1,
            "but no execution graph ends like this",
        ),
        ("relaxed", format!("~exists {weak}"), "rc11", 1, "the rlx at sb.litmus:4:3 is sc"),
        ("seq_cst", format!("~exists {weak}"), "rc11", 0, "Observation SB Never 0 3"),
        ("relaxed", format!("~exists {weak}"), "sc", 0, "Observation SB Never 0 3"),
        ("relaxed", "forall (0:r0=1)".to_owned(), "rc11", 1, "but not this one"),
        ("relaxed", "forall (x=1)".to_owned(), "rc11", 0, "Observation SB Always 4 0"),
        (
            "relaxed",
            format!("filter (0:r0=1) ~exists {weak}"),
            "rc11",
            0,
            "Observation SB Never 0 2",
        ),
    ] {
        desk.write("sb.litmus", &test(store, &claim));
        let said = desk.run(&format!("check sb.litmus --model {model}"));
        assert_eq!(said.code, code, "{claim}\n{}", said.seen());
        assert!(said.out.contains(words), "{claim}\n{}", said.out);
    }
}

#[test]
fn they_need_a_memory_model() {
    let desk = Desk::new();
    desk.write("sb.litmus", &test("relaxed", "exists (x=1)"));
    for line in ["check sb.litmus", "check sb.litmus --model rc11 --set n=2"] {
        let said = desk.run(line);
        assert_eq!(said.code, 2, "{}", said.seen());
    }
}
