//! Mutants of actor programs.

use mazurka_laboratory::actors::{HARD, Script, mutate};
use mazurka_laboratory::random::Numbers;

#[test]
fn mutants_are_programs_that_are_read_back_as_they_are() {
    for text in HARD {
        let hard = Script::parse(text).unwrap();
        for seed in 0..200 {
            let mutant = mutate(&mut Numbers::new(seed), &hard);
            assert_eq!(Script::parse(&mutant.to_string()).as_ref(), Ok(&mutant), "{mutant}");
        }
    }
}
