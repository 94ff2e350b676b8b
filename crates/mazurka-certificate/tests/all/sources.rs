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

/// The sources of this crate, by their paths below `src`.
fn sources() -> Vec<(String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut folders, mut sources) = (vec![src.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
                sources.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    sources
}

#[test]
fn it_uses_what_programs_are_made_of_and_nothing_else() {
    let sources = sources();
    for (path, text) in &sources {
        for used in text.split("mazurka_core::").skip(1) {
            let names = match used.strip_prefix('{') {
                Some(list) => list.split('}').next().unwrap_or_default(),
                None => used.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default(),
            };
            for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                assert!(ALLOWED.contains(&name), "{path}: {name}");
            }
        }
    }
    assert!(sources.len() > 10);
}

/// Lines of code, without comments and tests.
fn lines(text: &str) -> usize {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default().lines();
    code.map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .count()
}

/// What has to be read to believe a verdict does not grow unnoticed.
#[test]
fn the_book_says_how_long_what_is_believed_is() {
    let sources = sources();
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/certificates.md");
    let book = std::fs::read_to_string(book).unwrap();
    let rows: Vec<usize> = (book.lines())
        .filter(|line| line.starts_with("| `") && line.contains(".rs` | "))
        .map(|row| {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let files = cells[1].split(", ").map(|file| file.trim_matches('`'));
            let sum = files
                .map(|file| lines(&sources.iter().find(|(name, _)| name == file).expect(file).1))
                .sum();
            assert_eq!(cells[2].parse(), Ok(sum), "{row}");
            sum
        })
        .collect();
    let complete: usize = rows[..4].iter().sum();
    assert!(
        book.contains(&format!("rests on the first four rows: {complete} lines")),
        "{complete}"
    );
}
