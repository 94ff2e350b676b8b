//! What a litmus test of herd says of its executions, and how it turned out.

use mazurka_litmus::herd::{Claim, Quantifier};
use mazurka_litmus::weak::{Concurrent, Run};
use mazurka_report::units::counted;
use mazurka_weak::Graph;

/// How many graphs end as the claim says, and how many do not.
#[derive(Default)]
pub struct Tally {
    with: u64,
    without: u64,
    /// The first graph that ends like this, as text.
    witness: Option<String>,
}

impl Tally {
    /// Notes how a graph ends: what fails, if the claim does. The picture is asked for the first that ends as an `exists` says.
    pub fn note(&mut self, program: &Concurrent, graph: &Graph, run: &Run, picture: impl Fn() -> String) -> Option<String> {
        let claim = program.claim()?;
        if claim.filter.as_ref().is_some_and(|filter| !program.is_so(filter, graph, run)) {
            return None;
        }
        let is_so = program.is_so(&claim.condition, graph, run);
        *(if is_so { &mut self.with } else { &mut self.without }) += 1;
        match (claim.quantifier, is_so) {
            (Quantifier::Exists, true) if self.witness.is_none() => self.witness = Some(picture()),
            (Quantifier::NotExists, true) => return Some(format!("{}, but this is one", claim.text)),
            (Quantifier::Forall, false) => return Some(format!("{}, but not this one", claim.text)),
            _ => {}
        }
        None
    }

    /// What fails when all graphs have been noted.
    pub fn missing(&self, claim: Option<&Claim>) -> Option<String> {
        let claim = claim.filter(|claim| claim.quantifier == Quantifier::Exists && self.with == 0)?;
        Some(format!("{}, but no execution graph ends like this", claim.text))
    }

    /// Whether the claim holds, with its witness, and herd's line about what was observed.
    pub fn said(&self, claim: &Claim, holds: bool) -> String {
        let often = match (self.with, self.without) {
            (0, _) => "Never",
            (_, 0) => "Always",
            _ => "Sometimes",
        };
        let observed = format!("   Observation {} {often} {} {}\n", claim.test, self.with, self.without);
        let number = match self.with {
            1 => "an execution graph ends".to_owned(),
            n => format!("{} end", counted(n, "execution graph")),
        };
        match &self.witness {
            Some(witness) => format!("{} holds: {number} like this\n\n{witness}\n{observed}", claim.text),
            None if holds => format!("{} holds\n{observed}", claim.text),
            None => observed,
        }
    }
}
