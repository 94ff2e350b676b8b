//! Steps of models as futures.

use super::{Model, Rule, Ticket};
use std::future::Future;
use std::ops::Deref;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A model whose data does not matter.
pub trait AnyModel {
    /// As [`Model::poll`].
    fn poll_step(&self, ticket: &mut Ticket, context: &mut Context<'_>, rule: &'static Rule, argument: u64) -> Poll<u32>;
    /// As [`Model::abandon`].
    fn abandon_step(&self, ticket: &mut Ticket) -> Option<u32>;
    /// As [`Model::step_at`].
    fn plain_step(&self, at: &'static Location<'static>, rule: &'static Rule, argument: u64) -> u32;
}

impl<D> AnyModel for Model<D> {
    fn poll_step(&self, ticket: &mut Ticket, context: &mut Context<'_>, rule: &'static Rule, argument: u64) -> Poll<u32> {
        self.poll(ticket, context, rule, argument)
    }

    fn abandon_step(&self, ticket: &mut Ticket) -> Option<u32> {
        self.abandon(ticket)
    }

    fn plain_step(&self, at: &'static Location<'static>, rule: &'static Rule, argument: u64) -> u32 {
        self.step_at(at, rule, argument, |answer, _| answer)
    }
}

/// A future that waits for a step, whose answer it gives. If it is dropped between the two, the step is taken back.
pub struct Step<M: Deref<Target: AnyModel>> {
    model: M,
    rule: &'static Rule,
    argument: u64,
    undo: &'static Rule,
    ticket: Ticket,
}

impl<M: Deref<Target: AnyModel>> Step<M> {
    /// Waits for `rule`; `undo` takes it back.
    pub fn new(model: M, rule: &'static Rule, argument: u64, undo: &'static Rule, ticket: Ticket) -> Self {
        Step {
            model,
            rule,
            argument,
            undo,
            ticket,
        }
    }

    /// The model.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// Where it was made.
    pub fn place(&self) -> &'static Location<'static> {
        self.ticket.place()
    }
}

impl<M: Deref<Target: AnyModel> + Unpin> Future for Step<M> {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<u32> {
        let this = self.get_mut();
        this.model.poll_step(&mut this.ticket, context, this.rule, this.argument)
    }
}

impl<M: Deref<Target: AnyModel>> Drop for Step<M> {
    fn drop(&mut self) {
        if let Some(answer) = self.model.abandon_step(&mut self.ticket) {
            self.model.plain_step(
                self.ticket.place(),
                self.undo,
                self.argument & 0xffff_ffff | u64::from(answer) << 32,
            );
        }
    }
}

impl<M: Deref<Target: AnyModel>> std::fmt::Debug for Step<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Step").field("rule", &self.rule.name).finish_non_exhaustive()
    }
}
