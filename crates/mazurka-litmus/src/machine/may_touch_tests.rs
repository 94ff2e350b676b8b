//! Footprints that are known in advance are those that are computed when the locals are known, and nothing else is touched.

use super::Machine;
use super::may_touch::MayTouch;
use mazurka_core::{Access, Effects, Footprint, Mode, Process, Program, Transition};

fn machine(step: &str) -> Machine {
    let text = format!("init x, y, a[3], only[1]; p0(l, m):[{step}]");
    Machine::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn known_in_advance(machine: &Machine) -> &[Footprint] {
    &machine.bodies[0].steps[0].footprints
}

fn accesses(footprint: &Footprint) -> Vec<Access> {
    let mut accesses = footprint.accesses().to_vec();
    accesses.sort_unstable();
    accesses
}

#[test]
fn a_footprint_is_known_in_advance_unless_it_depends_on_locals() {
    let cases = [
        ("x=1", 1),
        ("x=l", 1),
        ("", 1),
        ("choose l 3; x=l", 1),
        ("choose l 3; await y==1; x=1", 1),
        ("choose l 3; a[l]=1", 3),
        ("choose l 3; await a[l]==0", 1),
        ("choose l 2; a[m]=l", 0),
        ("choose l 2; if (l==1) a[m]=l", 0),
        ("a[l]=1", 0),
        ("a[l] @+ 1", 0),
        ("m=a[l]", 0),
        ("a[x]=1", 1),
        ("a[l+x]=1", 1),
        ("a[l*m]=1", 0),
        ("l=2; a[l]=1", 1),
        ("l=m; a[l]=1", 0),
        ("l @+ 1; a[l]=1", 0),
        ("if (l==1) x=1", 0),
        ("if (l==1) m=1", 0),
        ("if (x+l==1) y=1", 1),
        ("if (l-x==1) y=1", 1),
        ("if (x && l) y=1", 1),
        ("if (l && x) y=1", 0),
        ("m=x; if (l && x) y=1", 0),
        ("m=x; m=l && x", 1),
        ("m=l && x", 0),
        ("assert l==0; x=1", 0),
        ("x=1/l", 0),
        ("x=1/(l+1)", 0),
        ("x=1/y", 1),
        // What comes after a fault does not count.
        ("x=1/0+a[l]", 1),
        ("x=l/0; a[m]=1", 1),
        ("if (l%0) x=a[m]", 1),
        ("a[l]=1/0", 1),
        ("x=1/0; y=a[l]", 1),
        ("x=a[1/0+l]", 1),
        // An unknown branch, whose ends differ or not depending on a local.
        ("if (x==0) l=0; a[l]=1", 0),
        ("if (x==0) l=0 else l=y; a[l]=1", 1),
        ("if (x==0) y=1 else y=l; m=y; a[m]=1", 0),
        ("x=1; x @+ l; m=x; a[m]=2", 0),
        ("x @+ l; m=x; a[m]=2", 1),
        // The only element of an array is known whatever the index is.
        ("only[x]=l; a[only[0]]=1", 0),
        ("only[0]=l; a[only[x]]=1", 0),
    ];
    let known: Vec<_> = cases.map(|(step, _)| (step, known_in_advance(&machine(step)).len())).into();
    assert_eq!(known, cases);
}

#[test]
fn a_footprint_that_is_known_in_advance_is_the_one_for_all_locals() {
    let mut random = Random(1);
    let (mut known, mut unknown) = (0, 0);
    for _ in 0..4000 {
        let step = random.statements(2);
        let machine = machine(&step);
        let compiled = &machine.bodies[0].steps[0];
        let footprint = MayTouch::without_locals(2).footprint(compiled, 0);
        match footprint {
            None => unknown += 1,
            Some(footprint) => {
                known += 1;
                for (l, m) in (0..4).flat_map(|l| (0..4).map(move |m| (l - 1, m - 1))) {
                    let with = MayTouch::with_locals(&[l, m], None).footprint(compiled, 0);
                    let with = with.expect("nothing depends on unknown locals");
                    assert_eq!(accesses(&footprint), accesses(&with), "{step} with l={l}, m={m}");
                }
            }
        }
    }
    assert!(known > 1000 && unknown > 1000, "{known} {unknown}");
}

#[test]
fn only_addressing_locals_change_what_a_step_touches() {
    let mut random = Random(3);
    let (mut free, mut addressing) = (0, 0);
    for n in 0..3000 {
        let mut step = random.statements(1);
        if n % 4 == 0 {
            step = format!("await {}; {step}", random.expression(1));
        }
        let machine = machine(&step);
        let compiled = &machine.bodies[0].steps[0];
        let touched = |locals: [i32; 2]| {
            let footprint = MayTouch::with_locals(&locals, None).footprint(compiled, 0);
            accesses(&footprint.expect("nothing depends on unknown locals"))
        };
        addressing += compiled.addressing.len();
        for local in (0..2).filter(|l| !compiled.addressing.contains(l)) {
            free += 1;
            for other in -1..3 {
                let mut locals = [other, other];
                locals[local as usize] = 0;
                let expected = touched(locals);
                for value in [-1, 1, 2, 3] {
                    locals[local as usize] = value;
                    assert_eq!(touched(locals), expected, "{step} with {locals:?}");
                }
            }
        }
    }
    assert!(free > 1000 && addressing > 1000, "{free} {addressing}");
}

#[test]
fn what_a_step_touches_is_in_its_footprint() {
    let mut random = Random(2);
    for _ in 0..4000 {
        let (x, y, a) = (
            random.below(4),
            random.below(3),
            [random.below(3), random.below(3), random.below(3)],
        );
        let text = format!(
            "init x={x}, y={y}, a[3]={{{}, {}, {}}}; p0(l={}, m={}):[{}]",
            a[0],
            a[1],
            a[2],
            random.below(3),
            random.below(3),
            random.statements(2)
        );
        let machine = Machine::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut effects = Effects {
            report_touched: true,
            ..Effects::default()
        };
        let (mut run, next, mut footprint) = (machine.start(), Transition::of(Process(0)), Footprint::new());
        machine.footprint(&run, next, &mut footprint);
        machine.step(&mut run, next, &mut effects);
        for touched in effects.touched.accesses() {
            let said = footprint.accesses().iter().find(|a| a.location == touched.location);
            let covers = |said: &Access| said.mode == Mode::Write || said.mode == touched.mode;
            assert!(said.is_some_and(covers), "{text}\n{touched:?} {said:?}");
            let blind = said.is_some_and(|said| said.mode == Mode::Write && !said.maybe);
            assert!(
                !blind || (touched.mode == Mode::Write && !touched.maybe),
                "{text}\n{touched:?} {said:?}"
            );
        }
        let blind = footprint.accesses().iter().filter(|a| a.mode == Mode::Write && !a.maybe);
        for said in blind {
            let touched = effects.touched.accesses().iter().any(|t| t.location == said.location);
            assert!(touched, "{text}\n{said:?}");
        }
    }
}

/// Random steps.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn pick<'s>(&mut self, these: &[&'s str]) -> &'s str {
        these[self.below(these.len())]
    }

    fn expression(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 6 } else { 12 }) {
            0 => self.below(3).to_string(),
            1 | 2 => self.pick(&["l", "m"]).to_owned(),
            3 | 4 => self.pick(&["x", "y"]).to_owned(),
            5 => format!("a[{}]", self.below(3)),
            6 => format!("a[{}]", self.expression(depth - 1)),
            7 => format!("!({})", self.expression(depth - 1)),
            _ => {
                let operator = self.pick(&["+", "-", "*", "/", "==", "<", "&&", "&&", "||", "||"]);
                format!("({}){operator}({})", self.expression(depth - 1), self.expression(depth - 1))
            }
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        let place = match self.below(4) {
            0 | 1 => self.pick(&["l", "m"]).to_owned(),
            2 => self.pick(&["x", "y"]).to_owned(),
            _ => format!("a[{}]", self.expression(1)),
        };
        match self.below(if depth == 0 { 7 } else { 10 }) {
            0..=3 => format!("{place}={}", self.expression(2)),
            4 => format!("{place} += {}", self.expression(1)),
            5 => format!("{place} @+ {}", self.expression(1)),
            6 => match self.below(4) {
                0 => "end".to_owned(),
                _ => format!("assert {}", self.expression(1)),
            },
            _ => {
                let (condition, then, other) = (self.expression(2), self.statements(depth - 1), self.statements(depth - 1));
                format!("if ({condition}) {{{then}}} else {{{other}}}")
            }
        }
    }

    fn statements(&mut self, depth: usize) -> String {
        let all: Vec<String> = (0..=self.below(3)).map(|_| self.statement(depth)).collect();
        all.join("; ")
    }
}
