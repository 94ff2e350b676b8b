//! Many ways of writing things, each with the numbers that SPIN gives.

use crate::promela::support::program;
use crate::support::fragments::fragments;
use mazurka_core::{Algorithm, Checks, Options, StatefulOptions, Status, stateful_search};

#[test]
fn every_fragment_has_the_numbers_that_spin_gives() {
    let fragments = fragments();
    assert!(fragments.len() > 150);
    for fragment in &fragments {
        let promela = program(&fragment.text);
        for reduced in ["stateful", "stateful+persistent", "stateful+source"] {
            let options = Options::new(Algorithm::parse(reduced).expect("an algorithm"));
            let mut search =
                stateful_search(&promela, &options, StatefulOptions::default().checks(Checks::Safety)).expect("fits every model");
            while search.advance(10_000) == Status::Running {}
            let (report, fails) = (search.report(), !search.outcome().failures.is_empty());
            assert_eq!(fails, fragment.fails, "{} {reduced}", fragment.name);
            if reduced == "stateful" {
                let ours = (report.stored, report.transitions);
                assert_eq!(
                    ours,
                    (fragment.states, fragment.transitions),
                    "{}\n{}",
                    fragment.name,
                    fragment.text
                );
            }
        }
    }
}
