//! The engine over NATS JetStream: two streams, one for jobs and results, one that is the queue of units.
//!
//! A result is created where there is none: it is published with the demand that its subject has no message yet. An acknowledgement decides nothing, because
//! the server also takes one that comes after its lease.

use crate::engine::{Engine, Lease, Trouble};
use crate::job::VERSION;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::stream::{Config, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context, Message};
use async_nats::{ConnectOptions, HeaderMap};
use futures_util::StreamExt;
use std::collections::HashMap;
use std::fmt::Display;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// A unit that was not acknowledged for so long is given to somebody else.
const LEASE: Duration = Duration::from_secs(10);
/// So long a server may be away.
const PATIENCE: Duration = Duration::from_secs(60);
/// What nobody closes is forgotten after this time.
const FORGOTTEN: Duration = Duration::from_secs(7 * 24 * 3600);
/// At most so many results at once.
const BATCH: usize = 64;
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(200);

/// See the module.
pub struct Nats {
    url: String,
    runtime: Runtime,
    context: Context,
    /// Units of other versions are not taken.
    version: String,
    /// By job: the number of the last result that was returned.
    returned: HashMap<String, u64>,
}

impl Nats {
    /// Connects to a server: `nats://host:4222`, `tls://host`, with `user:password@` or `token@` before the host.
    ///
    /// # Errors
    /// If nobody answers there, or the server has no JetStream.
    pub fn connect(url: &str, credentials: Option<&std::path::Path>) -> Result<Self, Trouble> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|e| Trouble::Refused(e.to_string()))?;
        let unreachable = |e: &dyn Display| Trouble::Unreachable(format!("cannot reach the cluster at `{}`: {e}", shown(url)));
        let client = runtime.block_on(async {
            let mut options = ConnectOptions::new().connection_timeout(Duration::from_secs(5));
            if let Some(path) = credentials {
                options = options.credentials_file(path).await.map_err(|e| unreachable(&e))?;
            }
            options.connect(url).await.map_err(|e| unreachable(&e))
        })?;
        let context = {
            // It begins something that runs beside.
            let _inside = runtime.enter();
            let mut context = jetstream::new(client);
            context.set_timeout(Duration::from_secs(5));
            context
        };
        let mut nats = Nats {
            url: shown(url),
            runtime,
            context,
            version: subject_part(VERSION),
            returned: HashMap::new(),
        };
        nats.ask("set up streams", |context| async move { streams(&context).await.map(drop) })?;
        Ok(nats)
    }

    /// Speaks for another version.
    #[must_use]
    pub fn as_version(self, version: &str) -> Self {
        Nats {
            version: subject_part(version),
            ..self
        }
    }

    /// If the units that wait there are all of other versions: one of these.
    ///
    /// # Errors
    /// If the server cannot say.
    pub fn other_version(&mut self) -> Result<Option<String>, Trouble> {
        let versions = self.ask("say which units wait", |context| async move {
            let (_, queue) = streams(&context).await?;
            let mut subjects = queue.info_with_subjects("mazurka.unit.>").await.map_err(text)?;
            let mut versions = Vec::new();
            while let Some(subject) = subjects.next().await {
                let (subject, _) = subject.map_err(text)?;
                versions.extend(subject.split('.').nth(2).map(str::to_owned));
            }
            Ok(versions)
        })?;
        let own = versions.contains(&self.version);
        Ok(versions
            .into_iter()
            .next()
            .filter(|_| !own)
            .map(|version| version.replace('_', ".")))
    }

    /// Tries something until it works, as long as a server may be away.
    fn ask<T, F>(&mut self, what: &str, mut attempt: impl FnMut(Context) -> F) -> Result<T, Trouble>
    where
        F: Future<Output = Result<T, String>>,
    {
        let begun = Instant::now();
        loop {
            match self.runtime.block_on(attempt(self.context.clone())) {
                Ok(answer) => return Ok(answer),
                Err(said) if begun.elapsed() >= PATIENCE || said.contains(NO_JETSTREAM) => {
                    return Err(Trouble::Refused(format!("the cluster at `{}` does not {what}: {said}", self.url)));
                }
                Err(_) => std::thread::sleep(PAUSE),
            }
        }
    }
}

const NO_JETSTREAM: &str = "jetstream not enabled";

/// No dots may be in a part of a subject.
fn subject_part(version: &str) -> String {
    version.replace('.', "_")
}

/// Without a password.
fn shown(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        _ => url.to_owned(),
    }
}

fn text(error: impl Display) -> String {
    error.to_string()
}

/// The stream of jobs and results, and that of units.
async fn streams(context: &Context) -> Result<(Stream, Stream), String> {
    let config = |name: &str, subjects: &[&str], retention| Config {
        name: name.to_owned(),
        subjects: subjects.iter().map(|s| (*s).to_owned()).collect(),
        retention,
        storage: StorageType::File,
        max_age: FORGOTTEN,
        ..Config::default()
    };
    let kept = config("mazurka_jobs", &["mazurka.job.*", "mazurka.result.*.*"], RetentionPolicy::Limits);
    let queue = config("mazurka_units", &["mazurka.unit.>"], RetentionPolicy::WorkQueue);
    let kept = context.get_or_create_stream(kept).await.map_err(text)?;
    let queue = context.get_or_create_stream(queue).await.map_err(text)?;
    Ok((kept, queue))
}

async fn publish(context: &Context, subject: String, headers: HeaderMap, bytes: Vec<u8>) -> Result<bool, String> {
    let sent = context.publish_with_headers(subject, headers, bytes.into()).await.map_err(text)?;
    match sent.await {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(false),
        Err(error) => Err(text(error)),
    }
}

