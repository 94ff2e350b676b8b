//! The line that tells how far a search is. It says what is known and how well, and nothing when nothing is known.

use crate::paint::{Paint, beginning, width};
use crate::units::{approximate, count, duration};
use mazurka_core::{Estimate, Progress};
use std::time::Duration;

/// Estimates are made from the part of the tree that was seen, and the rest may look different: while a search goes down its first branches
/// most of the others are not even known, and what an estimator says of its own error is only a part of the uncertainty. This makes it one
/// that can be relied on: nothing is claimed before an estimate can be held against one from when a quarter as much was done; the factor by
/// which it changed since may come once more; and all that was not seen yet is uncertain. Nobody can know how many races the unseen part
/// will add to branches far above it, so the line says "or more".
#[derive(Clone, Debug, Default)]
pub struct Caution {
    /// Executions done and the estimate then, oldest first.
    history: Vec<(u64, f64)>,
}

/// How many times as much must have been done since an estimate that another one is held against.
const WINDOW: u64 = 4;

impl Caution {
    /// The progress with an uncertainty that does not promise too much.
    pub fn apply(&mut self, progress: &Progress) -> Progress {
        let done = progress.counts.executions;
        let estimate = progress.estimate.filter(|e| e.total.is_finite() && e.total > 0.0);
        let mut cautious = *progress;
        cautious.estimate = None;
        let Some(Estimate { total, deviation }) = estimate else {
            return cautious;
        };
        let total = total.max(done as f64);
        let earlier = self.history.iter().rposition(|(then, _)| then * WINDOW <= done);
        let factor = earlier.map(|at| {
            let since = self.history[at..]
                .iter()
                .map(|(_, estimate)| (total / estimate).max(estimate / total));
            since.fold(1.0, f64::max)
        });
        // Older entries are not asked for any more.
        self.history.drain(..earlier.unwrap_or(0));
        self.history.push((done, total));
        cautious.estimate = factor.map(|factor| {
            let unseen = total - done as f64;
            let error = deviation.max(unseen);
            let most = (total + error).max(total * factor);
            let least = (total - error).min(total / factor).max(done as f64);
            Estimate {
                total: (least + most) / 2.0,
                deviation: (most - least) / 2.0,
            }
        });
        cautious
    }
}

/// The line with a remark at its end, without a line break; what does not fit the width of the terminal is left out.
pub fn line(progress: &Progress, elapsed: Duration, remark: &str, paint: Paint) -> String {
    let done = progress.counts.executions;
    let mut parts = vec![format!("{} executions", count(done))];
    // A search that stores states ends few executions: its states tell how it goes on.
    let stores = progress.counts.states > 20 * done.max(1);
    let (n, unit) = if stores { (progress.counts.states, " states") } else { (done, "") };
    if stores {
        parts.push(format!("{} states", count(n)));
    }
    let seconds = elapsed.as_secs_f64();
    if seconds > 0.0 {
        parts.push(format!("{}{unit}/s", approximate(n as f64 / seconds)));
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
        parts.push(format!("about {} left or more", duration(left)));
    }
    if !remark.is_empty() {
        parts.push(remark.to_owned());
    }
    let room = paint.width.saturating_sub(1);
    let mut text = paint.text(&parts[0]);
    for part in &parts[1..] {
        let longer = format!("{text}{}", paint.text(&format!(" · {part}")));
        if width(&longer) > room {
            break;
        }
        text = longer;
    }
    beginning(&text, room).to_owned()
}

/// The estimate with its uncertainty. One that is below what was done already is no estimate.
fn total(done: u64, estimate: &Estimate) -> String {
    let most = estimate.total + estimate.deviation;
    if !most.is_finite() || most <= done as f64 {
        return "total unknown".to_owned();
    }
    let least = estimate.total.max(done as f64);
    format!("of about {} ± {} or more", approximate(least), approximate(estimate.deviation))
}

/// The time that the estimated rest takes at the rate so far; `None` while the uncertainty is about as large as the estimate, when any
/// number of seconds would be made up.
fn time_left(done: u64, estimate: &Estimate, elapsed: Duration) -> Option<Duration> {
    let rest = estimate.total - done as f64;
    if done == 0 || rest <= 0.0 || estimate.deviation > 0.75 * estimate.total {
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

    fn progress(executions: u64, estimate: Option<(f64, f64)>) -> Progress {
        let mut progress = Progress::default();
        progress.counts.executions = executions;
        progress.depth = 12;
        progress.estimate = estimate.map(|(total, deviation)| Estimate { total, deviation });
        progress
    }

    #[test]
    fn says_what_is_known() {
        let p = progress(12_000, Some((48_000.0, 6_000.0)));
        let text = line(&p, Duration::from_secs(4), "", Paint::default());
        assert_eq!(
            text,
            "12,000 executions · 3.00k/s · depth 12 · of about 48.0k ± 6.00k or more · about 12.0 s left or more"
        );
    }

    #[test]
    fn never_claims_a_total_below_what_is_done() {
        let p = progress(12_000, Some((5_000.0, 10.0)));
        let text = line(&p, Duration::from_secs(4), "", Paint::default());
        assert_eq!(text, "12,000 executions · 3.00k/s · depth 12 · total unknown");
    }

    #[test]
    fn gives_no_time_when_the_estimate_is_worth_little() {
        let p = progress(10, Some((1e30, 2e30)));
        let text = line(&p, Duration::from_secs(4), "", Paint::default());
        assert!(!text.contains("left"), "{text}");
    }

    #[test]
    fn nothing_is_claimed_before_the_estimate_has_been_held_against_an_earlier_one() {
        let mut caution = Caution::default();
        let mut claim = |done: u64, total: f64| {
            let told = caution.apply(&progress(done, Some((total, 1.0)))).estimate;
            told.map(|e| ((e.total - e.deviation).round(), (e.total + e.deviation).round()))
        };
        assert_eq!(claim(100, 2_000.0), None);
        assert_eq!(claim(390, 2_000.0), None);
        // It has held while four times as much was done: what is not seen yet is all that is uncertain.
        assert_eq!(claim(400, 2_000.0), Some((400.0, 3_600.0)));
        assert_eq!(claim(1_800, 2_000.0), Some((1_800.0, 2_200.0)));
        // It has trebled: it may do so again.
        assert_eq!(claim(1_900, 6_000.0), Some((1_900.0, 18_000.0)));
        assert_eq!(caution.apply(&progress(10, None)), progress(10, None));
    }

    #[test]
    fn a_search_that_stores_states_is_told_by_them() {
        let mut p = progress(3, None);
        p.counts.states = 90_000;
        let text = line(&p, Duration::from_secs(3), "", Paint::default());
        assert_eq!(text, "3 executions · 90,000 states · 30.0k states/s · depth 12 · total unknown");
    }

    #[test]
    fn fits_the_terminal() {
        let narrow = Paint {
            width: 40,
            ..Paint::default()
        };
        let text = line(&progress(1 << 40, Some((1e15, 1e14))), Duration::from_secs(4), "", narrow);
        assert_eq!(text, "1,099,511,627,776 executions · 275G/s");
    }
}
