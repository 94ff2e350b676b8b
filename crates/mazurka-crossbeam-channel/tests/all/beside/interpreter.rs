//! Runs a program, against the interface that is found next to it.

use super::super::{Limit, Outcome, Program, Statement};
use super::api::{Receiver, Sender, bounded, jitter, never, select, select_biased, thread, unbounded};
use std::fmt::Debug;
use std::time::Duration;

const MOMENT: Duration = Duration::from_micros(200);

struct Runner {
    me: i64,
    senders: [Option<Sender<i64>>; 2],
    receivers: [Option<Receiver<i64>>; 2],
    seen: Vec<String>,
}

pub(in super::super) fn run(program: &Program) -> Outcome {
    let channels = program.sizes.map(|size| size.map_or_else(unbounded, bounded));
    let runners: Vec<Runner> = (0..program.threads.len())
        .map(|me| Runner {
            me: me as i64 * 10,
            senders: channels.each_ref().map(|(sender, _)| Some(sender.clone())),
            receivers: channels.each_ref().map(|(_, receiver)| Some(receiver.clone())),
            seen: Vec::new(),
        })
        .collect();
    drop(channels);
    let threads: Vec<_> = runners
        .into_iter()
        .zip(program.threads.clone())
        .map(|(mut runner, statements)| {
            thread::spawn(move || {
                for statement in statements {
                    jitter();
                    runner.take(statement);
                }
                std::mem::take(&mut runner.seen)
            })
        })
        .collect();
    threads.into_iter().map(|thread| thread.join().unwrap()).collect()
}

impl Runner {
    fn see(&mut self, what: &str, value: impl Debug) {
        self.seen.push(format!("{what} {value:?}"));
    }

    fn next(&mut self) -> i64 {
        self.me += 1;
        self.me
    }

    fn take(&mut self, statement: Statement) {
        let never = never();
        let receiver = |runner: &Self, c: usize| runner.receivers[c].clone().unwrap_or_else(|| never.clone());
        match statement {
            Statement::Send(c) => {
                let message = self.next();
                let sent = self.senders[c].as_ref().map(|s| s.send(message).map_err(|e| e.0));
                self.see("send", sent);
            }
            Statement::TrySend(c) => {
                let message = self.next();
                let sent = self.senders[c]
                    .as_ref()
                    .map(|s| s.try_send(message).map_err(|e| (e.is_full(), e.into_inner())));
                self.see("try send", sent);
            }
            Statement::SendTimeout(c) => {
                let message = self.next();
                let sent = self.senders[c]
                    .as_ref()
                    .map(|s| s.send_timeout(message, MOMENT).map_err(|e| (e.is_timeout(), e.into_inner())));
                self.see("send", sent);
            }
            Statement::Receive(c) => {
                let got = self.receivers[c].as_ref().map(Receiver::recv);
                self.see("receive", got);
            }
            Statement::TryReceive(c) => {
                let got = self.receivers[c].as_ref().map(Receiver::try_recv);
                self.see("try receive", got);
            }
            Statement::ReceiveTimeout(c) => {
                let got = self.receivers[c].as_ref().map(|r| r.recv_timeout(MOMENT));
                self.see("receive", got);
            }
            Statement::DropSender(c) => self.senders[c] = None,
            Statement::DropReceiver(c) => self.receivers[c] = None,
            Statement::Length(c) => {
                let length = self.receivers[c]
                    .as_ref()
                    .map(|r| (r.len(), r.is_empty(), r.is_full(), r.capacity()));
                self.see("length", length);
            }
            Statement::Select(limit) => {
                let (one, other) = (receiver(self, 0), receiver(self, 1));
                let got = match limit {
                    Limit::None => select! { recv(one) -> got => (0, got.ok()), recv(other) -> got => (1, got.ok()) },
                    Limit::Now => select! { recv(one) -> got => (0, got.ok()), recv(other) -> got => (1, got.ok()), default => (2, None) },
                    Limit::Moment => {
                        select! { recv(one) -> got => (0, got.ok()), recv(other) -> got => (1, got.ok()), default(MOMENT) => (2, None) }
                    }
                };
                self.see("select", got);
            }
            Statement::Biased(limit) => {
                let (one, other) = (receiver(self, 0), receiver(self, 1));
                let got = match limit {
                    Limit::None => select_biased! { recv(one) -> got => (0, got.ok()), recv(other) -> got => (1, got.ok()) },
                    Limit::Now => {
                        select_biased! { recv(one) -> got => (0, got.ok()), recv(other) -> got => (1, got.ok()), default => (2, None) }
                    }
                    Limit::Moment => {
                        select_biased! { recv(one) -> got => (0, got.ok()), recv(other) -> got => (1, got.ok()), default(MOMENT) => (2, None) }
                    }
                };
                self.see("select", got);
            }
            Statement::SelectSend(c, limit) => {
                let message = self.next();
                let (Some(to), from) = (self.senders[c].clone(), receiver(self, 1 - c)) else {
                    return;
                };
                let got = match limit {
                    Limit::None => select! { send(to, message) -> sent => (0, sent.ok().map(|()| 0)), recv(from) -> got => (1, got.ok()) },
                    Limit::Now => {
                        select! { send(to, message) -> sent => (0, sent.ok().map(|()| 0)), recv(from) -> got => (1, got.ok()), default => (2, None) }
                    }
                    Limit::Moment => select! {
                        send(to, message) -> sent => (0, sent.ok().map(|()| 0)),
                        recv(from) -> got => (1, got.ok()),
                        default(MOMENT) => (2, None),
                    },
                };
                self.see("select", got);
            }
        }
    }
}
