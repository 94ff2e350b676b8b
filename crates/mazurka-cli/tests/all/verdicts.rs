//! What `check` says and how it exits.

use crate::support::Desk;

#[test]
fn everything_covered_is_complete_and_exits_with_0() {
    insta::assert_snapshot!(Desk::new().run("check litmus:readers --set n=4 --algorithm optimal").seen());
}

#[test]
fn a_deadlock_is_a_violation_shown_as_columns_with_its_cycle() {
    insta::assert_snapshot!(Desk::new().run("check litmus:philosophers --algorithm optimal").seen());
}

#[test]
fn a_failed_assertion_is_shown_with_its_values_and_its_race() {
    let desk = Desk::new();
    desk.write(
        "bank.litmus",
        "// two withdrawals check the balance, then take the money\n\
         init balance=100;\n\
         alice:[l=balance]\n      [if (l>=80) { balance=balance-80 }]\n\
         bob:[l=balance]\n    [if (l>=80) { balance=balance-80 }]\n\
         audit:[assert balance>=0 \"the balance is negative\"]\n",
    );
    insta::assert_snapshot!(desk.run("check bank.litmus --algorithm optimal").seen());
}

#[test]
fn in_plain_ascii_nothing_else_is_printed() {
    let said = Desk::new().run("check litmus:philosophers --algorithm optimal --ascii");
    assert!(said.out.is_ascii(), "{}", said.out);
    insta::assert_snapshot!(said.seen());
}

#[test]
fn a_narrow_terminal_folds_columns_and_a_very_narrow_one_gets_a_list() {
    let desk = Desk::new();
    let at = |columns: &str| {
        let mut command = desk.command();
        command
            .args(["check", "litmus:philosophers", "--set", "n=6", "--algorithm", "source"])
            .env("COLUMNS", columns);
        crate::support::said(command.output().unwrap()).seen()
    };
    let narrow = at("80");
    // A command to be pasted is never broken.
    let fits = |text: &str, width: usize| text.lines().filter(|l| !l.contains("replay:")).all(|l| l.chars().count() <= width);
    assert!(fits(&narrow, 80), "{narrow}");
    insta::assert_snapshot!(narrow);
    let list = at("44");
    let rows = &list[list.find("     1").unwrap_or(0)..list.find("schedule:").unwrap_or(0)];
    assert!(!rows.is_empty() && fits(rows, 44), "{list}");
    insta::assert_snapshot!(list);
}

#[test]
fn the_lot_of_failures_is_counted_with_keep_going() {
    let said = Desk::new().run("check litmus:philosophers --keep-going --algorithm optimal --json");
    let json = said.json();
    assert_eq!(json["verdict"], "violation");
    assert_eq!(json["failure_counts"]["deadlock"], 1);
    assert_eq!(said.code, 1);
    let stopped = Desk::new().run("check litmus:philosophers --algorithm optimal --json").json();
    assert!(stopped["executions"].as_u64() < json["executions"].as_u64());
}

#[test]
fn deadlocks_may_be_ignored() {
    let said = Desk::new().run("check litmus:philosophers --deadlock ignore --algorithm optimal --json");
    assert_eq!((said.code, said.json()["verdict"].as_str()), (0, Some("complete")));
}

#[test]
fn limits_end_with_incomplete_their_name_and_exit_code_3() {
    for (limit, name) in [
        ("--max-executions 5", "max-executions"),
        ("--max-depth 3", "max-depth"),
        ("--timeout 1ms", "timeout"),
        ("--memory 1M", "memory"),
    ] {
        let said = Desk::new().run(&format!("check litmus:writers --set n=9 --algorithm optimal --json {limit}"));
        let json = said.json();
        assert_eq!(
            (json["verdict"].as_str(), json["limit"].as_str()),
            (Some("incomplete"), Some(name)),
            "{limit}"
        );
        assert_eq!(said.code, 3, "{limit}");
    }
    insta::assert_snapshot!(
        Desk::new()
            .run("check litmus:writers --set n=9 --max-executions 5 --algorithm optimal")
            .seen()
    );
}

#[test]
fn quiet_says_nothing_but_the_exit_code() {
    let desk = Desk::new();
    for (line, code) in [("check litmus:readers --quiet", 0), ("check litmus:philosophers --quiet", 1)] {
        let said = desk.run(line);
        assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (code, "", ""), "{line}");
    }
    assert!(std::fs::read_dir(desk.path("")).unwrap().next().is_none(), "no file was written");
}

