//! A short campaign in one process, for `cargo xtask mutants`: it ends with an error at the first difference.
//!
//! `killer --language NAME --programs N --seed S`; half of the programs are random, half are mutants of hard ones where the language has such.
//! Among the other tests, without a language, it does nothing.

use mazurka_laboratory::{Campaign, Language, Report, languages};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        let at = arguments.iter().position(|a| a == name)?;
        arguments.get(at + 1).map(String::as_str)
    };
    let number = |name: &str, default: u64| value(name).map_or(Ok(default), str::parse);
    let (Ok(programs), Ok(seed)) = (number("--programs", 100), number("--seed", 1)) else {
        eprintln!("--programs and --seed take a number");
        return ExitCode::from(2);
    };
    let Some(name) = value("--language") else {
        return ExitCode::SUCCESS;
    };
    let known = languages();
    let Some(language) = known.iter().find(|l| l.name() == name) else {
        eprintln!("there is no language {name}");
        return ExitCode::from(2);
    };
    match first_difference(&**language, programs, seed) {
        Some(difference) => {
            eprintln!("{difference}");
            ExitCode::FAILURE
        }
        None => ExitCode::SUCCESS,
    }
}

fn first_difference(language: &dyn Language, programs: u64, seed: u64) -> Option<String> {
    let campaign = Campaign {
        programs: programs / 2,
        mutants: programs - programs / 2,
        seed,
        merging: true,
        small: true,
        threads: 1,
        ..Campaign::default()
    };
    // Random programs and mutants by turns.
    let numbers = (0..campaign.programs).flat_map(|n| [n, n + campaign.programs]);
    for number in numbers {
        let mut report = Report::default();
        language.one(&campaign, number, &mut report);
        if !report.findings.is_empty() {
            return Some(report.differences());
        }
    }
    None
}
