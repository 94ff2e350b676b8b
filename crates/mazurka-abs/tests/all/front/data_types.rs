//! Data types, accessors, type parameters, synonyms.

use super::{accept, accept_all, refuse, refuse_all};

#[test]
fn constructors_with_and_without_arguments() {
    accept_all(&[
        "data Foo = Bar; { Foo f = Bar; Foo g = Bar(); }",
        "data Foo = Bar(Bool) | Baz; { Foo f = Bar(True); f = Baz; }",
        "data Foo<A> = Bar(A, A); { Foo<Bool> f = Bar(True, False); }",
        "data AorB<A, B> = A(A getA) | B(B getB); { AorB<Int, String> x = A(1); Int n = getA(x); }",
        "data Tree<A> = Leaf | Node(Tree<A>, A, Tree<A>); { Tree<Int> t = Node(Leaf, 1, Node(Leaf, 2, Leaf)); }",
    ]);
}

#[test]
fn arguments_must_fit() {
    refuse("data Foo = Bar(Bool); { Foo f = Bar(5); }", "type-mismatch");
    refuse("data Foo = Bar(Bool); { Foo f = Bar(True, True); }", "wrong-number-of-arguments");
    refuse("data Foo<A> = Bar(A, A); { Foo<Bool> f = Bar(True, 5); }", "type-mismatch");
}

#[test]
fn an_accessor_may_belong_to_several_constructors() {
    let model =
        accept("data Person = Named(Int age, String name) | Anonymous(Int age); { Int a = age(Anonymous(3)) + age(Named(4, \"x\")); }");
    let age = model.accessors.iter().find(|accessor| &*accessor.name == "age").unwrap();
    assert_eq!(age.positions.len(), 2);
    refuse("data P = A(Int age) | B(String age);", "accessor-types");
}

#[test]
fn data_types_are_covariant() {
    accept("interface I {} interface J extends I {} { J j; Maybe<I> m = Just(j); List<I> l = list[j, null]; }");
    accept("{ Set<Rat> s = set[4, 4/3]; List<Rat> l = list[1, 2]; }");
    refuse("{ Set<Int> s = set[4, 4/3]; }", "type-mismatch");
}

#[test]
fn type_arguments_are_counted() {
    refuse_all(
        "type-arguments",
        &[
            "{ Maybe m = Nothing; }",
            "{ Pair<Int> p = Pair(1, 2); }",
            "{ Int<Int> x = 1; }",
            "data Foo<A> = Bar(A); type Foo2 = Foo;",
        ],
    );
}

#[test]
fn synonyms_stand_for_their_types() {
    accept("type Euro = Int; type Money = Pair<Euro, Int>; def Money pay(Euro e) = Pair(e, 0); { Pair<Int, Int> p = pay(3); }");
    refuse("type A = B; type B = A;", "cyclic-type");
    refuse("type Name = String; { Name n = 3; }", "type-mismatch");
}

#[test]
fn names_are_defined_once() {
    refuse_all(
        "duplicate-definition",
        &[
            "data Foo = Bar | Bar;",
            "data Foo = Bar; data Foo = Baz;",
            "data Foo = Bar; data Goo = Bar;",
            "data Foo<A, A> = Bar(A);",
            "data Foo = Bar(Int x, Int x);",
            "def Int f() = 1; def Int f() = 2;",
        ],
    );
}

#[test]
fn a_type_parameter_may_be_named_like_a_type() {
    accept("def Int f<List>(List x) = 1; { Int n = f(\"a\"); }");
}

#[test]
fn a_type_does_not_contain_itself() {
    // The element of an empty list would have to be a list of what it is.
    refuse(
        "def Bool f() = case Nil { Cons(x, rest) => x == rest; _ => True; };",
        "type-mismatch",
    );
}
