//! Tests of the crate from outside, one program for all.

extern crate mazurka_tokio as tokio;

mod attributes;
mod channels;
mod locks;
mod oracle;
mod outside;
mod select;
mod service;
mod tasks;

use mazurka_native::Check;
use std::future::Future;

/// How many executions there are; none fails.
fn executions<F: Future<Output = ()>>(body: impl Fn() -> F + 'static) -> u64 {
    let checked = Check::new().max_executions(20_000).run(move || run(body()));
    assert_eq!(checked.failures().count(), 0, "{}", checked.report());
    assert!(checked.outcome().limit.is_none(), "{}", checked.report());
    checked.executions()
}

/// The report of the one failure, without the ends of lines.
fn report<F: Future<Output = ()>>(body: impl Fn() -> F + 'static) -> String {
    let checked = Check::new().max_executions(20_000).run(move || run(body()));
    assert_eq!(checked.failures().count(), 1, "{}", checked.report());
    checked.report().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn run<F: Future>(future: F) -> F::Output {
    tokio::runtime::Runtime::new().unwrap().block_on(future)
}
