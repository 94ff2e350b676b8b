//! Sequences of statements linked as SPIN links them.
//!
//! Which points of a process count as states of their own is decided by this linking, so it follows the rules of SPIN's
//! translator step by step: jumps are skipped over unless they leave an atomic sequence, a selection ends in a common point,
//! a loop starts with one, escapes hang on every statement they guard.

use crate::model::Op;
use mazurka_diagnostics::Span;
use std::sync::Arc;

/// Jumps that lead to jumps, at most.
pub(super) const MAX_HOPS: usize = 500;

pub(super) type ElementId = usize;
pub(super) type SequenceId = usize;

/// Inside an atomic sequence and not its last statement.
pub(super) const ATOM: u8 = 1;
/// The last statement of an atomic sequence.
pub(super) const LAST: u8 = 2;
/// Inside a `d_step`.
pub(super) const DETERMINISTIC: u8 = 4;

/// What stands at a point.
#[derive(Clone, Debug)]
pub(super) enum Content {
    /// A basic statement.
    Op(Op),
    /// A jump to a label.
    Goto(LabelRef),
    /// Where a `do` continues after `break`.
    AfterLoop,
    /// The common point of a selection, or the start of a loop.
    Join,
    /// `if` or `do`.
    Choice,
    /// `unless`: the main sequence and the escape.
    Unless,
    /// `{ … }`.
    Block,
    /// `atomic { … }`.
    Atomic,
    /// `d_step { … }`.
    DStep,
}

/// The target of a jump, resolved when the whole body is known.
#[derive(Clone, Debug)]
pub(super) enum LabelRef {
    /// `break` out of this loop.
    Break(usize),
    /// `goto name`, written in this block.
    Named(Arc<str>, Vec<u32>, Span),
}

/// One point of a body.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub content: Content,
    pub next: Option<ElementId>,
    pub status: u8,
    /// The options of a choice, the two parts of an `unless`, the body of a block.
    pub parts: Vec<SequenceId>,
    /// The escapes that guard it, outermost first.
    pub escapes: Vec<SequenceId>,
    pub span: Span,
}

/// Elements in order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sequence {
    pub first: Option<ElementId>,
    pub last: Option<ElementId>,
    /// The last element before common points were appended.
    pub extent: Option<ElementId>,
}

/// A label and the element it stands at.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub name: Arc<str>,
    pub scope: Vec<u32>,
    pub element: ElementId,
    pub span: Span,
}

/// The linked body of a process type.
#[derive(Debug, Default)]
pub(super) struct Flow {
    pub elements: Vec<Element>,
    pub sequences: Vec<Sequence>,
    pub labels: Vec<Label>,
    /// Where `break` leads, per loop.
    pub breaks: Vec<Option<ElementId>>,
}

impl Flow {
    pub fn element(&mut self, content: Content, span: Span) -> ElementId {
        self.elements.push(Element {
            content,
            next: None,
            status: 0,
            parts: Vec::new(),
            escapes: Vec::new(),
            span,
        });
        self.elements.len() - 1
    }

    pub fn sequence(&mut self) -> SequenceId {
        self.sequences.push(Sequence::default());
        self.sequences.len() - 1
    }

    /// Whether SPIN keeps a state of its own for labels like this: they have a meaning beyond being jumped to.
    fn has_special_label(&self, element: ElementId) -> bool {
        let special = |name: &str| name.starts_with("end") || name.starts_with("accept") || name.starts_with("progress");
        self.labels.iter().any(|l| l.element == element && special(&l.name))
    }

    /// Appends an element. A jump with a special label gets a `skip` before it that carries the label.
    pub fn append(&mut self, element: ElementId, sequence: SequenceId) {
        if matches!(self.elements[element].content, Content::Goto(_)) && self.has_special_label(element) {
            let skip = self.element(Content::Op(Op::Skip), self.elements[element].span);
            for label in &mut self.labels {
                if label.element == element {
                    label.element = skip;
                }
            }
            self.link(skip, sequence);
        }
        self.link(element, sequence);
    }

    fn link(&mut self, element: ElementId, sequence: SequenceId) {
        match self.sequences[sequence].last {
            None => self.sequences[sequence].first = Some(element),
            Some(last) => self.elements[last].next = Some(element),
        }
        self.sequences[sequence].last = Some(element);
    }

    /// Remembers where the sequence ends before anything is appended by what contains it.
    pub fn close(&mut self, sequence: SequenceId) {
        self.sequences[sequence].extent = self.sequences[sequence].last;
    }

    /// Adds `if … fi` to `into`; returns the point of choice.
    pub fn add_if(&mut self, options: Vec<SequenceId>, span: Span, into: SequenceId) -> ElementId {
        let choice = self.element(Content::Choice, span);
        let join = self.element(Content::Join, span);
        for &option in &options {
            self.append(join, option);
        }
        self.elements[choice].parts = options;
        self.append(choice, into);
        self.append(join, into);
        choice
    }

