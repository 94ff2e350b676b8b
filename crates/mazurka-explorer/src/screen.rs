//! What is drawn.

use crate::app::App;
use mazurka_report::values::touched;
use mazurka_report::{Paint, columns, verdict};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

const HELP: [(&str, &str); 13] = [
    ("n, right, space", "forward: the step that was taken before, or the selected one"),
    ("b, left, backspace", "back"),
    ("up, down, j, k", "select another step to take"),
    ("enter, t, 1 to 9", "take the selected step, or that one"),
    ("0, home; end", "to the start; to where you were"),
    ("e", "run to the end, the same process as long as it can"),
    ("f", "the shortest way from here to a failure"),
    ("g", "the shortest way from here to a good end"),
    ("r", "look at the two steps that race"),
    ("[, ]", "look at the step before, after"),
    ("/, N", "search in the steps; the next match"),
    ("?", "this help"),
    ("q, esc", "quit"),
];

fn faint() -> Style {
    Style::new().fg(Color::DarkGray)
}

fn bad() -> Style {
    Style::new().fg(Color::Red).add_modifier(Modifier::BOLD)
}

fn chosen() -> Style {
    Style::new().add_modifier(Modifier::REVERSED)
}

pub(crate) fn draw(app: &App<'_>, frame: &mut Frame<'_>) {
    let [head, body, foot] = Layout::vertical([Constraint::Length(1), Constraint::Min(4), Constraint::Length(1)]).areas(frame.area());
    frame.render_widget(Paragraph::new(title(app)), head);
    // Side by side where there is room.
    if body.width >= 100 {
        let [left, right] = Layout::horizontal([Constraint::Percentage(58), Constraint::Percentage(42)]).areas(body);
        let [steps, source] = Layout::vertical([Constraint::Percentage(60), Constraint::Percentage(40)]).areas(left);
        let [moves, state] = Layout::vertical([Constraint::Percentage(50), Constraint::Percentage(50)]).areas(right);
        draw_steps(app, frame, steps);
        draw_source(app, frame, source);
        draw_moves(app, frame, moves);
        draw_state(app, frame, state);
    } else {
        let parts = [40, 25, 20, 15].map(Constraint::Percentage);
        let [steps, moves, state, source] = Layout::vertical(parts).areas(body);
        draw_steps(app, frame, steps);
        draw_moves(app, frame, moves);
        draw_state(app, frame, state);
        draw_source(app, frame, source);
    }
    frame.render_widget(Paragraph::new(footer(app)), foot);
    if app.shows_help {
        draw_help(frame);
    }
}

fn paint(app: &App<'_>, width: u16) -> Paint {
    Paint {
        color: false,
        ascii: app.subject.ascii,
        width: usize::from(width),
    }
}

