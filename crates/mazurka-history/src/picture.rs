//! A history as a picture: a line for each client, time from left to right.

use crate::history::{Event, History, Operation, OperationId};
use std::fmt::Debug;

/// `Write(1)`, `Read → Some(1)`, `Read → …`.
pub(crate) fn shown<O: Debug, A: Debug>(operation: &Operation<O, A>) -> String {
    match &operation.answer {
        Some(answer) => format!("{:?} → {answer:?}", operation.asked),
        None => format!("{:?} → …", operation.asked),
    }
}

/// The history, with the operation that cannot be explained and an order of those that can.
pub(crate) fn picture<O: Clone + Debug, A: Clone + Debug>(
    history: &History<O, A>,
    culprit: Option<OperationId>,
    explained: &[OperationId],
) -> String {
    let mut clients: Vec<&str> = Vec::new();
    for operation in history.operations() {
        if !clients.contains(&operation.client.as_str()) {
            clients.push(&operation.client);
        }
    }
    let columns = columns(history);
    let end = columns.last().copied().unwrap_or(0) + 2;
    let width = clients.iter().map(|c| c.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for client in clients {
        let (mut line, mut mark) = (vec![' '; end], vec![' '; end]);
        for (at, operation) in history.operations().iter().enumerate().filter(|(_, o)| o.client == client) {
            let (from, to) = history.interval(at);
            let from = columns[from];
            let to = to.map_or(end - 1, |to| columns[to]);
            line[from..=to].fill('─');
            line[from] = '├';
            line[to] = if operation.answer.is_some() { '┤' } else { '…' };
            let text: Vec<char> = shown(operation).chars().collect();
            let begin = from + 1 + (to - from - 1 - text.len()) / 2;
            line[begin..begin + text.len()].copy_from_slice(&text);
            if culprit == Some(OperationId(at)) {
                mark[from..=to].fill('^');
            }
        }
        let text = |line: Vec<char>| line.into_iter().collect::<String>().trim_end().to_owned();
        out.push_str(&format!("{client:>width$}  {}\n", text(line)));
        let mark = text(mark);
        if !mark.is_empty() {
            out.push_str(&format!("{:width$}  {mark}\n", ""));
        }
    }
    if !explained.is_empty() {
        let order: Vec<String> = explained.iter().map(|id| shown(&history.operations()[id.0])).collect();
        out.push_str(&format!("the most that can be explained: {}\n", order.join(", ")));
    }
    out
}

/// Where each event stands: an operation is as wide as its text.
fn columns<O: Clone + Debug, A: Clone + Debug>(history: &History<O, A>) -> Vec<usize> {
    let mut columns: Vec<usize> = Vec::new();
    for event in history.events() {
        let mut at = columns.last().map_or(0, |last| last + 2);
        if let Event::Answered(id) = event {
            at = at.max(columns[history.interval(id.0).0] + shown(&history.operations()[id.0]).chars().count() + 3);
        }
        columns.push(at);
    }
    // What is not answered needs room for its text too.
    let open = history.operations().iter().enumerate().filter(|(_, o)| o.answer.is_none());
    let needed = open
        .map(|(at, o)| columns[history.interval(at).0] + shown(o).chars().count() + 3)
        .max();
    if let (Some(needed), Some(last)) = (needed, columns.last().copied())
        && needed > last
    {
        columns.push(needed);
    }
    columns
}
