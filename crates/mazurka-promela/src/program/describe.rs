//! What a person sees of a model: statements as they are written, variables by name, why processes wait.

use super::locations::Meaning as Place;
use super::{Promela, Run};
use crate::machine::{Eval, Micro, State, load};
use crate::model::{Cell, ChannelSlot, Edge, Ex, Location as ControlPoint, Meaning, Op, Operator};
use mazurka_core::{Describe, Location, Process, StepText, Transition, Wait, locked};
use mazurka_diagnostics::Span;

/// Statements of one step that are shown one after the other.
const SHOWN: usize = 4;

impl Promela {
    pub(super) fn here(&self, run: &Run, slot: usize) -> &ControlPoint {
        &self.machine.model().proctypes[run.state.proctype(slot)].locations[run.state.location(slot) as usize]
    }

    /// `init`, or the process type with the pid.
    pub(super) fn name_of(&self, run: &Run, slot: usize) -> String {
        let proctype = run.state.proctype(slot);
        let name = &self.machine.model().proctypes[proctype].name;
        if &**name == "init" {
            name.to_string()
        } else {
            format!("{name} {slot}")
        }
    }

    /// The processes that wait where they must not, by pid.
    pub(super) fn blocked(&self, run: &Run) -> Vec<usize> {
        (0..run.state.processes()).filter(|&slot| !self.here(run, slot).is_end).collect()
    }

    fn micro_text(&self, proctype: usize, location: u32, edge: u32) -> String {
        let proctype = &self.machine.model().proctypes[proctype];
        let edges = &proctype.locations[location as usize].edges;
        let Some(edge) = edges.get(edge as usize) else {
            return String::new();
        };
        if let Some(part) = self.part_of_for(&edge.op, edge.span) {
            return part;
        }
        match edge.op {
            Op::End => "ends".to_string(),
            Op::Else => {
                let conditions = edges.iter().filter(|e| matches!(e.op, Op::Condition(_)));
                match conditions.map(|e| self.text(e.span)).collect::<Vec<_>>().as_slice() {
                    [one] => format!("else (not {one})"),
                    _ => "else".to_string(),
                }
            }
            _ => self.text(edge.span),
        }
    }