    /// Adds `do … od` to `into`; returns the point of choice.
    pub fn add_do(&mut self, options: Vec<SequenceId>, number: usize, span: Span, into: SequenceId) -> ElementId {
        let choice = self.element(Content::Choice, span);
        let join = self.element(Content::Join, span);
        for &option in &options {
            self.append(join, option);
        }
        self.elements[choice].parts = options;
        self.append(join, into);
        let after = self.element(Content::AfterLoop, span);
        self.breaks[number] = Some(after);
        self.append(choice, into);
        self.append(after, into);
        choice
    }

    /// Adds `main unless escape` to `into`.
    pub fn add_unless(&mut self, main: SequenceId, escape: SequenceId, span: Span, into: SequenceId) -> ElementId {
        let unless = self.element(Content::Unless, span);
        let join = self.element(Content::Join, span);
        self.append(join, main);
        self.append(join, escape);
        self.elements[unless].parts = vec![main, escape];
        self.attach_to_sequence(main, escape);
        self.append(unless, into);
        self.append(join, into);
        unless
    }

    /// The first statement of a sequence: common points and `unless` are no statements.
    pub fn start_of(&self, sequence: SequenceId) -> Option<ElementId> {
        let mut at = self.sequences[sequence].first?;
        for _ in 0..MAX_HOPS {
            let next = match self.elements[at].content {
                Content::Join => self.elements[at].next,
                Content::Unless => self.sequences[self.elements[at].parts[0]].first,
                _ => None,
            };
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        Some(at)
    }

    fn attach_to_sequence(&mut self, sequence: SequenceId, escape: SequenceId) {
        let Sequence { first, extent, .. } = self.sequences[sequence];
        let mut at = first;
        while let Some(element) = at {
            self.attach(element, escape);
            if Some(element) == extent {
                break;
            }
            at = self.elements[element].next;
        }
    }

    /// Lets `escape` guard an element and what it contains.
    fn attach(&mut self, element: ElementId, escape: SequenceId) {
        if self.elements[element].escapes.contains(&escape) {
            return;
        }
        for inner in self.elements[element].escapes.clone() {
            self.attach_to_sequence(inner, escape);
        }
        self.elements[element].escapes.insert(0, escape);
        let parts = self.elements[element].parts.clone();
        match self.elements[element].content {
            Content::Unless => self.attach_to_sequence(parts[0], escape),
            Content::Choice | Content::Atomic | Content::Block => {
                for part in parts {
                    self.attach_to_sequence(part, escape);
                }
            }
            Content::DStep => {
                if let Some(first) = self.sequences[parts[0]].first {
                    self.attach(first, escape);
                }
            }
            _ => {}
        }
    }

    /// Marks a sequence as one that is not interrupted; `added` is [`DETERMINISTIC`] for a `d_step`.
    pub fn make_atomic(&mut self, sequence: SequenceId, added: u8) {
        let Sequence { first, last, .. } = self.sequences[sequence];
        self.walk_atomic(first, last, added);
        let Some(last) = last else { return };
        match self.elements[last].content {
            Content::Block | Content::Atomic | Content::Unless => {
                let part = self.elements[last].parts[0];
                self.make_atomic(part, added);
            }
            _ => {
                self.elements[last].status &= !ATOM;
                self.elements[last].status |= LAST;
            }
        }
    }

    fn walk_atomic(&mut self, first: Option<ElementId>, last: Option<ElementId>, added: u8) {
        let mut at = first;
        while let Some(element) = at {
            self.elements[element].status |= ATOM | added;
            let inner = match self.elements[element].content {
                // Inside of something uninterrupted, `atomic` changes nothing; nor does `d_step` inside of `d_step`.
                Content::Atomic => true,
                Content::DStep => added != 0,
                Content::Block | Content::Choice | Content::Unless => true,
                _ => false,
            };
            if matches!(self.elements[element].content, Content::Atomic)
                || (added != 0 && matches!(self.elements[element].content, Content::DStep))
            {
                self.elements[element].content = Content::Block;
            }
            if inner {
                for part in self.elements[element].parts.clone() {
                    let Sequence { first, last, .. } = self.sequences[part];
                    self.walk_atomic(first, last, added);
                }
            }
            if Some(element) == last {
                break;
            }
            at = self.elements[element].next;
        }
    }

    /// Lets the last statement of every block continue where the block does. Outer blocks come first.
    pub fn tie_ends(&mut self, sequence: SequenceId) {
        let Sequence { first, last, .. } = self.sequences[sequence];
        let mut at = first;
        while let Some(element) = at {
            let next = self.elements[element].next;
            let parts = self.elements[element].parts.clone();
            if matches!(self.elements[element].content, Content::Block | Content::Atomic | Content::DStep)
                && let Some(end) = self.sequences[parts[0]].last
            {
                self.elements[end].next = next;
            }
            for part in parts {
                self.tie_ends(part);
            }
            if Some(element) == last {
                break;
            }
            at = next;
        }
    }
}
