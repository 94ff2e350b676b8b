//! The protocol: what comes in, and what goes out.

use crate::text::{offset, offset_of_character, position, range};
use crate::{Checked, Checker};
use crossbeam_channel::Sender;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CodeLens, CodeLensOptions, Command, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DocumentSymbol,
    DocumentSymbolResponse, ExecuteCommandOptions, GotoDefinitionResponse, Hover, HoverContents, HoverProviderCapability, Location,
    MarkupContent, MarkupKind, NumberOrString, OneOf, Position, PublishDiagnosticsParams, Range, ServerCapabilities, SymbolKind,
    TextDocumentPositionParams, TextDocumentSyncCapability, TextDocumentSyncKind, Uri,
};
use mazurka_editor::{Declaration, Kind, Language, Severity, declarations, definition, diagnose, hover};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The command behind the lens.
const CHECK: &str = "mazurka.check";
/// Programs nest, and parsers recurse.
const STACK: usize = 256 << 20;

type Failed = Box<dyn Error + Send + Sync>;

/// Serves an editor on standard input and output until it has enough.
///
/// # Errors
/// If the editor does not speak the protocol.
pub fn serve(checker: impl Checker) -> Result<(), Failed> {
    let (connection, threads) = Connection::stdio();
    serve_on(connection, checker)?;
    threads.join()?;
    Ok(())
}

/// Serves the editor at the other end of a connection.
///
/// # Errors
/// If it does not speak the protocol.
pub fn serve_on(connection: Connection, checker: impl Checker) -> Result<(), Failed> {
    let capabilities = ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        definition_provider: Some(OneOf::Left(true)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
        }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![CHECK.to_owned()],
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    };
    connection.initialize(serde_json::to_value(capabilities)?)?;
    let server = Arc::new(Server {
        send: connection.sender.clone(),
        documents: Mutex::default(),
        checker: Box::new(checker),
    });
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request)? {
                    return Ok(());
                }
                Server::request(&server, request);
            }
            Message::Notification(notification) => server.notification(notification),
            Message::Response(_) => {}
        }
    }
    Ok(())
}

struct Server {
    send: Sender<Message>,
    documents: Mutex<HashMap<String, Document>>,
    checker: Box<dyn Checker>,
}

#[derive(Clone)]
struct Document {
    uri: Uri,
    language: Language,
    text: String,
    checked: Option<Checked>,
}

