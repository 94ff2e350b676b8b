//! Tests of the search, beside an oracle that shares no code with it.

mod compared;
mod families;
mod needs;
mod oracle;
mod random;
mod shapes;
mod small;
