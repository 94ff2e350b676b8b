//! Histories against brute force, and what people see of one that cannot be explained.

mod brute_force;
mod known;
