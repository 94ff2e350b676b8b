//! Finds the places in a source file where it can be changed.

use super::defaults::defaults;
use super::site::{Change, Shape, Site};
use super::swaps::{self, ONLY_FASTER};
use proc_macro2::Span;
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Expr, Lit, ReturnType, Signature, Stmt, UnOp};

/// The places of a source file, in the order of its syntax.
pub fn find(source: &str) -> Result<Vec<Site>, syn::Error> {
    let file = syn::parse_file(source)?;
    let mut finder = Finder {
        source,
        sites: Vec::new(),
        scope: Vec::new(),
        function: 0..0,
        named: HashMap::new(),
    };
    if !file.attrs.iter().any(for_tests) {
        finder.visit_file(&file);
    }
    Ok(finder.sites)
}

struct Finder<'s> {
    source: &'s str,
    sites: Vec<Site>,
    /// The types and functions around, outermost first.
    scope: Vec<String>,
    /// The text of the function around.
    function: std::ops::Range<usize>,
    /// How many changes of each name there are so far.
    named: HashMap<String, usize>,
}

impl Finder<'_> {
    fn text(&self, span: Span) -> &str {
        &self.source[span.byte_range()]
    }

    fn change(&mut self, span: Span, text: String, code: String) -> Change {
        let function = self.scope.join("::");
        let name = format!("{function} {text}");
        let nth = self.named.entry(name.clone()).or_insert(0);
        *nth += 1;
        let body = fingerprint(&self.source[self.function.clone()]);
        Change {
            line: span.start().line,
            key: format!("{name} #{nth} {body:08x}"),
            function,
            text,
            code,
        }
    }

    fn site(&mut self, shape: Shape, range: std::ops::Range<usize>, changes: Vec<Change>) {
        if !changes.is_empty() {
            let (start, end) = (range.start, range.end);
            self.sites.push(Site {
                shape,
                start,
                end,
                changes,
            });
        }
    }

    fn replace(&mut self, expr: &Expr, codes: Vec<String>) {
        let span = expr.span();
        let old = shorten(self.text(span));
        let changes = codes
            .into_iter()
            .map(|code| self.change(span, format!("{old} → {}", shorten(&code)), code))
            .collect();
        self.site(Shape::Expression, span.byte_range(), changes);
    }

    fn leave_out(&mut self, span: Span) {
        let text = format!("without {}", shorten(self.text(span)));
        let change = self.change(span, text, String::new());
        self.site(Shape::Statement, span.byte_range(), vec![change]);
    }

    /// A condition of `if` or `while`.
    fn condition(&mut self, condition: &Expr) {
        if has_let(condition) {
            let span = condition.span();
            let change = self.change(span, format!("never {}", shorten(self.text(span))), String::new());
            let start = span.byte_range().start;
            self.site(Shape::Conjunct, start..start, vec![change]);
        } else if !has_own_opposite(condition) {
            let code = format!("!({})", self.text(condition.span()));
            self.replace(condition, vec![code]);
        }
    }

    /// The last expression of a block whose value is `()`.
    fn unit_tail(&mut self, block: &Block) {
        if let Some(Stmt::Expr(expr, None)) = block.stmts.last()
            && (is_action(expr) && !is_jump(expr))
        {
            self.leave_out(expr.span());
        }
    }

    fn function(&mut self, span: Span, signature: &Signature, block: &Block, inside: impl FnOnce(&mut Self)) {
        if signature.constness.is_some() {
            return;
        }
        let before = std::mem::replace(&mut self.function, span.byte_range());
        self.scope.push(signature.ident.to_string());
        let body: String = self.text(block.span()).split_whitespace().collect();
        let hollow = matches!(
            body.as_str(),
            "{}" | "{true}" | "{false}" | "{None}" | "{0}" | "{1}" | "{Vec::new()}" | "{Default::default()}" | "{Self::default()}"
        );
        let only_panics = matches!(block.stmts.as_slice(), [Stmt::Macro(_)])
            || matches!(block.stmts.as_slice(), [Stmt::Expr(Expr::Macro(m), None)] if !m.mac.path.is_ident("matches"));
        if !hollow && !only_panics {
            let changes = defaults(&signature.output)
                .into_iter()
                .map(|code| self.change(signature.ident.span(), format!("return {code}").trim().to_owned(), code.to_owned()))
                .collect();
            let start = block.brace_token.span.open().byte_range().end;
            self.site(Shape::Entry, start..start, changes);
        }
        if matches!(signature.output, ReturnType::Default) {
            self.unit_tail(block);
        }
        inside(self);
        self.scope.pop();
        self.function = before;
    }
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        if !item.attrs.iter().any(for_tests) {
            self.function(item.span(), &item.sig, &item.block, |f| visit::visit_item_fn(f, item));
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        if !item.attrs.iter().any(for_tests) {
            self.function(item.span(), &item.sig, &item.block, |f| visit::visit_impl_item_fn(f, item));
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'a syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(item.span(), &item.sig, block, |f| visit::visit_trait_item_fn(f, item));
        }
    }

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        let for_people = item
            .trait_
            .as_ref()
            .and_then(|(_, path, _)| path.segments.last())
            .is_some_and(|s| matches!(s.ident.to_string().as_str(), "Debug" | "Display" | "Error"));
        if !for_people && !item.attrs.iter().any(for_tests) {
            let name: String = self.text(item.self_ty.span()).split_whitespace().collect();
            self.scope.push(name);
            visit::visit_item_impl(self, item);
            self.scope.pop();
        }
    }

    fn visit_item_trait(&mut self, item: &'a syn::ItemTrait) {
        self.scope.push(item.ident.to_string());
        visit::visit_item_trait(self, item);
        self.scope.pop();
    }

    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if !item.attrs.iter().any(for_tests) {
            visit::visit_item_mod(self, item);
        }
    }

    // What the compiler evaluates, and what is not code.
    fn visit_item_const(&mut self, _: &'a syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'a syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'a syn::TraitItemConst) {}
    fn visit_item_static(&mut self, _: &'a syn::ItemStatic) {}
    fn visit_item_enum(&mut self, _: &'a syn::ItemEnum) {}
    fn visit_item_macro(&mut self, _: &'a syn::ItemMacro) {}
    fn visit_macro(&mut self, _: &'a syn::Macro) {}
    fn visit_attribute(&mut self, _: &'a Attribute) {}
    fn visit_type(&mut self, _: &'a syn::Type) {}
    fn visit_generic_argument(&mut self, _: &'a syn::GenericArgument) {}
    fn visit_pat(&mut self, _: &'a syn::Pat) {}
    fn visit_expr_const(&mut self, _: &'a syn::ExprConst) {}
    fn visit_expr_repeat(&mut self, repeat: &'a syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Expr(expr, Some(_)) if is_action(expr) => self.leave_out(statement.span()),
            Stmt::Expr(expr, None) if is_jump(expr) => self.leave_out(statement.span()),
            _ => {}
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_arm(&mut self, arm: &'a syn::Arm) {
        match &*arm.body {
            body if is_action(body) => self.leave_out(body.span()),
            Expr::Block(block) => self.unit_tail(&block.block),
            _ => {}
        }
        if let Some((_, guard)) = &arm.guard {
            self.condition(guard);
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Binary(binary) if !has_let(expr) => {
                let (left, right) = (self.text(binary.left.span()), self.text(binary.right.span()));
                let codes = swaps::operators(&binary.op)
                    .iter()
                    .map(|op| format!("{left} {op} {right}"))
                    .collect();
                self.replace(expr, codes);
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_) | UnOp::Neg(_)) => {
                let code = self.text(unary.expr.span()).to_owned();
                self.replace(expr, vec![code]);
            }
            Expr::Lit(literal) => match &literal.lit {
                Lit::Bool(value) => self.replace(expr, vec![(!value.value).to_string()]),
                Lit::Int(value) => {
                    // Larger ones are the multipliers and seeds of hash functions.
                    if let Ok(number) = value.base10_parse::<u128>()
                        && number < 1 << 16
                    {
                        let suffix = value.suffix();
                        let codes = [number.checked_sub(1), Some(number + 1)];
                        self.replace(expr, codes.into_iter().flatten().map(|n| format!("{n}{suffix}")).collect());
                    }
                }
                _ => {}
            },
            Expr::MethodCall(call) => {
                if let Some(other) = swaps::method(&call.method.to_string()) {
                    let (whole, name) = (expr.span().byte_range(), call.method.span().byte_range());
                    let (before, after) = (&self.source[whole.start..name.start], &self.source[name.end..whole.end]);
                    self.replace(expr, vec![format!("{before}{other}{after}")]);
                }
            }
            Expr::If(branch) => self.condition(&branch.cond),
            Expr::While(repeat) => {
                self.condition(&repeat.cond);
                self.unit_tail(&repeat.body);
            }
            Expr::ForLoop(repeat) => self.unit_tail(&repeat.body),
            Expr::Loop(repeat) => self.unit_tail(&repeat.body),
            Expr::Match(choice) => {
                let rest = |arm: &syn::Arm| arm.guard.is_none() && is_wildcard(&arm.pat);
                if choice.arms.iter().any(rest) {
                    for arm in choice.arms.iter().filter(|arm| !rest(arm)) {
                        let pattern = arm.pat.span();
                        let change = self.change(pattern, format!("without the arm {}", shorten(self.text(pattern))), String::new());
                        match &arm.guard {
                            Some((_, guard)) => self.site(Shape::Guard, guard.span().byte_range(), vec![change]),
                            None => {
                                let end = pattern.byte_range().end;
                                self.site(Shape::NewGuard, end..end, vec![change]);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
        visit::visit_expr(self, expr);
    }
}

/// Whether the item exists only in tests.
fn for_tests(attribute: &Attribute) -> bool {
    attribute.path().is_ident("test")
        || attribute.path().is_ident("cfg")
            && attribute.meta.require_list().is_ok_and(|list| {
                list.tokens
                    .to_string()
                    .split(|c: char| !c.is_alphanumeric())
                    .any(|word| word == "test")
            })
}

fn is_jump(expr: &Expr) -> bool {
    match expr {
        Expr::Break(jump) => jump.expr.is_none(),
        Expr::Continue(_) | Expr::Return(_) => true,
        _ => false,
    }
}

/// Whether it is there for what it does, not for its value.
fn is_action(expr: &Expr) -> bool {
    match expr {
        Expr::MethodCall(call) => !ONLY_FASTER.iter().any(|name| call.method == name),
        Expr::Call(_) | Expr::Assign(_) => true,
        Expr::Binary(binary) => matches!(
            binary.op,
            syn::BinOp::AddAssign(_)
                | syn::BinOp::SubAssign(_)
                | syn::BinOp::MulAssign(_)
                | syn::BinOp::BitOrAssign(_)
                | syn::BinOp::BitAndAssign(_)
                | syn::BinOp::BitXorAssign(_)
                | syn::BinOp::ShlAssign(_)
                | syn::BinOp::ShrAssign(_)
        ),
        Expr::Try(inner) => is_action(&inner.expr),
        _ => is_jump(expr),
    }
}

/// Whether the pattern matches everything. A name in capitals is a constant or a variant.
fn is_wildcard(pattern: &syn::Pat) -> bool {
    match pattern {
        syn::Pat::Wild(_) => true,
        syn::Pat::Ident(name) => name.subpat.is_none() && name.ident.to_string().starts_with(|c: char| c.is_lowercase() || c == '_'),
        _ => false,
    }
}

/// Whether the expression is a chain with a `let` in it, which is no value.
fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// Whether another change makes the opposite of it already.
fn has_own_opposite(expr: &Expr) -> bool {
    match expr {
        Expr::Binary(binary) => swaps::compares(&binary.op),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Not(_)),
        Expr::MethodCall(call) => matches!(call.method.to_string().as_str(), "is_some" | "is_none"),
        Expr::Paren(inner) => has_own_opposite(&inner.expr),
        _ => false,
    }
}

/// One line of at most sixty characters.
fn shorten(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// A number that changes with the text and not from run to run.
fn fingerprint(text: &str) -> u32 {
    let long = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    (long ^ (long >> 32)) as u32
}