    /// A `for` is several statements to the machine, all of which stand at the same place: which of them this is.
    fn part_of_for(&self, op: &Op, span: Span) -> Option<String> {
        let head = self.source_text(span).strip_prefix("for")?.trim_start().strip_prefix('(')?;
        let (variable, range) = head.split_once(':')?;
        let (from, rest) = range.split_once("..")?;
        // The end of the range is an expression, which may have parentheses of its own.
        let mut depth = 0;
        let end = rest.char_indices().find(|(_, c)| {
            depth += match c {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            depth < 0
        });
        let (variable, from, to) = (variable.trim(), from.trim(), rest[..end?.0].trim());
        Some(match op {
            Op::Assign(_, Ex::Binary(Operator::Add, sum)) if sum.1 == Ex::Const(1) && from != format!("{variable} + 1") => {
                format!("for: {variable}++")
            }
            Op::Assign(..) => format!("for: {variable} = {from}"),
            Op::Condition(_) => format!("for: {variable} <= {to}"),
            Op::Else => format!("for ends: not {variable} <= {to}"),
            _ => return None,
        })
    }

    /// The process type with this name, as last seen.
    fn proctype_of(&self, name: u32) -> usize {
        locked(&self.proctypes).get(name as usize).copied().unwrap_or(0)
    }

    fn value_text(&self, meaning: Meaning, value: i32) -> String {
        match meaning {
            Meaning::Number => value.to_string(),
            Meaning::Mtype(family) => {
                let names = &self.machine.model().mtypes[family];
                let name = usize::try_from(value).ok().and_then(|v| names.get(v.checked_sub(1)?));
                name.map_or_else(|| value.to_string(), |n| n.to_string())
            }
            Meaning::Channel if value == 0 => "no channel".to_string(),
            Meaning::Channel => format!("channel {value}"),
        }
    }

    fn cell_text(&self, state: &State, base: usize, cell: &Cell) -> String {
        self.value_text(cell.meaning, load(state.bytes(), base + cell.offset as usize, cell.kind))
    }

    fn channel_text(&self, state: &State, number: usize) -> String {
        let Ok(queue) = self.machine.queue(state, number as i32) else {
            return String::new();
        };
        let messages = (0..queue.len()).map(|m| {
            let message = queue.message(m);
            let fields = message.iter().zip(&queue.channel.meanings);
            let fields: Vec<String> = fields.map(|(&v, &m)| self.value_text(m, v)).collect();
            match &fields[..] {
                [one] => one.clone(),
                many => format!("({})", many.join(", ")),
            }
        });
        format!("[{}]", messages.collect::<Vec<_>>().join(", "))
    }

    /// Why a send cannot be executed: ` (full, 2 of 2)`.
    fn fullness(&self, run: &Run, slot: usize, op: &Op) -> String {
        let Op::Send { channel, .. } = op else { return String::new() };
        let number = Eval::new(&self.machine, &run.state, slot, false).value(channel);
        match self.machine.queue(&run.state, number) {
            Ok(queue) if queue.channel.capacity > 0 && queue.len() == queue.channel.capacity => {
                format!(" (full, {} of {})", queue.len(), queue.channel.capacity)
            }
            _ => String::new(),
        }
    }

    /// The names of all channels, by number.
    fn channel_names(&self, run: &Run) -> Vec<String> {
        let model = self.machine.model();
        let name_in = |cells: &[Cell], slot: &ChannelSlot| {
            let cell = cells.iter().find(|c| c.offset == slot.variable);
            cell.map_or_else(|| model.channels[slot.channel].name.clone(), |c| c.name.clone())
        };
        let mut names: Vec<String> = model.global_channels.iter().map(|s| name_in(&model.cells, s)).collect();
        for slot in 0..run.state.processes() {
            let proctype = &model.proctypes[run.state.proctype(slot)];
            let own = proctype.channels.iter().map(|s| name_in(&proctype.cells, s));
            names.extend(own.map(|name| format!("{}: {name}", self.name_of(run, slot))));
        }
        names
    }

    /// The values of the globals, or of a process: its variables, then its channels, of which `before` have lower numbers. A channel
    /// variable that stands for the channel declared with it is told by what is in that.
    fn add_values(&self, run: &Run, process: Option<usize>, channels: &[String], before: usize, out: &mut Vec<(String, String)>) {
        let model = self.machine.model();
        let (cells, own, base, prefix) = match process {
            None => (&model.cells, &model.global_channels, 0, String::new()),
            Some(slot) => {
                let proctype = &model.proctypes[run.state.proctype(slot)];
                let prefix = format!("{}: ", self.name_of(run, slot));
                (&proctype.cells, &proctype.channels, run.state.frame(slot), prefix)
            }
        };
        for cell in cells {
            let name = format!("{prefix}{}", cell.name);
            if cell.meaning != Meaning::Channel {
                out.push((name, self.cell_text(&run.state, base, cell)));
                continue;
            }
            let declared = own.iter().position(|s| s.variable == cell.offset).map(|nth| before + nth);
            let number = load(run.state.bytes(), base + cell.offset as usize, cell.kind);
            let refers_to = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
            match declared {
                Some(_) if declared == refers_to => {}
                // What is in the channel that it was has the name already.
                Some(_) => out.push((format!("{prefix}variable {}", cell.name), self.reference_text(number, channels))),
                None => out.push((name, self.reference_text(number, channels))),
            }
        }
        for (nth, slot) in own.iter().enumerate() {
            if model.channels[slot.channel].capacity > 0 {
                out.push((channels[before + nth].clone(), self.channel_text(&run.state, before + nth + 1)));
            }
        }
    }

    /// The channel with this number by its name.
    fn reference_text(&self, number: i32, channels: &[String]) -> String {
        let index = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
        match index.and_then(|i| channels.get(i)) {
            Some(name) => name.clone(),
            None => self.value_text(Meaning::Channel, number),
        }
    }

    /// The statements of a step; of one that cannot be taken, the first.
    fn micros(&self, run: &Run, transition: Transition) -> Vec<Micro> {
        let first = |head: &super::moves::Head| Micro {
            slot: head.slot,
            location: run.state.location(head.slot),
            edge: head.edge,
            partner: None,
        };
        let heads = || self.heads(run, transition).first().map(first).into_iter().collect();
        self.path(run, transition).unwrap_or_else(heads)
    }

    /// The process types of the processes that are one to the engine because they may meet.
    fn group_name(&self, process: Process) -> Option<String> {
        let cluster = self.groups.iter().position(|&g| g == process.0)?;
        let proctypes = self.analysis.clusters[cluster].proctypes.iter();
        let names: Vec<&str> = proctypes.map(|&p| &*self.machine.model().proctypes[p].name).collect();
        Some(names.join(" & "))
    }
}

impl Describe for Promela {
    fn process_key(&self, process: Process) -> String {
        self.names.path(process.0)
    }

