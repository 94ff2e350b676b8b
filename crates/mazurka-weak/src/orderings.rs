//! Which orderings would make a failure impossible, and which could be weaker.

use crate::event::{Kind, Order};

/// An access or a fence of a program, with its ordering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site<P> {
    /// Where.
    pub at: P,
    /// What it does.
    pub kind: Kind,
    /// What it promises.
    pub order: Order,
}

/// What makes a failure impossible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Strengthening<P> {
    /// No ordering of these accesses does.
    Hopeless,
    /// These together do, and no fewer.
    These(Vec<(P, Order)>),
    /// All together as `SeqCst` do; of fewer, no set of this size does.
    All(usize),
}

/// Of so many orderings at once is it tried whether they help.
const MOST: usize = 3;

/// The orderings that a kind of operation can have, weakest first.
fn orders(kind: Kind) -> &'static [Order] {
    use Order::{AcqRel, Acquire, Relaxed, Release, SeqCst};
    match kind {
        Kind::Read | Kind::Wait => &[Relaxed, Acquire, SeqCst],
        Kind::Write => &[Relaxed, Release, SeqCst],
        Kind::Fence => &[Acquire, Release, AcqRel, SeqCst],
        _ => &[Relaxed, Acquire, Release, AcqRel, SeqCst],
    }
}

fn is_stronger(a: Order, than: Order) -> bool {
    use Order::{AcqRel, Acquire, Plain, Relaxed, Release, SeqCst};
    match (a, than) {
        (_, Plain) => false,
        (SeqCst, other) => other != SeqCst,
        (AcqRel, other) => matches!(other, Acquire | Release | Relaxed),
        (Acquire | Release, other) => other == Relaxed,
        _ => false,
    }
}

/// What a compare-exchange promises if it fails, when it promises something else if it succeeds: at least what it did if that is stronger, at most if it is weaker.
pub fn failure_with(success: Order, failure: Order, new: Order) -> Order {
    let follows = match new {
        Order::Release => Order::Relaxed,
        Order::AcqRel => Order::Acquire,
        order => order,
    };
    if is_stronger(new, success) {
        failure.max(follows)
    } else {
        failure.min(follows)
    }
}

/// The smallest set of stronger orderings with which the program passes; without an answer there is nothing to strengthen.
pub fn strengthen<P: Copy>(sites: &[Site<P>], mut passes: impl FnMut(&[(P, Order)]) -> bool) -> Option<Strengthening<P>> {
    let weak: Vec<Site<P>> = sites.iter().copied().filter(|s| is_stronger(Order::SeqCst, s.order)).collect();
    if weak.is_empty() {
        return None;
    }
    let all: Vec<(P, Order)> = weak.iter().map(|site| (site.at, Order::SeqCst)).collect();
    if !passes(&all) {
        return Some(Strengthening::Hopeless);
    }
    let most = MOST.min(weak.len());
    for size in 1..=most {
        // First without the strongest one, which costs most.
        for strongest in [Order::AcqRel, Order::SeqCst] {
            if let Some(found) = choose(&weak, size, strongest, &mut Vec::new(), &mut passes) {
                return Some(Strengthening::These(found));
            }
        }
    }
    Some(Strengthening::All(most))
}

fn choose<P: Copy>(
    sites: &[Site<P>],
    size: usize,
    strongest: Order,
    chosen: &mut Vec<(P, Order)>,
    passes: &mut impl FnMut(&[(P, Order)]) -> bool,
) -> Option<Vec<(P, Order)>> {
    if size == 0 {
        // What has no SeqCst was tried before.
        let is_new = strongest != Order::SeqCst || chosen.iter().any(|(_, order)| *order == Order::SeqCst);
        return (is_new && passes(chosen)).then(|| chosen.clone());
    }
    for (n, site) in sites.iter().enumerate() {
        let stronger = orders(site.kind).iter().filter(|order| is_stronger(**order, site.order));
        for order in stronger.filter(|order| **order != Order::SeqCst || strongest == Order::SeqCst) {
            chosen.push((site.at, *order));
            if let Some(found) = choose(&sites[n + 1..], size - 1, strongest, chosen, passes) {
                return Some(found);
            }
            chosen.pop();
        }
    }
    None
}

/// For each ordering in turn the weakest with which the program, which passes, still does: those that are weaker than they were, as they were and as they can be.
pub fn weaken<P: Copy>(sites: &[Site<P>], mut passes: impl FnMut(&[(P, Order)]) -> bool) -> Vec<(Site<P>, Order)> {
    let mut instead = Vec::new();
    let mut weakened = Vec::new();
    for site in sites {
        for order in orders(site.kind).iter().filter(|order| is_stronger(site.order, **order)) {
            instead.push((site.at, *order));
            if passes(&instead) {
                weakened.push((*site, *order));
                break;
            }
            instead.pop();
        }
    }
    weakened
}

#[cfg(test)]
mod tests {
    use super::failure_with;
    use crate::event::Order::{AcqRel, Acquire, Relaxed, Release, SeqCst};

    #[test]
    fn failures_follow() {
        for (success, failure, new, expected) in [
            (Relaxed, Relaxed, Acquire, Acquire),
            (Relaxed, SeqCst, Release, SeqCst),
            (Relaxed, Acquire, Release, Acquire),
            (AcqRel, Acquire, Release, Relaxed),
            (AcqRel, Relaxed, Acquire, Relaxed),
            (SeqCst, SeqCst, AcqRel, Acquire),
        ] {
            assert_eq!(failure_with(success, failure, new), expected, "{success:?} {failure:?} → {new:?}");
        }
    }
}
