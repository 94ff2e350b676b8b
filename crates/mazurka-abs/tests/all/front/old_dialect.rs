//! The dialect of 2014.

use mazurka_abs::checked::{BinaryOp, ExprKind, RightSideKind, StmtKind};
use mazurka_abs::syntax::ast::Dialect;

use super::{accept, accept_all, refuse, remarks};

#[test]
fn new_cog_decides_what_plain_new_means() {
    let model = accept("interface I {} class C implements I {} { I a = new cog C(); I b = new C(); }");
    assert_eq!(model.mains[0].dialect, Dialect::Old);
    let cogs: Vec<bool> = model.mains[0]
        .code
        .stmts
        .iter()
        .map(|stmt| matches!(&stmt.kind, StmtKind::Declare(_, Some(right)) if matches!(right.kind, RightSideKind::New { cog: true, .. })))
        .collect();
    assert_eq!(cogs, [true, false]);
}

#[test]
fn division_of_integers_truncates_unless_a_rat_is_wanted() {
    let model = accept("class C {} { new cog C(); Int n = 7 / 2; Rat r = 7 / 2; Rat s = 1 + 7 / 2; }");
    let operators: Vec<bool> = model.mains[0]
        .code
        .stmts
        .iter()
        .filter_map(|stmt| match &stmt.kind {
            StmtKind::Declare(_, Some(right)) => Some(format!("{right:?}").contains("DivideTruncating")),
            _ => None,
        })
        .collect();
    assert_eq!(operators, [true, false, false]);
    let StmtKind::Declare(_, Some(right)) = &model.mains[0].code.stmts[1].kind else {
        panic!("a declaration")
    };
    let RightSideKind::Pure(quotient) = &right.kind else {
        panic!("a value")
    };
    assert!(matches!(quotient.kind, ExprKind::Binary(BinaryOp::DivideTruncating, ..)));
}

#[test]
fn programs_with_classes_may_divide_as_of_old() {
    let program = "class C { Int half(Int n) { return n / 2; } Bool m(Int n) { return n == 7 / 2; } } { Rat r = 7 / 2; }";
    assert_eq!(remarks(program), ["truncating-division"]);
    let model = accept(program);
    assert!(
        format!("{:?}", model.classes[0].methods[1]).contains("DivideTruncating"),
        "one place decides for the whole module"
    );
    assert!(
        !format!("{:?}", model.mains[0]).contains("DivideTruncating"),
        "a Rat that is wanted stays exact"
    );
    refuse("{ Int n = 7 / 2; }", "type-mismatch");
    assert!(remarks("class C { Rat half(Int n) { return n / 2; } Rat m() { return max(1, 1/2); } }").is_empty());
}

#[test]
fn types_of_the_library_may_be_declared_again() {
    let program = "data Unit = Unit; data Int; data Bool = True | False; data List<X> = Nil | Cons(X, List<X>); \
                   def X head<X>(List<X> l) = case l { Cons(x, _) => x; Nil => head(l); }; { List<Int> l = list[1, 2]; Bool b = head(l) == 1; }";
    assert_eq!(remarks(program), ["repeated-declaration"; 4]);
    accept("data List<A> = Empty | Cell(A, List<A>); { List<Int> l = Cell(1, Empty); }");
}

#[test]
fn a_module_may_have_a_small_name() {
    let (_, diagnostics) = super::check_file("module ugly; { skip; }").unwrap();
    assert_eq!(diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["small-module-name"]);
}

#[test]
fn old_words() {
    accept_all(&[
        "{ Bool b = ~True; Int as = 3; as = as + 1; Bool c = as == 3; }",
        "def Int f(Int x) = if x > 0 then 1 else 2;",
        "{ Int data = 1; Int type = data; Int to = type; Int from = to; }",
        "{ Int x = 0; case x { 0 => { x = 1; } _ => skip; } }",
    ]);
}

#[test]
fn differences_between_interface_and_class_are_tolerated() {
    let program = "interface I { Unit boot(); } class C implements I { Unit boot(Int n) {} } { I i = new cog C(); i!boot(3); }";
    assert_eq!(remarks(program), ["method-signature", "wrong-number-of-arguments"]);
    assert_eq!(
        remarks(&program.replace("new cog", "new")),
        ["method-signature", "wrong-number-of-arguments"],
        "the call tells that it is meant"
    );
    refuse(&program.replace("new cog", "new").replace("i!boot(3);", ""), "method-signature");
    refuse(&program.replace("boot(3)", "boot(3, 4)"), "wrong-number-of-arguments");
}

#[test]
fn init_blocks_may_wait_with_a_warning() {
    assert_eq!(
        remarks("interface I { Int m(); } class C(I i) { Int x = 0; { Fut<Int> f = i!m(); x = f.get; } } { new cog C(null); }"),
        ["not-allowed-here"]
    );
}

#[test]
fn numbers_of_the_library_are_integers() {
    let program = "class C { Int distance(Int a, Int b) { return abs(a - b); } Int square(Int a) { return pow(a, 2); } \
                   Int since(Time t) { return timeValue(now()) - timeValue(t); } }";
    super::refuse(program, "type-mismatch");
    super::accept(&format!("{program} {{ new cog C(); }}"));
}
