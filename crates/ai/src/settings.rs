//! How the searching player searches, and what it and the steady player play for.

use trencavel_rules::State;

use crate::evaluate::Purpose;
use crate::weights::Weights;

/// With fewer tiles left the points of others count more and more as much as the own.
const LATE: f32 = 12.0;

/// How the searching player searches. The steady player takes from it what it plays for, and the numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchSettings {
    /// How many of the best plans are tried at first.
    pub plans: usize,
    /// How many decisions of nature every trial lasts at least.
    pub draws: u32,
    /// How many plans of each later decision are ever tried.
    pub replies: usize,
    /// How many more of them are tried with the square root of the trials.
    pub widen: f32,
    /// How much a plan that was tried little is preferred.
    pub explore: f32,
    /// How many trials the evaluation of a plan weighs as much as.
    pub trust: f32,
    /// How many points a first choice may look worse than others before its second choices are not looked at.
    pub margin: f32,
    /// How much winning counts beside the lead, 0 to 1.
    pub winning: f32,
    /// How much a point of the best other seat counts, of one of the own: with 1 seats play for their lead alone. Near
    /// the end it is always 1.
    pub rivalry: f32,
    /// Whether the others are taken to play against the seat that thinks, instead of each for itself.
    pub paranoid: bool,
    /// How many threads share the work; the result of a budget in iterations does not depend on it. Only with the feature
    /// `threads`.
    pub threads: usize,
    /// What share of the budget a second choice gets that was already searched with the first.
    pub again: f32,
    /// A plan is given up when so many points are lost by that in expectation, and a search ends when one first choice is
    /// left; 0 for never. Time that is saved is not spent elsewhere.
    pub settle: f32,
    /// The most iterations of a decision, whatever the budget; 0 for no limit.
    pub most: u32,
    /// The numbers of the evaluation.
    pub weights: Weights,
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings {
            plans: 16,
            draws: 1,
            replies: 6,
            widen: 0.3,
            explore: 0.5,
            trust: 3.0,
            margin: 1.0,
            winning: 0.0,
            rivalry: 0.7,
            paranoid: false,
            threads: 1,
            again: 0.3,
            settle: 0.001,
            most: 0,
            weights: Weights::default(),
        }
    }
}

/// Why a setting cannot be changed so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SettingError {
    /// There is no setting or number of the evaluation with this name.
    Unknown,
    /// The value is not one that it can have.
    Value,
}

impl core::fmt::Display for SettingError {
    fn fmt(&self, f: &mut core::fmt::Formatter) -> core::fmt::Result {
        f.write_str(match self {
            SettingError::Unknown => {
                "there is no setting or number of the evaluation with this name"
            }
            SettingError::Value => "this is not a value that it can have",
        })
    }
}

impl core::error::Error for SettingError {}

impl SearchSettings {
    /// The names of the settings; those of the numbers of the evaluation can be changed by name, too.
    pub const NAMES: &'static [&'static str] = &[
        "plans", "draws", "replies", "widen", "explore", "trust", "margin", "winning", "rivalry",
        "paranoid", "again", "settle", "most",
    ];

    /// What seats play for in a position.
    pub(crate) fn purpose(&self, state: &State) -> Purpose {
        // What was won from others counts in full when nothing can be built any more.
        let early = (f32::from(state.bag().len()) / LATE).min(1.0);
        Purpose {
            rivalry: 1.0 - (1.0 - self.rivalry) * early,
            winning: self.winning,
        }
    }

    /// Changes a setting or a number of the evaluation by its name.
    ///
    /// # Errors
    /// If there is none with this name, or it cannot have this value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        fn read<T: core::str::FromStr>(to: &mut T, value: &str) -> Result<(), SettingError> {
            *to = value.parse().map_err(|_| SettingError::Value)?;
            Ok(())
        }
        let number = |to: &mut f32| {
            read(to, value)?;
            if to.is_finite() {
                Ok(())
            } else {
                Err(SettingError::Value)
            }
        };
        match name {
            "plans" => read(&mut self.plans, value),
            "draws" => read(&mut self.draws, value),
            "replies" => read(&mut self.replies, value),
            "widen" => number(&mut self.widen),
            "explore" => number(&mut self.explore),
            "trust" => number(&mut self.trust),
            "margin" => number(&mut self.margin),
            "winning" => number(&mut self.winning),
            "rivalry" => number(&mut self.rivalry),
            "paranoid" => read(&mut self.paranoid, value),
            "again" => number(&mut self.again),
            "settle" => number(&mut self.settle),
            "most" => read(&mut self.most, value),
            _ => {
                let mut numbers = self.weights.to_vec();
                let at = Weights::NAMES.iter().position(|known| *known == name);
                let place = at
                    .and_then(|at| numbers.get_mut(at))
                    .ok_or(SettingError::Unknown)?;
                number(place)?;
                self.weights = Weights::from_slice(&numbers);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_can_be_changed_by_name() {
        for name in SearchSettings::NAMES {
            let mut settings = SearchSettings::default();
            let value = if *name == "paranoid" { "true" } else { "7" };
            assert_eq!(settings.set(name, value), Ok(()), "{name}");
            assert_ne!(settings, SearchSettings::default(), "{name}");
            assert_eq!(
                settings.set(name, "seven"),
                Err(SettingError::Value),
                "{name}"
            );
        }
        let mut settings = SearchSettings::default();
        assert_eq!(settings.set("tempo", "2.5"), Ok(()));
        assert_eq!(settings.weights.tempo, 2.5);
        assert_eq!(settings.set("tempo", "inf"), Err(SettingError::Value));
        assert_eq!(settings.set("temper", "1"), Err(SettingError::Unknown));
    }
}
