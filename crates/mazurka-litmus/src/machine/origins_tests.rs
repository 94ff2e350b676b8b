//! What a step tells merging: which values it looked at, which conditions it tested, and where what it wrote comes from.

use super::Machine;
use mazurka_core::{Atom, Comparable, Influence, Knowledge, Location, Origin, Process, Program, Transition};

const NAMES: [&str; 9] = ["x", "y", "z", "a[0]", "a[1]", "a[2]", "pc", "l", "m"];

fn name(location: Location) -> &'static str {
    NAMES[location.index()]
}

fn plus(from: Location, by: i64) -> String {
    if by == 0 {
        name(from).to_owned()
    } else {
        format!("{}{by:+}", name(from))
    }
}

/// What the step does, with `y`=1, `z`=2, `l`=1, `m`=2 and all others 0. Locals have locations by positions only.
fn influence(knowledge: Knowledge, step: &str) -> String {
    let text = format!("init x, y=1, z=2, a[3]; p0(l=1, m=2):[{step}] child(i, j):[]");
    let machine = Machine::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut out = Influence::default();
    machine.influence(&machine.start(), Transition::of(Process(0)), knowledge, &mut out);
    let mut told: Vec<String> = out.reads.iter().map(|l| name(*l).to_owned()).collect();
    told.sort_unstable();
    told.dedup();
    for (_, atoms) in &out.tests {
        let atoms = atoms.iter().map(|atom| match *atom {
            Atom::Known(number) => number.to_string(),
            Atom::Open(from, by) => plus(from, by),
        });
        told.push(format!("?({})", atoms.collect::<Vec<_>>().join(" ")));
    }
    for (to, origin) in &out.writes {
        let origin = match origin {
            Origin::Constant => "constant".to_owned(),
            Origin::Copy(from, by) => plus(*from, *by),
            Origin::Computed(from) => format!("f({})", from.iter().map(|l| name(*l)).collect::<Vec<_>>().join(" ")),
        };
        told.push(format!("{}={origin}", name(*to)));
    }
    told.join(" ")
}

fn check(knowledge: Knowledge, cases: &[(&str, &str)]) {
    for (step, told) in cases {
        assert_eq!(influence(knowledge, step), *told, "{step}");
    }
}

#[test]
fn a_value_is_constant_or_a_copy_or_computed_from_locations() {
    let cases = [
        ("x=1", "x=constant"),
        ("x=y", "x=y"),
        ("x=y+3", "x=y+3"),
        ("x=3+y", "x=y+3"),
        ("x=y-3", "x=y-3"),
        ("x=3-y", "x=f(y)"),
        ("x=-y", "x=f(y)"),
        // Each location once, in their order, so that equal origins are equal.
        ("x=z*y+y", "x=f(y z)"),
        ("x=y; z=x+1", "x=y z=y+1"),
        ("x @+ 1", "x=x+1"),
        ("x @+ y", "y x=x+1"),
        ("a[y]=z", "y a[1]=z"),
    ];
    check(Knowledge::Locals, &cases);
}

#[test]
fn what_decides_whether_a_step_fails_is_looked_at() {
    let cases = [
        ("x=1/y", "y x=f(y)"),
        ("x=y && z", "x=f(y z)"),
        ("x=y || z", "x=f(y)"),
        ("x=y && 6/z", "y z x=f(y z)"),
        // What is left out does not count, but that it is left out.
        ("x=y || 6/z", "y x=f(y)"),
        ("x=a[0] && 6/z", "a[0] x=f(a[0])"),
        ("x=a[0] && a[z]", "a[0] x=f(a[0])"),
    ];
    check(Knowledge::Locals, &cases);
}

#[test]
fn of_a_condition_only_the_value_is_looked_at() {
    let cases = [
        ("if (y==z) x=1", "?(y z)"),
        ("if (y<z) x=1", "?(y z) x=constant"),
        ("assert y<l", "?(y 1)"),
        ("x=y+1; if (x==z) y=1", "?(y+1 z) x=y+1 y=constant"),
        // What it was computed from must be known.
        ("x=y*z; if (x==7) y=1", "y z ?(2) x=f(y z)"),
        ("if (a[l]) x=1", "?(1 a[1])"),
        ("if (a[y]) x=1", "?(y a[0] a[1] a[2])"),
    ];
    check(Knowledge::Locals, &cases);
}

#[test]
fn what_a_process_learns_is_looked_at_unless_it_is_at_a_location_of_its_own() {
    let learned = [("l=y", "y"), ("l=y*z", "y z"), ("l=l+1", ""), ("x=l", "x=constant")];
    check(Knowledge::Locals, &learned);
    let kept = [
        ("l=y", "l=y"),
        ("m=y*z", "m=f(y z)"),
        ("x=l+1", "x=l+1"),
        ("l=l+1", "l=l+1"),
        ("m=m-1", "m=m-1"),
        ("m=l", "m=l"),
        // Nothing changes.
        ("l=l", ""),
        ("m=m", ""),
        ("l=l+1; l=l-1", ""),
    ];
    check(Knowledge::Positions, &kept);
}

#[test]
fn which_element_a_condition_looks_at_is_not_left_open() {
    let cases = [
        ("if (a[l]) x=1", "l ?(1 a[1])"),
        ("if (a[l-1]+l) x=1", "l ?(1 a[0] l) x=constant"),
        ("l=m; if (a[l]) x=1", "m ?(2 a[2]) l=m"),
        ("if (l==m) x=1", "?(l m)"),
        // Outside of the array: the element is never looked at.
        ("if (a[l+m]) x=1", "l m ?(1 2 0)"),
    ];
    check(Knowledge::Positions, &cases);
}

#[test]
fn what_a_task_is_given_is_looked_at() {
    check(Knowledge::Positions, &[("spawn child(l, y*z)", "l y z"), ("spawn child(1)", "")]);
}
