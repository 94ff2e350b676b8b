//! A server of the test's own, and plain requests to it.

use crate::support::Desk;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

/// `mazurka serve` on a port of its own, until this is dropped.
pub struct Served {
    child: Child,
    /// Name and port.
    pub host: String,
    /// The token between slashes.
    pub path: String,
    _desk: Desk,
}

impl Served {
    pub fn new() -> Self {
        let desk = Desk::new();
        let mut command = desk.command();
        let mut child = command.arg("serve").stdout(Stdio::piped()).spawn().expect("the binary runs");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out)
            .read_line(&mut line)
            .expect("a line that says where the page is");
        let (_, address) = line.trim().split_once("http://").expect("an address");
        let (host, path) = address.split_once('/').expect("a token in it");
        Served {
            child,
            host: host.to_owned(),
            path: format!("/{path}"),
            _desk: desk,
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}{}", self.host, self.path)
    }

    /// A connection on which these bytes were sent.
    pub fn send(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        // It may hang up on nonsense before all of it was read.
        let _ = stream.write_all(bytes);
        stream
    }

    /// The answer to these bytes, as far as there is one.
    pub fn raw(&self, bytes: &[u8]) -> String {
        Self::rest(self.send(bytes))
    }

    /// The same from somebody who sends nothing more: the server takes one who hangs up for one who does not listen.
    pub fn hang_up(&self, bytes: &[u8]) -> String {
        let stream = self.send(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        Self::rest(stream)
    }

    fn rest(mut stream: TcpStream) -> String {
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// What the page would send to ask something.
    pub fn question(&self, what: &str, body: &str) -> String {
        format!(
            "POST {}api/{what} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            self.path,
            body.len(),
            host = self.host
        )
    }

    /// The parts of an answer.
    pub fn ask(&self, what: &str, asked: &Value) -> Vec<Value> {
        let answer = self.raw(self.question(what, &asked.to_string()).as_bytes());
        let lines = answer.lines().filter(|line| line.starts_with('{'));
        lines
            .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
            .collect()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
