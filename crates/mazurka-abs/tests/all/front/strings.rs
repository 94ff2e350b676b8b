//! Strings and template strings.

use mazurka_abs::checked::{ExprKind, Literal, RightSideKind, StmtKind};

use super::{accept, refuse};

/// The pieces of the template string that the main block's first variable is.
fn pieces(program: &str) -> Vec<String> {
    let model = accept(program);
    let StmtKind::Declare(_, Some(right)) = &model.mains[0].code.stmts[0].kind else {
        panic!("a declaration")
    };
    let RightSideKind::Pure(expr) = &right.kind else {
        panic!("a value")
    };
    let ExprKind::Concat(parts) = &expr.kind else {
        panic!("a template string")
    };
    parts
        .iter()
        .map(|part| match &part.kind {
            ExprKind::Literal(Literal::Str(text)) => text.to_string(),
            _ => "<expression>".to_owned(),
        })
        .collect()
}

#[test]
fn escapes() {
    let model = accept(r#"{ String s = "a\n\t\r\\\"ü"; }"#);
    assert!(format!("{:?}", model.mains[0].code).contains(r#"a\n\t\r\\\"ü"#));
}

#[test]
fn templates_have_expressions() {
    assert_eq!(
        pieces("{ String s = `one $1 + 1$ two $toString(3)$`; }"),
        ["one ", "<expression>", " two ", "<expression>"]
    );
    assert_eq!(pieces("{ String s = `a \\$ b \\` c \\n\nd`; }"), ["a $ b ` c \\n\nd"]);
    assert_eq!(pieces("{ String s = `$`in $1$`$`; }"), ["<expression>"]);
}

#[test]
fn guillemets_mark_expressions_in_older_files() {
    assert_eq!(
        pieces("{ String s = `one «1 + 1» \\«two» \\` $ «3»»`; }"),
        ["one ", "<expression>", " «two» ` $ ", "<expression>", "»"]
    );
    assert_eq!(
        pieces("{ String s = `«$1$» «$2$»`; }"),
        ["«", "<expression>", "» «", "<expression>", "»"],
        "dollars come first"
    );
    assert_eq!(pieces("{ String s = `a » b «`; }"), ["a » b «"]);
}

#[test]
fn strings_are_concatenated_only_with_strings() {
    refuse("{ String s = \"n = \" + 3; }", "bad-operand");
    accept("{ String s = \"n = \" + toString(3); Int n = strlen(s); }");
}
