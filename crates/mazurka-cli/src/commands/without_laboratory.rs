//! What to say when a command needs the laboratory and this binary was built without it.

use crate::refusal::Refusal;

/// Says with which command the same arguments are obeyed.
pub fn refusal(arguments: impl Iterator<Item = String>) -> Refusal {
    let arguments: Vec<String> = arguments.collect();
    Refusal::new(format!(
        "this binary was built without the laboratory, which that needs: cargo run --release --features laboratory -- {}",
        arguments.join(" ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_says_how_to_get_it() {
        let arguments = ["fuzz", "--seed", "7"].map(str::to_owned);
        assert_eq!(
            refusal(arguments.into_iter()).to_string(),
            "error: this binary was built without the laboratory, which that needs: \
             cargo run --release --features laboratory -- fuzz --seed 7"
        );
    }
}
