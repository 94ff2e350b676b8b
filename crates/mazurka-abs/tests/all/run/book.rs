//! The models in the chapter of the book do what it says.

use crate::run::common::{explore, run, unchecked};
use mazurka_abs::model::Options;
use mazurka_core::Verdict;
use std::path::Path;

fn models() -> Vec<String> {
    let chapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/abs.md");
    let text = std::fs::read_to_string(chapter).expect("the chapter about ABS");
    let blocks = text.split("```abs\n").skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

fn model(name: &str) -> String {
    let begins = format!("module {name};");
    let found = models().into_iter().find(|model| model.starts_with(&begins));
    found.unwrap_or_else(|| panic!("no model `{name}` in the book"))
}

#[test]
fn two_who_wait_meet() {
    let machine = unchecked(&model("Meet"), &Options::default());
    let outcome = explore(&machine, "optimal");
    assert_eq!((outcome.verdict, outcome.failures.len()), (Verdict::Complete, 0));
}

#[test]
fn a_product_repeats_what_it_modifies() {
    let printed = |product: Option<&str>| run(&unchecked(&model("Hello"), &Options::default().product(product.map(str::to_owned)))).0;
    assert_eq!(printed(None), "hello\n");
    assert_eq!(printed(Some("Twice")), "hellohello\n");
}
