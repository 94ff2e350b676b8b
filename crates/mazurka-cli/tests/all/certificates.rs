//! `check --certificate`, `check --verify` and `verify`.

use crate::support::Desk;

const RACE: &str = "init x=0;\np0:[l=x][x=l+1]\np1:[l=x][x=l+1]\n";
const WAIT: &str = "p0:[y=1]\np1:[await y!=1]\n";

#[test]
fn a_certificate_is_written_and_verified() {
    let desk = Desk::new();
    desk.write("race.litmus", RACE);
    let said = desk.run("check race.litmus --certificate c");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(!desk.path("c.part").exists());
    let said = desk.run("verify race.litmus c");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(
        said.out
            .starts_with("verified: race.litmus has 4 executions, 3 final states and nothing fails\n"),
        "{}",
        said.out
    );
    let object = desk.run("verify race.litmus c --json").json();
    assert_eq!((&object["executions"], &object["complete"]), (&4.into(), &true.into()));
}

#[test]
fn a_violation_is_a_schedule_that_is_run() {
    let desk = Desk::new();
    desk.write("wait.litmus", WAIT);
    assert_eq!(desk.run("check wait.litmus --certificate c").code, 1);
    let said = desk.run("verify wait.litmus c");
    assert_eq!(said.code, 1, "{}", said.err);
    assert!(said.out.starts_with("verified: wait.litmus fails\n   deadlock"), "{}", said.out);
    // With --keep-going it is one of all executions.
    assert_eq!(desk.run("check wait.litmus --keep-going --certificate c").code, 1);
    let said = desk.run("verify wait.litmus c");
    assert_eq!(said.code, 1, "{}", said.err);
    assert!(
        said.out
            .starts_with("verified: wait.litmus has 2 executions, 2 final states and 1 failure\n"),
        "{}",
        said.out
    );
}

#[test]
fn check_verify_says_so_in_every_output() {
    let desk = Desk::new();
    desk.write("race.litmus", RACE);
    let said = desk.run("check race.litmus --verify --junit j.xml --report r.html");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("note: verified by an independent checker"), "{}", said.out);
    assert!(
        desk.read("j.xml")
            .contains("<property name=\"verified\" value=\"verified by an independent checker")
    );
    assert!(desk.read("r.html").contains("verified by an independent checker"));
    let object = desk.run("check race.litmus --verify --json").json();
    assert!(
        object["verified"]
            .as_str()
            .is_some_and(|text| text.starts_with("verified by an independent checker: "))
    );
    assert!(desk.run("check race.litmus --json").json().get("verified").is_none());
}

#[test]
fn every_front_end_is_certified() {
    let desk = Desk::new();
    desk.write("a.pml", "byte x;\nactive [2] proctype p() { byte l; l = x; x = l + 1 }\n");
    desk.write(
        "a.abs",
        "module M;\ninterface I { Unit add(); }\nclass C implements I { Int n = 0; Unit add() { n = n + 1; } }\n{ I c = new C(); c!add(); c!add(); }\n",
    );
    for program in [
        "a.pml",
        "a.abs",
        "actors:fib",
        "actors:diningphil --keep-going",
        "litmus:philosophers --keep-going",
    ] {
        let said = desk.run(&format!("check {program} --verify --json --algorithm optimal"));
        assert!(said.json()["verified"].as_str().is_some(), "{program}: {} {}", said.out, said.err);
    }
}

#[test]
fn searches_that_merge_or_store_states_are_certified() {
    let desk = Desk::new();
    desk.write("race.litmus", RACE);
    // Processes that meet do not promise to tell beforehand what they touch; cycles do not end.
    desk.write(
        "meet.pml",
        "chan c = [0] of { byte };\nbyte n;\nactive proctype a() { do :: c ! n; n = (n + 1) % 3 od }\nactive proctype b() { byte x; do :: c ? x od }\n",
    );
    for (line, expected) in [
        (
            "race.litmus --algorithm source+merge",
            "verified: race.litmus has 3 executions, 3 final states and nothing fails\n",
        ),
        (
            "race.litmus --algorithm stateful",
            "verified: race.litmus has 3 executions, 3 final states and nothing fails\n",
        ),
        (
            "litmus:philosophers --algorithm source+merge --keep-going",
            "verified: litmus:philosophers has",
        ),
        (
            "meet.pml",
            "verified: meet.pml has 0 executions, 0 final states and nothing fails\n",
        ),
        (
            "meet.pml --algorithm stateful",
            "verified: meet.pml has 0 executions, 0 final states and nothing fails\n",
        ),
    ] {
        let said = desk.run(&format!("check {line} --certificate c"));
        assert!(said.code < 2, "{line}: {}", said.err);
        let program = line.split(' ').next().unwrap_or_default();
        let said = desk.run(&format!("verify {program} c"));
        assert!(said.out.starts_with(expected), "{line}: {} {}", said.out, said.err);
        assert!(said.out.contains("   verified by an independent checker: "), "{line}: {}", said.out);
    }
    let said = desk.run("check meet.pml --algorithm source+merge --certificate d");
    assert_eq!(said.code, 2, "{}", said.err);
}