fn title(app: &App<'_>) -> Line<'static> {
    let recording = &app.here.recording;
    let status = match &recording.failure {
        Some(failure) => Span::styled(format!("{}: {}", failure.kind.name(), failure.message), bad()),
        None if app.enabled().is_empty() => Span::styled("the end: every process has finished", Style::new().fg(Color::Green)),
        None => Span::raw(format!("{} steps taken, {} possible", recording.steps.len(), app.enabled().len())),
    };
    let name = Span::styled(format!(" {}  ", app.subject.title), Style::new().add_modifier(Modifier::BOLD));
    Line::from(vec![name, status])
}

fn footer(app: &App<'_>) -> Line<'static> {
    if app.is_typing {
        return Line::from(format!("/{}", app.wanted.as_deref().unwrap_or_default()));
    }
    match &app.said {
        Some(said) => Line::styled(format!(" {said}"), Style::new().fg(Color::Yellow)),
        None => Line::styled(
            " n forward  b back  1-9 take  f failure  g good end  e end  r race  / search  ? help  q quit",
            faint(),
        ),
    }
}

/// A frame with a title, and what is inside of it.
fn framed(frame: &mut Frame<'_>, area: Rect, title: &str, ascii: bool) -> Rect {
    let mut block = Block::bordered().title(format!(" {title} ")).border_style(faint());
    if ascii {
        block = block.border_set(ratatui::symbols::border::Set {
            top_left: "+",
            top_right: "+",
            bottom_left: "+",
            bottom_right: "+",
            vertical_left: "|",
            vertical_right: "|",
            horizontal_top: "-",
            horizontal_bottom: "-",
        });
    }
    let inner = block.inner(area);
    frame.render_widget(block, area);
    inner
}

/// The number of the step that begins in this line of the columns.
fn step_of(line: &str) -> Option<usize> {
    let mut words = line.split_whitespace();
    let first = words.next()?;
    first.parse().ok().or_else(|| words.next()?.parse().ok())
}

/// The steps in columns, as counterexamples are printed, the one looked at in sight.
fn draw_steps(app: &App<'_>, frame: &mut Frame<'_>, area: Rect) {
    let inner = framed(frame, area, "steps", app.subject.ascii);
    let recording = &app.here.recording;
    let paint = paint(app, inner.width);
    let mut text = if recording.steps.is_empty() && recording.waits.is_empty() {
        "at the start\n".to_owned()
    } else {
        columns::render(recording, paint)
    };
    if recording.failure.is_some() {
        text.push('\n');
        text.push_str(&verdict::explanation(recording, paint));
    }
    let (mut now, mut first) = (0usize, 0);
    let mut lines = Vec::new();
    for (at, line) in text.lines().enumerate() {
        // The first line names the columns, and what stands below the steps belongs to none.
        let indented = line.starts_with("      ");
        match step_of(line) {
            Some(number) if at > 0 && Some(number) == now.checked_add(1) => now = number,
            _ if !indented => now = usize::MAX,
            _ => {}
        }
        let is_looked_at = at > 0 && now == app.looked_at && app.looked_at > 0;
        if is_looked_at && first == 0 {
            first = at;
        }
        if at == 0 {
            now = 0;
        }
        let style = match (at, is_looked_at) {
            (0, _) => Style::new().add_modifier(Modifier::BOLD),
            (_, true) => chosen(),
            _ => Style::new(),
        };
        lines.push(Line::styled(line.to_owned(), style));
    }
    let room = usize::from(inner.height);
    let below = if app.looked_at == recording.steps.len() {
        lines.len()
    } else {
        first + room / 2
    };
    let skipped = below.min(lines.len()).saturating_sub(room).min(first);
    let skipped = u16::try_from(skipped).unwrap_or(u16::MAX);
    frame.render_widget(Paragraph::new(lines).scroll((skipped, 0)), inner);
}

fn draw_moves(app: &App<'_>, frame: &mut Frame<'_>, area: Rect) {
    let inner = framed(frame, area, "what can be done", app.subject.ascii);
    let paint = paint(app, inner.width);
    let mut lines = Vec::new();
    for (nth, &at) in app.enabled().iter().enumerate() {
        let m = &app.here.moves[at];
        let style = if nth == app.selected { chosen() } else { Style::new() };
        let number = if nth < 9 { (nth + 1).to_string() } else { " ".to_owned() };
        lines.push(Line::styled(
            paint.text(&format!("{number} {}: {}", m.process, m.text.label)),
            style,
        ));
    }
    for m in app.here.moves.iter().filter(|m| !m.enabled) {
        let reads: Vec<String> = (m.reads.iter())
            .map(|(name, value)| value.as_ref().map_or(name.clone(), |value| format!("{name} = {value}")))
            .collect();
        let because = if reads.is_empty() {
            String::new()
        } else {
            format!(" ({})", reads.join(", "))
        };
        lines.push(Line::styled(
            paint.text(&format!("- {}: {} is blocked{because}", m.process, m.text.label)),
            faint(),
        ));
    }
    if lines.is_empty() {
        lines.push(Line::styled("nothing: every process has finished", faint()));
    }
    // The selected one is in sight.
    let skipped = app.selected.saturating_sub(usize::from(inner.height) / 2);
    let skipped = u16::try_from(skipped).unwrap_or(u16::MAX);
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }).scroll((skipped, 0)), inner);
}

/// The values after the step that is looked at; what it changed comes first.
fn draw_state(app: &App<'_>, frame: &mut Frame<'_>, area: Rect) {
    let recording = &app.here.recording;
    let title = match app.looked_at {
        0 => "state at the start".to_owned(),
        n => format!("state after step {n}"),
    };
    let inner = framed(frame, area, &title, app.subject.ascii);
    let paint = paint(app, inner.width);
    let mut lines = Vec::new();
    let step = app.looked_at.checked_sub(1).and_then(|at| recording.steps.get(at));
    if let Some(step) = step {
        lines.extend(
            touched(step, paint)
                .into_iter()
                .map(|t| Line::styled(paint.text(&t), Style::new().fg(Color::Yellow))),
        );
    }
    for (name, value) in recording.state_after(app.looked_at) {
        if step.is_none_or(|step| step.changes.iter().all(|change| change.name != name)) {
            lines.push(Line::raw(paint.text(&format!("{name} = {value}"))));
        }
    }
    if lines.is_empty() {
        lines.push(Line::styled("no values to show", faint()));
    }
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), inner);
}

