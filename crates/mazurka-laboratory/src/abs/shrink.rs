//! From a model that shows a difference to a small one that still does, by cutting pieces out of its text.
//!
//! The syntax tree says where the pieces are; whatever no longer checks as a model is not a candidate.

use super::model::Model;
use super::visit::{Item, parts, walk};
use mazurka_abs::syntax::ast::{DeclKind, Expr, ExprKind, StmtKind};
use mazurka_diagnostics::Span;

/// Texts that were tried are few: a model has some dozens of pieces.
const MOST_TRIALS: usize = 4_000;

/// Pieces of text and what takes their place.
type Edit = Vec<(Span, String)>;

/// Makes the model smaller for as long as `fails` says that it still shows what it is about.
pub fn shrink(text: &str, mut fails: impl FnMut(&Model) -> bool) -> String {
    let mut best = text.to_owned();
    let mut trials = 0;
    'smaller: loop {
        let Ok(model) = Model::parse(&best) else { return best };
        for edit in edits(&model) {
            let shorter = apply(&best, model.start(), edit);
            trials += 1;
            if trials > MOST_TRIALS {
                return best;
            }
            if size(&shorter) < size(&best) && Model::parse(&shorter).is_ok_and(|m| fails(&m)) {
                best = shorter;
                continue 'smaller;
            }
        }
        return tidy(&best, fails);
    }
}

/// Fewer words are better, then fewer letters: a constant instead of a name.
fn size(text: &str) -> (usize, usize) {
    let word = |c: char| !c.is_alphanumeric();
    (
        text.split(word).filter(|w| !w.is_empty()).count(),
        text.split_whitespace().map(str::len).sum(),
    )
}

/// Without empty lines.
fn tidy(text: &str, mut fails: impl FnMut(&Model) -> bool) -> String {
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    let tidy = lines.join("\n") + "\n";
    if Model::parse(&tidy).is_ok_and(|m| fails(&m)) {
        tidy
    } else {
        text.to_owned()
    }
}

fn apply(text: &str, start: u32, mut edit: Edit) -> String {
    edit.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut out = text.to_owned();
    for (span, new) in edit {
        out.replace_range((span.start - start) as usize..(span.end - start) as usize, &new);
    }
    out
}

/// Cuts, the boldest first.
fn edits(model: &Model) -> Vec<Edit> {
    let mut edits = Vec::new();
    let cut = |span: Span| (span, String::new());
    let decls = || model.tree().modules.iter().flat_map(|m| &m.decls);
    edits.extend(decls().map(|d| vec![cut(d.span)]));
    // A method goes from the interfaces and the classes at once, and alone.
    let mut methods: Vec<(&str, Span)> = Vec::new();
    for decl in decls() {
        match &decl.kind {
            DeclKind::Interface(i) => methods.extend(i.methods.iter().map(|m| (&*m.name.text, model.with_semicolon(m.span)))),
            DeclKind::Class(c) => methods.extend(c.methods.iter().map(|m| (&*m.sig.name.text, m.sig.span.to(m.body.span)))),
            _ => {}
        }
    }
    let mut names: Vec<&str> = methods.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    names.dedup();
    edits.extend(
        names
            .iter()
            .map(|n| methods.iter().filter(|(m, _)| m == n).map(|(_, s)| cut(*s)).collect()),
    );
    for decl in decls() {
        if let DeclKind::Class(c) = &decl.kind {
            for field in &c.fields {
                let end = field.init.as_ref().map_or(field.name.span, |e| e.span);
                edits.push(vec![cut(model.with_semicolon(field.ty.span.to(end)))]);
            }
            edits.extend(c.init.iter().map(|b| vec![cut(b.span)]));
        }
    }
    walk(model.tree(), &mut |item, _| match item {
        Item::Stmt(s) => {
            edits.push(vec![cut(s.span)]);
            let mut keep = |span: Span| edits.push(vec![(s.span, model.text(span).to_owned())]);
            match &s.kind {
                StmtKind::If(_, then, otherwise) => {
                    keep(then.span);
                    otherwise.iter().for_each(|o| keep(o.span));
                }
                StmtKind::While(_, body) | StmtKind::Foreach(_, _, _, body) => keep(body.span),
                StmtKind::Try(body, branches, finally) => {
                    keep(body.span);
                    branches.iter().for_each(|b| keep(b.body.span));
                    if let Some(last) = finally {
                        edits.push(vec![cut(Span {
                            start: branches.last().map_or(body.span.end, |b| b.body.span.end),
                            ..last.span
                        })]);
                    }
                }
                StmtKind::Switch(_, branches) => branches.iter().for_each(|b| keep(b.body.span)),
                StmtKind::Block(block) => {
                    if let (Some(first), Some(last)) = (block.stmts.first(), block.stmts.last()) {
                        keep(first.span.to(last.span));
                    }
                }
                _ => {}
            }
        }
        Item::Guard(g) => {
            if let mazurka_abs::syntax::ast::GuardKind::And(a, b) = &g.kind {
                edits.push(vec![(g.span, model.text(a.span).to_owned())]);
                edits.push(vec![(g.span, model.text(b.span).to_owned())]);
            }
        }
        Item::Expr(e) => edits.extend(simpler(model, e).into_iter().map(|new| vec![(e.span, new)])),
    });
    edits.extend(parameters(model));
    edits
}

