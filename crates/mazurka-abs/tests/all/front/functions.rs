//! Functions: parameters, polymorphism, let, case, when.

use super::{accept_all, refuse, refuse_all};

#[test]
fn polymorphic_functions() {
    accept_all(&[
        "def A id<A>(A a) = a; { Bool b = id(True); Int n = id(id(3)); }",
        "def List<B> twice<B>(List<B> xs) = concatenate(xs, xs); { List<String> l = twice(list[\"a\"]); }",
        "def B second<A, B>(Pair<A, B> p) = snd(p); { String s = second(Pair(1, \"a\")); }",
        "def Bool nothing<A>(Maybe<A> m) = case m { Nothing => True; _ => False; }; { Bool b = nothing(Nothing); }",
    ]);
}

#[test]
fn type_parameters_are_rigid_inside() {
    refuse("def A f<A>(A a) = 3;", "type-mismatch");
    refuse("def Int f<A>(A a) = a + 1;", "bad-operand");
    refuse("def List<A> f<A>(Map<A, B> m) = Nil;", "unknown-type");
}

#[test]
fn let_binds_in_sequence_and_may_hide() {
    accept_all(&[
        "def Int f() = let (Int x) = 1 in let (Int x) = x + 1 in x;",
        "def Int f() = let Int x = 1, Int y = x in x + y;",
        "def Bool f() = let (Bool x) = False, (Bool x) = True in x;",
    ]);
    refuse("def Int f() = let Int x = True in x;", "type-mismatch");
}

#[test]
fn conditions_and_branches() {
    accept_all(&[
        "def Int f(Bool b) = when b then 1 else 2;",
        "def Int f(Bool b) = if b then 1 else 2;",
        "def Rat f(Bool b) = when b then 1 else 1/2;",
        "{ Rat r = when True then 1/2 else 1; List<Rat> l = list[when True then 1 else 1/2]; }",
        "def Int f(Bool b) = 1 + when b then 1 else 2 + 3;",
    ]);
    refuse_all(
        "type-mismatch",
        &["def Int f() = when 1 then 2 else 3;", "def Int f() = when True then 2 else \"x\";"],
    );
}

#[test]
fn calls_are_checked() {
    refuse("def Bool f() = f(True);", "wrong-number-of-arguments");
    refuse("def Bool f(Bool b) = f(5);", "type-mismatch");
    refuse("def Int f() = g();", "unknown-function");
    refuse("def Int f(Int x) = y;", "unknown-name");
    refuse("def Int f(Int x, Int x) = x;", "duplicate-definition");
}

#[test]
fn variables_and_functions_have_separate_names() {
    accept_all(&[
        "{ List<Int> list = list[1, 2, 3]; Int n = nth(list, 2); }",
        "{ Map<Int, Int> map = map[Pair(1, 2)]; map = put(map, 2, 3); Bool b = map == map[Pair(1, 2)]; }",
    ]);
}

#[test]
fn brackets_pass_a_list() {
    accept_all(&[
        "def Int count<A>(List<A> xs) = length(xs); { Int n = count[1, 2]; n = count[]; }",
        "{ Set<Int> s = set[]; }",
    ]);
    refuse("def Int f(Int x) = x; { Int y = f[1]; }", "not-variadic");
    refuse("{ Set<Int> s = set[4, \"a\"]; }", "type-mismatch");
}

#[test]
fn builtins_belong_to_the_library() {
    refuse("def Int f() = builtin;", "unsupported");
    refuse("def Int f() = builtin(sqlite3, \"a.db\");", "unsupported");
}

#[test]
fn the_whole_library_is_there() {
    accept_all(&[
        "{ Bool b = and(True, not(False)); Int m = max(1, 2); Rat r = min(1, 1/2); r = abs(-1/2); r = pow(2, -3); Rat q = sqrt_newton(2, 1, 1/100); q = exp_newton(1, 1/100); }",
        "{ Float f = sqrt(4.0) + log(1.0) + exp(0.0); Int n = random(3) + truncate(1/2) + floor(2.5) + ceil(2.5) + numerator(1/2) + denominator(1/2); f = float(1/2); Rat r = rat(f); }",
        "{ Bool b = isJust(Just(1)) && isLeft(Left(1)) && isRight(Left(1)); Int n = fromJustDefault(Nothing, 1) + trd(Triple(1, 2, 3)) + sndT(Triple(1, 2, 3)); }",
        "{ Set<Int> s = union(set[1], set[2]); s = intersection(s, s); s = difference(s, s); s = insertElement(s, 3); s = remove(s, 3); Bool b = contains(s, 1) && isSubset(s, s) && emptySet(s) && hasNext(s); Int n = size(s) + take(s) + snd(next(s)); Maybe<Int> m = takeMaybe(s); List<Int> l = elements(s); }",
        "{ List<Int> l = reverse(appendright(without(list[1, 2], 1), 3)); l = copy(1, 3); l = range(1, 3); Bool b = isEmpty(l); Int n = length(l) + nth(l, 0) + head(l); l = tail(l); }",
        "{ Map<String, Int> m = insert(map[], Pair(\"a\", 1)); m = put(m, \"b\", 2); m = removeKey(m, \"a\"); Maybe<Int> x = lookup(m, \"a\"); Int n = lookupUnsafe(m, \"b\") + lookupDefault(m, \"c\", 3); Maybe<String> k = lookupReverse(m, 2); String s = lookupReverseDefault(m, 2, \"x\"); Set<String> ks = keys(m); List<Int> vs = values(m); List<Pair<String, Int>> es = entries(m); Bool b = emptyMap(m); }",
        "{ String s = toString(list[1]) + intToString(3) + substr(\"abc\", 0, 1); Int n = strlen(s); println(s); print(s); Int w = watch(3); }",
        "{ Rat t = timeValue(now()); Duration d = deadline(); Bool b = durationLessThan(d, InfDuration) && isDurationInfinite(d); t = timeDifference(now(), now()); Int ms = ms_since_model_start(); }",
    ]);
}