/// The source around the step that is looked at, or else around the one that would be taken.
fn draw_source(app: &App<'_>, frame: &mut Frame<'_>, area: Rect) {
    let recording = &app.here.recording;
    let of_step = app
        .looked_at
        .checked_sub(1)
        .and_then(|at| recording.steps.get(at)?.text.at.as_ref());
    let of_move = app.enabled().get(app.selected).and_then(|&at| app.here.moves[at].text.at.as_ref());
    let at = of_step.or(of_move);
    let source = app
        .subject
        .sources
        .iter()
        .find(|s| at.is_some_and(|at| at.file == s.name))
        .or(app.subject.sources.first());
    let Some(source) = source else {
        let inner = framed(frame, area, "source", app.subject.ascii);
        frame.render_widget(Paragraph::new(Line::styled("this program has no text", faint())), inner);
        return;
    };
    let inner = framed(frame, area, &source.name, app.subject.ascii);
    let failed = app
        .looked_at
        .checked_sub(1)
        .and_then(|at| recording.steps.get(at)?.failure.as_ref()?.at.as_ref());
    let paint = paint(app, inner.width);
    let line_here = at.filter(|at| at.file == source.name).map(|at| at.line as usize);
    let lines: Vec<Line<'_>> = source
        .text
        .lines()
        .enumerate()
        .map(|(at, line)| {
            let number = at + 1;
            let fails = failed.is_some_and(|f| f.file == source.name && f.line as usize == number);
            let style = match (fails, line_here == Some(number)) {
                (true, _) => bad(),
                (_, true) => chosen(),
                _ => Style::new(),
            };
            Line::from(vec![
                Span::styled(format!("{number:>4} "), faint()),
                Span::styled(paint.text(line), style),
            ])
        })
        .collect();
    let room = usize::from(inner.height);
    let middle = line_here.unwrap_or(1).saturating_sub(room / 2 + 1);
    let skipped = u16::try_from(middle.min(lines.len().saturating_sub(room))).unwrap_or(u16::MAX);
    frame.render_widget(Paragraph::new(lines).scroll((skipped, 0)), inner);
}

fn draw_help(frame: &mut Frame<'_>) {
    let all = frame.area();
    let (width, height) = (all.width.min(78), all.height.min(HELP.len() as u16 + 2));
    let area = Rect::new((all.width - width) / 2, (all.height - height) / 2, width, height);
    let lines: Vec<Line<'_>> = HELP.iter().map(|(keys, what)| Line::raw(format!("{keys:<19} {what}"))).collect();
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" keys ")), area);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Subject;
    use mazurka_litmus::Machine;
    use mazurka_report::Source;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    const TEXT: &str =
        "init fork[2];\nphilosopher[id<2]:[lock fork[id]]\n[lock fork[(id+1)%2]]\n[unlock fork[id]; unlock fork[(id+1)%2]]\n";

    /// The screen after these keys.
    fn screen(keys: &str, width: u16, height: u16) -> String {
        let program = Machine::parse_file("p.litmus", TEXT).expect("a program").boxed();
        let sources = [Source {
            name: "p.litmus".to_owned(),
            text: TEXT.to_owned(),
        }];
        let subject = Subject {
            program: &*program,
            title: "p.litmus".to_owned(),
            sources: &sources,
            deadlock_is_error: true,
            ascii: false,
        };
        let mut app = App::new(&subject, &[]);
        for c in keys.chars() {
            let code = if c == '\n' { KeyCode::Enter } else { KeyCode::Char(c) };
            assert!(app.key(KeyEvent::new(code, KeyModifiers::NONE), &|| false), "{c} does not quit");
        }
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal in memory");
        terminal.draw(|frame| draw(&app, frame)).expect("nothing is written");
        terminal.backend().to_string()
    }

    #[test]
    fn at_a_deadlock_everything_is_blocked_and_says_why() {
        let seen = screen("f", 140, 40);
        assert!(seen.contains("deadlock: philosopher 0 waits for"), "{seen}");
        assert!(seen.contains("- philosopher 0: lock fork[(id+1)%2] is blocked (fork[1]"), "{seen}");
        assert!(seen.contains("fork[1]: 0 → 2"), "what the last step changed: {seen}");
        assert!(seen.contains("race on"), "{seen}");
    }

    #[test]
    fn two_steps_back_another_path_leads_to_a_good_end() {
        let seen = screen("fbb", 140, 40);
        assert!(seen.contains("0 steps taken, 2 possible"), "{seen}");
        let seen = screen("fbg", 140, 40);
        assert!(seen.contains("the end: every process has finished"), "{seen}");
        let seen = screen("fbn", 140, 40);
        assert!(seen.contains("deadlock:"), "forward goes where one came from: {seen}");
        let seen = screen("gf", 140, 40);
        assert!(seen.contains("there is no failure from here"), "{seen}");
    }

    #[test]
    fn searching_finds_steps_and_help_shows_keys() {
        let seen = screen("g/unlock\n", 140, 40);
        assert!(seen.contains("state after step 3"), "{seen}");
        let seen = screen("g/nothing\n", 140, 40);
        assert!(seen.contains("no step so far has `nothing`"), "{seen}");
        assert!(screen("?", 140, 40).contains("the shortest way from here to a failure"));
        assert!(screen("x", 140, 40).contains("no key here"));
        assert!(screen("r", 140, 40).contains("no race was found"));
    }

    #[test]
    fn small_terminals_are_no_problem() {
        for (width, height) in [(1, 1), (10, 5), (20, 10), (60, 24), (99, 12), (300, 100)] {
            for keys in ["", "f", "f?", "g[[[", "/a"] {
                screen(keys, width, height);
            }
        }
    }
}
