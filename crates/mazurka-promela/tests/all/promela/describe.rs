//! What a person sees of a run.

use crate::promela::support::program;
use mazurka_core::{Describe, Effects, Pending, Program};
use mazurka_promela::Promela;
use std::fmt::Write;

/// Takes the first enabled transition until none is left; writes everything down.
fn story(program: &Promela) -> String {
    let mut out = String::new();
    let mut run = program.start();
    let mut pending: Vec<Pending> = Vec::new();
    loop {
        pending.clear();
        program.pending(&run, &mut pending);
        let Some(next) = pending.iter().find(|p| p.enabled).map(|p| p.transition) else {
            break;
        };
        let text = program.describe(&run, next);
        let name = program.agent(&run, next).unwrap_or_else(|| program.column(&run, next.process));
        let at = text.at.map_or_else(String::new, |at| at.to_string());
        let mut effects = Effects::default();
        program.step(&mut run, next, &mut effects);
        writeln!(out, "{name} [{}] {} ({at})", program.process_key(next.process), text.label).unwrap();
        for (receiver, channel) in text.sends {
            writeln!(out, "  by {channel} to {receiver}").unwrap();
        }
        if let Some(failure) = effects.failure {
            writeln!(out, "  {}: {}", failure.kind.name(), failure.message).unwrap();
        }
    }
    for (name, value) in program.values(&run) {
        writeln!(out, "{name} = {value}").unwrap();
    }
    for wait in program.waits(&run) {
        let name = wait.agent.unwrap_or_else(|| program.process_name(&run, wait.process));
        writeln!(out, "{name} waits for {}", wait.what).unwrap();
    }
    let mut failures = Vec::new();
    program.failures_at_end(&run, &mut failures);
    if let Some(failure) = failures.pop() {
        writeln!(out, "{}: {}", failure.kind.name(), failure.message).unwrap();
    }
    out
}

#[test]
fn a_run_reads_like_the_model() {
    let text = "mtype = { ping, pong };
chan q = [2] of { mtype, byte };
byte turn; bool flags[2];
proctype worker(byte n) {
    byte got;
    q?ping(got);
    atomic { flags[n] = true; turn = n; printf(\"mine\\n\") };
    if
    :: turn == 7 -> skip
    :: got == 9
    fi
}
init {
    run worker(1);
    q!ping(3);
    q!pong(4);
    assert(turn == 2)
}";
    insta::assert_snapshot!(story(&program(text)));
}

#[test]
fn a_rendezvous_names_both() {
    let text = "chan m = [0] of { byte };
active proctype sender() { m!1; m!2 }
active proctype receiver() { byte x; m?x; x == 5 }
active proctype other() { skip }";
    insta::assert_snapshot!(story(&program(text)));
}

#[test]
fn locations_have_names() {
    let program = program(
        "byte x, a[2]; chan q = [1] of { bit }; proctype p() { chan own = [1] of { bit }; own!1 } init { run p(); x = a[1]; q!1; _nr_pr == 1 }",
    );
    let mut run = program.start();
    let mut names = Vec::new();
    let mut pending: Vec<Pending> = Vec::new();
    loop {
        pending.clear();
        program.pending(&run, &mut pending);
        let Some(next) = pending.iter().find(|p| p.enabled).map(|p| p.transition) else {
            break;
        };
        let mut footprint = mazurka_core::Footprint::new();
        program.footprint(&run, next, &mut footprint);
        names.extend(footprint.accesses().iter().map(|a| program.location_name(a.location)));
        program.step(&mut run, next, &mut Effects::default());
    }
    names.sort();
    names.dedup();
    insta::assert_snapshot!(names.join("\n"));
}

#[test]
fn channel_variables_tell_which_channel_they_stand_for() {
    let text = "typedef R { chan c; byte f }
R s[2];
chan p = [1] of { byte };
chan q = [1] of { byte };
active proctype writer() { chan own = [1] of { byte }; chan l; s[0].c = p; s[0].c!7; s[1].c = own; q = p; l = q; l == p }";
    insta::assert_snapshot!(story(&program(text)));
}

#[test]
fn a_statement_of_an_inline_is_shown_with_its_arguments_where_it_is_written() {
    let text = "#define N 2
byte x, y;
inline bump(v, by) {
    v = v + by * (by);
    do_nothing(v > 0)
}
inline do_nothing(what) { what; assert(x < N) }
inline run_it(what) { what }
active proctype P() {
    bump(x, N - 1);
    run_it(y = 3);
    bump( x, 1 );
    for (y : 0 .. 0) { bump(y, 0) }
}";
    insta::assert_snapshot!(story(&program(text)));
}
