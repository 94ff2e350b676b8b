//! Several threads say what one says.

use crate::programs::{HARD, member};
use crate::support::{check, claims, explore, subject, write};
use mazurka_certificate::{Rejection, Verified, Workers, verify};
use mazurka_core::{AnyProgram, Seat};
use mazurka_litmus::Machine;

fn by_several(machine: &Machine, threads: usize, certificate: &[u8]) -> Result<Verified, Rejection> {
    let crew = machine.crew();
    let lend = |to: &mut (dyn FnMut(&dyn AnyProgram) + Send)| crew(Seat::lending(|program| to(program)));
    let workers = Workers::Several(threads, &lend);
    let mut verified = None;
    lend(&mut |program| verified = Some(verify(program, &subject(), true, workers, certificate)));
    verified.unwrap()
}

#[test]
fn they_accept_what_one_accepts() {
    let mut programs: Vec<Machine> = HARD.iter().map(|(text, _)| Machine::parse(text).unwrap()).collect();
    programs.push(member("lastzero", &[("n", 12)]));
    for machine in programs {
        let (executions, outcome) = explore(&machine, "optimal");
        let certificate = write(&machine, &executions, &claims(&outcome));
        let one = check(&machine, &certificate).unwrap();
        for threads in [1, 2, 5] {
            assert_eq!(by_several(&machine, threads, &certificate).as_ref(), Ok(&one));
        }
    }
}

#[test]
fn they_refuse_what_one_refuses_for_the_same_reason() {
    let machine = member("lastzero", &[("n", 10)]);
    let (executions, outcome) = explore(&machine, "optimal");
    for left_out in (0..executions.len()).step_by(executions.len() / 15) {
        let mut fewer = executions.clone();
        fewer.remove(left_out);
        let mut claims = claims(&outcome);
        claims.executions -= 1;
        claims.final_states -= 1;
        let certificate = write(&machine, &fewer, &claims);
        let one = check(&machine, &certificate).unwrap_err();
        assert_eq!(by_several(&machine, 3, &certificate), Err(one), "{left_out}");
        // A step that is wrong, and everything after it.
        let whole = write(&machine, &executions, &claims);
        for at in [whole.len() / 3, whole.len() * 5 / 6] {
            let mut wrong = whole.clone();
            wrong[at] ^= 1 + left_out as u8 % 7;
            assert_eq!(by_several(&machine, 3, &wrong), check(&machine, &wrong), "{at}");
        }
    }
}
