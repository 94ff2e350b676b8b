//! A NATS server of its own on the loopback address, which can be killed and started again.

use mazurka_cluster::Nats;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

pub struct Server {
    child: Child,
    port: u16,
    kept: tempfile::TempDir,
}

impl Server {
    /// `None` if the server is not installed.
    pub fn start() -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").ok()?.local_addr().ok()?.port();
        let kept = tempfile::tempdir().ok()?;
        let child = run(port, &kept)?;
        Some(Server { child, port, kept })
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// A handle; waits until the server is there.
    pub fn connect(&self) -> Nats {
        let mut said = String::new();
        for _ in 0..100 {
            match Nats::connect(&self.url(), None) {
                Ok(nats) => return nats,
                Err(trouble) => said = trouble.to_string(),
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        panic!("{said}");
    }

    /// Kills it, and starts it again where it was.
    pub fn kill_and_restart(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
        self.child = run(self.port, &self.kept).expect("it is installed");
    }
}

fn run(port: u16, kept: &tempfile::TempDir) -> Option<Child> {
    let mut command = Command::new("nats-server");
    command.args(["--jetstream", "--addr", "127.0.0.1", "--port", &port.to_string(), "--store_dir"]);
    command
        .arg(kept.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .inspect_err(missing)
        .ok()
}

/// In CI nothing is skipped.
fn missing(error: &std::io::Error) {
    assert!(std::env::var_os("CI").is_none(), "nats-server: {error}");
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
