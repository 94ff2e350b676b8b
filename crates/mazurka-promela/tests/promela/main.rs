//! Facts about Promela models, one file per part of the language.

mod random;
mod support;
