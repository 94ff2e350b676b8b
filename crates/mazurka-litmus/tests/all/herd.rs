//! Litmus tests as herd takes them: which outcomes there are, and what is refused.

use mazurka_litmus::herd::{Quantifier, is_from_herd};
use mazurka_litmus::weak::{Concurrent, Run};
use mazurka_weak::{Ending, Graph, Limits, Search, model};

/// How many graphs end as the file says, and how many do not.
fn observed(source: &str, name: &str) -> (u64, u64) {
    let program = Concurrent::parse("test.litmus", source, &[]).unwrap_or_else(|e| panic!("{}", e.render(source, false)));
    let claim = program.claim().expect("a claim");
    let (mut with, mut without) = (0, 0);
    let mut search = Search::new(&program, model(name).unwrap(), Limits::default());
    search.run(&mut |graph: &Graph, run: &Run, ending: &Ending| {
        if *ending == Ending::Complete && claim.filter.as_ref().is_none_or(|f| program.is_so(f, graph, run)) {
            *(if program.is_so(&claim.condition, graph, run) {
                &mut with
            } else {
                &mut without
            }) += 1;
        }
        assert!(!matches!(ending, Ending::Race(_) | Ending::Fault(_)), "{source}");
        true
    });
    (with, without)
}

/// Two threads; W and R stand for the functions.
fn two(test: &str, first: &str, second: &str, end: &str, store: &str, load: &str) -> String {
    let both = "(atomic_int* x, atomic_int* y)";
    let source = format!("C {test}\n{{}}\nP0 {both} {{ {first} }}\nP1 {both} {{ {second} }}\n{end}\n");
    let mut out = source;
    for variable in ["x", "y"] {
        out = out
            .replace(
                &format!("W{variable}"),
                &format!("atomic_store_explicit({variable}, 1, memory_order_{store});"),
            )
            .replace(
                &format!("R{variable}"),
                &format!("atomic_load_explicit({variable}, memory_order_{load});"),
            );
    }
    out
}

#[test]
fn outcomes_are_those_that_herd_has() {
    let sb = |store, load| two("SB", "Wx int r0 = Ry", "Wy int r0 = Rx", "exists (0:r0=0 /\\ 1:r0=0)", store, load);
    let mp = |store, load| two("MP", "Wx Wy", "int r0 = Ry int r1 = Rx", "exists (1:r0=1 /\\ 1:r1=0)", store, load);
    let lb = |store, load| two("LB", "int r0 = Rx Wy", "int r0 = Ry Wx", "exists (0:r0=1 /\\ 1:r0=1)", store, load);
    for (source, name, expected) in [
        (sb("relaxed", "relaxed"), "rc11", (1, 3)),
        (sb("seq_cst", "seq_cst"), "rc11", (0, 3)),
        (sb("relaxed", "relaxed"), "tso", (1, 3)),
        (sb("relaxed", "relaxed"), "sc", (0, 3)),
        (mp("relaxed", "relaxed"), "rc11", (1, 3)),
        (mp("release", "acquire"), "rc11", (0, 3)),
        (mp("release", "relaxed"), "rc11", (1, 3)),
        (lb("relaxed", "relaxed"), "rc11", (0, 3)),
    ] {
        assert_eq!(observed(&source, name), expected, "{source} under {name}");
    }
}

