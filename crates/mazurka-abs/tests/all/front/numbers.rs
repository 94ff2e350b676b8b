//! Int, Rat, Float and their operators.

use mazurka_abs::checked::{BinaryOp, ExprKind, RightSideKind, StmtKind, Type};

use super::{accept, accept_all, check, refuse_all};

#[test]
fn int_is_a_rat_and_division_gives_one() {
    accept_all(&[
        "{ Rat r = 3; r = 1 / 2; r = 1 + 1/2; r = -1/2; r = 7/2 % 2; Int n = 7 % 2 * 3 - 1; n = truncate(7 / 2); Bool b = 1/2 < 1 && 2/2 == 1; }",
    ]);
    refuse_all(
        "type-mismatch",
        &[
            "{ Int n = 4 / 2; }",
            "{ Int n = 4 + 1/2 + 4; }",
            "{ Rat r = 1.5; }",
            "{ Float f = 1; }",
        ],
    );
}

#[test]
fn floats_meet_other_numbers_by_conversion() {
    let model = accept("{ Float f = 1.5 + 1; Bool b = 1/2 < 0.75; f = -f * 2.0e3; }");
    let StmtKind::Declare(_, Some(right)) = &model.mains[0].code.stmts[0].kind else {
        panic!("a declaration")
    };
    let RightSideKind::Pure(sum) = &right.kind else { panic!("a value") };
    let ExprKind::Binary(BinaryOp::Add, _, one) = &sum.kind else {
        panic!("a sum")
    };
    assert!(matches!(one.kind, ExprKind::Call(..)) && one.ty == Type::Float);
}

#[test]
fn operators_know_their_operands() {
    refuse_all(
        "bad-operand",
        &[
            "{ Int i = 4 + True; }",
            "{ String s = 4 + \"a\"; }",
            "{ Int i = -True; }",
            "{ String s = \"a\" * \"b\"; }",
        ],
    );
    refuse_all(
        "type-mismatch",
        &[
            "{ Bool b = !5; }",
            "{ Bool b = True || 5; }",
            "{ Bool b = 5 && True; }",
            "{ Bool b = 5 == \"a\"; }",
            "{ Bool b = True < 3; }",
        ],
    );
    accept_all(&["{ Bool b = Nil > Cons(10, Nil); b = \"a\" < \"b\"; b = True < False; b = Cons(1, Nil) == Cons(1/1, Nil); b = ~b; }"]);
}

#[test]
fn precedence() {
    let model = accept("{ Bool b = 1 + 2 * 3 < 10 == True && False || !True; }");
    let text = format!("{:?}", model.mains[0].code.stmts[0].kind);
    let order: Vec<usize> = [
        "Binary(Or",
        "Binary(And",
        "Binary(Equal",
        "Binary(Less",
        "Binary(Add",
        "Binary(Multiply",
    ]
    .iter()
    .map(|op| text.find(op).unwrap())
    .collect();
    assert!(order.is_sorted(), "the weakest operator is outermost: {order:?}");
    accept("{ Int x = 10 - 5 - 3; Rat y = 8 / 4 / 2; }");
}

#[test]
fn whole_numbers_have_any_length() {
    accept("{ Int x = 92233720368547758070 + 9223372036854775807; Int y = -170141183460469231731687303715884105729; }");
}

#[test]
fn the_magnitude_of_a_float_is_a_float() {
    accept("{ Float f = abs(-5.2); Float g = abs(abs(f)); Rat r = abs(-1/2); Rat s = abs(-3); }");
    refuse_all(
        "type-mismatch",
        &["{ Rat r = abs(-5.2); }", "{ Float f = abs(1); }", "{ Rat r = abs(\"a\"); }"],
    );
    accept("def Bool abs(Bool b) = b; { Bool b = abs(True); }");
}

#[test]
fn the_way_from_one_kind_of_number_to_another_is_told() {
    for (program, help) in [
        ("{ Float f = 1; }", "`float(…)` makes a Float of it"),
        ("{ Float f = 1/2; }", "`float(…)` makes a Float of it"),
        ("{ Rat r = 1.5; }", "`rat(…)` makes a Rat of it"),
        ("{ Int n = 1.5; }", "`floor(…)` or `ceil(…)` makes an Int of it"),
        ("{ Int n = 1/2; }", "`truncate(…)` makes an Int of it"),
    ] {
        let Err((_, text)) = check(program) else {
            panic!("accepted: {program}")
        };
        assert!(text.contains(help), "{program}\n{text}");
    }
}
