//! `--certificate` and `--verify`: what proves the verdict is written while the search runs, and checked by `mazurka-certificate`.

use crate::frontends::reason;
use crate::refusal::Refusal;
use crate::session::Session;
use crate::start::Watching;
use mazurka_certificate::{
    Claims, Compressed, Evidence, Proved, StatesWriter, Subject, Verified, Workers, Writer, digest, verify, write_violation,
};
use mazurka_core::{Algorithm, AnyProgram, AnyState, Chosen, Covers, Ending, FailureKind, Features, Observer, Outcome, Seat, Transition};
use mazurka_report::units::counted;
use std::cell::RefCell;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::thread::available_parallelism;

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

/// Whether a complete search of such a program with this algorithm can be certified.
pub fn certifiable(algorithm: Algorithm, features: Features) -> Result<(), Refusal> {
    let promise = algorithm.about().promise;
    if algorithm.merges() && !(features.static_footprints && features.static_alternatives) {
        return Err(Refusal::new(format!(
            "`{algorithm}` has no certificates where what a process touches next depends on others; take `optimal`, or one of the stateful searches"
        )));
    }
    if algorithm.merges() || algorithm.is_stateful() || (promise.once && promise.covers == Covers::Traces) {
        return Ok(());
    }
    Err(Refusal::new(format!(
        "`{algorithm}` has no certificates: it does not run one execution of each trace; take `optimal`, `source`, `source+merge` or a stateful search"
    )))
}

/// What is written while a search runs.
enum Proof {
    Executions(Writer<Compressed<File>>),
    /// The executions end where a state was explored before, too.
    Merged(Writer<Compressed<File>>),
    States(StatesWriter<Compressed<File>>),
}

/// The file that is written, under another name until it is whole.
struct Draft {
    path: PathBuf,
    proof: Option<Proof>,
    /// What went wrong; then nothing more is written.
    error: Option<std::io::Error>,
}

/// A certificate in the making. What is not finished is removed.
pub struct Certificate {
    /// Where it will be.
    path: PathBuf,
    /// Nobody asked for the file: it is removed in the end.
    passing: bool,
    part: Rc<RefCell<Draft>>,
}

