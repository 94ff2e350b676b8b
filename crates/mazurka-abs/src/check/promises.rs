//! Promises that hold through calls: an init block, a `finally` block and an `[Atomic]` method run at once, a `[Readonly]` method assigns no
//! field, and neither does any method of the same object that they call, however deep. What they do themselves is reported where it stands.

use super::Checker;
use super::annotations::has;
use crate::checked::{Block, ClassId, ExprKind, RightSide, RightSideKind, Selector, StmtKind};
use crate::syntax::ast::Dialect;
use mazurka_diagnostics::{Diagnostic, Span};
use rustc_hash::FxHashMap;

/// What a piece of code does, and which methods of its own object it calls.
#[derive(Default)]
struct Deeds {
    waits: bool,
    assigns: bool,
    calls: Vec<Call>,
}

struct Call {
    selector: Selector,
    span: Span,
    in_finally: bool,
}

impl Checker<'_> {
    /// Reports calls that break a promise of their caller.
    pub(super) fn check_promises(&mut self, class: ClassId) {
        let checked = &self.model.classes[class.index()];
        let mut methods: FxHashMap<Selector, Deeds> = checked.methods.iter().map(|m| (m.selector, deeds(&m.code))).collect();
        spread(&mut methods);
        let flat = &self.classes[class.index()];
        let mut wrong = Vec::new();
        let mut report = |call: &Call, deed: &str, place: &str, module: usize| {
            let name = &self.model.selectors[call.selector.index()];
            let message = format!("calling `{name}`, which {deed}, is not allowed in {place}");
            let diagnostic = match self.modules[module].dialect {
                Dialect::Current => Diagnostic::error("not-allowed-here", message),
                Dialect::Old => Diagnostic::warning("not-allowed-here", message),
            };
            wrong.push(diagnostic.label(call.span, ""));
        };
        if let Some(init) = &checked.init {
            let waits = |call: &&Call| methods.get(&call.selector).is_some_and(|callee| callee.waits);
            for call in deeds(init).calls.iter().filter(waits) {
                report(call, "waits", "an init block", flat.module);
            }
        }
        for method in &flat.methods {
            let Some(deeds) = method.signature.as_ref().and_then(|signature| methods.get(&signature.selector)) else {
                continue;
            };
            let promises = |annotation| has(&method.ast.sig.annotations, annotation);
            for call in &deeds.calls {
                let Some(callee) = methods.get(&call.selector) else { continue };
                if callee.waits && promises("Atomic") {
                    report(call, "waits", "an [Atomic] method", method.module);
                } else if callee.waits && call.in_finally {
                    report(call, "waits", "a finally block", method.module);
                }
                if callee.assigns && promises("Readonly") {
                    report(call, "assigns fields", "a [Readonly] method", method.module);
                }
            }
        }
        wrong.into_iter().for_each(|diagnostic| self.report(diagnostic));
    }
}

/// Who calls one that waits or assigns does so too.
fn spread(methods: &mut FxHashMap<Selector, Deeds>) {
    loop {
        let does = |selector: &Selector| methods.get(selector).map_or((false, false), |deeds| (deeds.waits, deeds.assigns));
        let grown: Vec<(Selector, bool, bool)> = methods
            .iter()
            .map(|(&selector, deeds)| {
                let callees = deeds.calls.iter().map(|call| does(&call.selector));
                let (waits, assigns) = callees.fold((deeds.waits, deeds.assigns), |(w, a), (waits, assigns)| (w | waits, a | assigns));
                (selector, waits, assigns)
            })
            .filter(|(selector, waits, assigns)| does(selector) != (*waits, *assigns))
            .collect();
        if grown.is_empty() {
            return;
        }
        for (selector, waits, assigns) in grown {
            if let Some(deeds) = methods.get_mut(&selector) {
                (deeds.waits, deeds.assigns) = (waits, assigns);
            }
        }
    }
}

/// What a block does itself.
fn deeds(block: &Block) -> Deeds {
    let mut deeds = Deeds::default();
    deeds.block(block, false);
    deeds
}

impl Deeds {
    fn block(&mut self, block: &Block, in_finally: bool) {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Await(_) | StmtKind::Suspend | StmtKind::Duration(..) => self.waits = true,
                StmtKind::AssignField(_, right) => {
                    self.assigns = true;
                    self.right_side(right, in_finally);
                }
                StmtKind::Declare(_, Some(right))
                | StmtKind::AssignLocal(_, right)
                | StmtKind::Return(right)
                | StmtKind::Assert(right)
                | StmtKind::Expr(right) => self.right_side(right, in_finally),
                StmtKind::Block(body) | StmtKind::While(_, body) | StmtKind::Foreach(_, _, _, body) => self.block(body, in_finally),
                StmtKind::If(_, then, otherwise) => {
                    self.block(then, in_finally);
                    self.block(otherwise, in_finally);
                }
                StmtKind::Switch(_, branches) => branches.iter().for_each(|branch| self.block(&branch.body, in_finally)),
                StmtKind::Try(body, branches, finally) => {
                    self.block(body, in_finally);
                    branches.iter().for_each(|branch| self.block(&branch.body, in_finally));
                    if let Some(finally) = finally {
                        self.block(finally, true);
                    }
                }
                StmtKind::Declare(_, None) | StmtKind::Skip | StmtKind::Throw(_) | StmtKind::Die(_) => {}
            }
        }
    }

    fn right_side(&mut self, right: &RightSide, in_finally: bool) {
        match &right.kind {
            RightSideKind::Get(_) | RightSideKind::AwaitCall(..) => self.waits = true,
            RightSideKind::SyncCall(callee, selector, _) if matches!(callee.kind, ExprKind::This) => self.calls.push(Call {
                selector: *selector,
                span: right.span,
                in_finally,
            }),
            _ => {}
        }
    }
}
