//! The actor programs of FORTE'12 and FORTE'14, addressable as `actors:NAME`.

mod buffer;
mod chameneos;
mod dht;
mod fib;
mod java_random;
mod le_erlang;
mod leader;
mod mail;
mod minesweeper;
mod philosophers;
mod pi;
mod pipesort;
mod psort;
mod quicksort;
mod registry;
mod regsim;
mod regsim_two_level;
mod secretary;
mod shortpath;

use crate::System;
use mazurka_core::nearest;

/// A number that a program takes: `--set n=6`.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// As the user writes it.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Its value if it is not set.
    pub default: u32,
    /// The smallest value that makes sense.
    pub least: u32,
    /// The largest value that makes sense.
    pub most: u32,
}

/// An actor program.
#[derive(Clone, Copy, Debug)]
pub struct ActorProgram {
    /// As in `actors:NAME`.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    /// What it takes.
    pub parameters: &'static [Parameter],
    build: fn(&[u32]) -> System,
}

const fn size(name: &'static str, about: &'static str, default: u32, least: u32, most: u32) -> Parameter {
    Parameter {
        name,
        about,
        default,
        least,
        most,
    }
}

/// Every actor program, in the order of the papers.
pub const PROGRAMS: &[ActorProgram] = &[
    ActorProgram {
        name: "registry",
        about: "FORTE'12 Fig. 1, FORTE'14 Fig. 3: two workers and the master register",
        parameters: &[],
        build: |_| registry::system(),
    },
    ActorProgram {
        name: "fib",
        about: "FORTE'12: distributed Fibonacci that reports to a boot actor",
        parameters: &[size("n", "which Fibonacci number", 5, 1, 12)],
        build: |p| fib::booted(p[0]),
    },
    ActorProgram {
        name: "quicksort",
        about: "FORTE'12: distributed quicksort of numbers from Java's Random(25)",
        parameters: &[size("n", "how many numbers", 6, 1, 16)],
        build: |p| quicksort::booted(p[0]),
    },
    ActorProgram {
        name: "pi",
        about: "FORTE'12 and FORTE'14: workers that compute parts of π for a master",
        parameters: &[size("n", "workers", 5, 1, 12)],
        build: |p| pi::system(p[0]),
    },
    ActorProgram {
        name: "pipesort",
        about: "FORTE'12: a chain of stages sorts numbers from Java's Random(9999)",
        parameters: &[size("n", "how many numbers", 4, 1, 8)],
        build: |p| pipesort::system(p[0]),
    },
    ActorProgram {
        name: "chameneos",
        about: "FORTE'12: three creatures meet through a broker",
        parameters: &[size("n", "meetings", 2, 1, 6)],
        build: |p| chameneos::system(p[0]),
    },
    ActorProgram {
        name: "leader",
        about: "FORTE'12: leader election on a ring",
        parameters: &[size("n", "nodes", 4, 2, 8)],
        build: |p| leader::system(p[0]),
    },
    ActorProgram {
        name: "shortpath4",
        about: "FORTE'12: shortest paths in the first graph",
        parameters: &[],
        build: |_| shortpath::four(),
    },
    ActorProgram {
        name: "shortpath5",
        about: "FORTE'12: shortest paths in the second graph",
        parameters: &[],
        build: |_| shortpath::five(),
    },
    ActorProgram {
        name: "regsim",
        about: "FORTE'12: workers register with the first of them",
        parameters: &[size("n", "workers", 6, 1, 10)],
        build: |p| regsim::system(p[0]),
    },
    ActorProgram {
        name: "regsim-2-level",
        about: "FORTE'12: registration on two levels (natural program, source not public)",
        parameters: &[size("n", "sub-masters, and workers of each", 3, 1, 4)],
        build: |p| regsim_two_level::system(p[0]),
    },
    ActorProgram {
        name: "diningphil",
        about: "FORTE'12: dining philosophers with a deadlock (natural program, source not public)",
        parameters: &[size("n", "philosophers", 5, 2, 12)],
        build: |p| philosophers::system(p[0]),
    },
    ActorProgram {
        name: "minesweeper",
        about: "FORTE'12: cells that count mines, with a deadlock (natural program, source not public)",
        parameters: &[size("n", "cells in a row", 4, 2, 12)],
        build: |p| minesweeper::system(p[0]),
    },
    ActorProgram {
        name: "le-erlang",
        about: "FORTE'12: leader election in which nobody may be elected (natural program, source not public)",
        parameters: &[
            size("n", "nodes", 3, 2, 6),
            size("crash", "1: the strongest node may stop", 0, 0, 1),
        ],
        build: |p| le_erlang::system(p[0], p[1] == 1),
    },
    ActorProgram {
        name: "qsort",
        about: "FORTE'14 QSort: quicksort of a prefix of 7,2,5,1,3,9,13,14",
        parameters: &[size("n", "how many numbers", 5, 1, 8)],
        build: |p| quicksort::plain(p[0]),
    },
    ActorProgram {
        name: "fibonacci",
        about: "FORTE'14 Fib: distributed Fibonacci without a client",
        parameters: &[size("n", "which Fibonacci number", 5, 1, 12)],
        build: |p| fib::plain(p[0]),
    },
    ActorProgram {
        name: "psort",
        about: "FORTE'14 PSort: pipe sort of four numbers",
        parameters: &[size("feeds", "in how many lists they are fed", 1, 1, 2)],
        build: |p| psort::system(p[0]),
    },
    ActorProgram {
        name: "secretary",
        about: "FORTE'14 RegSim: workers register when a secretary tells them",
        parameters: &[
            size("workers", "workers", 6, 1, 8),
            size("times", "how often they are told", 1, 1, 3),
        ],
        build: |p| secretary::system(p[0], p[1]),
    },
    ActorProgram {
        name: "dht-a",
        about: "FORTE'14 DHT(a): reads and writes of a distributed hash table",
        parameters: &[],
        build: |_| dht::a(),
    },
    ActorProgram {
        name: "dht-b",
        about: "FORTE'14 DHT(b): writes and a recursive read of a distributed hash table",
        parameters: &[],
        build: |_| dht::b(),
    },
    ActorProgram {
        name: "mail",
        about: "FORTE'14 Mail: a mail server notifies two users",
        parameters: &[size("mails", "notifications", 2, 0, 3)],
        build: |p| mail::system(p[0]),
    },
    ActorProgram {
        name: "bb",
        about: "FORTE'14 BB: a bounded buffer, BB(3,1) with one producer and BB(4,2) with two",
        parameters: &[size("producers", "producers", 1, 1, 2)],
        build: |p| buffer::system(p[0]),
    },
];

