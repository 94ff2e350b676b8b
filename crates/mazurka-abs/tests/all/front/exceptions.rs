//! Exceptions: declaration, throw, die, try.

use super::{accept_all, refuse, refuse_all};

#[test]
fn exceptions_are_thrown_and_caught() {
    accept_all(&[
        "exception E; exception F(Int, Bool b); { try { throw F(1, True); } catch { E => skip; F(n, True) => println(toString(n)); _ => skip; } finally { skip; } }",
        "exception E(String); { String x = \"\"; try skip; catch E(p) => x = p; }",
        "{ Bool r = False; try 1/0; catch DivisionByZeroException => r = True; }",
        "exception E(Bool value); { E e = E(True); Bool b = value(e); Exception f = e; switch (e) { E(v) => b = v; _ => skip; } }",
        "class C { Unit m() { die AssertionFailException; } }",
    ]);
}

#[test]
fn only_exceptions_are_thrown_and_caught() {
    refuse_all("type-mismatch", &["{ throw 3; }", "class C { Unit m() { die True; } }"]);
    refuse("{ try { skip; } catch { Just(x) => skip; } }", "pattern-type");
    refuse("{ die DivisionByZeroException; }", "no-this");
    refuse("{ try { skip; } catch { Nowhere => skip; } }", "unknown-constructor");
}
