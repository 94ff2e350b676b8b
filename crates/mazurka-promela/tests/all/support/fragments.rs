//! Small models, one per way of writing something, with the numbers that SPIN 6.5.2 gives for them.

/// A model with what is known of it.
pub struct Fragment {
    pub name: &'static str,
    pub text: String,
    pub states: u64,
    pub transitions: u64,
    /// Whether the search ends at an error.
    pub fails: bool,
}

/// All of them, from `fragments.txt`: a headline, then the text.
pub fn fragments() -> Vec<Fragment> {
    let parts = include_str!("fragments.txt").split("=== ").skip(1);
    parts
        .map(|part| {
            let (headline, text) = part.split_once('\n').expect("a headline");
            let (name, facts) = headline.split_once(": ").expect("a name");
            let number = |word: &str| {
                let fact = facts.split(", ").find_map(|f| f.strip_suffix(word)).expect(word);
                fact.trim().parse().expect("a number")
            };
            Fragment {
                name,
                text: text.trim_end().to_owned() + "\n",
                states: number("states"),
                transitions: number("transitions"),
                fails: facts.ends_with("an error"),
            }
        })
        .collect()
}
