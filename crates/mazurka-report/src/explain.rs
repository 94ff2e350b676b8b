//! What `explain` says: the size of a program, what makes its search large, and what to try.

use crate::paint::{Paint, width, wrap};
use crate::units::{count, counted};

/// What was learnt about a program from a sample of its executions.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    /// The program, with its options.
    pub program: String,
    /// What was looked at, in words.
    pub sample: String,
    /// Distinct processes.
    pub processes: u64,
    /// The fewest and the most steps of an execution.
    pub steps: (u64, u64),
    /// Distinct locations.
    pub locations: u64,
    /// Races in all.
    pub races: u64,
    /// Pairs of places, most races first.
    pub pairs: Vec<Pair>,
    /// Locations with their races, most first.
    pub hot: Vec<(String, u64)>,
    /// What failed on the way.
    pub fails: Vec<String>,
    /// The step that is larger than this tool takes, which ended the look at the program.
    pub large_step: Option<String>,
    /// What to try.
    pub advice: Vec<String>,
}

/// Two places in the program whose steps race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// One place: source line and what it does.
    pub first: String,
    /// The other.
    pub second: String,
    /// What they race on.
    pub location: String,
    /// How often.
    pub races: u64,
}

/// The one thing to do first, in words, and what else there is to try.
fn recommended(e: &Explanation) -> (String, &[String]) {
    if !e.fails.is_empty() {
        let first = format!("first: repair that; `mazurka check {}` shows how it comes to it", e.program);
        return (first, &e.advice);
    }
    match e.advice.split_first() {
        None => ("first: nothing has to be done".to_owned(), &[]),
        Some((first, others)) => match first.strip_prefix("nothing: ") {
            Some(why) => (format!("first: nothing has to be done; {why}"), others),
            None => (format!("first: try {first}"), others),
        },
    }
}

/// The text.
pub fn render(e: &Explanation, paint: Paint) -> String {
    let mut out = format!("{}\n", paint.strong(&paint.text(&e.program)));
    let mut say = |text: &str| {
        for (at, line) in wrap(&paint.text(text), paint.width.saturating_sub(6)).into_iter().enumerate() {
            out.push_str(&format!("   {}{line}\n", if at == 0 { "" } else { "  " }));
        }
    };
    // Whether it fails, and one thing to do, before anything else.
    for failure in e.fails.iter().take(3) {
        say(&format!("fails: {failure}"));
    }
    if let Some(step) = &e.large_step {
        say(&format!("ended by a step that is too large for this tool: {step}"));
    } else if e.fails.is_empty() {
        say("nothing failed in what was looked at");
    }
    let (first, others) = recommended(e);
    say(&first);
    out.push('\n');
    let steps = if e.steps.0 == e.steps.1 {
        counted(e.steps.0, "step")
    } else {
        format!("{} to {}", count(e.steps.0), counted(e.steps.1, "step"))
    };
    // Before an execution was seen to its end there is nothing to count.
    if e.processes > 0 {
        out.push_str(&format!(
            "   {}, {} per execution, {}\n",
            counted(e.processes, "process"),
            steps,
            counted(e.locations, "location")
        ));
    }
    let races = (e.processes > 0).then(|| format!(": {}", counted(e.races, "race")));
    let sample = format!("looked at {}{}", e.sample, races.unwrap_or_default());
    for (at, line) in wrap(&paint.text(&sample), paint.width.saturating_sub(6)).into_iter().enumerate() {
        out.push_str(&format!("   {}{line}\n", if at == 0 { "" } else { "  " }));
    }
    if !e.pairs.is_empty() {
        let numbers = if e.pairs.iter().any(|p| p.first.contains('#') || p.second.contains('#')) {
            " (# stands for any number)"
        } else {
            ""
        };
        out.push_str(&format!("\n{}{numbers}\n", paint.strong("Which steps race, most often first")));
        let most = e.pairs.first().map_or(0, |p| width(&count(p.races)));
        for pair in &e.pairs {
            let share = 100.0 * pair.races as f64 / e.races.max(1) as f64;
            let head = format!("   {:>most$}  {share:>4.0}%  ", count(pair.races));
            let text = format!("{} with {}, on {}", pair.first, pair.second, pair.location);
            let indent = " ".repeat(width(&head));
            for (at, line) in wrap(&paint.text(&text), paint.width.saturating_sub(width(&head) + 1))
                .into_iter()
                .enumerate()
            {
                out.push_str(&format!("{}{line}\n", if at == 0 { &head } else { &indent }));
            }
        }
    }
    if !e.hot.is_empty() {
        let list: Vec<String> = e.hot.iter().map(|(name, n)| format!("{name} ({})", count(*n))).collect();
        out.push_str(&format!("\n{}\n", paint.strong("Which locations they race on")));
        for line in wrap(&paint.text(&list.join(", ")), paint.width.saturating_sub(4)) {
            out.push_str(&format!("   {line}\n"));
        }
    }
    if !others.is_empty() {
        out.push_str(&format!("\n{}\n", paint.strong("What else to try")));
        for advice in others {
            for (at, line) in wrap(&paint.text(advice), paint.width.saturating_sub(6)).into_iter().enumerate() {
                out.push_str(&format!("   {}{line}\n", if at == 0 { "- " } else { "  " }));
            }
        }
    }
    out
}
