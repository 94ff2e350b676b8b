//! Random small programs, in the shapes that people write.

use super::small::{Instruction, REGISTERS, Small, Value};
use mazurka_weak::Order;

/// splitmix64.
pub struct Numbers(u64);

impl Numbers {
    pub fn nth(seed: u64, n: u64) -> Self {
        Numbers(seed ^ n.wrapping_mul(0xd134_2543_de82_ef95))
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * n as u128) >> 64) as usize
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// A location that only locks use.
const LOCK: u32 = 7;

/// A program with so many events at most.
pub fn program(numbers: &mut Numbers) -> Small {
    use Order::*;
    let threads = 2 + numbers.below(3);
    let locations = 1 + numbers.below(2) as u32 + u32::from(threads == 2);
    let mut left = [8, 8, 7][threads - 2];
    // Most programs are about one kind of ordering; some have them all.
    let (loads, stores, both): (&[Order], &[Order], &[Order]) = match numbers.below(6) {
        0 => (&[Relaxed], &[Relaxed], &[Relaxed]),
        1 => (&[Acquire, Relaxed], &[Release, Relaxed], &[AcqRel, Relaxed, Acquire, Release]),
        2 => (&[SeqCst, Relaxed], &[SeqCst, Relaxed], &[SeqCst, Relaxed]),
        3 => (&[Plain, Acquire], &[Plain, Release], &[AcqRel]),
        _ => (
            &[Relaxed, Acquire, SeqCst],
            &[Relaxed, Release, SeqCst],
            &[Relaxed, Acquire, Release, AcqRel, SeqCst],
        ),
    };
    let fences = [Acquire, Release, AcqRel, SeqCst, SeqCst];
    let mut program = Small::default();
    for thread in 0..threads {
        let mut code = Vec::new();
        let mut length = (1 + numbers.below(4)).min(left);
        while length > 0 {
            let (r, x) = (numbers.below(REGISTERS), numbers.below(locations as usize) as u32);
            let value = if numbers.below(6) == 0 {
                Value::Register(r)
            } else {
                Value::Number(1 + numbers.below(2) as u64)
            };
            let mut cost = 1;
            match numbers.below(20) {
                0..=6 => code.push(Instruction::Load(r, x, numbers.pick(loads))),
                7..=11 => code.push(Instruction::Store(x, value, numbers.pick(stores))),
                12 | 13 => code.push(Instruction::Fence(numbers.pick(&fences))),
                14 => code.push(Instruction::Add(r, x, 1, numbers.pick(both))),
                15 => {
                    let expected = numbers.below(2) as u64;
                    code.push(Instruction::Exchange(
                        r,
                        x,
                        expected,
                        2,
                        numbers.pick(both),
                        numbers.pick(&[Relaxed, Acquire, SeqCst]),
                    ));
                }
                16 if numbers.below(3) == 0 => code.push(Instruction::Assert(r, numbers.below(2) as u64)),
                16 => code.push(Instruction::Unless(r, numbers.below(2) as u64, 1)),
                17 => code.push(Instruction::Await(
                    x,
                    numbers.below(2) as u64,
                    numbers.pick(&[Relaxed, Acquire, SeqCst]),
                )),
                18 if thread > 0 => code.push(Instruction::Join(numbers.below(thread) as u32)),
                19 if length >= 2 => {
                    code.push(Instruction::Lock(LOCK));
                    if length >= 3 {
                        code.push(Instruction::Store(x, value, numbers.pick(stores)));
                        cost = 3;
                    } else {
                        cost = 2;
                    }
                    if numbers.below(8) > 0 {
                        code.push(Instruction::Unlock(LOCK));
                    }
                }
                _ => continue,
            }
            if matches!(code.last(), Some(Instruction::Add(..) | Instruction::Exchange(..))) && numbers.below(5) == 0 {
                code.push(Instruction::Assert(r, numbers.below(2) as u64));
            }
            length -= cost.min(length);
            left = left.saturating_sub(cost);
        }
        program.threads.push(code);
    }
    program
}
