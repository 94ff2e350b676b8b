//! Brute force and random programs: what keeps the engine honest.