impl Certificate {
    /// Begins a certificate for a search; without a path it goes where nobody sees it.
    pub fn begin(path: Option<&Path>, session: &Session<'_>, algorithm: Algorithm) -> Result<Self, Refusal> {
        let own = || std::env::temp_dir().join(format!("mazurka-{}-{algorithm}.certificate", std::process::id()));
        let passing = path.is_none();
        let path = path.map_or_else(own, Path::to_owned);
        let mut name = path.clone().into_os_string();
        name.push(if algorithm.merges() { ".merging.part" } else { ".part" });
        let part = PathBuf::from(name);
        let (subject, name) = (subject(session), algorithm.name());
        let created = File::create(&part).map(Compressed::new).and_then(|file| {
            Ok(match algorithm {
                _ if algorithm.is_stateful() => Proof::States(StatesWriter::new(file, &subject, name)?),
                _ if algorithm.merges() => Proof::Merged(Writer::merging(file, &subject, name)?),
                _ => Proof::Executions(Writer::new(file, &subject, name)?),
            })
        });
        let proof = created.map_err(|e| cannot_write(&path, &e))?;
        Ok(Certificate {
            path,
            passing,
            part: Rc::new(RefCell::new(Draft {
                path: part,
                proof: Some(proof),
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

    /// For a stateful search: writes which successors of each state are explored.
    pub fn choices(&self) -> Chosen {
        let part = Rc::clone(&self.part);
        Box::new(move |chosen, all| {
            let part = &mut *part.borrow_mut();
            if let (Some(Proof::States(writer)), None) = (&mut part.proof, &part.error) {
                part.error = writer.state(chosen, all).err();
            }
        })
    }

    /// Ends the certificate with what was found. False if the search proves nothing.
    pub fn finish(&mut self, session: &Session<'_>, algorithm: Algorithm, outcome: &Outcome) -> Result<bool, Refusal> {
        let mut part = self.part.borrow_mut();
        if let Some(error) = part.error.take() {
            return Err(cannot_write(&self.path, &error));
        }
        let Some(proof) = part.proof.take() else { return Ok(false) };
        let certain = |kind: FailureKind| {
            !matches!(
                kind,
                FailureKind::Livelock | FailureKind::Property | FailureKind::Nondeterminism | FailureKind::Limit
            )
        };
        let failures: Vec<_> = (outcome.failures.iter()).filter(|f| certain(f.failure.kind)).cloned().collect();
        // What follows a panic is not looked at, so there is no set of all executions then.
        let panics = outcome.failure_counts[FailureKind::Panic as usize] > 0;
        // Whoever merges and forgets states explores them again; the certificate would have them as known.
        let forgot = outcome.merged.is_some_and(|m| m.evicted > 0 || m.store_dropped);
        let ended = outcome.limit.is_none() && !outcome.ended_by_failure && !panics && !forgot;
        let written = match (ended, failures.is_empty()) {
            (true, _) => match proof {
                Proof::Executions(writer) | Proof::Merged(writer) => writer.finish(&claims(outcome)),
                Proof::States(writer) => writer.finish(&claims(outcome)),
            },
            (false, true) => return Ok(false),
            (false, false) => {
                drop(proof);
                let key = |t: Transition| session.program.process_key(t.process);
                let file = File::create(&part.path).map(Compressed::new);
                file.and_then(|file| write_violation(file, &subject(session), algorithm.name(), &failures, &key))
            }
        };
        written
            .and_then(Compressed::finish)
            .and_then(|_| std::fs::rename(&part.path, &self.path))
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

/// A smaller certificate is checked by one thread.
const LARGE: u64 = 32 << 10;

/// Checks the certificate in a file; why it proves nothing. A large one is checked by all cores, where there can be a program for each.
pub fn check(session: &Session<'_>, path: &Path) -> Result<Verified, String> {
    let cannot_read = |e| format!("cannot read `{}`: {}", path.display(), reason(&e));
    let file = File::open(path).map_err(cannot_read)?;
    let size = file.metadata().map_err(cannot_read)?.len();
    let program = &*session.program;
    let check = |workers| verify(program, &subject(session), session.deadlock_is_error, workers, BufReader::new(file));
    let cores = available_parallelism().map_or(1, usize::from);
    let verified = match &session.crew {
        Some(crew) if size >= LARGE && cores > 1 => check(Workers::Several(cores, &|to| crew(Seat::lending(|program| to(program))))),
        _ => check(Workers::One),
    };
    verified.map_err(|why| format!("`{}` proves nothing: {why}", path.display()))
}

/// What was proved, for people.
pub fn sentence(verified: &Verified) -> String {
    match &verified.proved {
        Proved::Complete(claims) => format!(
            "verified by an independent checker: {}",
            match verified.evidence {
                Evidence::Merged { states, demands } => format!(
                    "{} run between {}, {} of races met, {} of independent steps swapped",
                    counted(verified.steps, "step"),
                    counted(states, "state"),
                    counted(demands, "demand"),
                    counted(verified.swapped, "pair"),
                ),
                Evidence::States { states, reduced } => format!(
                    "{} taken between {}; {} left out what cannot matter",
                    counted(verified.steps, "step"),
                    counted(states, "state"),
                    counted(reduced, "choice"),
                ),
                Evidence::Closed { reversals } => format!(
                    "{} of {} run, {} found among them, {} of independent steps swapped",
                    counted(verified.steps, "step"),
                    counted(claims.executions, "execution"),
                    counted(reversals, "reversal"),
                    counted(verified.swapped, "pair"),
                ),
                _ => counted(verified.steps, "step"),
            }
        ),
        Proved::Violation(failures) => format!(
            "verified by an independent checker: {} {}, on a schedule that was run",
            counted(failures.len() as u64, "failure"),
            if failures.len() == 1 { "happens" } else { "happen, each" },
        ),
        _ => "verified by an independent checker".to_owned(),
    }
}

/// Writes every execution that belongs into the certificate.
struct Certifying<'p> {
    program: &'p (dyn AnyProgram + 'p),
    part: Rc<RefCell<Draft>>,
    others: Watching<'p>,
}

impl Observer<AnyState> for Certifying<'_> {
    fn execution(&mut self, schedule: &[Transition], run: &AnyState, ending: Ending) {
        let part = &mut *self.part.borrow_mut();
        if part.error.is_none() {
            let key = |t: Transition| self.program.process_key(t.process);
            let is_maximal = matches!(ending, Ending::Finished | Ending::Deadlock);
            match &mut part.proof {
                Some(Proof::Executions(writer)) if is_maximal => part.error = writer.execution(schedule, &key).err(),
                Some(Proof::Merged(writer)) => part.error = writer.execution(schedule, &key).err(),
                _ => {}
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
