//! What is drawn.

use crate::app::App;
use crate::mouse::Spots;
use mazurka_core::schedule::{Move, Recording};
use mazurka_report::paint::width as columns_of;
use mazurka_report::units::counted;
use mazurka_report::values::touched;
use mazurka_report::{Paint, columns, verdict};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

const HELP: [(&str, &str); 15] = [
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
    ("click, wheel", "take or look at what is clicked; through the steps"),
    ("m", "give the mouse to the terminal, or take it back"),
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

/// Draws everything, and says where what can be clicked is.
pub(crate) fn draw(app: &App<'_>, frame: &mut Frame<'_>) -> Spots {
    let mut spots = Spots::default();
    let [head, body, foot] = Layout::vertical([Constraint::Length(1), Constraint::Min(4), Constraint::Length(1)]).areas(frame.area());
    frame.render_widget(Paragraph::new(title(app)), head);
    // Side by side where there is room.
    if body.width >= 100 {
        let [left, right] = Layout::horizontal([Constraint::Percentage(58), Constraint::Percentage(42)]).areas(body);
        let [steps, source] = Layout::vertical([Constraint::Percentage(60), Constraint::Percentage(40)]).areas(left);
        let [moves, state] = Layout::vertical([Constraint::Percentage(50), Constraint::Percentage(50)]).areas(right);
        draw_steps(app, frame, steps, &mut spots);
        draw_source(app, frame, source);
        draw_moves(app, frame, moves, &mut spots);
        draw_state(app, frame, state);
    } else {
        let parts = [40, 25, 20, 15].map(Constraint::Percentage);
        let [steps, moves, state, source] = Layout::vertical(parts).areas(body);
        draw_steps(app, frame, steps, &mut spots);
        draw_moves(app, frame, moves, &mut spots);
        draw_state(app, frame, state);
        draw_source(app, frame, source);
    }
    frame.render_widget(Paragraph::new(footer(app)), foot);
    if app.shows_help {
        draw_help(frame);
    }
    spots
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
        None => Span::raw(format!(
            "{} taken, {} possible",
            counted(recording.steps.len() as u64, "step"),
            app.enabled().len()
        )),
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
fn draw_steps(app: &App<'_>, frame: &mut Frame<'_>, area: Rect, spots: &mut Spots) {
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
    let (mut now, mut first) = (0usize, 0usize);
    let (mut lines, mut numbers) = (Vec::new(), Vec::new());
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
        numbers.push((at > 0 && (1..=recording.steps.len()).contains(&now)).then_some(now));
        let style = match (at, is_looked_at) {
            (0, _) => Style::new().add_modifier(Modifier::BOLD),
            (_, true) => chosen(),
            _ => Style::new(),
        };
        lines.push(Line::styled(line.to_owned(), style));
    }
    // The names of the columns stay in sight.
    let [head, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(inner);
    let names: Vec<_> = lines.drain(..lines.len().min(1)).collect();
    frame.render_widget(Paragraph::new(names), head);
    numbers.drain(..numbers.len().min(1));
    let first = first.saturating_sub(1);
    let room = usize::from(body.height);
    let below = if app.looked_at == recording.steps.len() {
        lines.len()
    } else {
        first + room / 2
    };
    let skipped = below.min(lines.len()).saturating_sub(room).min(first);
    for (row, number) in body.rows().zip(&numbers[skipped..]) {
        spots.steps.extend(number.map(|number| (row, number)));
    }
    let skipped = u16::try_from(skipped).unwrap_or(u16::MAX);
    frame.render_widget(Paragraph::new(lines).scroll((skipped, 0)), body);
}

fn draw_moves(app: &App<'_>, frame: &mut Frame<'_>, area: Rect, spots: &mut Spots) {
    let inner = framed(frame, area, "what can be done", app.subject.ascii);
    let paint = paint(app, inner.width);
    let (mut lines, mut of_move) = (Vec::new(), Vec::new());
    let mut add = |text: String, style: Style, which: Option<usize>| {
        for line in in_lines(&paint.text(&text), usize::from(inner.width)) {
            lines.push(Line::styled(line, style));
            of_move.push(which);
        }
    };
    for (nth, &at) in app.enabled().iter().enumerate() {
        let m = &app.here.moves[at];
        let style = if nth == app.selected { chosen() } else { Style::new() };
        let number = if nth < 9 { (nth + 1).to_string() } else { " ".to_owned() };
        add(format!("{number} {}: {}", m.process, m.text.label), style, Some(nth));
    }
    for m in app.here.moves.iter().filter(|m| !m.enabled) {
        let because = match why(m, &app.here.recording) {
            because if because.is_empty() => because,
            because => format!(" ({because})"),
        };
        add(format!("- {}: {} is blocked{because}", m.process, m.text.label), faint(), None);
    }
    if app.here.moves.is_empty() {
        let why = match app.here.recording.failure {
            Some(_) => "nothing: an execution ends where it fails",
            None => "nothing: every process has finished",
        };
        add(why.to_owned(), faint(), None);
    }
    // The selected one is in sight.
    let selected = of_move.iter().position(|which| *which == Some(app.selected)).unwrap_or(0);
    let skipped = selected.saturating_sub(usize::from(inner.height) / 2);
    for (row, which) in inner.rows().zip(&of_move[skipped..]) {
        spots.moves.extend(which.map(|which| (row, which)));
    }
    let skipped = u16::try_from(skipped).unwrap_or(u16::MAX);
    frame.render_widget(Paragraph::new(lines).scroll((skipped, 0)), inner);
}

/// Why a step is blocked: the values that its guard reads, or else what the program says that it waits for.
fn why(m: &Move, recording: &Recording) -> String {
    let wait = recording.waits.iter().find(|wait| wait.key == m.key);
    if let Some(wait) = wait.filter(|_| m.reads.iter().all(|(_, value)| value.is_none())) {
        return format!("waits for {}", wait.what);
    }
    let told = |(name, value): &(String, Option<String>)| value.as_ref().map_or(name.clone(), |value| format!("{name} = {value}"));
    m.reads.iter().map(told).collect::<Vec<_>>().join(", ")
}

/// The text in lines of this width, broken at spaces where that is possible.
fn in_lines(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let fits = |line: &str, more: &str| columns_of(line) + columns_of(more.trim_end()) <= width;
    for word in text.split_inclusive(' ') {
        if !lines.last().is_some_and(|line| line.is_empty() || fits(line, word)) {
            lines.push(String::new());
        }
        for c in word.chars() {
            let sign = c.to_string();
            if !lines.last().is_some_and(|line| line.is_empty() || fits(line, &sign)) {
                lines.push(String::new());
            }
            lines.last_mut().expect("there is one").push(c);
        }
    }
    lines
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
mod tests;
