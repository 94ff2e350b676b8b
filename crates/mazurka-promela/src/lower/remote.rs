//! References to labels and variables of other processes, resolved when all process types are known.

use super::flow::{Content, ElementId};
use super::layout::Type;
use super::{Body, Lowerer};
use crate::ast::Name;
use crate::model::{Ex, Index, Model, Op, Place, Space};
use crate::visit::{visit_claims, visit_model};
use mazurka_diagnostics::{Diagnostic, Span};
use rustc_hash::FxHashMap;

/// What is asked about another process.
#[derive(Clone, Debug)]
pub(super) enum Remote {
    Label { proctype: usize, name: Name, span: Span },
    Variable { proctype: usize, name: Name, span: Span },
}

/// What a request turned out to mean.
enum Answer {
    Location(u32),
    Place {
        offset: u32,
        kind: crate::model::Kind,
        length: Option<u32>,
    },
    Unknown,
}

impl Lowerer<'_> {
    /// Makes every label that is asked about a location of its own; returns these elements per process type.
    pub(super) fn prepare_remote_labels(&mut self) -> Vec<Vec<ElementId>> {
        let mut extra = vec![Vec::new(); self.bodies.len()];
        for remote in self.remotes.clone() {
            let Remote::Label { proctype, name, span } = remote else { continue };
            let flow = &mut self.bodies[proctype].flow;
            let Some(element) = super::graph::find_label(flow, &name.text, &[]) else {
                let known: Vec<_> = flow.labels.iter().map(|l| l.name.clone()).collect();
                let message = Diagnostic::error("unknown-label", format!("the process type has no label `{}`", name.text))
                    .label(span, "not found")
                    .did_you_mean(&name.text, known.iter().map(|k| &**k));
                self.diagnostics.push(message);
                continue;
            };
            // A jump is no point where a process rests; a `skip` in front of it is.
            if matches!(flow.elements[element].content, Content::Goto(_)) {
                let jump = flow.element(flow.elements[element].content.clone(), flow.elements[element].span);
                flow.elements[jump].next = flow.elements[element].next;
                flow.elements[jump].status = flow.elements[element].status;
                flow.elements[element].content = Content::Op(Op::Skip);
                flow.elements[element].next = Some(jump);
                for sequence in &mut flow.sequences {
                    if sequence.last == Some(element) {
                        sequence.last = Some(jump);
                    }
                }
            }
            extra[proctype].push(element);
        }
        extra
    }

    /// Replaces the numbers of requests in the model by what they mean.
    pub(super) fn resolve_remotes(&mut self, model: &mut Model, bodies: &[Body], numbers: &[FxHashMap<ElementId, u32>]) {
        if self.remotes.is_empty() {
            return;
        }
        let answers: Vec<Answer> = self
            .remotes
            .clone()
            .iter()
            .map(|remote| match remote {
                Remote::Label { proctype, name, .. } => {
                    let element = super::graph::find_label(&bodies[*proctype].flow, &name.text, &[]);
                    let location = element.and_then(|e| numbers[*proctype].get(&e));
                    location.map_or(Answer::Unknown, |&l| Answer::Location(l))
                }
                Remote::Variable { proctype, name, span } => self.remote_place(&bodies[*proctype], name, *span),
            })
            .collect();
        let mut replace = |ex: &mut Ex| match ex {
            Ex::RemoteLabel { location, .. } => {
                if let Some(Answer::Location(found)) = answers.get(*location as usize) {
                    *location = *found;
                }
            }
            Ex::RemoteVariable { place, .. } if place.space == Space::Nowhere => {
                if let Some(Answer::Place { offset, kind, length }) = answers.get(place.offset as usize) {
                    let stride = kind.size();
                    let index = std::mem::take(&mut place.indices).into_vec().into_iter().next().map(|i| Index {
                        value: i.value,
                        length: length.unwrap_or(1),
                        stride,
                    });
                    **place = Place {
                        space: Space::Local,
                        offset: *offset,
                        kind: *kind,
                        indices: index.into_iter().collect(),
                    };
                }
            }
            _ => {}
        };
        visit_model(model, &mut replace);
        visit_claims(&mut model.claims, &mut replace);
    }

    fn remote_place(&mut self, body: &Body, name: &Name, span: Span) -> Answer {
        let Some((_, variable)) = body.locals.iter().find(|(n, _)| *n == name.text) else {
            let known = body.locals.iter().map(|(n, _)| &**n);
            let message = Diagnostic::error("unknown-name", format!("`{}` has no local variable `{}`", body.name, name.text))
                .label(span, "not found")
                .did_you_mean(&name.text, known);
            self.diagnostics.push(message);
            return Answer::Unknown;
        };
        match variable.ty {
            Type::Scalar(kind, _) => Answer::Place {
                offset: variable.offset,
                kind: super::layout::element_kind(kind, variable.length.is_some()),
                length: variable.length,
            },
            Type::Record(_) => {
                self.error("type", span, "a record of another process cannot be read", "");
                Answer::Unknown
            }
        }
    }
}
