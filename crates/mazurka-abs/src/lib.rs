//! ABS models: parser, types, interpreter.