    fn process_name(&self, run: &Run, process: Process) -> String {
        if let Some(name) = self.group_name(process) {
            return name;
        }
        if let Some(slot) = self.slots(run, process).next() {
            return self.name_of(run, slot);
        }
        let name = &self.machine.model().proctypes[self.proctype_of(process.0)].name;
        match self.names.birth(process.0) {
            (None, nth) if &**name != "init" => format!("{name} {nth}"),
            (None, _) => name.to_string(),
            (Some(_), _) => format!("{name} ({})", self.names.path(process.0)),
        }
    }

    fn agent(&self, run: &Run, transition: Transition) -> Option<String> {
        self.group_name(transition.process)?;
        let first = self.micros(run, transition).first().map(|m| m.slot)?;
        (first < run.state.processes()).then(|| self.name_of(run, first))
    }

    fn describe(&self, run: &Run, transition: Transition) -> StepText {
        let micros = self.micros(run, transition);
        // What a process does that the step itself starts is left out: it has no name yet.
        let known = |slot: usize| slot < run.state.processes();
        let grouped = self.group_name(transition.process).is_some();
        let mut texts: Vec<String> = Vec::new();
        let mut sends = Vec::new();
        for micro in micros.iter().filter(|m| known(m.slot)) {
            let mut text = self.micro_text(run.state.proctype(micro.slot), micro.location, micro.edge);
            // The first to move heads the column.
            if grouped && micros.first().is_some_and(|m| m.slot != micro.slot) {
                text = format!("{}: {text}", self.name_of(run, micro.slot));
            }
            if let Some(partner) = micro.partner.filter(|p| known(p.slot)) {
                let received = self.micro_text(run.state.proctype(partner.slot), partner.location, partner.edge);
                let receiver = self.name_of(run, partner.slot);
                let channel = text
                    .split_once('!')
                    .map_or("", |(channel, _)| channel.rsplit(": ").next().unwrap_or(channel));
                sends.push((receiver.clone(), channel.trim().to_string()));
                text = format!("{text} with {receiver}: {received}");
            }
            texts.push(text);
        }
        if texts.len() > SHOWN {
            texts.truncate(SHOWN);
            texts.push("…".to_string());
        }
        let at = micros.first().filter(|m| known(m.slot)).and_then(|m| {
            let point = self.here(run, m.slot);
            self.position(point.edges.get(m.edge as usize).map_or(point.span, |e| e.span))
        });
        StepText {
            label: texts.join("; "),
            at,
            sends,
        }
    }

    fn location_name(&self, location: Location) -> String {
        let model = self.machine.model();
        let process = |name: u32| format!("{} ({})", model.proctypes[self.proctype_of(name)].name, self.names.path(name));
        match self.locations.meaning(location) {
            Place::Population => "the set of processes".to_string(),
            Place::Births => "the births of processes".to_string(),
            Place::Everything => "everything".to_string(),
            Place::Channels => "all channels".to_string(),
            Place::Priorities => "the priorities of processes".to_string(),
            Place::Processes(proctype) => format!("the processes of type {}", model.proctypes[proctype].name),
            Place::Cell(cell) => {
                let name = &model.cells[cell].name;
                match self.locations.is_coarse(cell as u32) {
                    true => name.split(['[', '.']).next().unwrap_or(name).to_string(),
                    false => name.clone(),
                }
            }
            Place::Channel(number) => format!("channel {}", model.channels[model.global_channels[number - 1].channel].name),
            Place::OwnChannel(name, channel) => {
                let slot = model.proctypes[self.proctype_of(name)].channels.get(channel);
                let channel = slot.map_or("", |s| &*model.channels[s.channel].name);
                format!("channel {channel} of {}", process(name))
            }
        }
    }

    fn waits(&self, run: &Run) -> Vec<Wait> {
        let wait = |slot: usize| {
            let point = self.here(run, slot);
            let waits_for = |e: &Edge| self.text(e.span) + &self.fullness(run, slot, &e.op);
            let mut alternatives: Vec<String> = point.edges.iter().map(waits_for).collect();
            alternatives.dedup();
            Wait {
                process: self.process_at(run, slot),
                agent: Some(self.name_of(run, slot)).filter(|_| self.group_name(self.process_at(run, slot)).is_some()),
                what: alternatives.join(" or "),
                on: None,
                at: self.position(point.edges.first().map_or(point.span, |e| e.span)),
            }
        };
        self.blocked(run).into_iter().map(wait).collect()
    }

    fn values(&self, run: &Run) -> Vec<(String, String)> {
        let model = self.machine.model();
        let channels = self.channel_names(run);
        let mut out = Vec::new();
        self.add_values(run, None, &channels, 0, &mut out);
        let mut number = model.global_channels.len();
        for slot in 0..run.state.processes() {
            self.add_values(run, Some(slot), &channels, number, &mut out);
            number += model.proctypes[run.state.proctype(slot)].channels.len();
        }
        out
    }
}
