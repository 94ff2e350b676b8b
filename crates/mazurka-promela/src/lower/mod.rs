//! From syntax to the executable form: names and types are resolved, memory is laid out, bodies become control-flow graphs.

mod check;
mod claims;
mod declare;
mod expressions;
mod flow;
mod graph;
mod hidden;
mod layout;
mod listed;
mod loops;
mod priority;
mod remote;
mod statements;

use crate::ast::{Name, Proctype, Unit};
use crate::expansion::Expansions;
use crate::model::{Cell, ChannelSlot, Ex, FRAME_HEADER, FirstValue, Kind, Model, Op, PRIORITY, STATE_HEADER};
use flow::{Content, Flow, SequenceId};
use layout::{Types, Variable};
use mazurka_diagnostics::{Diagnostic, Diagnostics, Span};
use remote::Remote;
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub(crate) use claims::leave_labels_out;

/// SPIN's limit on processes.
pub(crate) const MAX_PROCESSES: usize = 255;
/// The type of a process is kept in a byte.
const MAX_PROCTYPES: usize = 256;
/// Channel numbers are bytes.
pub(crate) const MAX_CHANNELS: usize = 255;

/// Lowers a whole model; `None` if it has errors. `priorities` tells whether the text says something about them.
pub(crate) fn lower(name: &str, units: &[Unit], priorities: bool, diagnostics: &mut Diagnostics) -> Option<Model> {
    let mut lowerer = Lowerer::new(diagnostics, priorities);
    lowerer.announce(units);
    for unit in units {
        lowerer.unit(unit);
    }
    // What a claim speaks of may be declared below it.
    lowerer.in_claim = true;
    for unit in units {
        if let Unit::Claim(claim) = unit {
            lowerer.claim(claim);
        }
    }
    let model = lowerer.finish(name);
    if diagnostics.has_errors() { None } else { Some(model) }
}

/// Memory that is being laid out: the globals, or a frame.
#[derive(Default)]
struct Area {
    size: u32,
    cells: Vec<Cell>,
    channels: Vec<ChannelSlot>,
    initial: Vec<FirstValue>,
    variables: u32,
}

/// A process type whose body is linked but not yet a graph.
struct Body {
    name: Arc<str>,
    parameters: Vec<(u32, Kind)>,
    area: Area,
    provided: Option<Ex>,
    flow: Flow,
    sequence: SequenceId,
    active: usize,
    priority: u8,
    /// Names of locals with where they are, for references from other processes.
    locals: Vec<(Arc<str>, Variable)>,
}

/// What is known of a process type before its body is read.
struct Signature {
    index: usize,
    parameters: Option<usize>,
    span: Span,
}

/// An `mtype` family: its name, if it has one, and its members.
type Family = (Option<Arc<str>>, Vec<Arc<str>>);

pub(crate) struct Lowerer<'a> {
    diagnostics: &'a mut Diagnostics,
    types: Types,
    record_names: FxHashMap<Arc<str>, usize>,
    mtype_families: Vec<Family>,
    mtype_values: FxHashMap<Arc<str>, (i32, usize)>,
    globals: FxHashMap<Arc<str>, Variable>,
    signatures: FxHashMap<Arc<str>, Signature>,
    bodies: Vec<Body>,
    claims: Vec<claims::Read>,
    /// Whether a claim is being read.
    in_claim: bool,
    remotes: Vec<Remote>,
    /// The memory that declarations go to: the globals, or the frame of the process type being read.
    area: Area,
    /// The locals visible now, innermost block last; empty outside of process types.
    scopes: Vec<FxHashMap<Arc<str>, Variable>>,
    /// The block we are in, as a path of block numbers.
    path: Vec<u32>,
    blocks: u32,
    locals: Vec<(Arc<str>, Variable)>,
    flow: Flow,
    /// The loops around, innermost last.
    loops: Vec<usize>,
    /// Whether first values are still set at birth: true until the first statement.
    at_birth: bool,
    temporaries: u32,
    /// Whether processes have priorities.
    priorities: bool,
    /// Where `enabled` is first asked.
    enabled_at: Option<Span>,
}

