//! What a person sees: terminal, JSON, HTML, JUnit, SARIF.
