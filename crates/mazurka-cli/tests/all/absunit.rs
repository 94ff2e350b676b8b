//! ABSUnit suites, as `mazurka check` runs them.

use crate::support::Desk;

const SUITE: &str = "module CounterTest;
import * from AbsUnit;
interface Counter { Unit add(Int n); Int total(); }
class CounterImpl implements Counter {
  Int sum = 0;
  Unit add(Int n) { Int old = sum; suspend; sum = old + n; }
  Int total() { return sum; }
}
class Same(Int expected, Int actual) implements Comparator { Int compare() { return expected - actual; } }
[Fixture] interface CounterFixture {
  [DataPoint] Set<Int> numbers();
  [Before] Unit setUp();
  [Test] Unit alone(Int n);
  [Test] Unit together();
  [Test] [Ignored] Unit later();
}
[Suite] class CounterSuite implements CounterFixture {
  ABSAssert aut;
  Counter counter;
  { aut = new local ABSAssertImpl(); }
  Set<Int> numbers() { return set[1, 5]; }
  Unit setUp() { counter = new CounterImpl(); }
  Unit alone(Int n) {
    await counter!add(n);
    Int total = await counter!total();
    Comparator same = new local Same(n, total);
    aut.assertEquals(same);
  }
  Unit together() {
    Fut<Unit> a = counter!add(1);
    Fut<Unit> b = counter!add(2);
    await a? & b?;
    Int total = await counter!total();
    aut.assertTrue(total == 3);
  }
  Unit later() { aut.assertTrue(False); }
}
";

#[test]
fn every_test_runs_under_every_interleaving() {
    let desk = Desk::new();
    desk.write("suite.abs", SUITE);
    let seen = desk.run("check suite.abs --junit suite.xml");
    assert_eq!(seen.code, 1, "{}{}", seen.out, seen.err);
    let table: Vec<&str> = seen.out.lines().rev().take(4).collect();
    assert!(table[3].starts_with("3 tests of suite.abs, 1 failed"), "{}", seen.out);
    assert!(
        table[2].contains("CounterSuite.alone") && table[2].contains("passes"),
        "{}",
        seen.out
    );
    assert!(
        table[1].contains("CounterSuite.together") && table[1].contains("fails"),
        "{}",
        seen.out
    );
    assert!(
        table[0].contains("CounterSuite.later") && table[0].contains("ignored"),
        "{}",
        seen.out
    );
    let junit = std::fs::read_to_string(desk.path("suite.xml")).unwrap();
    assert!(
        junit.contains("tests=\"3\" failures=\"1\" errors=\"0\"") && junit.contains("<skipped"),
        "{junit}"
    );
    desk.write(
        "mended.abs",
        &SUITE.replace("Int old = sum; suspend; sum = old + n;", "suspend; sum = sum + n;"),
    );
    let seen = desk.run("check mended.abs");
    assert_eq!(seen.code, 0, "{}{}", seen.out, seen.err);
}

#[test]
fn outputs_about_one_program_are_refused() {
    let desk = Desk::new();
    desk.write("suite.abs", SUITE);
    let seen = desk.run("check suite.abs --json");
    assert_eq!(seen.code, 2);
    assert!(seen.err.contains("of suites there is a table and a JUnit file"), "{}", seen.err);
    desk.write("broken.abs", &SUITE.replace("Int sum = 0;", "Int sum = True;"));
    let seen = desk.run("check broken.abs");
    assert_eq!(seen.code, 2);
    assert!(seen.err.contains("broken.abs:5"), "{}", seen.err);
}