#[test]
fn what_c_has_is_read() {
    let source = r#"C everything
"comments and what diy writes"
Cycle=Rfe PodRW
(* not (read) *)
{ int x = 1; [y] = 2; z; 0:r9 = 5; }
P0 (volatile int* x, _Atomic(int)* y) {
  // one line
  int r0 = atomic_fetch_add_explicit(y, 1, memory_order_relaxed);
  int r1 = 2, r2, r3; /* several */
  r2 = atomic_compare_exchange_strong_explicit(y, &r1, r9, memory_order_acq_rel, memory_order_relaxed);
  if (!r2 && r1 == 3) *x = (*x) + r0; else { *x = 7; }
  r2 = atomic_compare_exchange_strong(y, &r1, r9);
  do { r0 = r0 - 1; } while (r0 > 0);
  while (r3 < 3) r3 = r3 + 1;
  r0 = atomic_exchange(y, r0 ^ r0);
  atomic_thread_fence(memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  *y = -1;
  atomic_fetch_sub(y, 2);
}
locations [x;0:r0;]
filter (~ 0:r0=6)
forall (0:r0=5 /\ 0:r1=3 /\ 0:r2=1 /\ 0:r3=3 /\ y=-3 /\ [x]=3 \/ false)
"#;
    assert_eq!(observed(source, "rc11"), (1, 0));
    let claim = |end: &str| {
        let source = format!("C t\n{{}}\nP0 (int* x) {{ *x = 1; }}\n{end}");
        Concurrent::parse("t", &source, &[]).unwrap().claim().unwrap().clone()
    };
    assert_eq!(claim("exists x=1").quantifier, Quantifier::Exists);
    assert_eq!(claim("~exists (not (x=1))").quantifier, Quantifier::NotExists);
    assert_eq!(claim("forall\n  (x=1)").text, "forall (x=1)");
}

#[test]
fn plain_data_races_are_found() {
    let source = "C LB\n{}\nP0 (int* x) { *x = 1; }\nP1 (int* x) { int r0 = *x; }\nexists (1:r0=1)";
    let program = Concurrent::parse("t", source, &[]).unwrap();
    let mut races = 0;
    let mut search = Search::new(&program, model("rc11").unwrap(), Limits::default());
    search.run(&mut |_: &Graph, _: &Run, ending: &Ending| {
        races += u32::from(matches!(ending, Ending::Race(_)));
        true
    });
    assert!(races > 0);
}

#[test]
fn files_of_herd_are_told_apart() {
    for (text, expected) in [
        ("C SB\n{}", true),
        ("\n  AArch64 MP\n{}", true),
        ("C:[x=1]", false),
        ("C [x=1]", false),
        ("init x; p:[x=1]", false),
        ("", false),
    ] {
        assert_eq!(is_from_herd(text), expected, "{text:?}");
    }
}

#[test]
fn what_does_not_fit_is_refused_at_its_place() {
    let body = |body: &str| format!("C t\n{{ x = 0; }}\nP0 (atomic_int* x, int* y) {{ int r0; {body} }}\nexists (x=0)");
    let mut sources: Vec<String> = [
        "int r1 = atomic_load_explicit(x, memory_order_release);",
        "atomic_store_explicit(x, 1, memory_order_acquire);",
        "int r1 = atomic_load_explicit(x, memory_order_consume);",
        "r0 = atomic_load_explict(x, memory_order_relaxed);",
        "r0 = READ_ONCE(*x);",
        "r0 = atomic_compare_exchange_weak(x, &r0, 1);",
        "r0 = atomic_compare_exchange_strong(x, y, 1);",
        "asm volatile (\"mfence\");",
        "for (;;) {}",
        "char r1 = *x;",
        "long r1;",
        "int r1 = x;",
        "int* r1 = x;",
        "r1 = 1;",
        "r0 = *z;",
        "r0 = r0 & 1;",
        "r0 = r0 && *x;",
        "int x = 1;",
        "r0 = 99999999999;",
        "r0 = 1",
    ]
    .iter()
    .map(|text| body(text))
    .collect();
    for whole in [
        "AArch64 MP\n{}\n P0 | P1;",
        "C t",
        "C t\n{}",
        "C t\n{ int x[2]; }\nP0 (int* x) {}\nexists x=1",
        "C t\n{ 0:r0=x; }\nP0 (int* x) {}\nexists x=1",
        "C t\n{}\nP1 (int* x) {}\nexists x=1",
        "C t\n{}\nP0 (uint64_t* x) {}\nexists x=1",
        "C t\n{}\nP0 (int* x) {}\n",
        "C t\n{}\nP0 (int* x) {}\nexists (y=1)",
        "C t\n{}\nP0 (int* x) { int r0; }\nexists (0:r1=1)",
        "C t\n{}\nP0 (int* x) {}\nexists (1:r0=1)",
        "C t\n{}\nP0 (int* x) {}\nexists (x=1) more",
        "C t\n{ (* x }",
    ] {
        sources.push(whole.to_owned());
    }
    let messages: Vec<String> = sources
        .iter()
        .map(|source| match Concurrent::parse("test.litmus", source, &[]) {
            Ok(_) => panic!("{source} is accepted"),
            Err(error) => error.render(source, false),
        })
        .collect();
    insta::assert_snapshot!(messages.join("\n"));
}
