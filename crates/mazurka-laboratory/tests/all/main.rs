//! Every algorithm against brute force, interpreters against their references, tables against the papers.
//!
//! One program for all of them: linking one takes longer than compiling most of them.

mod abs_fuzz;
mod abs_reference;
mod actor_laws;
mod actors_fuzz;
mod actors_mutants;
mod actors_published;
mod bounds;
mod brute_force;
mod campaigns;
mod certificates;
mod context_tables;
mod corpus;
mod counts;
mod expressions;
mod forte12;
mod forte14;
mod found;
mod fuzz;
mod merging;
mod order_free;
mod pinned;
mod promela_endless;
mod promela_fuzz;
mod promela_guards;
#[path = "../../../mazurka-promela/tests/all/support/mod.rs"]
mod promela_models;
mod promela_random;
mod protocols_fuzz;
mod reference;
mod settled;
mod shrink;
mod spin;
mod tables;
mod users;
