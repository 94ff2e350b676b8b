//! The graph of a failure as text.

use crate::runtime::op::Op;
use crate::runtime::{Execution, Native};
use mazurka_weak::{Caption, EventId, Graph, Kind, Order, Source};

/// The graph, with the operations of the code.
pub(super) fn picture(native: &Native, graph: &Graph, run: &Execution) -> String {
    let threads: Vec<String> = (0..graph.threads()).map(|thread| run.name_of(thread)).collect();
    mazurka_weak::picture(graph, &threads, |id| caption(native, graph, run, id))
}

fn caption(native: &Native, graph: &Graph, run: &Execution, id: EventId) -> Option<Caption> {
    let event = graph.event(id);
    let taken = run.log().iter().filter(|e| e.process == event.thread).nth(event.index as usize)?;
    let promises = match event.order {
        Order::Plain => String::new(),
        order => format!(" {order:?}"),
    };
    let objects = taken.op.objects();
    let location = objects.first().map_or(String::new(), |object| native.describe_object(*object));
    let value = |source: Source| match source {
        Source::Initial => objects.first().map_or(0, |object| run.first_value(*object)),
        Source::Event(write) => graph.event(write).value,
    };
    let number = |value: u64| match i64::try_from(value) {
        Ok(small) if small < 1 << 32 => small.to_string(),
        // Addresses and negative numbers are easier to tell apart like this.
        _ => format!("{value:#x}"),
    };
    let text = match (taken.op, event.kind) {
        (Op::Load(_), Kind::Read) => format!("{location} = {}{promises}", number(value(event.source))),
        (Op::Store(_), Kind::Write) => format!("{location} := {}{promises}", number(event.value)),
        (Op::Update(_), Kind::Update) if run.has_value(taken.op) => {
            format!("{location}: {} → {}{promises}", number(value(event.source)), number(event.value))
        }
        (Op::Update(_), Kind::Read) => format!("{location} = {}{promises}, not replaced", number(value(event.source))),
        (Op::Choose(1), Kind::Fence) if event.order == Order::Relaxed => return None,
        (Op::Choose(1), Kind::Fence) => format!("fence{promises}"),
        (op, _) => native.describe_op(op),
    };
    let at = format!("{}:{}", taken.at.line(), taken.at.column());
    Some(Caption { text, location, at })
}
