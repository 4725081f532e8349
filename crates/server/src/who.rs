//! Who asks for something: what the secrets and the account of a request prove.

use std::net::IpAddr;

use crate::secret;

/// Somebody.
#[derive(Clone)]
pub(crate) struct Who {
    /// The hashes of the secrets that were brought.
    pub(crate) hashes: Vec<String>,
    /// Whether a secret was said, not only found in a cookie: then it must be good.
    pub(crate) said: bool,
    pub(crate) account: Option<Account>,
    /// The address, as limits and bans count it.
    pub(crate) address: String,
    /// What a spectator is called.
    pub(crate) name: String,
}

/// An account that somebody is logged in to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) id: String,
    pub(crate) name: String,
}

impl Who {
    /// Somebody at an address who has proved nothing.
    pub(crate) fn at(address: IpAddr) -> Who {
        Who {
            hashes: Vec::new(),
            said: false,
            account: None,
            address: counted(address),
            name: String::new(),
        }
    }

    /// Whether this is who has the secret of a hash.
    pub(crate) fn has(&self, hash: &str) -> bool {
        self.hashes.iter().any(|own| secret::same(own, hash))
    }

    pub(crate) fn account_id(&self) -> Option<&str> {
        self.account.as_ref().map(|account| account.id.as_str())
    }
}

/// An address as limits and bans count it: of IPv6 the network, since one household has all of it.
pub(crate) fn counted(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_counted_by_household() {
        let counted = |text: &str| counted(text.parse().unwrap());
        assert_eq!(counted("192.0.2.7"), "192.0.2.7");
        assert_eq!(counted("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(counted("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
    }
}
