//! The web page of Mazurka: an HTTP server for one user, and the page that it shows.
//!
//! The server knows no programs. It hands every question of the page to a [`Host`], on a thread of its own, and sends the parts of the answer
//! back as they come, one line of JSON each. When the page is closed, or asks for it, the host is told to stop.
//!
//! Nobody else can ask: the server listens on the loopback address unless told otherwise, and answers only to requests that name it as their
//! host, know its token and come from its own page (`guard.rs`).

mod assets;
mod guard;
mod reply;
mod server;

pub use reply::Reply;
pub use server::{Server, Token};

use serde_json::Value;

/// Who answers the questions of the page.
pub trait Host: Send + Sync + 'static {
    /// Answers the question `what`; `asked` says about what. The parts of the answer go to `reply`, which also says when to stop.
    ///
    /// # Errors
    /// Why there is no answer, for the person who asked.
    fn answer(&self, what: &str, asked: &Value, reply: &Reply) -> Result<(), String>;
}
