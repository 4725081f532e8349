//! The options that say which game is played; every command that makes a game has them.

use anyhow::{Result, bail};
use trencavel_record::jcz::setup::with_profile;
use trencavel_rules::{Edition, Rules, Setup};

/// Which game.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct SetupArgs {
    /// The printed edition, whose tiles and defaults are used
    #[arg(long, default_value = "C2", value_parser = ["C1", "C2", "C3"])]
    edition: String,
    /// Expansions, by slug, separated by commas (see `trencavel expansions`)
    #[arg(long = "with", value_name = "SLUGS", value_delimiter = ',')]
    expansions: Vec<String>,
    /// An option that differs from its default; may be repeated
    #[arg(long = "option", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// A preset of options: `jcz` plays by the readings of JCloisterZone (docs/jcz.md); --option goes before it
    #[arg(long, value_parser = ["jcz"])]
    profile: Option<String>,
    /// How many copies of a tile set, where that differs from the expansions' own; may be repeated
    #[arg(long = "set", value_name = "SET=COPIES")]
    sets: Vec<String>,
}

impl SetupArgs {
    /// The setup for so many seats.
    pub(crate) fn setup(&self, seats: u8) -> Result<Setup> {
        let edition = Edition::from_name(&self.edition).unwrap_or(Edition::C2);
        let mut setup = Setup::new(edition, seats);
        setup.expansions.clone_from(&self.expansions);
        for option in &self.options {
            match option.split_once('=') {
                Some((key, value)) => setup.options.push((key.to_string(), value.to_string())),
                None => bail!("--option {option}: write it as KEY=VALUE"),
            }
        }
        if self.profile.is_some() {
            let own = std::mem::take(&mut setup.options);
            setup = with_profile(setup);
            let is_own = |key: &str| own.iter().any(|(other, _)| other == key);
            setup.options.retain(|(key, _)| !is_own(key));
            setup.options.extend(own);
        }
        for set in &self.sets {
            match set
                .rsplit_once('=')
                .and_then(|(id, n)| Some((id, n.parse().ok()?)))
            {
                Some((id, copies)) => setup.sets.push((id.to_string(), copies)),
                None => bail!("--set {set}: write it as SET=COPIES, with at most 255 copies"),
            }
        }
        Ok(setup)
    }

    /// The linked setup.
    pub(crate) fn rules(&self, seats: u8) -> Result<Rules> {
        Ok(Rules::new(&self.setup(seats)?)?)
    }
}
