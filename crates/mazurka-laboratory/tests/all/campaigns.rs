//! Campaigns of a language whose programs are numbers.

use mazurka_laboratory::campaign::run;
use mazurka_laboratory::{Campaign, Language, Report};

struct Digits;

impl Language for Digits {
    fn name(&self) -> &'static str {
        "digits"
    }

    fn shapes(&self) -> &'static [&'static str] {
        &["even", "odd", "negative"]
    }

    fn one(&self, _: &Campaign, number: u64, report: &mut Report) {
        report.programs += 1;
        report.shapes.add([if number.is_multiple_of(2) { "even" } else { "odd" }]);
        assert!(number != 70, "seventy");
    }
}

fn campaign(threads: usize, first: u64, programs: u64) -> Campaign {
    Campaign {
        programs,
        first,
        threads,
        ..Campaign::default()
    }
}

#[test]
fn every_program_is_made_once_on_any_number_of_threads() {
    for threads in [1, 3] {
        let report = run(&Digits, &campaign(threads, 0, 67), |_| {});
        assert_eq!((report.programs, report.next), (67, 67));
        assert_eq!((report.shapes.count("even"), report.shapes.count("odd")), (34, 33));
        assert_eq!(report.shapes.missing(Digits.shapes()), ["negative"]);
    }
}

#[test]
fn a_panic_is_a_finding_and_ends_the_campaign() {
    let report = run(&Digits, &campaign(1, 64, 1_000), |_| {});
    assert_eq!(report.findings.len(), 1);
    assert_eq!((report.findings[0].number, report.findings[0].what.as_str()), (70, "seventy"));
    assert_eq!(report.next, 96, "the batch is finished");
}
