//! `--certificate` and `--verify`: what proves the verdict is written while the search runs, and checked by `mazurka-certificate`.

use crate::frontends::reason;
use crate::refusal::Refusal;
use crate::session::Session;
use crate::start::Watching;
use mazurka_certificate::{Claims, Proved, Subject, Verified, Writer, digest, verify, write_violation};
use mazurka_core::{Algorithm, AnyProgram, AnyState, Covers, Ending, FailureKind, Observer, Outcome, Transition};
use mazurka_report::units::counted;
use std::cell::RefCell;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What stands for the program with its options.
pub fn subject(session: &Session<'_>) -> Subject {
    let texts: Vec<&str> = match session.sources.is_empty() {
        true => vec!["built-in", &session.name],
        false => session.sources.iter().map(|s| s.text.as_str()).collect(),
    };
    let arguments = session.arguments.iter().map(String::as_str);
    Subject {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        digest: digest(texts.into_iter().chain(["with", session.dependency]).chain(arguments)),
    }
}

/// Whether a complete search with this algorithm can be certified: it runs one execution of each trace.
pub fn certifiable(algorithm: Algorithm) -> Result<(), Refusal> {
    let promise = algorithm.about().promise;
    if promise.once && promise.covers == Covers::Traces {
        return Ok(());
    }
    Err(Refusal::new(format!(
        "`{algorithm}` has no certificates: it does not run one execution of each trace; take `optimal` or `source`"
    )))
}

/// The file that is written, under another name until it is whole.
struct Part {
    path: PathBuf,
    writer: Option<Writer<BufWriter<File>>>,
    /// What went wrong; then nothing more is written.
    error: Option<std::io::Error>,
}

/// A certificate in the making. What is not finished is removed.
pub struct Certificate {
    /// Where it will be.
    path: PathBuf,
    /// Nobody asked for the file: it is removed in the end.
    passing: bool,
    part: Rc<RefCell<Part>>,
}

impl Certificate {
    /// Begins a certificate for a search; without a path it goes where nobody sees it.
    pub fn begin(path: Option<&Path>, session: &Session<'_>, algorithm: Algorithm) -> Result<Self, Refusal> {
        let own = || std::env::temp_dir().join(format!("mazurka-{}.certificate", std::process::id()));
        let passing = path.is_none();
        let path = path.map_or_else(own, Path::to_owned);
        let mut name = path.clone().into_os_string();
        name.push(".part");
        let part = PathBuf::from(name);
        let created = File::create(&part).and_then(|file| Writer::new(BufWriter::new(file), &subject(session), algorithm.name()));
        let writer = created.map_err(|e| cannot_write(&path, &e))?;
        Ok(Certificate {
            path,
            passing,
            part: Rc::new(RefCell::new(Part {
                path: part,
                writer: Some(writer),
                error: None,
            })),
        })
    }

    /// An observer that writes what the search runs, and tells the other one.
    pub fn watching<'p>(&self, program: &'p (dyn AnyProgram + 'p), others: Watching<'p>) -> Watching<'p> {
        Some(Box::new(Certifying {
            program,
            part: Rc::clone(&self.part),
            others,
        }))
    }

    /// Ends the certificate with what was found. False if the search proves nothing.
    pub fn finish(&mut self, session: &Session<'_>, algorithm: Algorithm, outcome: &Outcome) -> Result<bool, Refusal> {
        let mut part = self.part.borrow_mut();
        if let Some(error) = part.error.take() {
            return Err(cannot_write(&self.path, &error));
        }
        let Some(writer) = part.writer.take() else { return Ok(false) };
        let certain = |kind: FailureKind| !matches!(kind, FailureKind::Livelock | FailureKind::Nondeterminism | FailureKind::Limit);
        let failures: Vec<_> = (outcome.failures.iter()).filter(|f| certain(f.failure.kind)).cloned().collect();
        // What follows a panic is not looked at, so there is no set of all executions then.
        let panics = outcome.failure_counts[FailureKind::Panic as usize] > 0;
        let ended = outcome.limit.is_none() && !outcome.ended_by_failure && !panics;
        let written = match (ended, failures.is_empty()) {
            (true, _) => writer
                .finish(&claims(outcome))
                .and_then(|file| file.into_inner().map_err(|e| e.into_error())),
            (false, true) => return Ok(false),
            (false, false) => {
                drop(writer);
                let key = |t: Transition| session.program.process_key(t.process);
                let file = File::create(&part.path).map(BufWriter::new);
                let written = file.and_then(|file| write_violation(file, &subject(session), algorithm.name(), &failures, &key));
                written.and_then(|file| file.into_inner().map_err(|e| e.into_error()))
            }
        };
        written
            .and_then(|mut file| file.flush())
            .and_then(|()| std::fs::rename(&part.path, &self.path))
            .map_err(|e| cannot_write(&self.path, &e))?;
        Ok(true)
    }

    /// Checks it.
    pub fn verify(&self, session: &Session<'_>) -> Result<String, Refusal> {
        match check(session, &self.path) {
            Ok(verified) => Ok(sentence(&verified)),
            Err(why) => Err(Refusal::new(format!(
                "internal error: the certificate of this search is refused, so there is no verdict: {why}"
            ))),
        }
    }
}

