//! Properties beyond safety: refused, or left out when that is asked for.

use mazurka_promela::{Claims, parse_text, parse_text_with};

const CLAIMS: [&str; 5] = [
    "ltl { [] (x < 3) && (<> (x == 1 -> !(x == 2))) U x > 0 }",
    "ltl named { p@here implies eventually (x == 1) }",
    "never { T0: do :: np_ -> goto accept :: skip od; accept: { skip } }",
    "trace { do :: c!1; c?1 od }",
    "notrace { if :: c!1; c?1 fi }",
];

fn model(claim: &str) -> String {
    format!("byte x; chan c = [1] of {{ byte }};\n{claim}\nactive proctype p() {{ here: x = 1; assert(x == 1) }}")
}

#[test]
fn each_is_refused_with_a_way_out() {
    for claim in CLAIMS {
        let parsed = parse_text("model.pml", &model(claim), &[]);
        let text = parsed.diagnostics.render(&parsed.sources, false);
        assert!(parsed.machine.is_none(), "{claim}");
        assert!(text.contains("--> model.pml:2:1") && text.contains("--ignore-claims"), "{text}");
    }
}

#[test]
fn each_can_be_left_out_with_a_note() {
    for claim in CLAIMS {
        let parsed = parse_text_with("model.pml", &model(claim), &[], Claims::Ignore);
        let text = parsed.diagnostics.render(&parsed.sources, false);
        assert!(parsed.machine.is_some(), "{text}");
        assert!(text.starts_with("note[ignored]") && text.contains("is not checked"), "{text}");
    }
}
