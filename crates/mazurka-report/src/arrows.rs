//! Where messages go: from the step that sends to the step in which what was sent, or started, is first handled.

use mazurka_core::schedule::Recording;

/// A message, or the start of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// The step that sends it.
    pub from: usize,
    /// The step that handles it, if it is handled before the recording ends.
    pub to: Option<usize>,
    /// The column it goes to.
    pub column: String,
    /// What is sent, or who is started.
    pub text: String,
    /// Whether it is a message; otherwise it starts a process.
    pub is_message: bool,
}

/// All arrows, in the order in which they are sent.
pub fn arrows(recording: &Recording) -> Vec<Arrow> {
    let mut arrows = Vec::new();
    for (from, step) in recording.steps.iter().enumerate() {
        let handled = |key: &str| {
            let later = recording.steps.iter().enumerate().skip(from + 1);
            later.into_iter().find(|(_, s)| s.key == key).map(|(at, _)| at)
        };
        // What is sent is a process of its own, born in this step: the next one of that column.
        let mut births: Vec<_> = step.births.iter().collect();
        for (receiver, text) in &step.text.sends {
            let born = births.iter().position(|(_, _, column)| column == receiver);
            let born = born.map(|at| births.remove(at));
            arrows.push(Arrow {
                from,
                to: born.and_then(|(key, ..)| handled(key)),
                column: receiver.clone(),
                text: text.clone(),
                is_message: true,
            });
        }
        let receives = |column: &str| step.text.sends.iter().any(|(receiver, _)| receiver == column);
        arrows.extend(
            births
                .into_iter()
                .filter(|(_, _, column)| !receives(column))
                .map(|(key, name, column)| Arrow {
                    from,
                    to: handled(key),
                    column: column.clone(),
                    text: name.clone(),
                    is_message: false,
                }),
        );
    }
    arrows
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_core::schedule::StepRecord;
    use mazurka_core::{Process, StepText, Transition};

    fn step(key: &str, column: &str, sends: &[(&str, &str)], births: &[(&str, &str)]) -> StepRecord {
        let own = |text: &str| text.to_owned();
        StepRecord {
            transition: Transition::of(Process(0)),
            key: own(key),
            process: own(key),
            column: own(column),
            text: StepText {
                sends: sends.iter().map(|(to, text)| (own(to), own(text))).collect(),
                ..StepText::default()
            },
            accesses: Vec::new(),
            changes: Vec::new(),
            births: births.iter().map(|(key, column)| (own(key), own(key), own(column))).collect(),
            causes: Vec::new(),
            alternatives: Vec::new(),
            failure: None,
        }
    }

    #[test]
    fn a_message_ends_at_the_step_that_handles_it_and_not_at_the_next_one_of_its_receiver() {
        let recording = Recording {
            steps: vec![
                step(
                    "main",
                    "main",
                    &[("b", "first"), ("b", "second")],
                    &[("0", "b"), ("1", "b"), ("w", "w")],
                ),
                step("1", "b", &[], &[]),
                step("w", "w", &[("b", "late")], &[("2", "b")]),
                step("0", "b", &[], &[]),
            ],
            ..Recording::default()
        };
        let found: Vec<_> = arrows(&recording)
            .into_iter()
            .map(|a| (a.from, a.to, a.text, a.is_message))
            .collect();
        let expected = [
            (0, Some(3), "first", true),
            (0, Some(1), "second", true),
            (0, Some(2), "w", false),
            (2, None, "late", true),
        ];
        assert_eq!(
            found,
            expected.map(|(from, to, text, message)| (from, to, text.to_owned(), message))
        );
    }
}
