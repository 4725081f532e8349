//! How Trencavel is tested: scenarios that people write without Rust (`docs/scenarios.md`).

#![deny(missing_docs)]

pub mod scenario;
