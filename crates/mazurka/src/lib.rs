//! Finds the concurrency bugs that testing misses, and proves their absence when there are none.
