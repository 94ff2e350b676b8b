//! What a user sees: one tiny bad program per kind of message, and a check that no kind is forgotten.

use std::collections::BTreeSet;
use std::path::Path;

use mazurka_diagnostics::SourceMap;

/// The messages about a file, as shown.
fn shown(text: &str) -> (BTreeSet<&'static str>, String) {
    let mut sources = SourceMap::new();
    let file = sources.add("m.abs", text).unwrap();
    let diagnostics = match mazurka_abs::analyse(&mut sources, &[file]) {
        Ok(analysis) => analysis.diagnostics,
        Err(diagnostics) => diagnostics,
    };
    (diagnostics.iter().map(|d| d.code).collect(), diagnostics.render(&sources, false))
}

/// One bad program per code.
const PROGRAMS: [(&str, &str); 67] = [
    ("accessor-types", "data P = A(Int age) | B(String age);"),
    (
        "ambiguous-name",
        "module A; export *; def Int f() = 1; module B; export *; def Int f() = 2; module C; import * from A; import * from B; { Int x = f(); }",
    ),
    ("bad-character", "{ Int größe = 1; Int _x = 2; }"),
    ("bad-escape", "{ String s = \"a\\qb\"; }"),
    ("bad-number", "{ Int x = 007; Int y = 3x; }"),
    ("bad-operand", "{ String s = \"n = \" + 3; }"),
    ("cyclic-interface", "interface I extends J {} interface J extends I {}"),
    ("cyclic-trait", "trait T = U\ntrait U = T\nclass C { uses T; }"),
    ("cyclic-type", "type A = B; type B = A;"),
    ("duplicate-definition", "def Int f() = 1;\ndef Int f() = 2;"),
    ("duplicate-variable", "{ Int x = 1; if (True) { Int x = 2; } }"),
    ("effect-in-expression", "interface I { Int m(); } { I i; Int n = 1 + i.m(); }"),
    ("function-as-value", "def Int f(g)(Int x) = g;"),
    ("ignored-annotation", "{ [Cost: 3] skip; }"),
    (
        "method-signature",
        "interface I { Unit m(Int x); }\nclass C implements I { Unit m() {} }",
    ),
    (
        "missing-case",
        "def Int f(Maybe<Bool> m) = case m { Nothing => 0; Just(True) => 1; };",
    ),
    ("missing-method", "interface I { Unit m(); }\nclass C implements I {}"),
    ("missing-return", "class C { Bool m(Int n) { if (n > 0) { return True; } } }"),
    ("no-destiny", "def Destiny f() = destiny;"),
    ("no-original", "class C { Unit m() { original(); } }"),
    ("no-this", "{ this.m(); }"),
    ("not-a-future", "{ Bool b = True; await b?; }"),
    ("not-allowed-here", "class C { { await True; } }"),
    ("not-an-interface", "interface I extends Bool {}"),
    ("not-an-object", "{ Int n = 1; n!m(); }"),
    ("not-exported", "module A; data X; module B; import X from A;"),
    ("not-variadic", "def Int f(Int x) = x; { Int y = f[1]; }"),
    (
        "nothing-to-modify",
        "trait T = { Unit start() {} } modifies Unit stat() {}\nclass C { uses T; }",
    ),
    ("pattern-type", "def Int f(List<Int> l) = case l { Just(x) => x; _ => 0; };"),
    ("repeated-declaration", "data Bool = True | False;"),
    ("return-outside-method", "{ return Unit; }"),
    ("small-module-name", "module ugly; { skip; }"),
    ("syntax", "{ Int x = 1 Int y = ; }"),
    ("truncating-division", "class C { Int half(Int n) { return n / 2; } }"),
    ("two-init-blocks", "class C { { skip; } { skip; } }"),
    ("two-main-blocks", "{ skip; } { skip; }"),
    ("type-arguments", "{ Maybe m = Nothing; }"),
    ("type-mismatch", "{ Int n = 7 / 2; }"),
    ("unclosed-comment", "{ skip; } /* never"),
    ("unclosed-string", "{ String s = \"abc; }"),
    ("unclosed-template", "{ String s = `abc; }"),
    ("uninitialised", "{ List<Int> l; }"),
    ("unknown-class", "interface I {} { I i = new I(); }"),
    ("unknown-constructor", "{ Maybe<Int> m = Jusst(3); }"),
    ("unknown-field", "class C { Int counter = 0; Unit m() { this.conter = 3; } }"),
    ("unknown-function", "{ Int n = lenght(list[1]); }"),
    (
        "unknown-method",
        "interface Account { Unit deposit(Int n); } { Account a; a!depsit(3); }",
    ),
    ("unknown-module", "import * from ABS.StdLibb;"),
    ("unknown-name", "{ Int balance = 0; balanec = 3; }"),
    ("unknown-trait", "trait Counting = { } class C { uses Countign; }"),
    ("unknown-type", "class Account {} { Account a; }"),
    ("unreachable-case", "def Int f(Bool b) = case b { _ => 0; True => 1; };"),
    ("unreachable-code", "class C { Int m() { return 1; skip; } }"),
    ("unsupported", "{ movecogto 1; }"),
    ("used-before-initialised", "class C { Int x = y + 1; Int y = 1; }"),
    ("wrong-number-of-arguments", "def Int f(Int x, Int y) = x; { Int n = f(1); }"),
    // More shapes of the same kinds.
    ("type-mismatch in a call", "def Int f(Int x) = x; { Int n = f(True); }"),
    ("type-mismatch of a future", "interface I { Int m(); } { I i; Int n = i!m(); }"),
    ("type-mismatch of branches", "{ println(toString(when True then 1 else \"a\")); }"),
    ("type-mismatch of a function", "{ List<Int> l = map((String s) => 1)(list[1]); }"),
    ("unsupported module", "import * from ABS.FLI;"),
    ("syntax of a class", "class C extends D { } class E { Unit m(); Int x = 1; }"),
    (
        "syntax of an unclosed block",
        "class C { Unit m() { if (True) { skip; }\nclass D { }",
    ),
    ("syntax of field access", "interface I {} { I i; Int x = i.balance; }"),
    ("syntax of a lambda", "{ Int x = length((Int y) => y); }"),
    (
        "unknown-method that is private",
        "interface I {} class C implements I { Unit m() {} } { I i = new C(); i!m(); }",
    ),
    ("several", "{ Int x = True; Sting s = \"a\"; y = 3; f(x); }"),
];

