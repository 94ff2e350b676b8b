//! Code run on numbers: expressions in a state, and steps that change it.

use super::births::Slot;
use super::code::{Fault, Op};
use super::interpreter::{Domain, Steps, evaluate};
use super::meter::Meter;
use super::{Machine, Run};
use crate::model::Binary;
use mazurka_core::{Effects, Process};

/// Deep enough for every expression that [`crate::model::Model::check`] lets through, with the values of a spawn below it.
pub(super) const DEEP: usize = 128;
/// Deep enough for nearly all code.
pub(super) const SHALLOW: usize = 8;

/// Where the numbers are.
pub(super) trait Cells {
    fn cells(&self) -> &[i32];
}

impl Cells for &[i32] {
    #[inline(always)]
    fn cells(&self) -> &[i32] {
        self
    }
}

/// Numbers, with a stack of `N` of them.
pub(super) struct Values<'m, C, M, const N: usize> {
    pub cells: C,
    /// Where the locals of the process start.
    locals: usize,
    /// A local that has another value for the time being: the one that `choose` is about to set.
    chosen: Option<(u32, i32)>,
    meter: &'m mut M,
    stack: [i32; N],
    top: usize,
}

impl<'m, C: Cells, M: Meter, const N: usize> Values<'m, C, M, N> {
    #[inline(always)]
    pub(super) fn new(cells: C, locals: usize, chosen: Option<(u32, i32)>, meter: &'m mut M) -> Self {
        Values {
            cells,
            locals,
            chosen,
            meter,
            stack: [0; N],
            top: 0,
        }
    }
}

/// The value of an expression, whose stack is deep or not.
#[inline]
pub(super) fn value_of<M: Meter>(
    code: &[Op],
    deep: bool,
    cells: &[i32],
    locals: usize,
    chosen: Option<(u32, i32)>,
    meter: &mut M,
) -> Result<i32, Fault> {
    if deep {
        evaluate(code, &mut Values::<_, M, DEEP>::new(cells, locals, chosen, meter))
    } else {
        evaluate(code, &mut Values::<_, M, SHALLOW>::new(cells, locals, chosen, meter))
    }
}

impl<C: Cells, M: Meter, const N: usize> Domain for Values<'_, C, M, N> {
    type Value = i32;
    type Fork = ();
    const PLAIN: bool = true;

    #[inline(always)]
    fn push(&mut self, value: i32) {
        self.stack[self.top] = value;
        self.top += 1;
    }

    #[inline(always)]
    fn pop(&mut self) -> i32 {
        self.top -= 1;
        self.stack[self.top]
    }

    #[inline(always)]
    fn constant(&mut self, value: i32) -> i32 {
        value
    }

    #[inline(always)]
    fn local(&mut self, local: u32) -> i32 {
        match self.chosen {
            Some((chosen, value)) if chosen == local => value,
            _ => self.cells.cells()[self.locals + local as usize],
        }
    }

    #[inline(always)]
    fn read(&mut self, cell: u32) -> i32 {
        self.meter.read(cell);
        self.cells.cells()[cell as usize]
    }

    #[inline(always)]
    fn number(&self, value: &i32) -> Option<i32> {
        Some(*value)
    }

    #[inline(always)]
    fn decides(&mut self, _: &i32) {}

    #[inline(always)]
    fn derived(&mut self, number: i32, _: i32) -> i32 {
        number
    }

    #[inline(always)]
    fn computed(&mut self, _: Binary, number: Option<i32>, _: i32, _: i32) -> i32 {
        number.unwrap_or_default()
    }
}

/// The state that a step changes.
pub(super) struct Stepping<'a> {
    pub machine: &'a Machine,
    pub run: &'a mut Run,
    pub process: Process,
    pub slot: Slot,
    pub effects: &'a mut Effects,
}

impl Cells for Stepping<'_> {
    #[inline(always)]
    fn cells(&self) -> &[i32] {
        &self.run.cells
    }
}

impl<M: Meter, const N: usize> Steps for Values<'_, Stepping<'_>, M, N> {
    fn token(&mut self) -> i32 {
        self.cells.machine.token(self.cells.process)
    }

    #[inline(always)]
    fn set_local(&mut self, local: u32, value: i32) {
        Machine::set_own(self.cells.run, self.cells.slot, 1 + local as usize, value);
    }

    #[inline(always)]
    fn write(&mut self, cell: u32, value: i32) {
        self.meter.write(cell);
        self.cells.machine.set_shared(self.cells.run, cell, value);
    }

    #[inline(always)]
    fn accumulate(&mut self, cell: u32, value: i32) {
        self.meter.accumulate(cell);
        let sum = self.cells.run.cells[cell as usize].wrapping_add(value);
        self.cells.machine.set_shared(self.cells.run, cell, sum);
    }

    fn spawn(&mut self, body: u32, values: u32) {
        self.top -= values as usize;
        let values = &self.stack[self.top..self.top + values as usize];
        let at = &mut self.cells;
        let child = at.machine.spawn(at.run, at.process, at.slot, body as usize, values);
        at.effects.births.push(child);
    }
}

#[cfg(test)]
mod tests {
    use super::SHALLOW;
    use crate::Machine;
    use crate::model::{MAX_NESTING, MAX_VALUES};
    use mazurka_core::{Effects, Pending, Process, Program, Transition};

    /// `1+(1+(...))` with so many ones, each a variable, so that all are on the stack at once.
    fn sum(ones: usize) -> String {
        format!("{}one{}", "one+(".repeat(ones - 1), ")".repeat(ones - 1))
    }

    #[test]
    fn stacks_are_deep_enough_for_guards_steps_and_conditions() {
        for ones in 1..=3 * SHALLOW {
            let sum = sum(ones);
            let text =
                format!("init one=1, a[2]; p0(l):[await {sum}=={ones}; x={sum}; if ({sum}!={ones}) x=0; l={sum}; a[l-{ones}]={sum}]");
            let machine = Machine::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            let (mut run, mut pending, mut effects) = (machine.start(), Vec::<Pending>::new(), Effects::default());
            machine.pending(&run, &mut pending);
            assert!(pending[0].enabled, "{text}");
            machine.step(&mut run, Transition::of(Process(0)), &mut effects);
            assert_eq!(effects.failure, None, "{text}");
            let value = |name| machine.value(&run, name);
            assert_eq!((value("x"), value("a[0]")), (Some(ones as i32), Some(ones as i32)), "{text}");
        }
    }

    #[test]
    fn stacks_are_deep_enough_for_what_tasks_are_given() {
        let text = |values: usize, ones: usize| {
            let names: Vec<String> = (0..values).map(|n| format!("n{n}")).collect();
            let given = vec![sum(ones); values];
            format!("init one=1; p0:[spawn k({})] k({}):[]", given.join(", "), names.join(", "))
        };
        for (values, ones) in [(1, 1), (SHALLOW - 1, 1), (SHALLOW, 1), (SHALLOW, 2), (MAX_VALUES, MAX_NESTING + 1)] {
            let machine = Machine::parse(&text(values, ones)).unwrap_or_else(|e| panic!("{e}"));
            let (mut run, mut effects) = (machine.start(), Effects::default());
            machine.step(&mut run, Transition::of(Process(0)), &mut effects);
            assert_eq!(machine.locals(&run, Process(1)), vec![ones as i32; values]);
        }
        let refused = Machine::parse(&text(MAX_VALUES + 1, 1)).expect_err("too many");
        assert_eq!(refused.message, "101 values are given, but no more than 100 can be");
    }
}
