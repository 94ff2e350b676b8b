//! An editor talks to the server.

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use mazurka_lsp::{Checked, Checker, Step, serve_on};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::time::Duration;

const NAME: &str = "file:///models/bank.litmus";
const TEXT: &str = "// what everybody has\ninit balance=1;\nalice:[l=balance]\n      [balance=l+1]\n";

/// Finds a failure in every program that speaks of balance.
struct Fake;

impl Checker for Fake {
    fn check(&self, name: &str, text: &str) -> Result<Checked, String> {
        assert_eq!(name, "bank.litmus");
        if text.contains("refuse") {
            return Err("there is no verdict".to_owned());
        }
        assert!(!text.contains("panic"), "out of cheese");
        let step = |text: &str, at| Step { text: text.to_owned(), at };
        Ok(Checked {
            headline: "violation: 1 failed assertion in bank.litmus".to_owned(),
            is_violation: true,
            failure: Some("assertion: overdrawn".to_owned()),
            steps: vec![
                step("alice: l=balance", Some((3, 7))),
                step("alice: balance=l+1", Some((4, 7))),
                step("elsewhere", None),
            ],
        })
    }
}

struct Editor {
    connection: Connection,
    server: Option<std::thread::JoinHandle<()>>,
    next: i32,
    others: VecDeque<Message>,
}

