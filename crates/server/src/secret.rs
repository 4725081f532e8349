//! Secrets: random words that prove who sits where. Only their hashes are stored.

use sha2::{Digest as _, Sha256};
use trencavel_record::dealer::hex;

/// The system has no random numbers to give.
#[derive(Debug)]
pub(crate) struct NoRandomness;

/// Bytes from the system's generator.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
    Ok(bytes)
}

/// A new secret of 128 bits, in hexadecimal digits.
pub(crate) fn new_secret() -> Result<String, NoRandomness> {
    Ok(hex(&random::<16>()?))
}

/// A new id of a table: short enough for a link, too long to be guessed.
pub(crate) fn new_id() -> Result<String, NoRandomness> {
    Ok(hex(&random::<10>()?))
}

/// What is stored of a secret.
pub(crate) fn hash(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

/// Whether two texts are the same, in a time that does not tell where they differ.
pub(crate) fn same(one: &str, other: &str) -> bool {
    let differing = one.bytes().zip(other.bytes()).map(|(a, b)| a ^ b);
    one.len() == other.len() && differing.fold(0, |all, bits| all | bits) == 0
}
