//! Files that nobody means to check: empty, binary, endless, nested without end. Every front end and every command that reads a file answers
//! with a message that names the file and with exit code 2, and never with more text than somebody could scroll through.

use crate::support::{Desk, Said};

const MANY: usize = 100_000;

/// How a kind of program is written.
struct Notation {
    extension: &'static str,
    /// A program without mistakes; `@` stands for a number that it writes.
    good: &'static str,
    comment: &'static str,
    declaration: &'static str,
    /// What opens and what closes a nested expression, and what opens and what closes a nested block.
    nested: [(&'static str, &'static str); 2],
    /// A program with the hole `@` for something nested: an expression, a block.
    around: [&'static str; 2],
}

const NOTATIONS: [Notation; 3] = [
    Notation {
        extension: "litmus",
        good: "init x=0;\np0:[x=@]\np1:[x=2]\n",
        comment: "// nothing\n",
        declaration: "p:[x=1]\n",
        nested: [("(", ")"), ("if (x==0) { ", "}")],
        around: ["p:[x=@ 1 @]", "p:[@ x=1 @]"],
    },
    Notation {
        extension: "abs",
        good: "module M;\ninterface I { Unit set(Int v); }\nclass C implements I { Int f = 0; Unit set(Int v) { f = v; } }\n{ I c = new C(); c!set(@); }\n",
        comment: "// nothing\n/* at all */\n",
        declaration: "def Int f(Int x) = x;\n",
        nested: [("(", ")"), ("if (x == 0) { ", "}")],
        around: ["module M;\n{ Int x = @ 1 @; }\n", "module M;\n{ Int x = 0; @ x = 1; @ }\n"],
    },
    Notation {
        extension: "pml",
        good: "byte x;\nactive proctype p() { x = @ }\n",
        comment: "// nothing\n/* at all */\n",
        declaration: "active proctype p() { skip }\n",
        nested: [("(", ")"), ("if :: true -> ", " fi")],
        around: [
            "byte x; active proctype p() { x = @ 1 @ }\n",
            "byte x; active proctype p() { @ x = 1 @ }\n",
        ],
    },
];

impl Notation {
    /// The good program with something else in place of its number.
    fn with(&self, instead: &str) -> String {
        self.good.replace('@', instead)
    }

    fn nest(&self, which: usize) -> String {
        let (open, close) = self.nested[which];
        let filled = self.around[which].replacen('@', &open.repeat(MANY), 1);
        filled.replacen('@', &close.repeat(MANY), 1)
    }

