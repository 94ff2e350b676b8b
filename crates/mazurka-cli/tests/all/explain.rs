//! What `explain` says.

use crate::support::Desk;

#[test]
fn it_names_the_steps_that_race_and_what_to_try() {
    let said = Desk::new().run("explain litmus:fib --set n=4");
    let facts: String = said.out.split("What else to try").next().unwrap().to_owned();
    insta::assert_snapshot!(facts);
    assert!(said.out.contains("   first: try --algorithm"), "{}", said.out);
}

#[test]
fn positions_of_a_file_are_named() {
    let desk = Desk::new();
    desk.write("two.litmus", "p0:[x=1]\n   [y=1]\np1:[x=2]\n   [y=2]\n");
    let said = desk.run("explain two.litmus");
    assert!(
        said.out.contains("two.litmus:1 (x=#) with two.litmus:3 (x=#), on x"),
        "{}",
        said.out
    );
    assert!(said.out.contains("2 processes, 4 steps per execution, 2 locations"), "{}", said.out);
}

#[test]
fn an_algorithm_is_recommended_only_if_it_does_better() {
    let said = Desk::new().run("explain litmus:writers --set n=4");
    assert!(
        said.out.contains("--algorithm optimal+observers: 1 execution instead of 24"),
        "{}",
        said.out
    );
    let said = Desk::new().run("explain litmus:readers --set n=1");
    assert!(!said.out.contains("--algorithm optimal+observers"), "{}", said.out);
}

#[test]
fn a_program_that_never_ends_is_explained_too() {
    let desk = Desk::new();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benchmarks/promela/peterson-broken.pml");
    desk.write("peterson-broken.pml", &std::fs::read_to_string(file).unwrap());
    let said = desk.run("explain peterson-broken.pml");
    assert!(said.out.contains("2 processes, 200 steps per execution"), "{}", said.out);
    assert!(said.out.contains("200 executions taken at random"), "{}", said.out);
    assert!(said.out.contains("(turn = other) with peterson-broken.pml:"), "{}", said.out);
    assert!(
        said.out.contains("cover everything, although the program never ends"),
        "{}",
        said.out
    );
    assert_eq!(said.seen(), desk.run("explain peterson-broken.pml").seen(), "the same each time");
}

#[test]
fn a_program_with_few_executions_is_told_its_bug_and_no_other_algorithm() {
    let desk = Desk::new();
    desk.write("fails.litmus", "p0:[x=1]\np1:[x=2]\np2:[assert x!=2 \"seen\"]\n");
    let said = desk.run("explain fails.litmus");
    assert!(said.out.contains("fails: assertion: seen: p2 asserts x!=2"), "{}", said.out);
    assert!(
        said.out.contains("first: repair that; `mazurka check fails.litmus` shows how"),
        "{}",
        said.out
    );
    assert!(!said.out.contains("--algorithm"), "{}", said.out);
    assert!(!desk.run("explain litmus:readers").out.contains("fails:"));
}

#[test]
fn a_loop_that_always_ends_is_not_called_endless() {
    let desk = Desk::new();
    desk.write(
        "ends.litmus",
        "init s2r=0; p0(l=0): #top[l=l+1][s2r=l][if (l<2) { goto top }]\np1:[k=s2r]\n",
    );
    let said = desk.run("explain ends.litmus");
    assert!(said.out.contains("looked at all"), "{}", said.out);
    assert!(!said.out.contains("never ends") && !said.out.contains("s#r"), "{}", said.out);
    assert!(said.out.contains("on s2r"), "{}", said.out);
}

#[test]
fn a_step_that_is_too_large_is_named_and_nothing_is_counted() {
    let desk = Desk::new();
    desk.write("endless.abs", "module M;\n{\n  Int x = 0;\n  while (x >= 0) { x = x + 1; }\n}\n");
    desk.write("endless.pml", "int x;\nactive proctype P() {\n  d_step { do :: x++ od }\n}\n");
    desk.write(
        "loops.pml",
        "int x;\nactive proctype P() {\n  do :: x = 1 - x :: atomic { do :: x++ od } od\n}\n",
    );
    for (file, place) in [
        ("endless.abs", "too large for this tool: endless.abs:4"),
        ("endless.pml", "too large for this tool: endless.pml:3"),
        ("loops.pml", "too large for this tool: loops.pml:3"),
    ] {
        let said = desk.run(&format!("explain {file} --width 200"));
        assert!(said.out.contains(place), "{}", said.out);
        assert!(!said.out.contains(" 0 steps") && !said.out.contains("--max-depth"), "{}", said.out);
        assert_eq!(said.code, 0);
    }
}
