//! Futures that may be dropped wherever they wait.

use crate::runtime::current;
use crate::runtime::op::Op;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll};

/// See [`may_cancel`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct MayCancel<F> {
    future: Pin<Box<F>>,
    offer: u32,
    at: &'static Location<'static>,
}

/// The same future, but in a check it may be dropped wherever it waits: then the result is `None`.
#[track_caller]
pub fn may_cancel<F: Future>(future: F) -> MayCancel<F> {
    MayCancel {
        future: Box::pin(future),
        offer: 0,
        at: Location::caller(),
    }
}

impl<F: Future> Future for MayCancel<F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let (offer, at) = (self.offer, self.at);
        if current::with(|execution| execution.answered(offer)).flatten().is_some() {
            self.offer = 0;
            return Poll::Ready(None);
        }
        if let Poll::Ready(output) = self.future.as_mut().poll(context) {
            return Poll::Ready(Some(output));
        }
        let offer = current::with(|execution| {
            let key = execution.offer(offer, Op::Cancel, at, None);
            execution.tried(key);
            key
        });
        self.offer = offer.unwrap_or_default();
        Poll::Pending
    }
}

impl<F> Drop for MayCancel<F> {
    fn drop(&mut self) {
        let offer = self.offer;
        current::with(|execution| {
            let process = execution.process();
            execution.withdraw(process, offer)
        });
    }
}
