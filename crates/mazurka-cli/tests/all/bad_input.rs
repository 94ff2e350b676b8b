//! Bad input: one clear line on standard error with what was expected and the nearest valid name, exit code 2, nothing on standard output.

use crate::support::Desk;

#[test]
fn every_mistake_gets_one_line() {
    let desk = Desk::new();
    desk.write("latin.litmus", "init x=0;\n");
    std::fs::write(desk.path("latin.litmus"), b"init x=0;\np\xe9:[x=1]\n").unwrap();
    desk.write("not-a-schedule.json", "{\"schema\": \"mazurka/1\"}");
    let mut seen = String::new();
    for line in [
        "check litmus:reader",
        "check litmus:nothing-like-it",
        "check litmsu:readers",
        "check readers",
        "check missing.litmus",
        "check model.lit",
        "check latin.litmus",
        "check litmus:readers --set m=3",
        "check litmus:readers --set n=100",
        "check litmus:readers --set n=three",
        "check litmus:readers --set n",
        "check litmus:readers --set n=3 --set n=4",
        "check litmus:readers --algorithm optimel",
        "check litmus:readers --algorithm source+sleep",
        "check litmus:readers --algorithm dpor+sleep",
        "check litmus:readers --model c11",
        "check litmus:readers --model rc11 --jobs 2",
        "check litmus:readers --model rc11 --certificate c.json",
        "check actors:registry --model rc11",
        "check litmus:readers --relax",
        "check litmus:readers --order fifi",
        "check litmus:readers --order random:seven",
        "check litmus:readers --timeout soon",
        "check litmus:readers --timeout 0s",
        "check litmus:readers --timeout -1s",
        "check litmus:readers --memory lots",
        "check litmus:readers --memory -1",
        "check litmus:readers --memory 5",
        "check litmus:readers --timeout 5",
        "check litmus:readers --max-executions 0",
        "check litmus:readers --max-executions 99999999999999999999",
        "check litmus:readers litmus:writers",
        "run litmus:readers --seed -1",
        "run litmus:readers --seed 99999999999999999999",
        "fuzz --threads 100000",
        "check litmus:readers --max-depth -1",
        "check litmus:readers --deadlock maybe",
        "check litmus:readers --deadlock ignored",
        "check litmus:readers --json --json-lines",
        "check litmus:readers --jsno",
        "check litmus:readers --await release",
        "check litmus:readers --property x>0",
        "check litmus:readers --dependency actor",
        "check litmus:readers --observe finals --algorithm optimal",
        "check litmus:readers --shortest --algorithm optimal",
        "check litmus:readers --report no/such/directory/r.html",
        "check litmus:readers --junit .",
        "check litmus:readers --dot -",
        "check litmus:readers --width 3",
        "check",
        "chekc litmus:readers",
        "compare litmus:readers --algorithms optimal,sauce",
        "compare litmus:readers --algorithms optimal,source --observe failures",
        "replay litmus:readers missing.json",
        "replay litmus:readers not-a-schedule.json",
        "fuzz --programs none",
        "fuzz --algorithm optimel",
        "bench forte21",
        "check litmus:readers --observe final --algorithm source+merge",
        "check litmus:readers --mode radnom",
        "check litmus:readers --mode pct:0",
        "check litmus:readers --mode pos:3",
        "check litmus:readers --mode random --budget 0",
        "check litmus:readers --mode random --algorithm optimal",
        "check litmus:readers --mode random --preemptions 2",
        "check litmus:readers --mode random --max-executions 5",
        "check litmus:readers --budget 5",
        "check litmus:readers --from 5",
        "check litmus:readers --preemptions few",
        "check litmus:readers --preemptions -1",
        "check litmus:readers --preemptions 2 --delays 2",
        "check litmus:readers --delays 2 --algorithm optimal",
    ] {
        let said = desk.run(line);
        assert_eq!(said.code, 2, "{line}: {}{}", said.out, said.err);
        assert_eq!(said.out, "", "{line}");
        let err = said.err.trim_end();
        assert!(err.starts_with("error: ") && err.lines().count() == 1, "{line}: {err}");
        // The lists of algorithms and tables grow; that they are there is enough.
        let mut err = err.to_owned();
        for list in ["expected one of naive, ", "expected one of forte12, "] {
            if let Some(at) = err.find(list) {
                err.replace_range(at + list.len().., "…");
            }
        }
        seen.push_str(&format!("$ mazurka {line}\n{err}\n\n"));
    }
    insta::assert_snapshot!(seen);
}

#[test]
fn a_mistake_in_a_program_is_shown_where_it_is() {
    let desk = Desk::new();
    desk.write("broken.litmus", "init x=0;\np0:[x=1\np1:[y=2]\n");
    desk.write(
        "typo.litmus",
        "init balance=100;\nalice:[l=balance]\n      [if (l>=80) { blance=balance-80 }]\naudit:[assert balance>=0]\n",
    );
    desk.write("copies.litmus", "const N=3;\ninit a[N];\nworker[id<N]:[a[id]=1]\n");
    let mut seen = String::new();
    for line in [
        "check broken.litmus",
        "check typo.litmus",
        "explain typo.litmus",
        "check copies.litmus --set M=2",
        "check copies.litmus --set N=-2",
        "check copies.litmus --set N=1 --set N=2",
        "check copies.litmus --set N=many",
        "check typo.litmus --set N=2",
    ] {
        let said = desk.run(line);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{line}: {}", said.err);
        seen.push_str(&format!("$ mazurka {line}\n{}\n", said.err));
    }
    insta::assert_snapshot!(seen);
}

#[test]
fn a_constant_of_a_program_is_set_on_the_command_line() {
    let desk = Desk::new();
    desk.write("copies.litmus", "const N=3;\nworker[id<N]:[x=id]\n");
    for (set, executions) in [("", 6), (" --set N=2", 2), (" --set N=4", 24)] {
        let json = desk.run(&format!("check copies.litmus --algorithm optimal --json{set}")).json();
        assert_eq!(json["executions"], executions, "{json}");
    }
}

#[test]
fn without_a_command_the_help_is_shown() {
    let said = Desk::new().run("");
    assert_eq!(said.code, 2);
    assert!(said.err.contains("Usage: mazurka"), "{}", said.err);
}

#[test]
fn help_is_documentation() {
    let desk = Desk::new();
    let mut text = String::new();
    for command in ["", "check", "compare", "replay", "run", "explain", "bench", "fuzz", "list"] {
        let said = desk.run(&format!("{command} --help"));
        assert_eq!(said.code, 0);
        text.push_str(&format!("$ mazurka {command} --help\n{}\n", said.out));
    }
    insta::assert_snapshot!(text);
}