#[test]
fn whichever_search_wins_without_being_asked_for_is_certified() {
    let desk = Desk::new();
    // Merging ends this one long before the other search does.
    let said = desk.run("check litmus:prodcons --set n=9 --certificate c --json");
    assert_eq!(said.json()["algorithm"].as_str(), Some("source+merge"), "{}", said.err);
    let said = desk.run("verify litmus:prodcons --set n=9 c --json").json();
    assert_eq!(
        (said["algorithm"].as_str(), said["states"].as_u64().is_some()),
        (Some("source+merge"), true)
    );
    let left: Vec<_> = std::fs::read_dir(desk.path("."))
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    assert_eq!(left, ["c"], "the certificate of the other search is gone");
}

#[test]
fn bad_certificates_get_one_line() {
    let desk = Desk::new();
    desk.write("race.litmus", RACE);
    desk.write("wait.litmus", WAIT);
    assert_eq!(desk.run("check race.litmus --certificate c").code, 0);
    let whole = std::fs::read(desk.path("c")).unwrap();
    let mut changed = whole.clone();
    changed[60] ^= 1;
    // Certificates need not be compressed.
    let magic = b"mazurka certificate 1\n";
    let nested = [&magic[..], &[0xff; 4096]].concat();
    let huge = [&magic[..], &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]].concat();
    for (name, bytes) in [
        ("empty", &[][..]),
        ("garbage", &[7; 300]),
        ("short", &whole[..whole.len() - 9]),
        ("changed", &changed),
        ("nested", &nested),
        ("huge", &huge),
    ] {
        std::fs::write(desk.path(name), bytes).unwrap();
        let said = desk.run(&format!("verify race.litmus {name}"));
        assert_eq!(
            (said.code, said.err.lines().count(), said.out.as_str()),
            (2, 1, ""),
            "{name}: {}",
            said.err
        );
        assert!(said.err.starts_with("error: "), "{name}: {}", said.err);
    }
    for (line, why) in [
        ("verify wait.litmus c", "it is for another program, or for other options"),
        (
            "verify race.litmus c --deadlock ignore",
            "it is for another program, or for other options",
        ),
        ("verify race.litmus missing", "cannot read `missing`: no such file or directory"),
        (
            "check race.litmus --algorithm optimal+observers --certificate d",
            "`optimal+observers` has no certificates",
        ),
        (
            "check race.litmus --algorithm stateful --shortest --certificate d",
            "`--shortest` has no certificates",
        ),
        (
            "check race.litmus --algorithm source+merge --observe failures --certificate d",
            "`--observe` has no certificates",
        ),
        ("check race.litmus --verify --algorithm naive", "`naive` has no certificates"),
    ] {
        let said = desk.run(line);
        assert_eq!(
            (said.code, said.err.lines().count(), said.out.as_str()),
            (2, 1, ""),
            "{line}: {}",
            said.err
        );
        assert!(said.err.contains(why), "{line}: {}", said.err);
    }
    assert!(!desk.path("d").exists());
}

#[test]
fn a_search_that_was_not_finished_has_no_certificate() {
    let desk = Desk::new();
    let said = desk.run("check litmus:readers --max-executions 3 --certificate c --verify");
    assert_eq!(said.code, 3, "{}", said.err);
    assert!(said.out.contains("there is no certificate"), "{}", said.out);
    assert!(!desk.path("c").exists() && !desk.path("c.part").exists());
}