impl<'a> Lowerer<'a> {
    fn new(diagnostics: &'a mut Diagnostics, priorities: bool) -> Self {
        Lowerer {
            diagnostics,
            types: Types::default(),
            record_names: FxHashMap::default(),
            mtype_families: vec![(None, Vec::new())],
            mtype_values: FxHashMap::default(),
            globals: FxHashMap::default(),
            signatures: FxHashMap::default(),
            bodies: Vec::new(),
            claims: Vec::new(),
            in_claim: false,
            remotes: Vec::new(),
            area: Area {
                size: STATE_HEADER,
                ..Area::default()
            },
            scopes: Vec::new(),
            path: Vec::new(),
            blocks: 0,
            locals: Vec::new(),
            flow: Flow::default(),
            loops: Vec::new(),
            at_birth: true,
            temporaries: 0,
            priorities,
            enabled_at: None,
        }
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>, label: &str) {
        self.diagnostics.push(Diagnostic::error(code, message).label(span, label));
    }

    /// Process types may be used before they are defined.
    fn announce(&mut self, units: &[Unit]) {
        let mut index = 0;
        for unit in units {
            let Unit::Proctype(proctype) = unit else { continue };
            let has_record = |d: &crate::ast::Declaration| matches!(d.base, crate::ast::BaseType::Named(_));
            let parameters = proctype.parameters.iter().map(|d| d.variables.len()).sum();
            let signature = Signature {
                index,
                parameters: (!proctype.parameters.iter().any(has_record)).then_some(parameters),
                span: proctype.name.span,
            };
            if let Some(old) = self.signatures.insert(proctype.name.text.clone(), signature) {
                self.duplicate(&proctype.name, "the process type", old.span);
            }
            index += 1;
        }
    }

    fn duplicate(&mut self, name: &Name, what: &str, before: Span) {
        self.diagnostics.push(
            Diagnostic::error("duplicate", format!("{what} `{}` is defined twice", name.text))
                .label(name.span, "defined again here")
                .label(before, "defined before here"),
        );
    }

    fn unit(&mut self, unit: &Unit) {
        match unit {
            Unit::Declaration(declaration) => self.declaration(declaration, None),
            Unit::Mtype { family, names } => self.mtype(family.as_ref(), names),
            Unit::Typedef { name, fields } => self.typedef(name, fields),
            Unit::Proctype(proctype) => {
                let body = self.body(proctype);
                self.bodies.push(body);
            }
            Unit::Claim(_) => {}
        }
    }

    /// The body of a process type, linked.
    fn body(&mut self, proctype: &Proctype) -> Body {
        let globals = std::mem::take(&mut self.area);
        self.area.size = if self.priorities { PRIORITY + 1 } else { FRAME_HEADER };
        self.scopes = vec![FxHashMap::default()];
        self.flow = Flow::default();
        self.path = Vec::new();
        self.at_birth = true;
        for declaration in &proctype.parameters {
            self.check_parameters(declaration);
            self.declaration(declaration, None);
        }
        let parameters: Vec<(u32, Kind)> = self.area.cells.iter().map(|c| (c.offset, c.kind)).collect();
        self.area.initial.clear();
        self.add_priority();
        let provided = proctype.provided.as_ref().map(|e| self.expression(e));
        let sequence = self.flow.sequence();
        self.open_block();
        for statement in &proctype.body {
            self.statement(statement, sequence);
        }
        self.close_block();
        let end = self.flow.element(Content::Op(Op::End), proctype.end);
        self.flow.append(end, sequence);
        self.flow.close(sequence);
        let active = proctype.active.as_ref().map_or(0, |e| self.instances(e));
        let priority = self.priority(proctype.priority.as_ref());
        let area = std::mem::replace(&mut self.area, globals);
        self.scopes.clear();
        Body {
            name: proctype.name.text.clone(),
            parameters,
            area,
            provided,
            flow: std::mem::take(&mut self.flow),
            sequence,
            active,
            priority,
            locals: std::mem::take(&mut self.locals),
        }
    }

