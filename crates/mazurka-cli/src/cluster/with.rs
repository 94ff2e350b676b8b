//! The cluster, in a binary that has it.

use super::{Crowd, Submission};
use crate::certify::subject;
use crate::cli::{CheckArgs, Cli, Command, WorkerArgs};
use crate::drive::{interrupted, listen};
use crate::exit::Exit;
use crate::frontends::{load, reason};
use crate::output::print_error;
use crate::plan::options;
use crate::refusal::Refusal;
use crate::session::Session;
use clap::Parser;
use mazurka_cluster::{Job, Loads, Nats, Submitted, Trouble, Until, VERSION, Workers};
use mazurka_core::Options;
use mazurka_core::units::Runner;
use mazurka_report::units::counted;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

impl From<Trouble> for Refusal {
    fn from(trouble: Trouble) -> Self {
        Refusal::new(trouble)
    }
}

impl Crowd for Workers {
    fn count(&self) -> usize {
        Workers::count(self)
    }

    fn ever(&self) -> usize {
        Workers::ever(self)
    }

    fn trouble(&self) -> Option<Refusal> {
        Workers::trouble(self).map(Refusal::new)
    }
}

/// Submits the search to the cluster, if that was asked for.
pub fn submit<'p>(args: &CheckArgs, session: &'p Session<'_>, options: &Options) -> Result<Option<Submission<'p>>, Refusal> {
    let Some(url) = &args.cluster else { return Ok(None) };
    let hub = session.program.hub(options)?;
    let digest = subject(session).digest;
    let job = Job {
        version: VERSION.to_owned(),
        arguments: std::env::args().skip(1).collect(),
        files: session.sources.iter().map(|s| (s.name.clone(), s.text.clone())).collect(),
        digest,
    };
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |d| d.as_nanos() as u64);
    let name = format!("{:x}-{:x}-{now:x}", digest as u64, std::process::id());
    let engine = Nats::connect(url, args.credentials.as_deref())?;
    let search = Submitted::new(hub, engine, &name, &job, args.limits.timeout)?;
    let crowd = Box::new(search.workers());
    Ok(Some(Submission {
        search: Box::new(search),
        crowd,
    }))
}

/// Runs units of whatever is submitted there.
pub fn work(args: &WorkerArgs) -> Result<Exit, Refusal> {
    listen();
    let mut engine = Nats::connect(&args.cluster, args.credentials.as_deref())?;
    if let Some(theirs) = engine.other_version()? {
        return Err(Refusal::new(format!(
            "the search on this cluster is of mazurka {theirs}, and this worker is {VERSION}; take a worker of that version"
        )));
    }
    let name = format!(
        "{}-{}",
        std::env::var("HOSTNAME").unwrap_or_else(|_| "worker".to_owned()),
        std::process::id()
    );
    let mut loads = Loading {
        directory: std::env::temp_dir().join(format!("mazurka-{name}")),
        quiet: args.quiet,
    };
    let until = Until {
        stopped: &interrupted,
        idle: args.idle,
    };
    if !args.quiet {
        print_error(&format!("{name} waits for work; Ctrl-C ends it\n"));
    }
    let committed = mazurka_cluster::work(&mut engine, &name, &mut loads, &until)?;
    if !args.quiet {
        print_error(&format!("{name} has committed {}\n", counted(committed, "result")));
    }
    Ok(Exit::Complete)
}

/// Loads the programs of jobs, in a directory of their own.
struct Loading {
    directory: PathBuf,
    quiet: bool,
}

impl Loading {
    /// Writes the texts of the program, and goes there.
    fn unpack(&self, job: &Job) -> std::io::Result<()> {
        self.clean();
        std::fs::create_dir_all(&self.directory)?;
        for (name, text) in &job.files {
            let path = self.directory.join(name);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(path, text)?;
        }
        std::env::set_current_dir(&self.directory)
    }

    fn clean(&self) {
        // What is not there need not be removed.
        drop(std::env::set_current_dir(Path::new("/")));
        drop(std::fs::remove_dir_all(&self.directory));
    }
}

impl Drop for Loading {
    fn drop(&mut self) {
        self.clean();
    }
}

impl Loads for Loading {
    fn with_runner(&mut self, job: &Job, use_it: &mut dyn FnMut(Runner<'_>)) -> Result<(), String> {
        let plain = |refusal: Refusal| refusal.to_string().trim_start_matches("error: ").to_owned();
        // Whoever wrote the job chose the names.
        let stays = |name: &String| {
            Path::new(name)
                .components()
                .all(|part| matches!(part, std::path::Component::Normal(_) | std::path::Component::CurDir))
        };
        if !job.files.iter().all(|(name, _)| stays(name)) {
            return Err("its files do not belong below one directory".to_owned());
        }
        self.unpack(job).map_err(|e| format!("cannot write its program: {}", reason(&e)))?;
        let words = std::iter::once("mazurka".to_owned()).chain(job.arguments.iter().cloned());
        let check = match Cli::try_parse_from(words).map(|cli| cli.command) {
            Ok(Command::Check(check)) => check,
            _ => return Err("it does not say what to check".to_owned()),
        };
        let session = load(&check.program).map_err(plain)?;
        if subject(&session).digest != job.digest {
            return Err("the program is another one here".to_owned());
        }
        let options = options(&check, &session).map_err(plain)?;
        if !self.quiet {
            print_error(&format!("works on {}\n", session.name));
        }
        use_it(session.program.runner(&options).map_err(|e| e.to_string())?);
        Ok(())
    }
}
