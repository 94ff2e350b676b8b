//! A page in headless Chromium that is used from outside, through the protocol of its developer tools.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// Longer than anything takes.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Tab {
    browser: Child,
    socket: WebSocket<TcpStream>,
    next: u64,
    /// What went wrong in the page.
    pub errors: Vec<String>,
    profile: tempfile::TempDir,
}

impl Tab {
    /// Opens an address, if there is a browser to open it with.
    pub fn open(url: &str, dark: bool) -> Option<Self> {
        let found = Command::new("chromium")
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if found.is_err() {
            assert_ne!(
                std::env::var("CI").as_deref(),
                Ok("true"),
                "Chromium is missing, and in CI that is a failure"
            );
            eprintln!("NOTICE: skipped, Chromium is not installed");
            return None;
        }
        let profile = tempfile::tempdir().expect("a temporary directory");
        let mut browser = Command::new("chromium")
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-sync",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--remote-debugging-port=0",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!dark)))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the browser runs");
        let mut lines = BufReader::new(browser.stderr.take().expect("what it says")).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| Some(line.split_once("ws://")?.1.to_owned()));
        // It must be able to go on saying things.
        std::thread::spawn(move || lines.for_each(drop));
        let address = address.expect("the address of the developer tools");
        let (host, _) = address.split_once('/').expect("a path");
        let mut asked = TcpStream::connect(host).expect("the developer tools listen");
        write!(asked, "GET /json HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("a question");
        let mut answer = BufReader::new(asked);
        let mut length = 0;
        loop {
            // It does not hang up, so how long the answer is has to be known.
            let mut header = String::new();
            answer.read_line(&mut header).expect("a header");
            match header.trim().to_lowercase().split_once("content-length:") {
                Some((_, number)) => length = number.trim().parse().expect("a number"),
                None if header.trim().is_empty() => break,
                None => {}
            }
        }
        let mut list = vec![0; length];
        answer.read_exact(&mut list).expect("a list of pages");
        let list: Value = serde_json::from_slice(&list).expect("a list of pages");
        let page = list
            .as_array()
            .and_then(|all| all.iter().find(|page| page["type"] == "page"))
            .expect("a page");
        let page = page["webSocketDebuggerUrl"].as_str().expect("its address");
        let stream = TcpStream::connect(host).expect("the developer tools listen");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let (socket, _) = tungstenite::client(page, stream).expect("a connection to the page");
        let mut tab = Tab {
            browser,
            socket,
            next: 0,
            errors: Vec::new(),
            profile,
        };
        for domain in ["Page", "Runtime", "Log"] {
            tab.call(&format!("{domain}.enable"), json!({}));
        }
        tab.size(1280, 1000);
        tab.call("Page.navigate", json!({ "url": url }));
        tab.until("document.body && document.body.dataset.ready === 'yes'");
        Some(tab)
    }

    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let text = json!({ "id": self.next, "method": method, "params": params }).to_string();
        self.socket.send(Message::text(text)).expect("the browser listens");
        loop {
            let Message::Text(text) = self.socket.read().expect("the browser answers") else {
                continue;
            };
            let message: Value = serde_json::from_str(&text).expect("JSON");
            if message["method"] == "Runtime.exceptionThrown"
                || (message["method"] == "Log.entryAdded" && message["params"]["entry"]["level"] == "error")
            {
                self.errors.push(message["params"].to_string());
            }
            if message["id"] == self.next {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
        }
    }

    pub fn size(&mut self, width: u32, height: u32) {
        self.call(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false }),
        );
    }

    /// What an expression of the page is.
    pub fn see(&mut self, expression: &str) -> Value {
        let result = self.call(
            "Runtime.evaluate",
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true }),
        );
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    pub fn text(&mut self, selector: &str) -> String {
        let seen = self.see(&format!(
            "(document.querySelector('{selector}') || {{ innerText: '(nothing)' }}).innerText"
        ));
        seen.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an expression of the page is true.
    pub fn until(&mut self, expression: &str) {
        let begun = Instant::now();
        while self.see(&format!("!!({expression})")) != true {
            let seen = if begun.elapsed() > PATIENCE {
                self.text("body")
            } else {
                String::new()
            };
            assert!(
                begun.elapsed() < PATIENCE,
                "never: {expression}; errors: {:?}; the page: {seen}",
                self.errors
            );
            std::thread::sleep(Duration::from_millis(40));
        }
    }

    /// Clicks the middle of what a selector finds, with the mouse.
    pub fn click(&mut self, selector: &str) {
        let place = self.see(&format!(
            "(() => {{ const e = document.querySelector('{selector}'); if (!e) return null; e.scrollIntoView({{ block: 'center' }}); \
             const r = e.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; }})()"
        ));
        assert!(place.is_array(), "there is no {selector}");
        for kind in ["mousePressed", "mouseReleased"] {
            self.call(
                "Input.dispatchMouseEvent",
                json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 }),
            );
        }
    }

    /// Clicks the button in `place` that says `text`.
    pub fn press(&mut self, place: &str, text: &str) {
        self.until(&format!(
            "[...document.querySelectorAll('{place} button')].some((b) => b.textContent === '{text}')"
        ));
        self.see(&format!(
            "[...document.querySelectorAll('{place} button')].find((b) => b.textContent === '{text}').setAttribute('data-pressed', 'now')"
        ));
        self.click(&format!("{place} [data-pressed=now]"));
        self.see("document.querySelectorAll('[data-pressed]').forEach((b) => b.removeAttribute('data-pressed'))");
    }

    /// Types a text into the editor, in place of what is there.
    pub fn write(&mut self, text: &str) {
        self.click(".cm-content");
        let all = json!({ "type": "keyDown", "commands": ["selectAll"], "key": "a", "code": "KeyA", "modifiers": 2, "windowsVirtualKeyCode": 65 });
        self.call("Input.dispatchKeyEvent", all);
        self.call("Input.insertText", json!({ "text": text }));
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        let _ = self.browser.kill();
        let _ = self.browser.wait();
        // Its helpers may still write for a moment.
        let _ = self.profile.path();
    }
}
