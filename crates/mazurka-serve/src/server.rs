//! The server: from requests to the page and to the answers of the host.

use crate::guard::Guard;
use crate::reply::{Reply, Stop, answer};
use crate::{Host, assets};
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Questions are programs, and programs are not larger than this.
const LARGEST: usize = 4 << 20;
/// So many questions are answered at the same time.
const MOST: usize = 32;
/// Parsers and interpreters recurse as deeply as programs nest.
const STACK: usize = 256 << 20;

/// A secret that is part of the address of the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token(String);

impl Token {
    /// A new one, of 128 random bits.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn random() -> io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|e| io::Error::other(e.to_string()))?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }
}

/// A server that has a port and does not serve yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: Token,
}

impl Server {
    /// Takes a port at the address; 0 takes any that is free.
    ///
    /// # Errors
    /// If the port cannot be had.
    pub fn bind(address: IpAddr, port: u16, token: Token) -> io::Result<Self> {
        let listener = TcpListener::bind((address, port))?;
        listener.set_nonblocking(true)?;
        Ok(Server {
            address: listener.local_addr()?,
            listener,
            token,
        })
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.token.0)
    }

    /// Serves until `stop` says so, which is asked a few times a second.
    ///
    /// # Errors
    /// If the system takes the port away.
    pub fn run(self, host: impl Host, stop: impl Fn() -> bool + Send + 'static) -> io::Result<()> {
        let local = self.address.ip().is_loopback();
        let shared = Arc::new(Shared {
            guard: Guard::new(self.token.0, self.address.port(), local),
            host,
            runs: Mutex::default(),
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let router = Router::new().fallback(respond).with_state(shared);
            let serving = axum::serve(listener, router);
            tokio::select! {
                served = serving.into_future() => served,
                () = stopped(stop) => Ok(()),
            }
        })
    }
}

async fn stopped(stop: impl Fn() -> bool) {
    while !stop() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

struct Shared<H> {
    guard: Guard,
    host: H,
    /// What is being answered, by the names that the page gave.
    runs: Mutex<HashMap<String, Stop>>,
}

impl<H> Shared<H> {
    fn runs(&self) -> std::sync::MutexGuard<'_, HashMap<String, Stop>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn respond<H: Host>(State(shared): State<Arc<Shared<H>>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let path = head.uri.path();
    let mut response = match shared.guard.admit(&head.method, path, &head.headers) {
        Err(intruder) => (StatusCode::FORBIDDEN, intruder.message()).into_response(),
        Ok(rest) => match (&head.method, rest.strip_prefix("api/")) {
            (&Method::POST, Some(what)) => match to_bytes(body, LARGEST).await {
                Ok(asked) => question(&shared, what, &asked),
                Err(_) => refused(StatusCode::PAYLOAD_TOO_LARGE, "this is more than a program: 4 MB are the most"),
            },
            (&Method::GET, None) => match assets::find(rest) {
                Some((kind, text)) => ([(header::CONTENT_TYPE, kind)], text).into_response(),
                None => refused(StatusCode::NOT_FOUND, "there is no such file"),
            },
            _ => refused(StatusCode::METHOD_NOT_ALLOWED, "files are got, questions are posted"),
        },
    };
    // The token is in the address, so that must not leave the page; and nobody else may use what is here.
    for (name, value) in [
        ("content-security-policy", assets::POLICY),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cache-control", "no-store"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn refused(status: StatusCode, why: &str) -> Response {
    let line = format!("{}\n", json!({ "error": why }));
    (status, [(header::CONTENT_TYPE, "application/json")], line).into_response()
}

fn question<H: Host>(shared: &Arc<Shared<H>>, what: &str, asked: &Bytes) -> Response {
    let asked: Value = match serde_json::from_slice(asked) {
        Ok(asked) => asked,
        Err(error) => return refused(StatusCode::BAD_REQUEST, &format!("a question is JSON: {error}")),
    };
    let run = asked.get("run").and_then(Value::as_str).map(str::to_owned);
    if what == "stop" {
        return stop(shared, run.as_deref());
    }
    let stop = Stop::default();
    let name = {
        let mut runs = shared.runs();
        if runs.len() >= MOST {
            return refused(
                StatusCode::SERVICE_UNAVAILABLE,
                &format!("{MOST} questions are being answered already; stop one, or close a page"),
            );
        }
        // A question that cannot be stopped by name is counted all the same.
        let name = run.filter(|name| !runs.contains_key(name)).unwrap_or_else(|| unnamed(&runs));
        runs.insert(name.clone(), stop.clone());
        name
    };
    let (reply, lines) = answer(stop);
    let (for_thread, what) = (Arc::clone(shared), what.to_owned());
    let done = Done {
        shared: Arc::clone(shared),
        name,
    };
    let started = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        answered(&for_thread.host, &what, &asked, &reply);
        drop(done);
    });
    match started {
        Ok(_) => ([(header::CONTENT_TYPE, "application/x-ndjson")], Body::new(lines)).into_response(),
        Err(error) => refused(
            StatusCode::SERVICE_UNAVAILABLE,
            &format!("there is no thread to answer it: {error}"),
        ),
    }
}

fn stop<H: Host>(shared: &Shared<H>, run: Option<&str>) -> Response {
    let runs = shared.runs();
    match run.and_then(|run| runs.get(run)) {
        Some(stop) => {
            stop.now();
            refused(StatusCode::OK, "stopping")
        }
        None => refused(StatusCode::NOT_FOUND, "there is no such run; it may have ended"),
    }
}

fn unnamed(runs: &HashMap<String, Stop>) -> String {
    let mut number = runs.len();
    while runs.contains_key(&format!("#{number}")) {
        number += 1;
    }
    format!("#{number}")
}

/// Takes a question off the list when it is answered, or when it could not be.
struct Done<H> {
    shared: Arc<Shared<H>>,
    name: String,
}

impl<H> Drop for Done<H> {
    fn drop(&mut self) {
        self.shared.runs().remove(&self.name);
    }
}

/// Has the host answer. A panic is an answer too, and the server goes on.
fn answered(host: &impl Host, what: &str, asked: &Value, reply: &Reply) {
    let error = match catch_unwind(AssertUnwindSafe(|| host.answer(what, asked, reply))) {
        Ok(Ok(())) => return,
        Ok(Err(error)) => error,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
            format!("this is an error in mazurka, please report it: {text}")
        }
    };
    reply.say(&json!({ "error": error }));
}
