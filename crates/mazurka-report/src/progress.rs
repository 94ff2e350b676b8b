//! The line that tells how far a search is. It says what is known and how well, and nothing when nothing is known.

use crate::paint::{Paint, width};
use crate::units::{approximate, count, duration};
use mazurka_core::{Estimate, Progress};
use std::time::Duration;

/// Estimates are made from the part of the tree that was seen, and the rest may look different: what an estimator says of its own error is
/// only a part of the uncertainty. This adds how far the estimate has moved so far, and how much has not been seen at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Caution {
    range: Option<(f64, f64)>,
}

impl Caution {
    /// The progress with an uncertainty that does not promise too much.
    pub fn apply(&mut self, progress: &Progress) -> Progress {
        let Some(estimate) = progress.estimate.filter(|e| e.total.is_finite() && e.total > 0.0) else {
            return *progress;
        };
        let (least, most) = self.range.unwrap_or((estimate.total, estimate.total));
        let (least, most) = (least.min(estimate.total), most.max(estimate.total));
        self.range = Some((least, most));
        let unseen = (1.0 - progress.counts.executions as f64 / estimate.total).clamp(0.0, 1.0);
        let deviation = estimate.deviation.max(most - least).max(unseen * estimate.total);
        Progress {
            estimate: Some(Estimate { deviation, ..estimate }),
            ..*progress
        }
    }
}

/// The line, cut to the width of the terminal, without a line break.
pub fn line(progress: &Progress, elapsed: Duration, paint: Paint) -> String {
    let done = progress.counts.executions;
    let mut parts = vec![format!("{} executions", count(done))];
    let seconds = elapsed.as_secs_f64();
    if seconds > 0.0 {
        parts.push(format!("{}/s", approximate(done as f64 / seconds)));
    }
    parts.push(format!("depth {}", progress.depth));
    let abandoned = progress.counts.blocked + progress.counts.cut;
    if abandoned > 0 {
        parts.push(format!("{} blocked or cut", count(abandoned)));
    }
    parts.push(match &progress.estimate {
        Some(estimate) => total(done, estimate),
        None => "total unknown".to_owned(),
    });
    if let Some(left) = progress.estimate.as_ref().and_then(|e| time_left(done, e, elapsed)) {
        parts.push(format!("about {} left", duration(left)));
    }
    let text = paint.text(&parts.join(" · "));
    text.chars().take(paint.width.saturating_sub(1)).collect()
}

/// The estimate with its uncertainty. One that is below what was done already is no estimate.
fn total(done: u64, estimate: &Estimate) -> String {
    let most = estimate.total + estimate.deviation;
    if !most.is_finite() || most <= done as f64 {
        return "total unknown".to_owned();
    }
    let least = estimate.total.max(done as f64);
    format!("of about {} ± {}", approximate(least), approximate(estimate.deviation))
}

/// The time that the estimated rest takes at the rate so far; `None` while the uncertainty is about as large as the estimate.
fn time_left(done: u64, estimate: &Estimate, elapsed: Duration) -> Option<Duration> {
    let rest = estimate.total - done as f64;
    if done == 0 || rest <= 0.0 || estimate.deviation > 0.9 * estimate.total {
        return None;
    }
    Duration::try_from_secs_f64(elapsed.as_secs_f64() * rest / done as f64).ok()
}

/// What a terminal is sent to replace the line before by `line`.
pub fn refresh(line: &str, before: usize) -> String {
    let blank = before.saturating_sub(width(line));
    format!("\r{line}{}", " ".repeat(blank))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_core::Counts;

    fn progress(executions: u64, estimate: Option<(f64, f64)>) -> Progress {
        Progress {
            counts: Counts {
                executions,
                ..Counts::default()
            },
            depth: 12,
            estimate: estimate.map(|(total, deviation)| Estimate { total, deviation }),
        }
    }

    #[test]
    fn says_what_is_known() {
        let p = progress(12_000, Some((48_000.0, 6_000.0)));
        let text = line(&p, Duration::from_secs(4), Paint::default());
        assert_eq!(
            text,
            "12,000 executions · 3.00k/s · depth 12 · of about 48.0k ± 6.00k · about 12.0 s left"
        );
    }

    #[test]
    fn never_claims_a_total_below_what_is_done() {
        let p = progress(12_000, Some((5_000.0, 10.0)));
        let text = line(&p, Duration::from_secs(4), Paint::default());
        assert_eq!(text, "12,000 executions · 3.00k/s · depth 12 · total unknown");
    }

    #[test]
    fn gives_no_time_when_the_estimate_is_worth_little() {
        let p = progress(10, Some((1e30, 2e30)));
        let text = line(&p, Duration::from_secs(4), Paint::default());
        assert!(!text.contains("left"), "{text}");
    }

    #[test]
    fn the_uncertainty_knows_what_was_not_seen_and_how_the_estimate_moved() {
        let mut caution = Caution::default();
        let deviation = |p: Progress| p.estimate.map(|e| e.deviation);
        // A tenth is done: the other nine may be different.
        assert_eq!(deviation(caution.apply(&progress(100, Some((1_000.0, 5.0))))), Some(900.0));
        // The estimate has moved by 3,000 since.
        assert_eq!(deviation(caution.apply(&progress(3_600, Some((4_000.0, 5.0))))), Some(3_000.0));
        assert_eq!(caution.apply(&progress(10, None)), progress(10, None));
    }

    #[test]
    fn fits_the_terminal() {
        let narrow = Paint {
            width: 40,
            ..Paint::default()
        };
        let text = line(&progress(1 << 40, Some((1e15, 1e14))), Duration::from_secs(4), narrow);
        assert_eq!(width(&text), 39);
    }
}
