//! The checker uses nothing of a search.

use std::path::Path;

/// What the checker may use of the engine: what programs are made of.
const ALLOWED: &[&str] = &[
    "Access",
    "AccessSet",
    "Alternative",
    "Alternatives",
    "AnyProgram",
    "Describe",
    "Effects",
    "Failure",
    "FailureKind",
    "Fingerprint",
    "Footprint",
    "FoundFailure",
    "Generated",
    "Graph",
    "Location",
    "Mode",
    "Pending",
    "Position",
    "Process",
    "Program",
    "Slot",
    "Transition",
    "conflict",
    "writes_guard",
];

#[test]
fn it_uses_what_programs_are_made_of_and_nothing_else() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut read = 0;
    for entry in std::fs::read_dir(sources).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        read += 1;
        for used in text.split("mazurka_core::").skip(1) {
            let names = match used.strip_prefix('{') {
                Some(list) => list.split('}').next().unwrap_or_default(),
                None => used.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default(),
            };
            for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                assert!(ALLOWED.contains(&name), "{}: {name}", path.display());
            }
        }
    }
    assert!(read > 10);
}
