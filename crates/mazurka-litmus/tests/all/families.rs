//! The registry of built-in programs: names, ranges, and errors that help.

use mazurka_litmus::{FamilyError, families, family, text};

fn set(name: &str, value: i64) -> Vec<(String, i64)> {
    vec![(name.to_string(), value)]
}

#[test]
fn every_family_compiles_at_both_ends_of_its_range_and_prints_as_it_reads() {
    for family in families() {
        for parameter in family.parameters {
            for value in [parameter.range.0, parameter.default, parameter.range.1] {
                family.machine(&set(parameter.name, value)).unwrap_or_else(|e| panic!("{e}"));
            }
        }
        let printed = family.model(&[]).unwrap().to_string();
        assert_eq!(
            text::parse(family.name, &printed).unwrap_or_else(|e| panic!("{e}")).to_string(),
            printed
        );
    }
}

#[test]
fn names_are_unique_and_case_does_not_matter() {
    let mut names: Vec<String> = families().iter().map(|f| f.name.to_ascii_lowercase()).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), families().len());
    assert_eq!(family("c10B").unwrap().name, "C10b");
}

#[test]
fn mistakes_are_answered_with_what_was_meant() {
    let error = |r: Result<(), FamilyError>| r.unwrap_err().to_string();
    let readers = family("readers").unwrap();
    let messages = [
        error(family("raeders").map(|_| ())),
        error(family("quite-unknown").map(|_| ())),
        error(readers.model(&set("m", 3)).map(|_| ())),
        error(readers.model(&set("n", 61)).map(|_| ())),
        error(readers.model(&[("n".into(), 1), ("n".into(), 2)]).map(|_| ())),
        error(family("pqr").unwrap().model(&set("n", 3)).map(|_| ())),
        error(family("prodcons").unwrap().model(&set("capp", 3)).map(|_| ())),
    ];
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn the_list_of_programs() {
    let lines: Vec<String> = families()
        .iter()
        .map(|f| {
            let parameters: Vec<String> = f
                .parameters
                .iter()
                .map(|p| format!("{}={} ({}..{}: {})", p.name, p.default, p.range.0, p.range.1, p.about))
                .collect();
            format!("{:<20} {} {}", f.name, f.about, parameters.join(", "))
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}
