//! Promela models: preprocessor, parser, interpreter.
