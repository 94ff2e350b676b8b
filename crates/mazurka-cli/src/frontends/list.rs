//! What is built in.

/// A built-in program.
pub struct BuiltIn {
    /// As the user writes it: `litmus:readers`.
    pub name: String,
    /// What it shows.
    pub summary: String,
    /// Its parameters, as `n=2 (1 to 20)`.
    pub parameters: Vec<String>,
}

/// Every built-in program.
pub fn all() -> Vec<BuiltIn> {
    let mut all = super::litmus::list();
    all.extend(super::actors::list());
    all
}

/// The programs to begin with: well known, and each with something to see.
const FIRST: [&str; 12] = [
    "litmus:increment",
    "litmus:philosophers",
    "litmus:philosophers-ordered",
    "litmus:peterson",
    "litmus:dekker",
    "litmus:prodcons",
    "litmus:indexer",
    "actors:registry",
    "actors:regsim",
    "actors:diningphil",
    "actors:leader",
    "actors:bb",
];

impl BuiltIn {
    /// Whether it is one to begin with.
    pub fn is_first(&self) -> bool {
        FIRST.contains(&self.name.as_str())
    }
}

/// The built-in program that a name without its prefix means, or nearly means.
pub fn nearest(name: &str) -> Option<String> {
    let all = all();
    let bare = |full: &str| full.split_once(':').map_or(full.to_owned(), |(_, n)| n.to_owned());
    if let Some(found) = all.iter().find(|b| bare(&b.name) == name) {
        return Some(found.name.clone());
    }
    mazurka_core::nearest(name, all.iter().map(|b| b.name.as_str())).map(str::to_owned)
}