/// Codes that need more than a tiny program; they are tested in `robustness`.
const LARGE: [&str; 4] = ["nested-too-deeply", "too-many-errors", "too-large", "type-too-large"];

#[test]
fn every_message_as_shown() {
    for (name, program) in PROGRAMS {
        let text = if program.starts_with("module") {
            program.to_owned()
        } else {
            format!("module M;\n{program}\n")
        };
        let (codes, rendered) = shown(&text);
        let code = name.split(' ').next().unwrap_or(name);
        assert!(code == "several" || codes.contains(code), "{name}:\n{rendered}");
        insta::assert_snapshot!(name.replace(' ', "_"), rendered, program);
    }
}

#[test]
fn no_kind_of_message_is_forgotten() {
    let mut codes = BTreeSet::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for part in ["check", "syntax"] {
        collect(&root.join(part), &mut codes);
    }
    assert!(codes.len() > 40, "the codes are found in the source");
    let shown: BTreeSet<String> = PROGRAMS.iter().map(|(name, _)| *name).chain(LARGE).map(str::to_owned).collect();
    let forgotten: Vec<&String> = codes.difference(&shown).collect();
    assert!(forgotten.is_empty(), "no program shows {forgotten:?}");
}

/// Collects the codes that stand right after `Diagnostic::error(` and its like.
fn collect(directory: &Path, codes: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, codes);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for call in ["Diagnostic::error(", "Diagnostic::warning(", "Diagnostic::note("] {
            for after in text.split(call).skip(1) {
                if let Some(code) = after.trim_start().strip_prefix('"') {
                    codes.extend(code.split('"').next().map(str::to_owned));
                }
            }
        }
    }
}

#[test]
fn a_syntax_error_points_at_what_is_wrong_and_not_lines_before_it() {
    let Err((_, text)) = super::check("interface I { }\n\n// the class\nclss C { }") else {
        panic!("accepted")
    };
    assert!(text.contains("m.abs:5:1") && text.contains("did you mean `class`?"), "{text}");
}