/// Why a program cannot be had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActorProgramError(pub String);

impl std::fmt::Display for ActorProgramError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ActorProgramError {}

/// The program of that name.
pub fn find(name: &str) -> Result<&'static ActorProgram, ActorProgramError> {
    PROGRAMS.iter().find(|p| p.name == name).ok_or_else(|| {
        let near = nearest(name, PROGRAMS.iter().map(|p| p.name)).map_or(String::new(), |n| format!(" (did you mean `actors:{n}`?)"));
        let all: Vec<&str> = PROGRAMS.iter().map(|p| p.name).collect();
        ActorProgramError(format!("unknown actor program `{name}`{near}; expected one of {}", all.join(", ")))
    })
}

impl ActorProgram {
    /// The program with these values; what is not set has its default.
    ///
    /// ```
    /// let regsim = mazurka_actors::programs::find("regsim").unwrap();
    /// assert!(regsim.system(&[("n", 4)]).is_ok());
    /// let error = regsim.system(&[("n", 40)]).err().unwrap();
    /// assert_eq!(error.to_string(), "actors:regsim: `n` must be between 1 and 10, not 40");
    /// ```
    pub fn system(&self, set: &[(&str, i64)]) -> Result<System, ActorProgramError> {
        let mut values: Vec<u32> = self.parameters.iter().map(|p| p.default).collect();
        for &(name, value) in set {
            let Some(at) = self.parameters.iter().position(|p| p.name == name) else {
                return Err(self.unknown_parameter(name));
            };
            let Parameter { least, most, .. } = self.parameters[at];
            values[at] = u32::try_from(value).ok().filter(|v| (least..=most).contains(v)).ok_or_else(|| {
                ActorProgramError(format!(
                    "actors:{}: `{name}` must be between {least} and {most}, not {value}",
                    self.name
                ))
            })?;
        }
        Ok((self.build)(&values))
    }

    fn unknown_parameter(&self, name: &str) -> ActorProgramError {
        if self.parameters.is_empty() {
            return ActorProgramError(format!("actors:{} takes no parameters, `{name}` was set", self.name));
        }
        let known: Vec<&str> = self.parameters.iter().map(|p| p.name).collect();
        let near = nearest(name, known.iter().copied()).map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
        ActorProgramError(format!(
            "actors:{} has no parameter `{name}`{near}; expected {}",
            self.name,
            known.join(", ")
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_builds_at_both_ends_of_its_ranges() {
        for program in PROGRAMS {
            for pick in [|p: &Parameter| p.least, |p: &Parameter| p.most] {
                let set: Vec<(&str, i64)> = program.parameters.iter().map(|p| (p.name, i64::from(pick(p)))).collect();
                assert!(program.system(&set).is_ok(), "{}", program.name);
            }
        }
    }

    #[test]
    fn mistakes_are_answered_with_the_nearest_name() {
        assert_eq!(
            find("regsin").unwrap_err().0.split(';').next(),
            Some("unknown actor program `regsin` (did you mean `actors:regsim`?)")
        );
        let secretary = find("secretary").unwrap();
        assert_eq!(
            secretary.system(&[("worker", 3)]).err().unwrap().0,
            "actors:secretary has no parameter `worker` (did you mean `workers`?); expected workers, times"
        );
        assert_eq!(
            find("registry").unwrap().system(&[("n", 3)]).err().unwrap().0,
            "actors:registry takes no parameters, `n` was set"
        );
    }
}
