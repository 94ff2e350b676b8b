//! The way back from the host to the page.

use axum::body::{Bytes, HttpBody};
use http_body::Frame;
use serde_json::Value;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Takes the parts of an answer.
pub struct Reply {
    lines: UnboundedSender<Bytes>,
    stop: Stop,
}

/// Tells a host to stop, from wherever.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn now(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The parts as the body of a response. When it is dropped, nobody listens any more.
pub(crate) struct Lines {
    lines: UnboundedReceiver<Bytes>,
    stop: Stop,
}

/// Both ends of a new answer.
pub(crate) fn answer(stop: Stop) -> (Reply, Lines) {
    let (sender, lines) = unbounded_channel();
    let reply = Reply {
        lines: sender,
        stop: stop.clone(),
    };
    (reply, Lines { lines, stop })
}

impl Reply {
    /// Sends a part of the answer.
    pub fn say(&self, part: &Value) {
        self.say_json(&part.to_string());
    }

    /// Sends a part of the answer that is JSON already, in one line.
    pub fn say_json(&self, part: &str) {
        let line = Bytes::from(format!("{part}\n"));
        if self.lines.send(line).is_err() {
            self.stop.now();
        }
    }

    /// Whether the page was closed, or wants no more.
    pub fn stopped(&self) -> bool {
        self.stop.0.load(Ordering::Relaxed)
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.stop.now();
    }
}

impl HttpBody for Lines {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.lines.poll_recv(context).map(|line| line.map(|line| Ok(Frame::data(line))))
    }
}
