//! The text notation: what it means, what it refuses and how, and that printing and reading are inverse.

use mazurka_litmus::{Machine, Model, text};
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
        "p0:[x=0x10]",
        "init x=1y=2; p0:[]",
        "p0:[x=1 $]",
        "p0:[assert x==1 \"open]",
        "p0:[else=1]",
        "init m;\np0:\n  [lock m]\n  [x=1;\n   y=m]\n",
        "p0:[x=1]\np1(x=0):[x=1]\np2:[",
        "p0(x=0):[x=1]\np1:[x=1]\n",
    ]
    .iter()
    .map(|source| text::parse("test.litmus", source).expect_err(source).render(source, false))
    .collect();
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn a_name_of_one_letter_and_digits_needs_no_declaration() {
    assert_eq!(
        parse("p0:[x=l; l1=m2] p1:[lock n][l=L]"),
        parse("init x, m2, n, L; p0(l, l1):[x=l; l1=m2] p1(l):[lock n][l=L]"),
        "what begins with l is a local, everything else is shared"
    );
    assert_eq!(parse("init l; p0:[l=1]").bodies()[0].locals, [], "a declaration decides");
}

#[test]
fn a_longer_name_must_be_declared() {
    let messages: Vec<String> = [
        "p:[level=1]\nq:[assert level==0]\n",
        "init balance=100;\nalice:[l=balance]\n      [if (l>=80) { blance=balance-80 }]\n",
        "worker(total=0):[totla += 1]\n",
        "init mutex;\np:[lock mutx]\n",
        "init values[3];\np:[valeus[1]=2]\n",
        "p:[choose choice 2]\n",
        "p:[await _x==1]\n",
        "p:[x1y=1]\n",
        "p:[spawn k(n+much)] k(n):[]\n",
    ]
    .iter()
    .map(|source| text::parse("test.litmus", source).expect_err(source).render(source, false))
    .collect();
    insta::assert_snapshot!(messages.join("\n"));
    for declared in [
        "init level=0;\np:[level=1]\nq:[assert level==0]\n",
        "worker(total=0):[total += 1]\n",
        "init mutex, values[3];\np:[lock mutex][values[1]=2]\n",
    ] {
        parse(declared);
    }
}

#[test]
fn an_error_in_one_line_has_its_place_and_its_advice() {
    let error = text::parse("bank.litmus", "init balance=1;\np:[x=1][blance=2]\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "bank.litmus:2:9: blance is not declared; did you mean `balance`?; declare it before the processes if it is shared, \
         `init blance=0;`, or as a local of this one, `p(blance=0):`"
    );
}

#[test]
fn as_many_shared_variables_as_are_supported_are_accepted() {
    assert!(Machine::new(parse("init a[99999], x; p:[a[99998]=x]")).is_ok());
    let error = text::parse("t", "init a[99999], x, y; p:[x=y]").unwrap_err();
    assert_eq!(error.message, "there are more than 100000 shared variables");
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
            "lock", "choose", "else", "{", "}", "assert", "==", "<", "+", "-", ",", "end", "bounded", "const"]), 0..25)) {
        if let Ok(model) = text::parse("t", &words.join(" ")) {
            prop_assert_eq!(text::parse("t", &model.to_string()), Ok(model));
        }
    }
}
