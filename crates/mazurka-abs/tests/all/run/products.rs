//! Product lines: what the products of one do.

use crate::run::common::run;
use mazurka_abs::model::{Opened, Options, open_text};

const LINE: &str = "module Greet;
interface Greeter { String hello(); }
interface Counted { Int count(); }
class Plain implements Greeter { Int calls = 0; String hello() { calls = calls + 1; return \"hello\"; } }
{ Greeter g = new Plain(); String s = await g!hello(); println(s); }

delta Loud; uses Greet;
modifies class Plain { modifies String hello() { String s = original(); return s + \"!\"; } }

delta Times(Int n); uses Greet;
modifies class Plain {
    adds Int times = n;
    modifies String hello() { String s = \"\"; Int i = 0; while (i < times) { String t = original(); s = s + t; i = i + 1; } return s; }
}

delta Count; uses Greet;
modifies class Plain adds Counted { adds Int count() { return calls; } }
adds def String suffix() = \"?\";

delta Renamed;
removes class Greet.Plain;
adds class Greet.Plain implements Greeter { String hello() { return \"other\" + mark(); } }
adds def String unused() = \"\";

delta Mark(Bool loud); uses Greet;
adds def String mark() = when loud then \"!\" else \".\";

productline Greetings;
features FLoud, FTimes, FOther;
delta Loud after Times when FLoud && !FOther;
delta Times(FTimes.n) when FTimes;
delta Count when FLoud || FTimes;
delta Mark(FLoud) when FOther;

root FAll { group [1 .. *] { FLoud, opt FTimes { Int n in [1 .. 5]; }, FOther } }

product Basic();
product Shouting(FLoud);
product Twice(FTimes{n = 2});
product All(FLoud, FTimes{n = 2});
product Both = Shouting || {FTimes{n = 3}};
product Quiet = Both - Shouting;
product Same = All && Shouting;
";

fn printed(product: Option<&str>) -> String {
    match open_text("line.abs", LINE, &Options::default().product(product.map(str::to_owned))) {
        Ok(Opened { machine, .. }) => run(&machine).0,
        Err((sources, diagnostics)) => panic!("{product:?}: {}", diagnostics.render(&sources, false)),
    }
}

fn refused(text: &str, product: &str) -> String {
    match open_text("line.abs", text, &Options::default().product(product.to_owned())) {
        Ok(_) => panic!("accepted: {text}"),
        Err((sources, diagnostics)) => diagnostics.render(&sources, false),
    }
}

#[test]
fn each_product_has_its_deltas() {
    assert_eq!(printed(None), "hello\n", "without a product there are no deltas");
    assert_eq!(printed(Some("Basic")), "hello\n");
    assert_eq!(printed(Some("Shouting")), "hello!\n");
    assert_eq!(printed(Some("Twice")), "hellohello\n");
    assert_eq!(
        printed(Some("All")),
        "hellohello!\n",
        "Loud comes after Times, though it stands before it"
    );
    assert_eq!(printed(Some("Both")), "hellohellohello!\n");
    assert_eq!(printed(Some("Quiet")), "hellohellohello\n");
    assert_eq!(printed(Some("Same")), "hello!\n");
}

#[test]
fn classes_interfaces_and_data_are_replaced() {
    let text = "module M; data Colour = Red; interface I { Unit old(); } class C implements I { Unit old() { println(\"old\"); } }
        { I i = new C(); }
        delta D(Bool loud); uses M;
        modifies data Colour = Red | Blue(Int n);
        modifies interface I { removes Unit old(); adds Unit fresh(); }
        removes class C;
        adds class C implements I { Colour c = Blue(7); Unit fresh() { println(toString(c) + toString(loud)); } Unit run() { this.fresh(); } }
        productline L; features F, G; delta D(G) when F;
        product P(F); product Q(F, G);";
    let printed = |product: &str| match open_text("m.abs", text, &Options::default().product(product.to_owned())) {
        Ok(opened) => run(&opened.machine).0,
        Err((sources, diagnostics)) => panic!("{}", diagnostics.render(&sources, false)),
    };
    assert_eq!(printed("P"), "Blue(7)False\n");
    assert_eq!(printed("Q"), "Blue(7)True\n");
}

#[test]
fn what_does_not_fit_is_said_at_the_delta() {
    let line = |delta: &str| {
        format!(
            "module M; class C {{ Int x = 0; Unit m() {{ skip; }} }} {{ skip; }} delta D; uses M; {delta} productline L; features F; delta D when F; product P(F);"
        )
    };
    for (delta, said) in [
        ("modifies class E { adds Int y = 0; }", "module M has no class `E`"),
        ("removes interface I;", "module M has no interface `I`"),
        ("modifies class C { removes Int y; }", "there is no field `y`"),
        ("modifies class C { modifies Unit n() { skip; } }", "there is no method `n`"),
        ("modifies class C { removes Unit n(); }", "there is no method `n`"),
        ("modifies class C { adds Unit m() { skip; } }", "the method `m` is defined twice"),
        ("modifies class C { adds Unit n() { x = True; } }", "expected Int, found Bool"),
        ("modifies class C removes I { }", "does not implement `I`"),
        ("adds class N.C { }", "there is no module `N`"),
        ("modifies data T = A;", "has no data type `T`"),
    ] {
        let text = refused(&line(delta), "P");
        assert!(text.contains(said) && text.contains("line.abs:1:"), "{delta}\n{text}");
    }
    let lines = [
        ("delta E when F;", "there is no delta `E`"),
        ("delta D(F.a) when F;", "delta D takes 0 values, not 1"),
        ("delta D when F + 1;", "expected features joined by"),
        ("delta D after D when F;", "come after each other"),
    ];
    for (clause, said) in lines {
        let text =
            format!("module M; {{ skip; }} delta D; uses M; adds def Int f() = 1; productline L; features F; {clause} product P(F);");
        assert!(refused(&text, "P").contains(said), "{clause}\n{}", refused(&text, "P"));
    }
    assert!(refused(LINE, "Shoutin").contains("there is no product `Shoutin`"));
    assert!(refused("module M; { skip; } product P = Q; product Q = P;", "P").contains("defined by itself"));
    assert!(refused("module M; { skip; } productline L; features F; product P(G);", "P").contains("no product line has the feature `G`"));
}

#[test]
fn a_product_line_without_a_product_is_mentioned() {
    let opened = open_text("line.abs", LINE, &Options::default()).unwrap_or_else(|(sources, d)| panic!("{}", d.render(&sources, false)));
    let text = opened.diagnostics.render(&opened.machine.sources, false);
    assert!(
        text.contains("the program is taken without its deltas") && text.contains("Basic, Shouting, Twice"),
        "{text}"
    );
}
