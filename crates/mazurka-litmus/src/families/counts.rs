//! The closed formulas of the families.

/// n!
pub(super) fn factorial(n: i64) -> Option<u128> {
    (1..=n.max(0) as u128).try_fold(1u128, u128::checked_mul)
}

/// The binomial coefficient.
pub(super) fn choose(n: i64, k: i64) -> Option<u128> {
    let (n, k) = (n as u128, k as u128);
    (0..k).try_fold(1u128, |c, i| Some(c.checked_mul(n - i)? / (i + 1)))
}

/// 2^n, for n that may be negative (then 0).
pub(super) fn power_of_two(n: i64) -> Option<u128> {
    if n < 0 {
        Some(0)
    } else {
        1u128.checked_shl(u32::try_from(n).ok()?).filter(|_| n < 128)
    }
}

/// (2n−1)!! = 1·3·5·…
pub(super) fn odd_factorial(n: i64) -> Option<u128> {
    (1..=n.max(0) as u128).try_fold(1u128, |f, i| f.checked_mul(2 * i - 1))
}

/// The n-th of the numbers that were counted with independent tools, from `first` on.
pub(super) fn listed(numbers: &[u128], n: i64, first: i64) -> Option<u128> {
    numbers.get(usize::try_from(n - first).ok()?).copied()
}
