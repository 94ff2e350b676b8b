//! The web page: who may ask, what is answered, and the page itself in headless Chromium, used as a person would.

mod answers;
mod client;
mod guarded;
mod page;
mod tab;