#[test]
fn final_states_are_listed_with_what_they_share_said_once() {
    insta::assert_snapshot!(
        Desk::new()
            .run("check litmus:sb --set n=2 --final-states --algorithm optimal")
            .seen()
    );
}

#[test]
fn snapshots_and_replay_say_the_same() {
    let desk = Desk::new();
    let with = desk.run("check litmus:lastzero --algorithm source --final-states --json").json();
    let without = desk
        .run("check litmus:lastzero --algorithm source --final-states --replay --json")
        .json();
    for field in [
        "verdict",
        "executions",
        "blocked",
        "steps",
        "states",
        "distinct_final_states",
        "final_states",
    ] {
        assert_eq!(with[field], without[field], "{field}");
    }
}

#[test]
fn the_same_command_says_the_same_twice() {
    let line = "check litmus:philosophers --set n=4 --keep-going --final-states --algorithm source";
    assert_eq!(Desk::new().run(line).seen(), Desk::new().run(line).seen());
}

#[test]
fn stats_give_the_three_ratios() {
    let json = Desk::new()
        .run("check litmus:lastzero --set n=6 --algorithm optimal --stats --json")
        .json();
    let stats = &json["stats"];
    assert_eq!((stats["r2"].as_f64(), stats["r3"].as_f64()), (Some(1.0), Some(1.0)));
    assert!(stats["r1"].as_f64().is_some_and(|r| r > 0.0), "{stats}");
    let source = Desk::new().run("check litmus:readers --algorithm naive --stats --json").json();
    let traces = Desk::new().run("check litmus:readers --algorithm optimal --json").json();
    let expected = source["executions"].as_f64().unwrap() / traces["executions"].as_f64().unwrap();
    assert_eq!(source["stats"]["r3"].as_f64(), Some(expected));
}

#[test]
fn without_an_algorithm_merging_wins_where_it_pays_and_optimal_where_it_does_not() {
    let algorithm = |line: &str| Desk::new().run(line).json()["algorithm"].as_str().map(str::to_owned);
    assert_eq!(algorithm("check litmus:writers --set n=9 --json").as_deref(), Some("source+merge"));
    assert_eq!(algorithm("check litmus:readers --set n=8 --json").as_deref(), Some("optimal"));
    assert_eq!(
        algorithm("check litmus:writers --set n=9 --max-executions 7 --json").as_deref(),
        Some("optimal")
    );
}

#[test]
fn a_timeout_is_kept_while_two_searches_take_turns() {
    let said = Desk::new().run("check litmus:lastzero --set n=30 --timeout 700ms --json");
    let json = said.json();
    assert_eq!(
        (said.code, json["verdict"].as_str(), json["limit"].as_str()),
        (3, Some("incomplete"), Some("timeout"))
    );
}

#[test]
fn a_program_that_never_ends_is_searched_by_its_states() {
    let desk = Desk::new();
    desk.write("loop.litmus", "p0: #top[x=1-x; goto top]\np1: [assert x<=1 \"x is 0 or 1\"]\n");
    let json = desk.run("check loop.litmus --json").json();
    assert_eq!(
        (json["verdict"].as_str(), json["algorithm"].as_str()),
        (Some("complete"), Some("stateful"))
    );
}

#[test]
fn the_verdict_says_what_is_covered_where_it_is_less_than_every_trace() {
    let values_too = "every final state, failing statement and deadlock is covered";
    let outcomes = "every outcome (final locals), failing statement and deadlock is covered, final shared values are not";
    let with_values = "every outcome (final locals), failure and deadlock is covered, final shared values are not";
    for (algorithm, covered) in [
        ("source+context", values_too),
        ("optimal+context", values_too),
        ("optimal+observers", with_values),
        ("optimal+context+observers", outcomes),
        ("source+merge", values_too),
        ("source+merge --observe outcomes", outcomes),
    ] {
        let said = Desk::new().run(&format!("check litmus:FR --algorithm {algorithm}"));
        let words: Vec<&str> = said.out.split_whitespace().collect();
        assert!(words.join(" ").contains(covered), "{algorithm}: {}", said.out);
    }
}