    fn instances(&mut self, count: &crate::ast::Expr) -> usize {
        match self.constant(count) {
            Some(n) if (0..=MAX_PROCESSES as i32).contains(&n) => n as usize,
            Some(n) => {
                self.error(
                    "too-many-processes",
                    count.span,
                    format!("{n} processes: there can be at most {MAX_PROCESSES}"),
                    "",
                );
                0
            }
            None => 0,
        }
    }

    fn finish(mut self, name: &str) -> Model {
        let extra = self.prepare_remote_labels();
        let mut bodies = std::mem::take(&mut self.bodies);
        let mut proctypes = Vec::new();
        let mut numbers = Vec::new();
        let mut active = Vec::new();
        for (index, body) in bodies.iter_mut().enumerate() {
            let graph = graph::build(&mut body.flow, body.sequence, &extra[index], self.diagnostics);
            let mut area = std::mem::take(&mut body.area);
            let frame_size = place_channels(&mut area, &self.types);
            active.extend(std::iter::repeat_n(index, body.active));
            numbers.push(graph.numbers);
            proctypes.push(crate::model::Proctype {
                name: body.name.clone(),
                parameters: body.parameters.clone(),
                initial: area.initial,
                channels: area.channels,
                cells: area.cells,
                frame_size,
                provided: body.provided.take(),
                priority: body.priority,
                locations: graph.locations,
                listed: graph.listed,
                start: graph.start,
                crashed: graph.crashed,
            });
        }
        if proctypes.len() > MAX_PROCTYPES {
            let message = format!("{} process types: there can be at most {MAX_PROCTYPES}", proctypes.len());
            self.diagnostics.push(Diagnostic::error("too-many-process-types", message));
        }
        if active.len() > MAX_PROCESSES {
            let message = format!(
                "{} processes exist from the start: there can be at most {MAX_PROCESSES}",
                active.len()
            );
            self.diagnostics.push(Diagnostic::error("too-many-processes", message));
        }
        let mut area = std::mem::take(&mut self.area);
        let globals_size = place_channels(&mut area, &self.types);
        if area.channels.len() > MAX_CHANNELS {
            let message = format!("{} channels: there can be at most {MAX_CHANNELS}", area.channels.len());
            self.diagnostics.push(Diagnostic::error("too-many-channels", message));
        }
        let hidden = area
            .cells
            .iter()
            .filter(|c| c.hidden)
            .map(|c| c.offset..c.offset + c.kind.size())
            .collect();
        let claims = self.finish_claims();
        let mut model = Model {
            claims,
            name: name.to_string(),
            hidden,
            cells: area.cells,
            initial: area.initial,
            global_channels: area.channels,
            channels: std::mem::take(&mut self.types.channels),
            globals_size,
            proctypes,
            active,
            priorities: self.priorities,
            ranked: self.priorities,
            expansions: Expansions::default(),
            mtypes: self.mtype_families.iter().map(|(_, names)| names.clone()).collect(),
        };
        self.resolve_remotes(&mut model, &bodies, &numbers);
        hidden::show_what_is_read(&mut model);
        self.check_model(&model);
        self.check_priorities(&mut model);
        model
    }

    fn open_block(&mut self) {
        self.blocks += 1;
        self.path.push(self.blocks);
        self.scopes.push(FxHashMap::default());
    }

    fn close_block(&mut self) {
        self.path.pop();
        self.scopes.pop();
    }
}

/// Puts the messages of channels behind the variables; returns the size of the whole area.
fn place_channels(area: &mut Area, types: &Types) -> u32 {
    let mut size = area.size;
    for slot in &mut area.channels {
        slot.storage = size;
        size += types.channels[slot.channel].size();
    }
    size
}
