//! Who waits for whom at the end of an execution, in words.

use crate::paint::Paint;
use crate::units::counted;
use mazurka_core::schedule::{Recording, WaitRecord};

/// So many waits are spelt out.
const SHOWN: usize = 12;
/// So many values of a guard are shown.
const VALUES: usize = 3;

/// One sentence on the whole.
pub fn headline(recording: &Recording) -> String {
    let n = recording.waits.len() as u64;
    let who = if n == 1 {
        "1 process waits".to_owned()
    } else {
        format!("{n} processes wait")
    };
    format!(
        "deadlock after step {}: nothing can move any more, and {who}",
        recording.steps.len()
    )
}

/// A line for each wait, those of the cycle first and in its order, and a last one that names the cycle.
pub fn lines(recording: &Recording, paint: Paint) -> Vec<String> {
    let outside = (0..recording.waits.len()).filter(|w| !recording.cycle.contains(w));
    let order: Vec<usize> = recording.cycle.iter().copied().chain(outside).collect();
    let mut lines: Vec<String> = order.iter().take(SHOWN).map(|&w| line(&recording.waits[w], recording)).collect();
    if order.len() > SHOWN {
        lines.push(format!("and {}", counted((order.len() - SHOWN) as u64, "more process")));
    }
    lines.extend(circle(recording, paint));
    lines
}

/// "philosopher 0 waits at … for fork 1, held up by philosopher 1".
fn line(wait: &WaitRecord, recording: &Recording) -> String {
    let at = wait.at.as_ref().map_or(String::new(), |at| format!(" at {at}"));
    let mut text = format!("{} waits{at} for {}", wait.process, wait.what);
    let reasons = because(wait, recording);
    if !reasons.is_empty() {
        text.push_str(&format!("; {}", reasons.join(", ")));
    } else if let Some((_, on, _)) = &wait.on
        && !wait.what.contains(on.as_str())
    {
        text.push_str(&format!(", held up by {on}"));
    }
    text
}

/// What the guard reads, and since when that is so.
pub fn because(wait: &WaitRecord, recording: &Recording) -> Vec<String> {
    let reason = |b: &mazurka_core::schedule::Blocker| {
        let since = match b.since {
            Some(step) => format!("since step {} of {}", step + 1, recording.steps[step].process),
            None => "from the start".to_owned(),
        };
        match &b.value {
            Some(value) => format!("{} is {value} {since}", b.location),
            None => format!("{} was last touched {}", b.location, since.replacen("since", "in", 1)),
        }
    };
    wait.blockers.iter().take(VALUES).map(reason).collect()
}

/// "a cycle: a → b → a".
fn circle(recording: &Recording, paint: Paint) -> Option<String> {
    let first = *recording.cycle.first()?;
    let round = recording.cycle.iter().chain([&first]);
    let names: Vec<&str> = round.map(|&w| recording.waits[w].process.as_str()).collect();
    Some(format!("a cycle: {}", names.join(&format!(" {} ", paint.arrow()))))
}