impl Server {
    fn documents(&self) -> MutexGuard<'_, HashMap<String, Document>> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, message: impl Into<Message>) {
        // An editor that went away needs no answer.
        let _ = self.send.send(message.into());
    }

    fn notification(&self, notification: Notification) {
        let params = notification.params;
        match notification.method.as_str() {
            "textDocument/didOpen" => {
                let text = params["textDocument"]["text"].as_str().unwrap_or_default();
                self.changed(&params, text);
            }
            "textDocument/didChange" => {
                let last = params["contentChanges"].as_array().and_then(|changes| changes.last());
                if let Some(text) = last.and_then(|change| change["text"].as_str()) {
                    self.changed(&params, text);
                }
            }
            "textDocument/didClose" => {
                if let Some(name) = params["textDocument"]["uri"].as_str() {
                    let closed = self.documents().remove(name);
                    if let Some(document) = closed {
                        self.publish(&document.uri, Vec::new());
                    }
                }
            }
            _ => {}
        }
    }

    fn changed(&self, params: &Value, text: &str) {
        let Some(name) = params["textDocument"]["uri"].as_str() else {
            return;
        };
        let (Some(language), Ok(uri)) = (Language::of(name), name.parse::<Uri>()) else {
            return;
        };
        let document = Document {
            uri,
            language,
            text: text.to_owned(),
            checked: None,
        };
        self.documents().insert(name.to_owned(), document.clone());
        self.diagnose(&document);
    }

    /// What is wrong with the text, and how it fails if it was checked.
    fn diagnose(&self, document: &Document) {
        let text = &document.text;
        let found = diagnose(document.language, &file_name(&document.uri), text);
        let mut list: Vec<Diagnostic> = found
            .into_iter()
            .map(|finding| Diagnostic {
                range: range(text, finding.range),
                severity: Some(match finding.severity {
                    Severity::Error => DiagnosticSeverity::ERROR,
                    Severity::Warning => DiagnosticSeverity::WARNING,
                    Severity::Note => DiagnosticSeverity::INFORMATION,
                }),
                code: Some(NumberOrString::String(finding.code.to_owned())),
                source: Some("mazurka".to_owned()),
                message: std::iter::once(finding.message).chain(finding.help).collect::<Vec<_>>().join("\n"),
                ..Diagnostic::default()
            })
            .collect();
        list.extend(document.checked.as_ref().and_then(|checked| counterexample(document, checked)));
        self.publish(&document.uri, list);
    }

    fn publish(&self, uri: &Uri, diagnostics: Vec<Diagnostic>) {
        let params = PublishDiagnosticsParams {
            uri: uri.clone(),
            diagnostics,
            version: None,
        };
        self.tell(Notification::new("textDocument/publishDiagnostics".to_owned(), params));
    }

    fn request(server: &Arc<Server>, request: Request) {
        let params = request.params;
        let answer = match request.method.as_str() {
            "textDocument/definition" => server.at(&params, |document, at| {
                let found = definition(document.language, &document.text, at)?;
                Some(json!(GotoDefinitionResponse::Scalar(Location {
                    uri: document.uri.clone(),
                    range: range(&document.text, found.name_range()),
                })))
            }),
            "textDocument/hover" => server.at(&params, |document, at| {
                let said = hover(document.language, &document.text, at)?;
                let (declared, comment) = said.split_once('\n').unwrap_or((&said, ""));
                Some(json!(Hover {
                    contents: HoverContents::Markup(MarkupContent {
                        kind: MarkupKind::Markdown,
                        value: format!("```{}\n{declared}\n```\n{comment}", document.language.name()),
                    }),
                    range: None,
                }))
            }),
            "textDocument/documentSymbol" => server.of(&params, |document| json!(DocumentSymbolResponse::Nested(outline(document)))),
            "textDocument/codeLens" => server.of(&params, |document| json!(lenses(document))),
            "workspace/executeCommand" if params["command"] == CHECK => {
                Self::check(server, request.id, &params);
                return;
            }
            other => {
                let response = Response::new_err(request.id, ErrorCode::MethodNotFound as i32, format!("`{other}` is not offered"));
                server.tell(response);
                return;
            }
        };
        server.tell(Response::new_ok(request.id, answer));
    }

    fn of(&self, params: &Value, answer: impl FnOnce(&Document) -> Value) -> Value {
        let name = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let document = self.documents().get(name).cloned();
        document.map_or(Value::Null, |document| answer(&document))
    }

    fn at(&self, params: &Value, answer: impl FnOnce(&Document, usize) -> Option<Value>) -> Value {
        let Ok(place) = serde_json::from_value::<TextDocumentPositionParams>(params.clone()) else {
            return Value::Null;
        };
        self.of(params, |document| {
            answer(document, offset(&document.text, place.position)).unwrap_or(Value::Null)
        })
    }

    /// Checks a document on a thread of its own: the editor goes on meanwhile.
    fn check(server: &Arc<Server>, id: RequestId, params: &Value) {
        let name = params["arguments"][0].as_str().unwrap_or_default().to_owned();
        let document = server.documents().get(&name).cloned();
        let Some(document) = document else {
            let message = format!("`{CHECK}` needs the address of an open document as its argument");
            server.tell(Response::new_err(id, ErrorCode::InvalidParams as i32, message));
            return;
        };
        let shared = Arc::clone(server);
        let failed = id.clone();
        let started = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn(move || shared.checked(id, &name, document));
        if let Err(error) = started {
            server.tell(Response::new_err(
                failed,
                ErrorCode::InternalError as i32,
                format!("there is no thread to check it: {error}"),
            ));
        }
    }

    fn checked(&self, id: RequestId, name: &str, mut document: Document) {
        let work = std::panic::AssertUnwindSafe(|| self.checker.check(&file_name(&document.uri), &document.text));
        let found = std::panic::catch_unwind(work).unwrap_or_else(|_| Err("this is an error in mazurka, please report it".to_owned()));
        match found {
            Err(message) => {
                self.tell(Response::new_err(id, ErrorCode::RequestFailed as i32, message));
            }
            Ok(checked) => {
                let kind = if checked.is_violation { 2 } else { 3 };
                self.tell(Notification::new(
                    "window/showMessage".to_owned(),
                    json!({ "type": kind, "message": checked.headline }),
                ));
                let steps: Vec<Value> = checked.steps.iter().map(|step| step_told(step, &document.text)).collect();
                let answer = json!({ "headline": checked.headline, "failure": checked.failure, "steps": steps });
                document.checked = Some(checked);
                // A text that was changed meanwhile has another verdict.
                let is_current = {
                    let mut documents = self.documents();
                    let known = documents.get_mut(name).filter(|known| known.text == document.text);
                    known.map(|known| known.checked.clone_from(&document.checked)).is_some()
                };
                if is_current {
                    self.diagnose(&document);
                    let refresh = RequestId::from("lenses".to_owned());
                    self.tell(Request::new(refresh, "workspace/codeLens/refresh".to_owned(), Value::Null));
                }
                self.tell(Response::new_ok(id, answer));
            }
        }
    }
}