/// Texts that could stand for an expression.
fn simpler(model: &Model, e: &Expr) -> Vec<String> {
    let mut out: Vec<String> = match e.kind {
        ExprKind::Int(_) | ExprKind::Null | ExprKind::Str(_) | ExprKind::New(..) => Vec::new(),
        _ => ["0", "1", "True", "False", "Nil", "null", "\"\"", "A"].map(str::to_owned).to_vec(),
    };
    out.extend(parts(e).into_iter().map(|p| model.text(p.span).to_owned()));
    out
}

/// A parameter goes with all its arguments.
fn parameters(model: &Model) -> Vec<Edit> {
    let mut all: Vec<(String, usize)> = Vec::new();
    let mut heads = Vec::new();
    for decl in model.tree().modules.iter().flat_map(|m| &m.decls) {
        match &decl.kind {
            DeclKind::Interface(i) => heads.extend(i.methods.iter()),
            DeclKind::Class(c) => heads.extend(c.methods.iter().map(|m| &m.sig)),
            _ => {}
        }
    }
    for head in &heads {
        all.extend((0..head.params.len()).map(|n| (head.name.text.to_string(), n)));
    }
    all.sort();
    all.dedup();
    let one = |(name, n): (String, usize)| {
        let mut edit: Edit = Vec::new();
        for head in heads.iter().filter(|h| *h.name.text == *name) {
            let spans: Vec<Span> = head.params.iter().map(|p| p.ty.span.to(p.name.span)).collect();
            edit.extend(without(&spans, n));
        }
        walk(model.tree(), &mut |item, _| {
            if let Item::Expr(e) = item
                && let ExprKind::AsyncCall(_, m, args) | ExprKind::AwaitCall(_, m, args) | ExprKind::SyncCall(_, m, args) = &e.kind
                && *m.text == *name
            {
                let spans: Vec<Span> = args.iter().map(|a| a.span).collect();
                edit.extend(without(&spans, n));
            }
        });
        edit
    };
    all.into_iter().map(one).collect()
}

/// Cuts one of several that stand between commas.
fn without(spans: &[Span], n: usize) -> Option<(Span, String)> {
    let own = *spans.get(n)?;
    let span = match (n.checked_sub(1).and_then(|b| spans.get(b)), spans.get(n + 1)) {
        (Some(before), _) => Span { start: before.end, ..own },
        (None, Some(after)) => Span { end: after.start, ..own },
        (None, None) => own,
    };
    Some((span, String::new()))
}
