//! Macros, conditions and files.

use crate::promela::support::{holds, messages};
use mazurka_promela::{parse_file, parse_text};

#[test]
fn macros_with_and_without_parameters() {
    assert!(holds(
        "#define N 3\n#define MAX(a, b) ((a) > (b) -> (a) : (b))\n#define f (x)\nbyte x = N;\ninit { assert(MAX(x, 2) == N && f == 3) }"
    ));
    assert!(holds(
        "#define JOIN(a, b) a ## b\n#define CHECK(e) \\\n  assert(e)\nbyte xy = 1;\ninit { CHECK(JOIN(x, y) == 1) }"
    ));
}

#[test]
fn a_macro_does_not_expand_itself() {
    assert!(holds(
        "#define x (x + 0)\nbyte y = 2;\n#undef x\nbyte x = 1;\n#define y (y + x)\ninit { assert(y == 3) }"
    ));
}

#[test]
fn text_can_be_left_out() {
    let text = "#define A 2\n#if A > 1 && defined(A) && !defined(B)\nbyte x = 1;\n#elif A\nbyte x = 2;\n#else\nbyte x = 3;\n#endif\n#ifdef B\nnonsense\n#ifndef A\n#endif\n#else\ninit { assert(x == 1) }\n#endif";
    assert!(holds(text));
}

#[test]
fn settings_from_outside_override_definitions() {
    let settings = [("N".to_string(), "5".to_string())];
    let parsed = parse_text("m.pml", "#define N 3\nbyte x = N; init { assert(x == 5) }", &settings);
    let machine = parsed.machine.expect("a model");
    let (state, _) = machine.initial();
    assert_eq!(state.bytes()[1], 5);
}

#[test]
fn files_are_included_from_next_to_the_model() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("defs.h"), "#define N 4\nbyte shared;\n").unwrap();
    std::fs::write(folder.path().join("main.pml"), "#include \"defs.h\"\ninit { shared = N }\n").unwrap();
    let parsed = parse_file(&folder.path().join("main.pml"), &[]);
    assert!(parsed.machine.is_some(), "{}", parsed.diagnostics.render(&parsed.sources, false));
}

#[test]
fn a_file_that_includes_itself_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.pml");
    std::fs::write(&path, "#include \"main.pml\"\ninit { skip }\n").unwrap();
    let parsed = parse_file(&path, &[]);
    assert!(parsed.machine.is_none());
    assert!(parsed.diagnostics.render(&parsed.sources, false).contains("included too deeply"));
}

#[test]
fn explosions_end() {
    let mut text = String::from("#define x0 1 + 1\n");
    for i in 1..40 {
        text += &format!("#define x{i} x{} + x{}\n", i - 1, i - 1);
    }
    text += "init { assert(x39 > 0) }";
    assert!(messages(&text).contains("does not come to an end"));
}
