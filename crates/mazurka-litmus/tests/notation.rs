//! The text notation: what it means, what it refuses and how, and that printing and reading are inverse.

use mazurka_litmus::{Model, text};
use proptest::prelude::*;

fn parse(text: &str) -> Model {
    text::parse("test.litmus", text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn printing_is_the_inverse_of_reading() {
    for source in [
        "init y=1; p0:[x=1;l=z] p1:[await y>=2; x=0][l=y]",
        "p0:[if(x==1)y=x] p1:[l=y] p2:[][x=1]",
        "p0:[y=2] p1:[if(y==2)y=2 else x=l] p2:[x=1]",
        "init a[3], b[2]={5,-6}, c[2]=7; p0(i=2): #top[l=a[i]; if (l!=0) {i=i-1; goto top}][assert i>=0 \"below\"]",
        "p0:[spawn k(7)][spawn k] k(n, m=-1):[lock z][x += n*(m-2)-1; y @+ 1][unlock z]",
        "p0:[choose l 3; await x!=l && !(y==1) || z<-(l+1); y=l%2/3]",
        "bounded; p0:[x=1; if (x==1) {if (y==2) z=3} else {z=4; end}] #last",
        "p0:[x=-2147483648; y=2147483647; l=-(3); l=x--1]",
    ] {
        let model = parse(source);
        let printed = model.to_string();
        assert_eq!(parse(&printed), model, "{printed}");
        assert_eq!(parse(&printed).to_string(), printed);
    }
}

#[test]
fn errors_say_where_and_what_was_expected() {
    let messages: Vec<String> = [
        "",
        "p0",
        "p0:",
        "p0:[x=1",
        "p0:[x=]",
        "p0:[x 1]",
        "p0:[x=1] p0:[y=1]",
        "init x=1",
        "init x=1, x=2; p0:[]",
        "init a[0]; p0:[]",
        "init a[2]={1}; p0:[]",
        "init a[2]; p0:[a=1]",
        "init a[2]; p0:[a[2]=1]",
        "p0:[b[1]=2]",
        "init x; p0:[x[1]=2]",
        "init x; p0(x):[]",
        "p0:[spawn kk] k1:[]",
        "p0:[spawn k(1,2)] k(n):[]",
        "p0:[spawn p1] p1:[spawn p0]",
        "p0:[goto tap] #top[]",
        "p0: #a[] #a[]",
        "p0:[x=1; await y==1]",
        "p0:[if (x==1) lock y]",
        "p0:[x=1; choose l 2]",
        "p0:[choose x 2]",
        "p0:[choose l 0]",
        "p0:[lock l]",
        "p0:[x=99999999999999999999]",
        "p0:[x=3000000000]",
        "p0:[x=1 $]",
        "p0:[assert x==1 \"open]",
        "p0:[else=1]",
    ]
    .iter()
    .map(|source| format!("{source}\n    {}", text::parse("test.litmus", source).expect_err(source)))
    .collect();
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn deep_nesting_is_refused() {
    let deep = format!("p0:[x={}1{}]", "(".repeat(10_000), ")".repeat(10_000));
    assert!(text::parse("t", &deep).unwrap_err().message.contains("nested"));
    let chain = format!("p0:[x={}1]", "-".repeat(10_000));
    assert!(text::parse("t", &chain).unwrap_err().message.contains("nested"));
    let sum = format!("p0:[x=1{}]", "+1".repeat(10_000));
    assert!(text::parse("t", &sum).unwrap_err().message.contains("nested"));
    let ifs = format!("p0:[{}x=1]", "if (x==1) ".repeat(10_000));
    assert!(text::parse("t", &ifs).unwrap_err().message.contains("nested"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_text_makes_the_parser_panic(text in "[a-z0-9 \\[\\](){}:;=+@#!<>&|\"*/%,-]{0,60}") {
        let _ = text::parse("t", &text);
    }

    #[test]
    fn no_sequence_of_words_makes_the_parser_panic(words in proptest::collection::vec(
        prop::sample::select(vec!["init", "p0", ":", "[", "]", "x", "=", "1", ";", "if", "(", ")", "l", "a", "spawn", "goto", "#", "await",
            "lock", "choose", "else", "{", "}", "assert", "==", "+", "-", ",", "end", "bounded"]), 0..25)) {
        if let Ok(model) = text::parse("t", &words.join(" ")) {
            prop_assert_eq!(text::parse("t", &model.to_string()), Ok(model));
        }
    }
}
