//! Source texts, positions and error messages with excerpts.