impl Engine for Nats {
    type Token = Message;

    fn announce(&mut self, job: &str, what: &[u8]) -> Result<(), Trouble> {
        self.ask("take the job", |context| async move {
            publish(&context, format!("mazurka.job.{job}"), HeaderMap::new(), what.to_vec())
                .await
                .map(drop)
        })
    }

    fn job(&mut self, job: &str) -> Result<Option<Vec<u8>>, Trouble> {
        self.ask("say what the job is", |context| async move {
            let (kept, _) = streams(&context).await?;
            match kept.get_last_raw_message_by_subject(&format!("mazurka.job.{job}")).await {
                Ok(message) => Ok(Some(message.payload.to_vec())),
                Err(error) if matches!(error.kind(), jetstream::stream::LastRawMessageErrorKind::NoMessageFound) => Ok(None),
                Err(error) => Err(text(error)),
            }
        })
    }

    fn offer(&mut self, job: &str, unit: u64, bytes: &[u8]) -> Result<(), Trouble> {
        let subject = format!("mazurka.unit.{}.{job}.{unit}", self.version);
        self.ask("take units", |context| {
            let subject = subject.clone();
            async move { publish(&context, subject, HeaderMap::new(), bytes.to_vec()).await.map(drop) }
        })
    }

    fn take(&mut self, wait: Duration) -> Result<Option<Lease<Message>>, Trouble> {
        let consumer = pull::Config {
            durable_name: Some(format!("workers_{}", self.version)),
            filter_subject: format!("mazurka.unit.{}.>", self.version),
            ack_policy: AckPolicy::Explicit,
            ack_wait: LEASE,
            max_ack_pending: -1,
            ..pull::Config::default()
        };
        let taken = self.ask("hand out units", |context| {
            let consumer = consumer.clone();
            async move {
                let (_, queue) = streams(&context).await?;
                let name = consumer.durable_name.clone().unwrap_or_default();
                let consumer = queue.get_or_create_consumer(&name, consumer).await.map_err(text)?;
                let mut messages = consumer.fetch().max_messages(1).expires(wait).messages().await.map_err(text)?;
                match messages.next().await {
                    None => Ok(None),
                    Some(message) => message.map(Some).map_err(text),
                }
            }
        })?;
        Ok(taken.and_then(|message| {
            let mut parts = message.subject.as_str().rsplit('.');
            let (unit, job) = (parts.next()?.parse().ok()?, parts.next()?.to_owned());
            Some(Lease {
                job,
                unit,
                bytes: message.payload.to_vec(),
                token: message,
            })
        }))
    }

    fn commit(&mut self, job: &str, unit: u64, result: &[u8]) -> Result<bool, Trouble> {
        let most = self.context.client().server_info().max_payload;
        if result.len() + 1024 > most && most > 0 {
            return Err(Trouble::Refused(format!(
                "a result of {} KB is larger than the cluster at `{}` takes; set max_payload in its configuration",
                result.len() >> 10,
                self.url
            )));
        }
        self.ask("take results", |context| async move {
            let mut headers = HeaderMap::new();
            headers.insert("Nats-Expected-Last-Subject-Sequence", "0");
            publish(&context, format!("mazurka.result.{job}.{unit}"), headers, result.to_vec()).await
        })
    }

    fn acknowledge(&mut self, lease: Lease<Message>) -> Result<(), Trouble> {
        let acknowledged = self.runtime.block_on(lease.token.ack());
        acknowledged.map_err(|e| Trouble::Refused(e.to_string()))
    }

    fn results(&mut self, job: &str, wait: Duration) -> Result<Vec<Vec<u8>>, Trouble> {
        let last = self.returned.get(job).copied().unwrap_or(0);
        // The server forgets such a consumer when nobody asks it for a while, or when it is started again: then there is another one.
        let consumer = pull::Config {
            filter_subject: format!("mazurka.result.{job}.*"),
            ack_policy: AckPolicy::None,
            deliver_policy: match last {
                0 => DeliverPolicy::All,
                last => DeliverPolicy::ByStartSequence { start_sequence: last + 1 },
            },
            inactive_threshold: Duration::from_secs(5),
            ..pull::Config::default()
        };
        let results = self.ask("hand out results", |context| {
            let consumer = consumer.clone();
            async move {
                let (kept, _) = streams(&context).await?;
                let consumer = kept.create_consumer(consumer).await.map_err(text)?;
                let mut messages = consumer.fetch().max_messages(BATCH).expires(wait).messages().await.map_err(text)?;
                let mut results = Vec::new();
                while let Some(message) = messages.next().await {
                    let message = message.map_err(text)?;
                    let number = message.info().map_err(text)?.stream_sequence;
                    results.push((number, message.payload.to_vec()));
                }
                Ok(results)
            }
        })?;
        if let Some((number, _)) = results.last() {
            self.returned.insert(job.to_owned(), *number);
        }
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }

    fn close(&mut self, job: &str) -> Result<(), Trouble> {
        let subjects = [format!("mazurka.job.{job}"), format!("mazurka.result.{job}.*")];
        let units = format!("mazurka.unit.{}.{job}.*", self.version);
        let context = self.context.clone();
        let closed = self.runtime.block_on(async move {
            let (kept, queue) = streams(&context).await?;
            for subject in subjects {
                kept.purge().filter(subject).await.map_err(text)?;
            }
            queue.purge().filter(units).await.map(drop).map_err(text)
        });
        closed.map_err(Trouble::Refused)
    }
}