impl Drop for Certificate {
    fn drop(&mut self) {
        let part = self.part.borrow();
        // What is not there any more need not be removed.
        drop(std::fs::remove_file(&part.path));
        if self.passing {
            drop(std::fs::remove_file(&self.path));
        }
    }
}

fn claims(outcome: &Outcome) -> Claims {
    Claims {
        executions: outcome.counts.executions,
        final_states: outcome.distinct_final_states.unwrap_or(0),
        deadlocks: outcome.counts.deadlocks,
        failures: outcome.failures.iter().map(|f| f.failure.clone()).collect(),
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Refusal {
    Refusal::new(format!("cannot write `{}`: {}", path.display(), reason(error)))
}

/// Checks the certificate in a file; why it proves nothing.
pub fn check(session: &Session<'_>, path: &Path) -> Result<Verified, String> {
    let file = File::open(path).map_err(|e| format!("cannot read `{}`: {}", path.display(), reason(&e)))?;
    let mut file = BufReader::with_capacity(1 << 16, file);
    let read = verify(&*session.program, &subject(session), session.deadlock_is_error, &mut file);
    read.map_err(|why| format!("`{}` proves nothing: {why}", path.display()))
}

/// What was proved, for people.
pub fn sentence(verified: &Verified) -> String {
    match &verified.proved {
        Proved::Complete(claims) => format!(
            "verified by an independent checker: {} of {} run, {} found among them, {} of independent steps swapped",
            counted(verified.steps, "step"),
            counted(claims.executions, "execution"),
            counted(verified.reversals, "reversal"),
            counted(verified.swapped, "pair"),
        ),
        Proved::Violation(failures) => format!(
            "verified by an independent checker: {} {}, on a schedule that was run",
            counted(failures.len() as u64, "failure"),
            if failures.len() == 1 { "happens" } else { "happen, each" },
        ),
        _ => "verified by an independent checker".to_owned(),
    }
}

/// Writes every maximal execution.
struct Certifying<'p> {
    program: &'p (dyn AnyProgram + 'p),
    part: Rc<RefCell<Part>>,
    others: Watching<'p>,
}

impl Observer<AnyState> for Certifying<'_> {
    fn execution(&mut self, schedule: &[Transition], run: &AnyState, ending: Ending) {
        if matches!(ending, Ending::Finished | Ending::Deadlock) {
            let part = &mut *self.part.borrow_mut();
            if let (Some(writer), None) = (&mut part.writer, &part.error) {
                let key = |t: Transition| self.program.process_key(t.process);
                part.error = writer.execution(schedule, &key).err();
            }
        }
        if let Some(others) = &mut self.others {
            others.execution(schedule, run, ending);
        }
    }

    fn step(&mut self, depth: usize, transition: Transition) {
        if let Some(others) = &mut self.others {
            others.step(depth, transition);
        }
    }
}