impl Editor {
    fn new() -> Self {
        let (server, connection) = Connection::memory();
        let server = std::thread::spawn(move || serve_on(server, Fake).expect("the editor speaks the protocol"));
        let mut editor = Editor {
            connection,
            server: Some(server),
            next: 0,
            others: VecDeque::new(),
        };
        let capabilities = editor.ask("initialize", json!({ "capabilities": {} }));
        assert_eq!(capabilities["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    fn tell(&self, method: &str, params: Value) {
        self.connection
            .sender
            .send(Notification::new(method.to_owned(), params).into())
            .expect("the server listens");
    }

    fn receive(&self) -> Message {
        self.connection
            .receiver
            .recv_timeout(Duration::from_secs(60))
            .expect("the server answers")
    }

    fn answer(&mut self, method: &str, params: Value) -> Response {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.connection
            .sender
            .send(Request::new(id.clone(), method.to_owned(), params).into())
            .expect("the server listens");
        loop {
            match self.receive() {
                Message::Response(response) if response.id == id => return response,
                other => self.others.push_back(other),
            }
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let response = self.answer(method, params);
        assert!(response.error.is_none(), "{:?}", response.error);
        response.result.unwrap_or_default()
    }

    /// The next notification of this kind.
    fn hear(&mut self, method: &str) -> Value {
        loop {
            let message = self.others.pop_front().unwrap_or_else(|| self.receive());
            if let Message::Notification(notification) = message
                && notification.method == method
            {
                return notification.params;
            }
        }
    }

    fn open(&mut self, text: &str) -> Value {
        let document = json!({ "uri": NAME, "languageId": "litmus", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        self.hear("textDocument/publishDiagnostics")
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.server.take().expect("it is there").join().expect("the server ends in order");
    }
}

fn at(line: u32, character: u32) -> Value {
    json!({ "textDocument": { "uri": NAME }, "position": { "line": line, "character": character } })
}

#[test]
fn what_is_wrong_is_said_while_one_types() {
    let mut editor = Editor::new();
    assert_eq!(editor.open(TEXT)["diagnostics"], json!([]));
    let change = json!({ "textDocument": { "uri": NAME, "version": 2 }, "contentChanges": [{ "text": "p:[x=speed]" }] });
    editor.tell("textDocument/didChange", change);
    let found = editor.hear("textDocument/publishDiagnostics");
    let diagnostic = &found["diagnostics"][0];
    assert_eq!(diagnostic["severity"], 1);
    assert_eq!(
        diagnostic["range"],
        json!({ "start": { "line": 0, "character": 5 }, "end": { "line": 0, "character": 10 } })
    );
    assert!(diagnostic["message"].as_str().unwrap().contains("speed"), "{found}");
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": NAME } }));
    assert_eq!(editor.hear("textDocument/publishDiagnostics")["diagnostics"], json!([]));
}

#[test]
fn names_lead_to_their_declarations_and_say_what_they_are() {
    let mut editor = Editor::new();
    editor.open(TEXT);
    let place = editor.ask("textDocument/definition", at(3, 8));
    assert_eq!(place["range"]["start"], json!({ "line": 1, "character": 5 }));
    let said = editor.ask("textDocument/hover", at(3, 8));
    assert_eq!(said["contents"]["value"], "```litmus\ninit balance=1;\n```\nwhat everybody has");
    assert_eq!(editor.ask("textDocument/hover", at(0, 0)), Value::Null);
    assert_eq!(editor.ask("textDocument/definition", at(99, 99)), Value::Null);
    let outline = editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": NAME } }));
    let names: Vec<&str> = outline.as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["balance", "alice"]);
    assert_eq!(outline[1]["children"][0]["name"], "l");
}

#[test]
fn the_lens_checks_and_the_counterexample_can_be_walked() {
    let mut editor = Editor::new();
    editor.open(TEXT);
    let lens = |editor: &mut Editor| editor.ask("textDocument/codeLens", json!({ "textDocument": { "uri": NAME } }))[0]["command"].clone();
    let command = lens(&mut editor);
    assert_eq!((&command["title"], &command["command"]), (&json!("check"), &json!("mazurka.check")));
    let found = editor.ask(
        "workspace/executeCommand",
        json!({ "command": "mazurka.check", "arguments": command["arguments"] }),
    );
    assert_eq!(found["failure"], "assertion: overdrawn");
    assert_eq!(found["steps"][1]["position"], json!({ "line": 3, "character": 6 }));
    let said = editor.hear("textDocument/publishDiagnostics");
    let related = said["diagnostics"][0]["relatedInformation"].as_array().unwrap();
    assert_eq!(related.len(), 2, "{said}");
    assert_eq!(related[0]["message"], "step 1: alice: l=balance");
    assert_eq!(
        lens(&mut editor)["title"],
        "violation: 1 failed assertion in bank.litmus (check again)"
    );
    let change = json!({ "textDocument": { "uri": NAME, "version": 2 }, "contentChanges": [{ "text": format!("{TEXT}// changed") }] });
    editor.tell("textDocument/didChange", change);
    assert_eq!(editor.hear("textDocument/publishDiagnostics")["diagnostics"], json!([]));
    assert_eq!(lens(&mut editor)["title"], "check", "what was found is not about the new text");
}

#[test]
fn what_cannot_be_done_is_an_error_and_the_server_goes_on() {
    let mut editor = Editor::new();
    let check = json!({ "command": "mazurka.check", "arguments": [NAME] });
    assert!(
        editor.answer("workspace/executeCommand", check.clone()).error.is_some(),
        "nothing is open"
    );
    assert!(editor.answer("textDocument/rename", json!({})).error.is_some());
    for (text, message) in [("// refuse", "there is no verdict"), ("// panic", "please report it")] {
        editor.open(text);
        let error = editor.answer("workspace/executeCommand", check.clone()).error.expect("an error");
        assert!(error.message.contains(message), "{}", error.message);
    }
    for params in [
        json!(null),
        json!({}),
        json!({ "textDocument": 3 }),
        json!({ "contentChanges": [] }),
    ] {
        for method in [
            "textDocument/didOpen",
            "textDocument/didChange",
            "textDocument/didClose",
            "$/nonsense",
        ] {
            editor.tell(method, params.clone());
        }
        for method in ["textDocument/hover", "textDocument/codeLens", "textDocument/documentSymbol"] {
            assert_eq!(editor.ask(method, params.clone()), Value::Null);
        }
    }
}
