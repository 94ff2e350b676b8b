//! Functions: recursion, partial functions, anonymous functions with captured variables, accessors.

use crate::run::common::prints;

#[test]
fn recursion_is_as_deep_as_needed() {
    let functions = "
        def Int count(Int n) = when n == 0 then 0 else 1 + count(n - 1);
        def Int loop(Int n, Int acc) = when n == 0 then acc else loop(n - 1, acc + 1);";
    assert_eq!(prints(functions, "println(toString(count(50000)));"), "50000\n");
    assert_eq!(prints(functions, "println(toString(loop(300000, 0)));"), "300000\n");
}

#[test]
fn long_lists_are_no_problem() {
    let main = "
        List<Int> l = Nil;
        Int i = 0;
        while (i < 100000) { l = Cons(i, l); i = i + 1; }
        List<Int> m = reverse(reverse(l));
        println(toString(l == m));
        println(toString(length(l)));";
    assert_eq!(prints("", main), "True\n100000\n");
}

#[test]
fn anonymous_functions_capture_variables() {
    let main = "
        Int k = 10;
        List<Int> l = map((Int x) => x + k)(list[1,2,3]);
        println(toString(l));
        println(toString(filter((Int x) => x % 2 == 1)(list[1,2,3])));
        println(toString(foldr((Int x, Int acc) => x - acc)(list[10,4,1], 0)));";
    assert_eq!(prints("", main), "list[11,12,13]\nlist[1,3]\n7\n");
}

#[test]
fn anonymous_functions_capture_fields() {
    let classes = "
        interface I { List<Int> scaled(List<Int> l); }
        class C(Int k) implements I {
            Int offset = 1;
            List<Int> scaled(List<Int> l) { return map((Int x) => x * k + offset)(l); }
        }";
    assert_eq!(
        prints(
            classes,
            "I o = new C(3); List<Int> l = await o!scaled(list[1,2]); println(toString(l));"
        ),
        "list[4,7]\n"
    );
}

#[test]
fn partial_functions_call_and_pass_on_their_function_parameters() {
    let functions = "
        def A twice<A>(f)(A x) = f(f(x));
        def Int inc(Int x) = x + 1;
        def Int apply_all(f, g)(Int x) = g(twice(f)(x));";
    assert_eq!(prints(functions, "println(toString(twice(inc)(5)));"), "7\n");
    assert_eq!(
        prints(functions, "println(toString(apply_all(inc, (Int x) => x * 100)(1)));"),
        "300\n"
    );
}

#[test]
fn accessors_pick_by_constructor() {
    let data = "data Shape = Circle(Int size) | Square(Int size, String label) | Point;";
    let main = "
        println(toString(size(Circle(3))));
        println(toString(size(Square(4, \"s\"))));
        println(label(Square(4, \"s\")));
        try { Int n = size(Point); println(toString(n)); } catch { PatternMatchFailException => println(\"no size\"); }";
    assert_eq!(prints(data, main), "3\n4\ns\nno size\n");
}

#[test]
fn let_and_case_nest() {
    let functions = "
        def Int f(Maybe<Pair<Int, Int>> m) =
          case m {
            Nothing => let (Int a) = 1 in a + 1;
            Just(Pair(x, y)) => let (Int a) = x * y, (Int b) = a + 1 in when b > 10 then b else case y { 2 => 0; _ => -1; };
          };";
    let main = "println(toString(f(Nothing))); println(toString(f(Just(Pair(5, 2))))); println(toString(f(Just(Pair(1, 2))))); println(toString(f(Just(Pair(1, 3)))));";
    assert_eq!(prints(functions, main), "2\n11\n0\n-1\n");
}
