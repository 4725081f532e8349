//! What a person has set, kept in the browser.

use trencavel_art::Theme;

use crate::store;
use crate::text::Language;

/// When a finished move waits for a confirmation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Confirming {
    /// Always.
    Always,
    /// When a figure was put on a field.
    Farming,
    /// Never.
    Never,
}

impl Confirming {
    /// All of them.
    pub(crate) const ALL: [Confirming; 3] =
        [Confirming::Always, Confirming::Farming, Confirming::Never];

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Confirming::Always => "always",
            Confirming::Farming => "farming",
            Confirming::Never => "never",
        }
    }
}

/// How fast computer players show their moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pace {
    /// At once.
    Quick,
    /// With a moment to look.
    Calm,
    /// So that everything can be followed.
    Slow,
}

impl Pace {
    /// All of them.
    pub(crate) const ALL: [Pace; 3] = [Pace::Quick, Pace::Calm, Pace::Slow];

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Pace::Quick => "quick",
            Pace::Calm => "calm",
            Pace::Slow => "slow",
        }
    }

    /// How long a computer player waits before it moves, in milliseconds.
    pub(crate) const fn pause_ms(self) -> u32 {
        match self {
            Pace::Quick => 0,
            Pace::Calm => 450,
            Pace::Slow => 1500,
        }
    }
}

/// The settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    pub(crate) theme: Theme,
    pub(crate) language: Language,
    pub(crate) confirming: Confirming,
    pub(crate) pace: Pace,
    pub(crate) sound: bool,
    pub(crate) auto_fit: bool,
    pub(crate) fields: bool,
    pub(crate) dead: bool,
    pub(crate) coordinates: bool,
}

impl Settings {
    /// What is kept in the browser; where nothing is, what the browser prefers.
    pub(crate) fn kept() -> Settings {
        let prefers = |query: &str| {
            web_sys::window()
                .and_then(|window| window.match_media(query).ok().flatten())
                .is_some_and(|list| list.matches())
        };
        let language = web_sys::window()
            .and_then(|window| window.navigator().language())
            .and_then(|code| Language::from_code(&code));
        let theme = if prefers("(prefers-contrast: more)") {
            Theme::Contrast
        } else if prefers("(prefers-color-scheme: dark)") {
            Theme::Dark
        } else {
            Theme::Day
        };
        let settings = Settings::plain(theme, language.unwrap_or(Language::English));
        settings.read(&store::kept(store::SETTINGS).unwrap_or_default())
    }

    /// What a new visitor finds.
    fn plain(theme: Theme, language: Language) -> Settings {
        Settings {
            theme,
            language,
            confirming: Confirming::Always,
            pace: Pace::Calm,
            sound: false,
            auto_fit: true,
            fields: false,
            dead: false,
            coordinates: false,
        }
    }

    /// Keeps them in the browser.
    pub(crate) fn keep(self) {
        store::keep(store::SETTINGS, &self.write());
    }

    fn write(self) -> String {
        format!(
            "theme {}\nlanguage {}\nconfirm {}\npace {}\nsound {}\nauto-fit {}\nfields {}\ndead {}\ncoordinates {}\n",
            self.theme.name(),
            self.language.code(),
            self.confirming.name(),
            self.pace.name(),
            self.sound,
            self.auto_fit,
            self.fields,
            self.dead,
            self.coordinates
        )
    }

    fn read(mut self, text: &str) -> Settings {
        for (key, value) in text.lines().filter_map(|line| line.split_once(' ')) {
            let on = value == "true";
            match key {
                "theme" => self.theme = Theme::from_name(value).unwrap_or(self.theme),
                "language" => self.language = Language::from_code(value).unwrap_or(self.language),
                "confirm" => {
                    let known = Confirming::ALL.into_iter().find(|c| c.name() == value);
                    self.confirming = known.unwrap_or(self.confirming);
                }
                "pace" => {
                    let known = Pace::ALL.into_iter().find(|p| p.name() == value);
                    self.pace = known.unwrap_or(self.pace);
                }
                "sound" => self.sound = on,
                "auto-fit" => self.auto_fit = on,
                "fields" => self.fields = on,
                "dead" => self.dead = on,
                "coordinates" => self.coordinates = on,
                _ => {}
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_they_were_written() {
        let plain = Settings::plain(Theme::Day, Language::English);
        let other = Settings {
            theme: Theme::Dark,
            language: Language::French,
            confirming: Confirming::Never,
            pace: Pace::Slow,
            sound: true,
            auto_fit: false,
            fields: true,
            dead: true,
            coordinates: true,
        };
        assert_eq!(plain.read(&other.write()), other);
        assert_eq!(plain.read("theme pink\nx y\n\n"), plain);
    }
}
