//! What to say to those who want something of the laboratory when this binary was built without it.

use crate::refusal::Refusal;

/// Whether this binary has the laboratory.
pub const IS_HERE: bool = cfg!(feature = "laboratory");

/// How to get a binary that has it.
pub const COMMAND: &str = "cargo run --release --features laboratory --";

/// Says with which command the same arguments are obeyed.
#[cfg(any(test, not(feature = "laboratory")))]
pub fn refusal(arguments: impl Iterator<Item = String>) -> Refusal {
    let arguments: Vec<String> = arguments.collect();
    Refusal::new(format!(
        "this binary was built without the laboratory, which that needs: {COMMAND} {}",
        arguments.join(" ")
    ))
}

/// Says with which feature the same arguments are obeyed.
#[cfg(any(
    not(feature = "checkpoint"),
    not(feature = "cluster"),
    not(feature = "serve"),
    not(feature = "lsp"),
    not(feature = "symbolic")
))]
pub fn without(feature: &str) -> Refusal {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    Refusal::new(format!(
        "this binary was built without the feature `{feature}`, which that needs: cargo run --release --features {feature} -- {}",
        arguments.join(" ")
    ))
}

/// Why there is no such algorithm. Those as published are not known without the laboratory.
pub fn no_algorithm(error: &mazurka_core::SearchError, laboratory: bool) -> Refusal {
    match error {
        mazurka_core::SearchError::Unknown { .. } if !laboratory => {
            Refusal::new(format!("{error}; those as published need the laboratory: {COMMAND} …"))
        }
        _ => Refusal::new(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_core::Algorithm;

    #[test]
    fn one_line_says_how_to_get_it() {
        let arguments = ["fuzz", "--seed", "7"].map(str::to_owned);
        assert_eq!(
            refusal(arguments.into_iter()).to_string(),
            "error: this binary was built without the laboratory, which that needs: \
             cargo run --release --features laboratory -- fuzz --seed 7"
        );
    }

    #[test]
    fn an_algorithm_that_is_unknown_may_be_in_the_laboratory() {
        let error = Algorithm::parse("nothing").unwrap_err();
        let hint = "; those as published need the laboratory: cargo run --release --features laboratory -- …";
        assert!(no_algorithm(&error, false).to_string().ends_with(hint));
        assert!(!no_algorithm(&error, true).to_string().contains("laboratory"));
    }
}
