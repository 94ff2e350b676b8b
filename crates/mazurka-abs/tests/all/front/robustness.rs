//! No input makes the front end panic, hang or overflow the stack; large input is no problem.

use mazurka_diagnostics::SourceMap;
use proptest::prelude::*;

/// Parses and checks whatever it is; renders what there is to say.
fn swallow(text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add("m.abs", text).unwrap();
    let diagnostics = match mazurka_abs::analyse(&mut sources, &[file]) {
        Ok(analysis) => analysis.diagnostics,
        Err(diagnostics) => {
            assert!(diagnostics.has_errors());
            diagnostics
        }
    };
    for diagnostic in diagnostics.iter().take(20) {
        let _ = diagnostic.render(&sources, false);
    }
}

const GOOD: &str = r#"module M; export *; import * from ABS.StdLib;
data Tree<A> = Leaf | Node(Tree<A> left2, A value, Tree<A> right2);
type Ints = List<Int>; exception Bad(Int code);
def Int sum(Tree<Int> t) = case t { Leaf => 0; Node(l, v, r) => sum(l) + v + sum(r); };
def B twice<B>(f)(B x) = f(f(x));
interface I extends Object { [Atomic] Int m(Int x, Ints ys); Unit n(); }
trait T = { Unit n() { counter = counter + 1; } } modifies Unit n() { original(); }
class C(Int p, I other) implements I { Int counter = 0; Fut<Int> f; { counter = p; } recover { Bad(c) => skip; _ => skip; } uses T;
  Int m(Int x, Ints ys) { Int r = 0; foreach (y, i in ys) { r = r + y * i; } while (r > 10) r = r - 1;
    if (other != null) { f = other!m(x - 1, tail(ys)); await f? & r >= 0; r = f.get; } else { suspend; }
    switch (r) { 0 => r = 1; _ => { try { r = truncate(r / x); } catch { DivisionByZeroException => r = 0; } finally { skip; } } }
    return twice((Int z) => z + r)(x); }
  Unit run() { await this!m(1, list[1, 2]); this.n(); assert counter > 0; } }
{ I a = new C(3, null); I b = new local C(4, a); String s = `sum $sum(Node(Leaf, 1, Leaf))$`; println(s + toString(1/2 + 0.5 > 1)); Int x = await b!m(3, list[1]); }
"#;

#[test]
fn the_good_program_is_good() {
    super::check_file(GOOD).unwrap_or_else(|(_, text)| panic!("{text}"));
}

const WORDS: [&str; 78] = [
    "module",
    "M",
    ";",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "data",
    "def",
    "class",
    "interface",
    "trait",
    "type",
    "exception",
    "=",
    "=>",
    "|",
    "Int",
    "List",
    "C",
    "I",
    "x",
    "f",
    "this",
    ".",
    "!",
    "?",
    "&",
    "&&",
    "||",
    "+",
    "-",
    "*",
    "/",
    "%",
    "==",
    "!=",
    "<=",
    "case",
    "let",
    "in",
    "when",
    "then",
    "else",
    "if",
    "while",
    "foreach",
    "switch",
    "try",
    "catch",
    "finally",
    "await",
    "suspend",
    "return",
    "new",
    "local",
    "cog",
    "get",
    "null",
    "skip",
    "throw",
    "uses",
    "implements",
    "as",
    "1",
    "2.5",
    "\"s\"",
    "`t",
    "$",
    "`",
    ",",
    "_",
    "~",
    ":",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        swallow(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_words(words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..120)) {
        swallow(&words.join(" "));
        swallow(&format!("module M; class C {{ Unit m() {{ {} }} }}", words.join(" ")));
        swallow(&format!("module M; def Int f() = {};", words.join(" ")));
    }

    /// Small damage to a good program: the later phases see almost good trees.
    #[test]
    fn mutations(cuts in prop::collection::vec((0.0..1.0_f64, 0..12_usize, prop::sample::select(&WORDS[..])), 1..4)) {
        let mut text = GOOD.to_owned();
        for (place, length, word) in cuts {
            let start = ((text.len() as f64 * place) as usize).min(text.len());
            let end = (start + length).min(text.len());
            if text.is_char_boundary(start) && text.is_char_boundary(end) {
                text.replace_range(start..end, &format!(" {word} "));
            }
        }
        swallow(&text);
    }

    /// Whole tokens are swapped: mostly names, so that types and names go wrong rather than the syntax.
    #[test]
    fn swapped_tokens(swaps in prop::collection::vec((0..1000_usize, 0..1000_usize), 1..4)) {
        let mut tokens: Vec<&str> = GOOD.split_inclusive(' ').collect();
        let count = tokens.len();
        for (a, b) in swaps {
            tokens.swap(a % count, b % count);
        }
        swallow(&tokens.concat());
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let n = 100_000;
    let nested = |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(n), close.repeat(n));
    for text in [
        format!("module M; {{ Int x = {}; }}", nested("(", "1", ")")),
        format!("module M; {{ Int x = {}; }}", nested("-", "1", "")),
        format!("module M; {{ Bool x = {}; }}", nested("!", "True", "")),
        format!("module M; {{ Int x = {}; }}", nested("f(", "1", ")")),
        format!("module M; {{ Int x = {}; }}", nested("when True then ", "1", " else 2")),
        format!("module M; {{ Int x = {}; }}", nested("case 1 { _ => ", "1", "}")),
        format!("module M; {{ Int x = {}; }}", nested("let Int x = 1 in ", "x", "")),
        format!("module M; {{ Int x = 1{}; }}", " + 1".repeat(n)),
        format!("module M; {{ Int x = o{}; }}", ".get".repeat(n)),
        format!("module M; interface I {{}} {{ I o = null; I p = o{}; }}", " as I".repeat(n)),
        format!("module M; {{ await {}; }}", nested("(", "f?", ")")),
        format!("module M; {{ await f?{}; }}", " & f?".repeat(n)),
        format!("module M; {{ {} }}", nested("{", "", "}")),
        format!("module M; {{ {} }}", nested("if (True) ", "skip;", "")),
        format!("module M; {{ {} }}", nested("if (True) skip; else ", "skip;", "")),
        format!("module M; {{ {} }}", nested("try ", "skip;", " catch _ => skip;")),
        format!("module M; {{ {} x; }}", nested("List<", "Int", ">")),
        format!("module M; def Int f(Int x) = case x {{ {} => 1; }};", nested("Just(", "_", ")")),
        format!("module M; {{ String s = {}; }}", nested("`$", "1", "$`")),
    ] {
        let (diagnostics, _) = super::check_file(&text).expect_err("refused");
        assert!(diagnostics.len() < 10, "one mistake, not many: {}", diagnostics.len());
        assert!(
            diagnostics.iter().any(|d| d.code == "nested-too-deeply"),
            "{:?}",
            diagnostics.iter().next()
        );
    }
}

