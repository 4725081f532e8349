//! Everything that a developer or newcomer runs.
fn main() {}
