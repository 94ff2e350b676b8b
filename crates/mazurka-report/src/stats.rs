//! How far from the limit a run was: the three ratios of `--stats`.

use crate::paint::Paint;
use crate::summary::Stats;
use crate::units::{approximate, bytes, count};
use mazurka_core::{Counts, Merged};

/// The ratios with what they mean.
pub fn render(stats: &Stats, paint: Paint) -> String {
    let ratio = |value: Option<f64>| value.map_or("unknown".to_owned(), |v| format!("{v:.2}"));
    let line = |name: &str, value: String, meaning: &str| format!("   {name} {value:>8}  {}\n", paint.faint(meaning));
    [
        line(
            "R1",
            ratio(stats.bookkeeping),
            "time to explore / time to run the same new steps with all bookkeeping off",
        ),
        line("R2", ratio(Some(stats.reexecution)), "steps run / steps in the union tree"),
        line("R3", ratio(stats.redundancy), "(executions + blocked + cut) / traces"),
        format!(
            "   {} executions/s, {} steps/s\n",
            approximate(stats.executions_per_second),
            approximate(stats.steps_per_second)
        ),
    ]
    .concat()
}

/// What a search that merges states stored, and what it cost to forget some of it.
pub fn store(merged: &Merged, counts: &Counts, paint: Paint) -> String {
    let found = 100.0 * merged.hits as f64 / merged.lookups.max(1) as f64;
    let mut text = format!(
        "   {} states explored, {} stored at most ({} with the cones of their futures), {found:.0} % of {} lookups found one\n",
        count(counts.states),
        count(merged.most_stored),
        bytes(merged.most_bytes),
        count(merged.lookups)
    );
    if merged.evicted > 0 {
        let line = format!(
            "   {} states forgotten to stay within the memory limit, so {:.1} states explored for each one that could be stored\n",
            count(merged.evicted),
            counts.states as f64 / merged.most_stored.max(1) as f64
        );
        text.push_str(&line);
    }
    if merged.store_dropped {
        text.push_str(&format!(
            "   {}\n",
            paint.faint("the store was given up: almost nothing was found there")
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cost_of_a_memory_limit_is_told() {
        let (mut merged, mut counts) = (Merged::default(), Counts::default());
        (merged.lookups, merged.hits, merged.evicted) = (1000, 250, 450);
        (merged.most_stored, merged.most_bytes) = (300, 64_000);
        counts.states = 750;
        assert_eq!(
            store(&merged, &counts, Paint::default()),
            "   750 states explored, 300 stored at most (62.5 kB with the cones of their futures), 25 % of 1,000 lookups found one\n   \
             450 states forgotten to stay within the memory limit, so 2.5 states explored for each one that could be stored\n"
        );
    }
}
