//! No text makes the reader panic or hang.

use mazurka_promela::{Promela, parse_text};
use proptest::prelude::*;

const WORDS: &[&str] = &[
    "active",
    "proctype",
    "init",
    "typedef",
    "mtype",
    "inline",
    "byte",
    "bit",
    "chan",
    "of",
    "if",
    "fi",
    "do",
    "od",
    "::",
    "->",
    ";",
    "else",
    "break",
    "goto",
    "atomic",
    "d_step",
    "unless",
    "run",
    "skip",
    "assert",
    "for",
    "in",
    "select",
    "..",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    "=",
    "==",
    "!",
    "?",
    "??",
    "!!",
    "<",
    ">",
    ":",
    "x",
    "y",
    "q",
    "P",
    "R",
    "L",
    "0",
    "1",
    "255",
    "+",
    "-",
    "++",
    ".",
    "@",
    "_pid",
    "_",
    "eval",
    "timeout",
    "len",
    "\n#define X",
    "\n#if",
    "\n#else",
    "\n#endif",
    "\n",
    "X",
    "\"s",
    "/*",
    "*/",
    "'a'",
    "unsigned",
    "hidden",
    "provided",
    "printf",
    "ltl",
    "never",
    "c_code",
    "return",
    "\\\n",
    "##",
    "#",
];

fn read(text: &str) {
    let parsed = parse_text("fuzz.pml", text, &[]);
    let shown = parsed.diagnostics.render(&parsed.sources, false);
    assert_eq!(parsed.machine.is_none(), shown.contains("error"), "{shown}");
    if let Some(machine) = parsed.machine {
        drop(Promela::new(machine, parsed.sources));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_characters(text in "\\PC{0,200}") {
        read(&text);
    }

    #[test]
    fn any_words(words in prop::collection::vec(prop::sample::select(WORDS), 0..80)) {
        read(&words.join(" "));
    }

    #[test]
    fn any_words_in_a_process(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        read(&format!("byte x, y[2]; chan q = [1] of {{ byte }}; typedef R {{ byte a }}; R r; inline X(a) {{ a = 1 }} proctype P(byte L) {{ {} }} init {{ run P(1) }}", words.join(" ")));
    }
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [
        ("(", ")"),
        ("{ ", " }"),
        ("if :: ", " fi"),
        ("atomic { ", " }"),
        ("!", ""),
        ("- ", ""),
    ] {
        let text = format!("init {{ {}1{} }}", open.repeat(5000), close.repeat(5000));
        let parsed = parse_text("deep.pml", &text, &[]);
        assert!(parsed.machine.is_none(), "{open}");
    }
    read(&format!("init {{ assert({}1 > 0) }}", "1 + ".repeat(900)));
    read(&format!("init {{ assert({}1 > 0) }}", "1 + ".repeat(50_000)));
}

#[test]
fn inlines_that_grow_are_refused() {
    let mut text = String::from("byte x; inline f0() { x++ }\n");
    for i in 1..30 {
        text += &format!("inline f{i}() {{ f{}(); f{}() }}\n", i - 1, i - 1);
    }
    text += "init { f29() }";
    read(&text);
    read("inline f() { f() } init { f() }");
}

#[test]
fn huge_numbers_are_refused() {
    read("byte a[99999999]; init { skip }");
    read("chan q = [99999] of { byte }; init { skip }");
    read("typedef A { byte a[1000] } typedef B { A a[1000] } typedef C { B b[1000] } C c; init { skip }");
    read("active [1000] proctype p() { skip }");
    read("init { byte x = 99999999999 }");
    read(&(0..300).map(|i| format!("active proctype p{i}() {{ skip }}\n")).collect::<String>());
}
