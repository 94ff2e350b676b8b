//! The actor programs keep what they promise the searches, and what their handlers declare is true, at both granularities and under every
//! delivery.

use mazurka_actors::programs::PROGRAMS;
use mazurka_actors::{Delivery, Dependency};
use mazurka_core::laws;

#[test]
fn every_actor_program_keeps_the_laws() {
    for program in PROGRAMS {
        for dependency in [Dependency::Actor, Dependency::Field] {
            for delivery in [Delivery::Unordered, Delivery::PairFifo, Delivery::MailboxFifo] {
                let system = program.system(&[]).unwrap().dependency(dependency).deliver(delivery).paranoid();
                let effort = laws::Effort::new().walks(2).steps(40);
                let setting = format!("actors:{}, {dependency}, {delivery}", program.name);
                if let Err(broken) = laws::check(&system, &effort) {
                    panic!("{setting}: {}", broken.explain(&system));
                }
                assert_eq!(system.wrong_declaration(), None, "{setting}");
            }
        }
    }
}
