//! Broken and hostile bytes: everything that reads from outside must refuse them or work with what they say, never panic.
//!
//! Each target is a function of bytes that panics on a fault and says whether the bytes were accepted. A small mutator runs
//! them in the process: it keeps accepted bytes and breaks them further. The targets fit coverage-guided fuzzers as well.

mod saved;
mod targets;

pub use saved::{fuzz_jcz, fuzz_recorded};
pub use targets::{
    fuzz_game_file, fuzz_inputs, fuzz_notation, fuzz_scenario, fuzz_setup, fuzz_snapshot,
    fuzz_tile_file,
};

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::random::Random;

/// The longest bytes that are tried.
const MAX_BYTES: usize = 6000;
/// How many accepted bytes are kept.
const MAX_POOL: usize = 200;

/// Something that reads bytes.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Reads bytes: panics on a fault, and says whether they were accepted.
    pub run: fn(&[u8]) -> bool,
    /// Bytes to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words that break things more cleverly than bytes do.
    pub words: &'static [&'static str],
}

/// Every target.
pub const TARGETS: &[Target] = targets::TARGETS;

/// Bytes at which a target panicked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Crash {
    /// The target's name.
    pub target: &'static str,
    /// The bytes, as short as they could be made.
    pub bytes: Vec<u8>,
    /// What the panic said.
    pub message: String,
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} panics: {}", self.target, self.message)?;
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => write!(f, "with the text {text:?}"),
            Err(_) => write!(f, "with the bytes {:?}", self.bytes),
        }
    }
}

impl std::error::Error for Crash {}

/// Runs a target so many times; how many of the bytes it accepted.
///
/// # Errors
/// The first bytes at which it panics.
pub fn run(target: &Target, seed: u64, times: usize) -> Result<usize, Box<Crash>> {
    let mut random = Random::new(seed);
    let mut pool = (target.seeds)();
    for bytes in &pool {
        attempt(target, bytes)?;
    }
    let mut accepted = 0;
    for _ in 0..times {
        let mut bytes = random.of(&pool).cloned().unwrap_or_default();
        for _ in 0..=random.below(4) {
            mutate(&mut bytes, &pool, target.words, &mut random);
        }
        bytes.truncate(MAX_BYTES);
        if attempt(target, &bytes)? {
            accepted += 1;
            if pool.len() < MAX_POOL {
                pool.push(bytes);
            } else {
                let at = random.below(pool.len());
                pool[at] = bytes;
            }
        }
    }
    Ok(accepted)
}

fn attempt(target: &Target, bytes: &[u8]) -> Result<bool, Box<Crash>> {
    match tried(target, bytes) {
        Ok(accepted) => Ok(accepted),
        Err(message) => {
            let bytes = shorten(target, bytes.to_vec());
            let message = tried(target, &bytes).err().unwrap_or(message);
            Err(Box::new(Crash {
                target: target.name,
                bytes,
                message,
            }))
        }
    }
}

/// Whether the bytes are accepted; what the panic says if there is one.
fn tried(target: &Target, bytes: &[u8]) -> Result<bool, String> {
    catch_unwind(AssertUnwindSafe(|| (target.run)(bytes))).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
        text.unwrap_or_else(|| "a panic without words".to_string())
    })
}

/// Leaves out bytes as long as the target still panics.
fn shorten(target: &Target, mut bytes: Vec<u8>) -> Vec<u8> {
    let mut chunk = bytes.len() / 2;
    while chunk > 0 {
        let mut at = 0;
        while at < bytes.len() {
            let mut shorter = bytes.clone();
            shorter.drain(at..(at + chunk).min(bytes.len()));
            if tried(target, &shorter).is_err() {
                bytes = shorter;
            } else {
                at += chunk;
            }
        }
        chunk /= 2;
    }
    bytes
}

fn mutate(bytes: &mut Vec<u8>, pool: &[Vec<u8>], words: &[&str], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let upto = (at + 1 + random.below(16)).min(bytes.len());
    match random.below(10) {
        0 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        1 => {
            let interesting = [0, 1, 0x7f, 0x80, 0xff, b'-', b'0', b'9', b'\n', b' '];
            if let Some(byte) = bytes.get_mut(at) {
                *byte = *random.of(&interesting).unwrap_or(&0);
            }
        }
        2 => bytes.insert(at, random.bits() as u8),
        3 if at < upto => {
            bytes.drain(at..upto);
        }
        4 if at < upto => {
            let again = bytes[at..upto].to_vec();
            bytes.splice(at..at, again);
        }
        5 | 6 => {
            if let Some(word) = random.of(words) {
                let end = if random.one_in(2) { at } else { upto.max(at) };
                bytes.splice(at..end, word.bytes());
            }
        }
        7 => {
            if let Some(other) = random.of(pool) {
                let from = random.below(other.len() + 1);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
        }
        8 => bytes.truncate(at),
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = byte.wrapping_add(random.below(5) as u8).wrapping_sub(2);
            }
        }
    }
}
