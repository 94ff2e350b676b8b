//! Facts about Promela models, one file per part of the language.

mod atomicity;
mod channels;
mod claims;
mod control;
mod describe;
mod diagnostics;
mod escapes;
mod footprints;
mod fragments;
mod inlines;
mod meetings;
mod never_panics;
mod preprocessor;
mod priorities;
mod processes;
mod records;
mod remote;
mod runtime_errors;
mod support;
mod values;
