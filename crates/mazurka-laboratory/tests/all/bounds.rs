//! Searches within bounds on preemptions and delays cover every schedule within them, on random programs of every language.

use mazurka_laboratory::{Campaign, campaign, languages};

#[test]
fn random_programs_are_covered_within_bounds() {
    for language in languages() {
        let programs = match language.name() {
            "abs" => 400,
            "protocols" => 300,
            "litmus" => 600,
            _ => 1_000,
        };
        let plan = Campaign {
            programs,
            seed: 17,
            algorithms: Vec::new(),
            bounds: true,
            small: true,
            ..Campaign::default()
        };
        let report = campaign::run(&*language, &plan, |_| {});
        assert_eq!(report.differences(), "", "{}", language.name());
        assert!(report.comparisons > programs / 4, "{}: {}", language.name(), report.comparisons);
    }
}
