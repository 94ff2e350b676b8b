//! Walks over all expressions of a model.

use crate::model::{Claim, Ex, Model, Never, Op, Pattern, Place};

/// Calls `f` for every expression of the model, inner ones first.
pub(crate) fn visit_model(model: &mut Model, f: &mut impl FnMut(&mut Ex)) {
    for first in &mut model.initial {
        visit_place(&mut first.place, f);
        visit(&mut first.value, f);
    }
    for proctype in &mut model.proctypes {
        for first in &mut proctype.initial {
            visit_place(&mut first.place, f);
            visit(&mut first.value, f);
        }
        if let Some(provided) = &mut proctype.provided {
            visit(provided, f);
        }
        for location in &mut proctype.locations {
            for edge in &mut location.edges {
                visit_op(&mut edge.op, f);
            }
        }
    }
}

/// Calls `f` for every expression of the claims, which are no part of what the processes do.
pub(crate) fn visit_claims(claims: &mut [Claim], f: &mut impl FnMut(&mut Ex)) {
    for claim in claims {
        match &mut claim.never {
            Never::Formula { atoms, .. } => atoms.iter_mut().for_each(|atom| visit(atom, f)),
            Never::Process { locations, .. } => {
                let edges = locations.iter_mut().flat_map(|l| &mut l.edges);
                edges.for_each(|edge| visit_op(&mut edge.op, f));
            }
            Never::AcceptLabels | Never::NonProgress => {}
        }
    }
}

fn visit_op(op: &mut Op, f: &mut impl FnMut(&mut Ex)) {
    match op {
        Op::Skip | Op::Else | Op::End => {}
        Op::Condition(e) | Op::Assert(e) => visit(e, f),
        Op::SetPriority(parts) => {
            visit(&mut parts.0, f);
            visit(&mut parts.1, f);
        }
        Op::Assign(place, e) => {
            visit_place(place, f);
            visit(e, f);
        }
        Op::Send { channel, args, .. } => {
            visit(channel, f);
            args.iter_mut().for_each(|a| visit(a, f));
        }
        Op::Receive { channel, pattern, .. } => {
            visit(channel, f);
            visit_pattern(pattern, f);
        }
        Op::Run { args, result, .. } => {
            args.iter_mut().for_each(|a| visit(a, f));
            if let Some(place) = result {
                visit_place(place, f);
            }
        }
        Op::Print(args) => args.iter_mut().for_each(|a| visit(a, f)),
        Op::Deterministic(inside) => {
            for node in &mut inside.nodes {
                node.edges.iter_mut().for_each(|(op, _)| visit_op(op, f));
            }
        }
    }
}

fn visit_pattern(pattern: &mut [Pattern], f: &mut impl FnMut(&mut Ex)) {
    for p in pattern {
        match p {
            Pattern::Match(e) => visit(e, f),
            Pattern::Store(place) => visit_place(place, f),
        }
    }
}

fn visit_place(place: &mut Place, f: &mut impl FnMut(&mut Ex)) {
    place.indices.iter_mut().for_each(|i| visit(&mut i.value, f));
}

fn visit(ex: &mut Ex, f: &mut impl FnMut(&mut Ex)) {
    match ex {
        Ex::Const(_) | Ex::Pid | Ex::ProcessCount | Ex::Timeout | Ex::NonProgress => {}
        Ex::Load(place) => visit_place(place, f),
        Ex::Not(e) | Ex::Negate(e) | Ex::Invert(e) | Ex::Probe(_, e) | Ex::Priority(e) | Ex::Enabled(e) => visit(e, f),
        Ex::Binary(_, parts) => {
            visit(&mut parts.0, f);
            visit(&mut parts.1, f);
        }
        Ex::Conditional(parts) => {
            visit(&mut parts.0, f);
            visit(&mut parts.1, f);
            visit(&mut parts.2, f);
        }
        Ex::Poll { channel, pattern, .. } => {
            visit(channel, f);
            visit_pattern(pattern, f);
        }
        Ex::RemoteLabel { pid, .. } => {
            if let Some(pid) = pid {
                visit(pid, f);
            }
        }
        Ex::RemoteVariable { pid, place, .. } => {
            if let Some(pid) = pid {
                visit(pid, f);
            }
            visit_place(place, f);
        }
    }
    f(ex);
}
