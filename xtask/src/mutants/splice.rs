//! Writes the switches into a source text: `a == b` becomes `(if crate::__mutant(17) { a != b } else { a == b })`.

use super::site::{Shape, Site};
use std::ops::Range;

/// The text with its switches, and where they are.
pub struct Spliced {
    /// The new text.
    pub text: String,
    /// Every mutant that is in it.
    pub placed: Vec<Placed>,
}

/// Where a mutant is in the new text, to know which one the compiler complains about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed {
    /// Its number.
    pub mutant: u32,
    /// How it is written.
    pub shape: Shape,
    /// The code that only this mutant runs.
    pub own: Range<usize>,
    /// The whole switch, with the code that is there without a mutant.
    pub whole: Range<usize>,
}

struct Insertion {
    at: usize,
    /// What orders insertions at the same place: ends before beginnings, inner ends first, outer beginnings first.
    rank: (u8, usize, usize),
    text: String,
    /// The mutants whose own code begins and ends so many bytes into this text.
    own: Vec<(u32, Range<usize>)>,
    switch: usize,
    ends: bool,
}

/// Writes those changes of `sites` that have a number. `numbered[i][j]` is the number of the j-th change of the i-th site.
pub fn splice(source: &str, sites: &[Site], numbered: &[Vec<Option<u32>>]) -> Spliced {
    let mut insertions = Vec::new();
    for (switch, (site, numbers)) in sites.iter().zip(numbered).enumerate() {
        let chosen: Vec<(u32, &str)> = site
            .changes
            .iter()
            .zip(numbers)
            .filter_map(|(c, n)| n.map(|n| (n, c.code.as_str())))
            .collect();
        if !chosen.is_empty() {
            insert(site, switch, &chosen, &mut insertions);
        }
    }
    insertions.sort_by_key(|i| (i.at, i.rank));
    let mut text = String::with_capacity(source.len() * 2);
    let mut placed: Vec<(usize, Placed)> = Vec::new();
    let mut done = 0;
    for insertion in insertions {
        text.push_str(&source[done..insertion.at]);
        done = insertion.at;
        let start = text.len();
        text.push_str(&insertion.text);
        let shape = sites[insertion.switch].shape;
        for (mutant, own) in insertion.own {
            let own = start + own.start..start + own.end;
            let whole = start..text.len();
            placed.push((insertion.switch, Placed { mutant, shape, own, whole }));
        }
        if insertion.ends {
            for (_, p) in placed.iter_mut().filter(|(switch, _)| *switch == insertion.switch) {
                p.whole.end = text.len();
                if shape == Shape::Statement {
                    p.own = p.whole.clone();
                }
            }
        }
    }
    text.push_str(&source[done..]);
    Spliced {
        text,
        placed: placed.into_iter().map(|(_, p)| p).collect(),
    }
}

fn insert(site: &Site, switch: usize, chosen: &[(u32, &str)], insertions: &mut Vec<Insertion>) {
    let (mut before, mut own) = (String::new(), Vec::new());
    let mut push = |text: &mut String, mutant: u32, code: &str| {
        let start = text.len();
        text.push_str(code);
        own.push((mutant, start..text.len()));
    };
    let mut after = None;
    match site.shape {
        Shape::Expression => {
            before.push('(');
            for (mutant, code) in chosen {
                before.push_str(&format!("if crate::__mutant({mutant}) {{ "));
                push(&mut before, *mutant, code);
                before.push_str(" } else ");
            }
            before.push_str("{ ");
            after = Some(" })");
        }
        Shape::Statement => {
            push(&mut before, chosen[0].0, &format!("if !crate::__mutant({}) {{ ", chosen[0].0));
            after = Some(" }");
        }
        Shape::Conjunct => push(&mut before, chosen[0].0, &format!("!crate::__mutant({}) && ", chosen[0].0)),
        Shape::Guard => {
            push(&mut before, chosen[0].0, &format!("!crate::__mutant({}) && (", chosen[0].0));
            after = Some(")");
        }
        Shape::NewGuard => push(&mut before, chosen[0].0, &format!(" if !crate::__mutant({})", chosen[0].0)),
        Shape::Entry => {
            for (mutant, code) in chosen {
                before.push_str(&format!(" if crate::__mutant({mutant}) {{ "));
                push(&mut before, *mutant, &format!("return {code};"));
                before.push_str(" } ");
            }
        }
    }
    let outer_first = usize::MAX - site.end;
    insertions.push(Insertion {
        at: site.start,
        rank: if after.is_some() {
            (2, outer_first, switch)
        } else {
            (1, switch, 0)
        },
        text: before,
        own,
        switch,
        ends: false,
    });
    if let Some(after) = after {
        insertions.push(Insertion {
            at: site.end,
            rank: (0, usize::MAX - site.start, usize::MAX - switch),
            text: after.to_owned(),
            own: Vec::new(),
            switch,
            ends: true,
        });
    }
}