#[test]
fn two_failures_of_one_program_are_told_apart_wherever_they_are_shown() {
    let desk = Desk::new();
    desk.write(
        "two.litmus",
        "p0:[x=1; assert y==1 \"first\"]\np1:[await x==1; assert y==1 \"second\"]\n",
    );
    let said = desk.run("check two.litmus --keep-going --algorithm optimal --json --sarif two.sarif --save-schedule two.json");
    let messages: Vec<String> = said.json()["failures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["message"].as_str().unwrap().to_owned())
        .collect();
    let told = |texts: &[String], what: &str| texts.iter().any(|m| m.contains(what));
    assert!(
        messages.len() == 2 && told(&messages, "first") && told(&messages, "second"),
        "{messages:?}"
    );
    let sarif = desk.read("two.sarif");
    assert!(sarif.contains("first") && sarif.contains("second"), "{sarif}");
    let schedules = [desk.read("two.json"), desk.read("two-2.json")];
    assert!(told(&schedules, "first") && told(&schedules, "second"), "{schedules:?}");
    for (file, message) in ["two.json", "two-2.json"].iter().zip(&schedules) {
        let again = desk.run(&format!("replay two.litmus {file}"));
        let wanted = if message.contains("first") { "first" } else { "second" };
        assert!(
            again.out.contains("asserts y==1, but y is 0") && again.out.contains(wanted),
            "{}",
            again.out
        );
    }
}

#[test]
fn an_assertion_and_a_deadlock_on_one_schedule_are_two_failures() {
    let desk = Desk::new();
    desk.write("both.litmus", "p0:[assert x==1 \"x is not set\"]\np1:[await y==1]\n");
    let kinds: Vec<String> = desk.run("check both.litmus --keep-going --algorithm optimal --json").json()["failures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["kind"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(kinds, ["assertion", "deadlock"]);
}

#[test]
fn stateful_searches_list_their_final_states() {
    let desk = Desk::new();
    let listed = |algorithm: &str| {
        let said = desk.run(&format!("check litmus:readers --set n=3 --final-states --algorithm {algorithm}"));
        let list = &said.out[said.out.find("final states").unwrap_or(0)..];
        list.lines().filter(|l| l.contains('=')).count()
    };
    assert_eq!(listed("stateful"), listed("optimal"));
    assert!(listed("stateful") > 1);
}

#[test]
fn quiet_prints_the_json_that_was_asked_for_and_nothing_else() {
    let said = Desk::new().run("check litmus:readers --quiet --json");
    assert_eq!(said.json()["verdict"], "complete");
    assert_eq!(Desk::new().run("check litmus:readers --quiet").out, "");
}

#[test]
fn paranoid_runs_say_how_many_states_kept_every_promise() {
    for algorithm in ["optimal", "source+merge", "stateful"] {
        let said = Desk::new().run(&format!(
            "check litmus:philosophers --paranoid --keep-going --algorithm {algorithm}"
        ));
        assert!(
            said.out.contains("paranoid: every promise was kept at the"),
            "{algorithm}: {}",
            said.out
        );
        assert_eq!(said.code, 1, "{algorithm}");
    }
}

#[test]
fn two_ways_in_which_one_statement_fails_are_two_failures() {
    let desk = Desk::new();
    desk.write("fault.litmus", "init a[2], b[2]; p0(l=0):[a[b[y]]=1/l] p1:[y=7]\n");
    for algorithm in ["naive", "optimal", "source+merge", "stateful"] {
        let json = desk
            .run(&format!("check fault.litmus --keep-going --json --algorithm {algorithm}"))
            .json();
        let mut messages: Vec<&str> = json["failures"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|f| f["message"].as_str())
            .collect();
        messages.sort_unstable();
        let both = ["p0 divides by zero", "p0 uses b[7], which is outside the array"];
        assert_eq!(messages, both, "{algorithm}");
    }
}

/// Two processes that hand a token to each other for ever.
const TOKEN: &str = "byte turn;\n\
     active proctype A() { do :: turn == 0 -> turn = 1 od }\n\
     active proctype B() { do :: turn == 1 -> turn = 0 od }\n";

#[test]
fn a_program_in_which_no_execution_ends_is_said_to_be_one_and_shows_a_loop() {
    let desk = Desk::new();
    desk.write("token.pml", TOKEN);
    let said = desk.run("check token.pml");
    assert_eq!(said.code, 0);
    insta::assert_snapshot!(said.seen());
    let notes = desk.run("check token.pml --json").json()["notes"].to_string();
    assert!(notes.contains("every execution goes on for ever"), "{notes}");
    // One execution that ends is enough.
    desk.write(
        "ends.pml",
        &TOKEN.replace("turn = 0 od", "turn = 0 :: turn == 1 -> turn = 2; break od"),
    );
    let ends = desk.run("check ends.pml --deadlock ignore");
    assert!(!ends.out.contains("ever ends"), "{}", ends.out);
}

#[test]
fn livelock_makes_it_a_failure_that_no_execution_ends() {
    let desk = Desk::new();
    desk.write("token.pml", TOKEN);
    let said = desk.run("check token.pml --livelock");
    assert_eq!(said.code, 1);
    insta::assert_snapshot!(said.seen());
    let replayed = desk.run("replay token.pml token.schedule.json");
    assert_eq!(replayed.code, 1);
    assert!(
        replayed.out.starts_with("replayed: livelock after") && replayed.out.contains("exactly as recorded"),
        "{}",
        replayed.out
    );
    desk.write("loop.litmus", "p0: #top[x=1-x; goto top]\n");
    let json = desk.run("check loop.litmus --livelock --json").json();
    assert_eq!(json["failures"][0]["kind"], "livelock");
    assert_eq!(desk.run("check litmus:readers --livelock").code, 0);
}

#[test]
fn the_execution_that_a_failure_was_found_in_is_among_those_counted() {
    let desk = Desk::new();
    desk.write("first.litmus", "p0:[assert x==1]\n");
    let first = desk.run("check first.litmus --algorithm optimal").out;
    assert!(
        first.contains("(found in execution 1") && first.contains("   1 failing execution"),
        "{first}"
    );
    desk.write("second.litmus", "p0:[x=1]\np1:[assert x==1]\n");
    let second = desk.run("check second.litmus --algorithm optimal").out;
    assert!(
        second.contains("(found in execution 2") && second.contains("   1 execution and a failing one"),
        "{second}"
    );
    // What fails at the end of an execution is found when that is complete.
    desk.write("end.abs", "module M;\n{\n  Int x = 1;\n}\n");
    let end = desk.run("check end.abs --property x==2 --algorithm optimal").out;
    assert!(end.contains("(found in execution 1") && end.contains("   1 execution "), "{end}");
}

#[test]
fn headlines_fit_narrow_terminals() {
    let desk = Desk::new();
    desk.write(
        "a-bank-with-a-long-name.litmus",
        "init balance=100;\np0:[l=balance][balance=l-80]\np1:[l=balance][balance=l-80]\np2:[assert balance==100]\n",
    );
    for width in [60, 80] {
        for program in ["a-bank-with-a-long-name.litmus", "litmus:readers", "litmus:philosophers --set n=3"] {
            let said = desk.run(&format!("check {program} --width {width} --save-schedule s.json"));
            let too_long = said.out.lines().find(|l| !l.contains("replay:") && l.chars().count() > width);
            assert_eq!(too_long, None, "{}", said.out);
        }
    }
}

#[test]
fn columns_stay_aligned_with_wide_characters() {
    let desk = Desk::new();
    desk.write("wide.litmus", "p0:[x=1][assert x==2 \"漢字漢字\"]\np1:[x=3]\n");
    insta::assert_snapshot!(desk.run("check wide.litmus --algorithm optimal").seen());
}

#[test]
fn a_race_after_which_another_process_fails_does_not_promise_success() {
    let desk = Desk::new();
    let races = |text: &str| {
        desk.write("same.litmus", text);
        let said = desk.run("check same.litmus --algorithm optimal").out;
        said.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    // Whoever comes second fails.
    let either = races("alice:[l=x; x=1][assert l==0]\nbob:[l=x; x=1][assert l==0]\n");
    assert!(
        either.contains("in the other order this failure does not happen, but another one does: bob asserts l==0")
            || either.contains("in the other order this failure does not happen, but another one does: alice asserts l==0"),
        "{either}"
    );
    // With the writes in the other order it is bob's assertion that fails; with bob's write after both of alice's steps, none.
    let neither = races("alice:[x=1][assert x==1]\nbob:[x=2][assert x==2]\n");
    assert!(
        neither.contains("steps 2 and 3 race on x: in the other order this failure does not happen schedule"),
        "{neither}"
    );
}

#[test]
fn a_step_that_is_too_large_for_the_tool_is_no_failure_of_the_program() {
    let desk = Desk::new();
    desk.write("random.abs", "module M; { Int x = random(20000); assert x < 20000; }");
    desk.write(
        "deep.abs",
        "module M; def Int f(Int n) = when n == 0 then 0 else 1 + f(n - 1);
         { Int r = 0; try { r = f(1500000); } catch { _ => r = -1; } assert r == -1; }",
    );
    let f = "module M; def Int f(Int n) = when n == 0 then 0 else 1 + f(n - 1);";
    desk.write(
        "guard.abs",
        &format!(
            "{f} interface I {{ Unit m(); }} class C implements I {{ Int n = 1500000; Unit m() {{ await f(n) == -1; }} }}
             {{ I o = new C(); o!m(); }}"
        ),
    );
    desk.write(
        "recover.abs",
        &format!(
            "{f} interface I {{ Unit m(); }} class C implements I {{
               Unit m() {{ assert False; }}
               recover {{ _ => Int r = f(1500000); }} }}
             {{ I o = new C(); o!m(); }}"
        ),
    );
    desk.write(
        "long.pml",
        "int i; active proctype p() { atomic { do :: i < 60000 -> i++ :: else -> break od }; assert(i == 60000) }",
    );
    for (program, limits) in [
        ("random.abs", " --choices 10000"),
        ("deep.abs", ""),
        ("guard.abs", ""),
        ("recover.abs", ""),
        ("long.pml", ""),
    ] {
        for algorithm in ["optimal", "stateful", "source+merge"] {
            let said = desk.run(&format!("check {program} --algorithm {algorithm}{limits}"));
            assert_eq!(said.code, 3, "{program} {algorithm}: {}{}", said.out, said.err);
            assert!(
                said.out
                    .contains("incomplete: a step that is too large for this tool ended the search"),
                "{program} {algorithm}: {}",
                said.out
            );
            assert!(
                said.out.contains(&format!("note: {program}:")),
                "{program} {algorithm}: {}",
                said.out
            );
        }
        // One execution needs one of the numbers only.
        let expected = if program == "random.abs" { 0 } else { 3 };
        assert_eq!(desk.run(&format!("run {program}")).code, expected, "{program}");
    }
}

#[test]
fn it_is_said_that_there_may_be_more_failures_if_the_first_ended_the_search() {
    let desk = Desk::new();
    desk.write("two.litmus", "p0:[x=1; assert y==1] p1:[await x==1; assert y==1]");
    desk.write("late.litmus", "p0:[assert x!=2] p1:[x=2]");
    let note = "the first failure ends the search; --keep-going finds the others";
    for (program, found) in [("two.litmus", "found in execution 1)"), ("late.litmus", "found in execution 2")] {
        let first = desk.run(&format!("check {program}")).out;
        assert!(first.contains(note) && first.contains(found), "{first}");
        let all = desk.run(&format!("check {program} --keep-going")).out;
        assert!(!all.contains(note), "{all}");
    }
}

#[test]
fn a_paranoid_look_at_all_states_ends_with_the_time_too() {
    let said = Desk::new().run("check litmus:philosophers --set n=14 --paranoid --algorithm stateful --timeout 100ms");
    assert_eq!(said.code, 3, "{}{}", said.out, said.err);
}

#[test]
fn paranoid_runs_of_actors_check_what_handlers_declare() {
    let checked = "paranoid: every handler was run twice, and from other states that agree on what it declares";
    let said = Desk::new().run("check actors:regsim --set n=2 --paranoid --dependency field --width 200");
    assert!(
        said.out.contains(checked) && said.out.contains("paranoid: every promise was kept at the"),
        "{}",
        said.out
    );
    let said = Desk::new().run("check actors:regsim --set n=2 --dependency field");
    assert!(!said.out.contains("paranoid"), "{}", said.out);
}

#[test]
fn what_a_search_covers_is_said_when_it_came_to_its_end() {
    let covered = "is covered";
    for algorithm in ["source+merge", "optimal+context", "source+context", "optimal+observers"] {
        let check = |more: &str| Desk::new().run(&format!("check litmus:lastzero --set n=4 --algorithm {algorithm} {more}"));
        let said = check("").out;
        assert!(said.contains("complete:") && said.matches(covered).count() > 1, "{said}");
        let said = check("--max-executions 1").out;
        assert!(said.contains("incomplete:") && !said.contains(covered), "{said}");
    }
}

/// Minimising a counterexample must not turn it into another one: what was found would be lost.
#[test]
fn every_failure_is_shown_even_if_another_one_looks_like_it() {
    let desk = Desk::new();
    for (name, text, shown) in [
        (
            "cases.litmus",
            "init x=0; q:[x=1] p:[if (x==1) assert 0 \"case 1\" else assert 0 \"case 2\"]",
            ["case 1", "case 2"],
        ),
        (
            "index.litmus",
            "init x=0, a[2]; q:[x=7][x=9] p:[await x>0; a[x]=1]",
            ["a[7]", "a[9]"],
        ),
        (
            "ends.pml",
            "byte x; active proctype P() { if :: x = 1; x = 2; (x == 3) :: x = 3; (x == 5) fi }",
            ["(x == 3)", "(x == 5)"],
        ),
        (
            "locks.litmus",
            "init m=0, n=0; p:[lock m][lock n] q:[lock n][lock m] r:[lock m]",
            [
                "p waits at locks.litmus:1:26 for n, held up by q",
                "r waits at locks.litmus:1:56 for m, held up by q",
            ],
        ),
    ] {
        desk.write(name, text);
        let said = desk.run(&format!("check {name} --keep-going --width 200"));
        assert_eq!(said.code, 1, "{}", said.err);
        for words in shown {
            assert!(said.out.contains(words), "{name}: {words} is missing in {}", said.out);
        }
    }
}

#[test]
fn a_failure_does_not_hide_that_no_execution_ends() {
    let desk = Desk::new();
    desk.write("loop.litmus", "init x=0; p:#a[x=1-x; goto a] q:[assert x==0]");
    let said = desk.run("check loop.litmus --livelock --keep-going");
    assert!(
        said.out.contains("violation: 1 failed assertion, 1 livelock in loop.litmus"),
        "{}",
        said.out
    );
}

#[test]
fn a_final_state_may_be_a_failed_one_and_a_deadlock() {
    let desk = Desk::new();
    desk.write("both.litmus", "init m=0, x=0, y=0; p:[lock m; x=1/y] q:[lock m]");
    let said = desk.run("check both.litmus --final-states --keep-going");
    assert!(said.out.contains("(failed, and a deadlock)"), "{}", said.out);
}

/// What is found out before a search must take no time and no memory to speak of.
#[test]
fn large_promela_states_do_not_delay_the_search() {
    let desk = Desk::new();
    desk.write(
        "large.pml",
        "int a[100000]; active proctype A() { int i; for (i : 0 .. 99999) { a[i] = i } }",
    );
    let said = desk.run("check large.pml --max-depth 3");
    assert_eq!(said.code, 3, "{}", said.out);
}

/// Nothing is promised that was not seen to the end.
#[test]
fn a_model_that_may_go_on_for_ever_is_not_merged_by_traces() {
    let desk = Desk::new();
    desk.write(
        "far.pml",
        "int x; active proctype A() { do :: x < 60000 -> x++ :: x == 60000 -> x = 59999 od }",
    );
    let said = desk.run("check far.pml --algorithm source+merge");
    assert_eq!(said.code, 2, "{}", said.out);
}

#[test]
fn what_a_refusal_advises_is_accepted() {
    let desk = Desk::new();
    desk.write("cycle.litmus", "p0: #top[x=1-x; goto top] p1: [l=x]");
    let said = desk.run("check cycle.litmus --algorithm source+merge");
    assert_eq!(said.code, 2, "{}", said.out);
    let advice = said
        .err
        .rsplit("take `")
        .next()
        .and_then(|rest| rest.split('`').next())
        .expect("advice");
    let said = desk.run(&format!("check cycle.litmus --algorithm {advice}"));
    assert_eq!(said.code, 0, "{advice}: {}", said.err);
}