fn step_told(step: &crate::Step, text: &str) -> Value {
    let place = step
        .at
        .map(|(line, column)| position(text, offset_of_character(text, line, column)));
    json!({ "text": step.text, "position": place })
}

/// The name of the file, without the folders it is in.
fn file_name(uri: &Uri) -> String {
    uri.as_str().rsplit('/').next().unwrap_or_default().to_owned()
}

/// The failure at its last step, with all steps as places to go to.
fn counterexample(document: &Document, checked: &Checked) -> Option<Diagnostic> {
    let message = checked.failure.clone()?;
    let text = &document.text;
    let place = |(line, column): (u32, u32)| {
        let start = offset_of_character(text, line, column);
        let end = text[start..].find('\n').map_or(text.len(), |n| start + n);
        range(text, start..end)
    };
    let related = checked.steps.iter().enumerate().filter_map(|(at, step)| {
        Some(DiagnosticRelatedInformation {
            location: Location {
                uri: document.uri.clone(),
                range: place(step.at?),
            },
            message: format!("step {}: {}", at + 1, step.text),
        })
    });
    let last = checked.steps.iter().rev().find_map(|step| step.at);
    Some(Diagnostic {
        range: last.map_or_else(Range::default, place),
        severity: Some(DiagnosticSeverity::WARNING),
        code: Some(NumberOrString::String("counterexample".to_owned())),
        source: Some("mazurka".to_owned()),
        message,
        related_information: Some(related.collect()),
        ..Diagnostic::default()
    })
}

fn lenses(document: &Document) -> Vec<CodeLens> {
    let title = match &document.checked {
        None => "check".to_owned(),
        Some(checked) => format!("{} (check again)", checked.headline),
    };
    let start = Position::new(0, 0);
    vec![CodeLens {
        range: Range::new(start, start),
        command: Some(Command {
            title,
            command: CHECK.to_owned(),
            arguments: Some(vec![json!(document.uri.as_str())]),
        }),
        data: None,
    }]
}

/// What is declared everywhere, each with what is declared inside of it.
fn outline(document: &Document) -> Vec<DocumentSymbol> {
    let text = &document.text;
    let all = declarations(document.language, text);
    let (outer, inner): (Vec<&Declaration>, Vec<&Declaration>) = all.iter().partition(|d| d.depth == 0);
    let symbol = |d: &Declaration, children: Vec<DocumentSymbol>| {
        let name = range(text, d.name_range());
        let end = children.iter().map(|c| c.range.end).max().unwrap_or(name.end).max(name.end);
        #[allow(deprecated, reason = "the field has to be given a value")]
        DocumentSymbol {
            name: d.name.clone(),
            detail: Some(d.line.clone()),
            kind: match d.kind {
                Kind::Module => SymbolKind::MODULE,
                Kind::Type => SymbolKind::CLASS,
                Kind::Process => SymbolKind::EVENT,
                Kind::Function => SymbolKind::FUNCTION,
                Kind::Constant => SymbolKind::CONSTANT,
                Kind::Variable => SymbolKind::VARIABLE,
                Kind::Label => SymbolKind::KEY,
            },
            tags: None,
            deprecated: None,
            range: Range::new(name.start, end),
            selection_range: name,
            children: Some(children),
        }
    };
    let mut symbols = Vec::with_capacity(outer.len());
    for (at, d) in outer.iter().enumerate() {
        let until = outer.get(at + 1).map_or(text.len() + 1, |next| next.start);
        let children = inner.iter().filter(|i| d.start < i.start && i.start < until);
        symbols.push(symbol(d, children.map(|i| symbol(i, Vec::new())).collect()));
    }
    symbols
}
