//! Running ABS models: one file per part of the language, the programs of the papers, and random models against brute force.

mod agreement;
mod book;
mod choices;
mod common;
mod dialects;
mod endless;
mod exceptions;
mod forte14;
mod functions;
mod futures;
mod insights;
mod laws;
mod limits;
mod mutants;
mod objects;
mod papers;
mod parameters;
mod products;
mod random_programs;
mod statements;
mod time;
mod values;
mod wild_programs;