#[test]
fn what_is_just_not_too_deep_is_fine() {
    let n = 120;
    super::accept(&format!("{{ Int x = {}1{}; }}", "(".repeat(n), ")".repeat(n)));
    super::accept(&format!("{{ Int x = 1{}; }}", " + 1".repeat(n)));
    super::accept(&format!("{{ List<Int> x = {}Nil{}; }}", "Cons(1, ".repeat(n), ")".repeat(n)));
    super::accept(&format!("{{ {}{} }}", "if (True) { ".repeat(60), "}".repeat(60)));
}

#[test]
fn chains_of_declarations_are_no_problem() {
    let n = 3_000;
    let synonyms: String = (0..n).map(|k| format!("type T{k} = T{};\n", k + 1)).collect();
    swallow(&format!("module M; {synonyms} type T{n} = Int; {{ T0 x = 1; }}"));
    let pairs: String = (0..60).map(|k| format!("type P{} = Pair<P{k}, P{k}>;\n", k + 1)).collect();
    swallow(&format!("module M; type P0 = Int; {pairs} def P60 f(P60 x) = x; {{ Int y = 1; }}"));
    let interfaces: String = (0..300).map(|k| format!("interface I{k} extends I{} {{}}\n", k + 1)).collect();
    swallow(&format!("module M; {interfaces} interface I300 {{}} class C implements I0 {{}}"));
    let partials: String = (0..500).map(|k| format!("def Int f{k}(g)(Int x) = f{}(g)(x);\n", k + 1)).collect();
    swallow(&format!(
        "module M; {partials} def Int f500(g)(Int x) = g(x); {{ Int y = f0((Int z) => z)(1); }}"
    ));
    let growing: String = (0..60).map(|k| format!("case Pair(x{k}, x{k}) {{ x{} => ", k + 1)).collect();
    swallow(&format!("module M; def Int f(Int x0) = {growing} 1 {};", "}".repeat(60)));
}

#[test]
fn a_megabyte_is_parsed_and_checked() {
    let class = |n: usize| {
        format!(
            "interface I{n} {{ Int m(Int x); }}\nclass C{n}(Int p) implements I{n} {{\n  Int f = {n};\n  Int m(Int x) {{ Int r = f * x + p; if (r > {n}) {{ r = r - 1; }} else {{ r = length(list[r, x, {n}]); }} return r; }}\n}}\ndef Int g{n}(List<Int> xs) = case xs {{ Nil => {n}; Cons(y, ys) => y + g{n}(ys); }};\n"
        )
    };
    let mut text = "module M;\n".to_owned();
    let mut n = 0;
    while text.len() < 1_000_000 {
        text.push_str(&class(n));
        n += 1;
    }
    text.push_str("{ skip; }\n");
    let (model, _) = super::check_file(&text).unwrap_or_else(|(_, rendered)| panic!("{}", &rendered[..2_000]));
    assert_eq!(model.classes.len(), n);
}

#[test]
fn a_megabyte_of_rubbish_is_refused() {
    for piece in [
        "{",
        "}",
        "(",
        "x",
        "1 ",
        "\"",
        "`",
        "$",
        "[",
        "class ",
        "def ",
        "data D ",
        "é",
        "case x { ",
        "/*",
        "; ",
        "module A; ",
        "{ x = ; } ",
    ] {
        let text = piece.repeat(1_000_000 / piece.len());
        assert!(super::check_file(&text).is_err());
    }
}
