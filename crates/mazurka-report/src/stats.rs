//! How far from the limit a run was: the three ratios of `--stats`.

use crate::paint::Paint;
use crate::summary::Stats;
use crate::units::approximate;

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