    /// Texts that are refused, and what the message must say.
    fn refused(&self) -> Vec<(&'static str, Vec<u8>, &'static str)> {
        let endless = "9".repeat(1_000_000);
        let not_utf8 = [self.with("1").as_bytes(), b"\xff\xfe\xc3\x28"].concat();
        vec![
            ("empty", Vec::new(), ""),
            ("blank", b" \n\t\n\n".to_vec(), ""),
            ("comments", self.comment.into(), ""),
            ("page", b"<!doctype html><html><body>404</body></html>\n".to_vec(), "expected"),
            ("binary", (0..=255u8).cycle().take(10_000).collect(), ""),
            ("latin", not_utf8, ""),
            ("nul", self.with("\0").into(), ""),
            ("escape", self.with("\x1b[31m1").into(), ""),
            ("huge", self.with(&endless).into(), ""),
            ("word", self.with(&"x".repeat(1_000_000)).replace(';', " ").into(), ""),
            (
                "line",
                format!("{} {}", self.with("1").replace('\n', " "), "x".repeat(1_000_000)).into(),
                "expected",
            ),
            ("open", self.with("1").replace(['}', ']'], "").into(), "expected"),
            ("twice", self.declaration.repeat(20_000).into(), ""),
            ("expression", self.nest(0).into(), "nested"),
            ("block", self.nest(1).into(), "nested"),
        ]
    }
}

/// Exit code 2, the file's name, no panic, nothing that a terminal would take for a command, and not too much of it.
fn assert_refused(said: &Said, name: &str, what: &str, line: &str) {
    assert_eq!((said.code, said.out.as_str()), (2, ""), "{line}: {:.500}", said.err);
    assert!(said.err.contains(name) && said.err.contains(what), "{line}: {:.500}", said.err);
    assert!(
        !said.err.contains("panicked") && !said.err.contains('\x1b'),
        "{line}: {:.500}",
        said.err
    );
    assert!(said.err.len() < 150_000, "{line}: {} bytes", said.err.len());
}

#[test]
fn every_front_end_refuses_what_is_no_program() {
    let desk = Desk::new();
    for notation in &NOTATIONS {
        for (kind, text, what) in notation.refused() {
            let name = format!("{kind}.{}", notation.extension);
            std::fs::write(desk.path(&name), text).unwrap();
            let line = format!("check {name}");
            assert_refused(&desk.run(&line), &name, what, &line);
        }
    }
}

#[test]
fn every_command_refuses_what_cannot_be_read() {
    let desk = Desk::new();
    desk.run("check litmus:philosophers --quiet --save-schedule good.json");
    for extension in NOTATIONS.map(|n| n.extension) {
        std::fs::create_dir(desk.path(&format!("folder.{extension}"))).unwrap();
        desk.write(&format!("empty.{extension}"), "");
        for name in ["folder", "empty", "missing"].map(|stem| format!("{stem}.{extension}")) {
            for command in ["check", "compare", "explain", "run"] {
                let line = format!("{command} {name}");
                assert_refused(&desk.run(&line), &name, "", &line);
            }
            let line = format!("replay {name} good.json");
            assert_refused(&desk.run(&line), &name, "", &line);
        }
    }
}

#[test]
fn what_editors_add_to_a_text_is_no_mistake() {
    let desk = Desk::new();
    for notation in &NOTATIONS {
        let good = notation.with("1");
        for (kind, text) in [
            ("plain", good.clone()),
            ("windows", good.replace('\n', "\r\n")),
            ("marked", format!("\u{feff}{good}")),
            ("open-ended", good.trim_end().to_owned()),
        ] {
            let name = format!("{kind}.{}", notation.extension.to_uppercase());
            desk.write(&name, &text);
            let said = desk.run(&format!("check {name}"));
            assert_eq!((said.code, said.err.as_str()), (0, ""), "{name}");
        }
    }
}

#[test]
fn what_is_no_schedule_is_refused() {
    let desk = Desk::new();
    desk.run("check litmus:philosophers --quiet --save-schedule good.json");
    let good = desk.read("good.json");
    for (name, text) in [
        ("empty.json", String::new()),
        ("null.json", "null".to_owned()),
        ("half.json", good[..good.len() / 2].to_owned()),
        ("nested.json", "[".repeat(MANY)),
        ("line.json", "x".repeat(1_000_000)),
        ("other.json", format!("{{\"schema\":\"{}\"}}", "y".repeat(1_000_000))),
        ("negative.json", good.replace("\"choice\":0", "\"choice\":-1")),
        ("option.json", good.replace("\"arguments\": []", "\"arguments\": [\"--bogus\"]")),
        ("twice.json", format!("{good}{good}")),
    ] {
        desk.write(name, &text);
        for line in [
            format!("replay litmus:philosophers {name}"),
            format!("run litmus:philosophers --schedule {name}"),
        ] {
            // `run` takes the program's options from the command line only.
            if !(line.starts_with("run") && name == "option.json") {
                assert_refused(&desk.run(&line), name, "", &line);
            }
        }
    }
    std::fs::write(desk.path("latin.json"), [good.as_bytes(), b"\xff"].concat()).unwrap();
    assert_refused(
        &desk.run("replay litmus:philosophers latin.json"),
        "latin.json",
        "not UTF-8",
        "latin",
    );
}

#[test]
fn names_that_fill_a_file_do_not_fill_the_screen() {
    let desk = Desk::new();
    let name = "a".repeat(200_000);
    desk.write(
        "long.pml",
        &format!("byte {name};\nactive proctype p() {{ {name} = 1; assert({name} != 1) }}\n"),
    );
    let said = desk.run("check long.pml");
    assert_eq!(said.code, 1, "{:.500}", said.err);
    assert!(said.out.len() < 20_000, "{} bytes", said.out.len());
}

/// Whether a terminal would do something other than show this.
fn is_obeyed(text: &str) -> bool {
    text.contains(|c: char| c.is_control() && c != '\n' && c != '\t')
}

#[test]
fn control_characters_of_a_program_are_shown_as_escapes_wherever_a_person_reads() {
    let desk = Desk::new();
    let clear = "\u{1b}[2J\u{9b}2J\u{7}\r";
    desk.write("m.litmus", &format!("p0:[x=1][assert x==2 \"clear {clear} screen\"]\np1:[x=3]\n"));
    desk.write(
        "m.abs",
        &format!("module M;\n{{\n  String s = \"{clear}\";\n  println(s);\n  assert s == \"\";\n}}\n"),
    );
    desk.write("m.pml", &format!("active proctype A() {{ printf(\"{clear}\"); assert(false) }}\n"));
    for model in ["m.litmus", "m.abs", "m.pml"] {
        for line in [
            format!("check {model} --final-states --save-schedule s.json --report r.html --junit j.xml --sarif s.sarif --dot d.dot"),
            format!("check {model} --width 30"),
            format!("replay {model} s.json"),
            format!("replay {model} s.json --step"),
            format!("run {model} --trace"),
            format!("explain {model}"),
            format!("compare {model}"),
        ] {
            let said = desk.run(&line);
            assert!(!is_obeyed(&said.out), "{line}: {:?}", said.out);
            assert!(!is_obeyed(&said.err), "{line}: {:?}", said.err);
        }
        for file in ["r.html", "j.xml", "d.dot"] {
            let text = desk.read(file);
            assert!(!is_obeyed(&text), "{model}: {file}");
            assert!(!text.contains("\\u001b"), "{model}: {file} has the character as JSON writes it");
        }
        let said = desk.run(&format!("check {model} --json"));
        assert!(said.json()["failures"][0]["kind"].is_string(), "{}", said.out);
        assert!(serde_json::from_str::<serde_json::Value>(&desk.read("s.sarif")).is_ok());
    }
    let said = desk.run("check m.litmus");
    assert!(said.out.contains("clear \\u{1b}[2J\\u{9b}2J\\u{7}\\r screen"), "{}", said.out);
    for line in [
        format!("check none{clear}.abs"),
        format!("check m.litmus --order x{clear}"),
        format!("c{clear}"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let said = desk.run_words(&words);
        assert!(said.code == 2 && !is_obeyed(&said.err), "{:?}", said.err);
    }
}

#[test]
fn a_file_without_an_end_is_refused() {
    let desk = Desk::new();
    for name in ["zero.litmus", "zero.abs", "zero.pml"] {
        // A file with a hole takes no room on the disk.
        let file = std::fs::File::create(desk.path(name)).expect("a file");
        file.set_len(1 << 33).expect("a large file");
        let said = desk.run(&format!("check {name}"));
        assert_eq!(said.code, 2, "{name}: {}", said.err);
        assert!(
            said.err.contains(&format!("cannot read `{name}`: it has more than 32 MB")),
            "{}",
            said.err
        );
    }
}

#[test]
fn conditionals_and_characters_without_end_are_refused_soon() {
    let desk = Desk::new();
    desk.write("open.pml", &"#if 1\n".repeat(MANY));
    let said = desk.run("check open.pml");
    assert!(
        said.code == 2 && said.err.contains("open.pml:1") && said.err.contains("never closed"),
        "{}",
        said.err
    );
    desk.write("wrong.pml", &"`".repeat(10 * MANY));
    let said = desk.run("check wrong.pml");
    assert!(said.code == 2 && said.err.contains("is no part of Promela"), "{}", said.err);
    assert!(said.err.lines().count() < 200, "{}", said.err.lines().count());
}
