//! The known name that a misspelt one probably stands for.

/// The candidate closest to `name`, if it is close enough to be what was meant: at most a third of the letters differ
/// (a swap of neighbours counts once), or only case differs. Ties go to the candidate that sorts first, so the answer is deterministic.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = name.chars().collect();
    // A name this long is not a slip of the fingers, and comparing it would be slow.
    if wanted.is_empty() || wanted.len() > 100 {
        return None;
    }
    let allowed = wanted.len().div_ceil(3).min(3);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name && candidate.len() <= 200)
        .filter_map(|candidate| {
            if candidate.eq_ignore_ascii_case(name) {
                return Some((0, candidate));
            }
            let letters: Vec<char> = candidate.chars().collect();
            if letters.len().abs_diff(wanted.len()) > allowed {
                return None;
            }
            let distance = distance(&wanted, &letters);
            // One-letter names are all one edit apart: suggesting one for another is noise.
            (distance <= allowed && distance < wanted.len().max(letters.len())).then_some((distance, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// The optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    let width = b.len() + 1;
    let mut rows = vec![0; (a.len() + 1) * width];
    let at = |i: usize, j: usize| i * width + j;
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[at(i, j)] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = rows[at(i - 1, j - 1)] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = replaced.min(rows[at(i - 1, j)] + 1).min(rows[at(i, j - 1)] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[at(i - 2, j - 2)] + 1);
                }
                best
            };
        }
    }
    rows[at(a.len(), b.len())]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_slips_of_the_fingers() {
        let names = ["balance", "deposit", "withdraw", "Nil"];
        assert_eq!(nearest("balanec", names), Some("balance"));
        assert_eq!(nearest("wihtdraw", names), Some("withdraw"));
        assert_eq!(nearest("NIL", names), Some("Nil"));
        assert_eq!(nearest("transfer", names), None);
    }

    #[test]
    fn does_not_offer_any_short_name_for_any_other() {
        assert_eq!(nearest("x", ["y", "z"]), None);
        assert_eq!(nearest("", ["y"]), None);
    }

    #[test]
    fn ties_are_broken_by_the_alphabet() {
        assert_eq!(nearest("cat", ["rat", "bat"]), Some("bat"));
    }
}
