//! The programs: random ones, always the same.

use mazurka_abs::run::{AwaitSemantics, Machine as Abs, Settings};
use mazurka_actors::{Delivery, Dependency, System};
use mazurka_laboratory::litmus::Class;
use mazurka_laboratory::random::Numbers;
use mazurka_litmus::{Footprints, Machine as Litmus};
use mazurka_promela::{Promela, parse_text};

const SEED: u64 = 4711;

/// Shared-variable programs: of every class, as users write them, and mutants of hard ones; some with footprints that are found while running.
pub fn litmus(programs: u64, mut each: impl FnMut(&Litmus)) {
    let hard = mazurka_laboratory::litmus::hard_programs();
    for n in 0..programs {
        let mut numbers = Numbers::nth(SEED, n);
        let model = match n % 3 {
            0 => mazurka_laboratory::litmus::generate(&mut numbers, Class::ALL[n as usize / 3 % Class::ALL.len()]),
            1 => mazurka_laboratory::litmus::generate_as_users_do(&mut numbers),
            _ => {
                let hard = &hard[numbers.below(hard.len())];
                mazurka_laboratory::litmus::mutate(&mut numbers, hard)
            }
        };
        if let Ok(machine) = Litmus::parse_file("program", &model.to_string()) {
            let footprints = if n % 8 == 7 { Footprints::Dynamic } else { Footprints::Static };
            each(&machine.with_footprints(footprints));
        }
    }
}

/// Promela models.
pub fn promela(programs: u64, mut each: impl FnMut(&Promela)) {
    for n in 0..programs {
        let model = mazurka_laboratory::promela::generate(&mut Numbers::nth(SEED, n));
        let parsed = parse_text("model.pml", &model.to_string(), &[]);
        let machine = parsed.machine.expect("what is generated is accepted");
        each(&Promela::new(machine, parsed.sources));
    }
}

/// ABS models, with both dependencies and both meanings of `await`.
pub fn abs(programs: u64, mut each: impl FnMut(&Abs)) {
    for n in 0..programs {
        let text = mazurka_laboratory::abs::generate(&mut Numbers::nth(SEED, n));
        let model = mazurka_laboratory::abs::Model::parse(&text).expect("what is generated is accepted");
        let settings = Settings {
            dependency: if n % 2 == 0 { Dependency::Field } else { Dependency::Actor },
            await_semantics: if n % 4 < 3 {
                AwaitSemantics::Formal
            } else {
                AwaitSemantics::Release
            },
            ..Settings::default()
        };
        each(&model.machine(settings).expect("what is generated can be run"));
    }
}

/// Actors, with both dependencies and every delivery.
pub fn actors(programs: u64, mut each: impl FnMut(&System)) {
    for n in 0..programs {
        let script = mazurka_laboratory::actors::generate(&mut Numbers::nth(SEED, n), n % 4 != 0);
        let delivery = [Delivery::Unordered, Delivery::PairFifo, Delivery::MailboxFifo][n as usize % 3];
        let dependency = if n % 2 == 0 { Dependency::Field } else { Dependency::Actor };
        each(&script.system().dependency(dependency).deliver(delivery));
    }
}
