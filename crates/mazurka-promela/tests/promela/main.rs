//! Facts about Promela models, one file per part of the language.

mod atomicity;
mod channels;
mod control;
mod describe;
mod diagnostics;
mod escapes;
mod inlines;
mod never_panics;
mod preprocessor;
mod processes;
mod random;
mod records;
mod remote;
mod runtime_errors;
mod support;
mod values;
