//! Text in the reader's language, from Fluent files; what a language lacks falls back to English.

use std::cell::RefCell;

use fluent_bundle::{FluentArgs, FluentBundle, FluentResource, FluentValue};

/// A language of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// English.
    English,
    /// French.
    French,
}

impl Language {
    /// All languages with a file of their own.
    pub const ALL: [Language; 2] = [Language::English, Language::French];

    /// The code, as in `lang` attributes.
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::French => "fr",
        }
    }

    /// The language's name for itself.
    pub const fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::French => "Français",
        }
    }

    /// The language for a browser's preference such as `fr-CA`.
    pub fn from_code(code: &str) -> Option<Language> {
        Language::ALL
            .into_iter()
            .find(|language| code.split('-').next() == Some(language.code()))
    }

    /// What the page says, and the names of what the rules have.
    const fn sources(self) -> [&'static str; 2] {
        match self {
            Language::English => [
                include_str!("../text/en.ftl"),
                include_str!("../text/en-names.ftl"),
            ],
            Language::French => [
                include_str!("../text/fr.ftl"),
                include_str!("../text/fr-names.ftl"),
            ],
        }
    }
}

type Bundle = FluentBundle<FluentResource>;

thread_local! {
    static BUNDLES: RefCell<Vec<(Language, Bundle)>> = const { RefCell::new(Vec::new()) };
    static CURRENT: RefCell<Language> = const { RefCell::new(Language::English) };
}

fn bundle(language: Language) -> Bundle {
    let id: unic_langid::LanguageIdentifier = language.code().parse().unwrap_or_default();
    let mut bundle = FluentBundle::new(vec![id]);
    bundle.set_use_isolating(false);
    for source in language.sources() {
        let resource = match FluentResource::try_new(source.to_string()) {
            Ok(resource) | Err((resource, _)) => resource,
        };
        let _ = bundle.add_resource(resource);
    }
    bundle
}

/// Sets the language of the page.
pub fn set_language(language: Language) {
    CURRENT.with_borrow_mut(|current| *current = language);
}

/// The language of the page.
pub fn language() -> Language {
    CURRENT.with_borrow(|current| *current)
}

/// A message with arguments.
pub fn say(id: &str, args: &[(&str, FluentValue<'_>)]) -> String {
    let mut fluent = FluentArgs::new();
    for (name, value) in args {
        fluent.set(*name, value.clone());
    }
    BUNDLES.with_borrow_mut(|bundles| {
        for language in [language(), Language::English] {
            if !bundles.iter().any(|(known, _)| *known == language) {
                bundles.push((language, bundle(language)));
            }
            let found = bundles
                .iter()
                .find(|(known, _)| *known == language)
                .and_then(|(_, bundle)| {
                    let pattern = bundle.get_message(id)?.value()?;
                    Some(
                        bundle
                            .format_pattern(pattern, Some(&fluent), &mut Vec::new())
                            .into_owned(),
                    )
                });
            if let Some(text) = found {
                return text;
            }
        }
        id.to_string()
    })
}

/// A message without arguments.
pub fn tr(id: &str) -> String {
    say(id, &[])
}

/// A message without arguments, if there is one.
pub fn known(id: &str) -> Option<String> {
    let text = tr(id);
    (text != id).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    fn messages(language: Language) -> Vec<(&'static str, &'static str)> {
        let lines = language.sources().into_iter().flat_map(str::lines);
        lines.filter_map(|line| line.split_once(" = ")).collect()
    }

    fn ids(language: Language) -> Vec<&'static str> {
        messages(language).into_iter().map(|(id, _)| id).collect()
    }

    #[test]
    fn every_language_has_every_message_once() {
        let english = ids(Language::English);
        for (i, id) in english.iter().enumerate() {
            assert!(!english[..i].contains(id), "{id} is there twice");
        }
        for language in Language::ALL {
            assert_eq!(ids(language), english, "{}", language.name());
            set_language(language);
            for id in &english {
                assert_ne!(tr(id), *id, "{}", language.name());
            }
        }
        set_language(Language::English);
    }

    /// The arguments in a message: `{ $name }`.
    fn arguments(text: &str) -> Vec<&str> {
        let mut found: Vec<&str> = text
            .split("{ $")
            .skip(1)
            .filter_map(|rest| rest.split(' ').next())
            .collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn every_language_uses_the_same_arguments() {
        for language in Language::ALL {
            for ((id, english), (_, text)) in messages(Language::English)
                .into_iter()
                .zip(messages(language))
            {
                assert_eq!(
                    arguments(text),
                    arguments(english),
                    "{id} in {}",
                    language.name()
                );
            }
        }
    }

    /// The text of all modules.
    fn code() -> String {
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        let mut code = String::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    code.push_str(&fs::read_to_string(path).unwrap());
                }
            }
        }
        code
    }

    /// The literals that are given to `tr` and `say`.
    fn asked_for(code: &str) -> Vec<&str> {
        let mut found = Vec::new();
        for call in ["tr(\"", "say(\"", "say(\n"] {
            for (at, _) in code.match_indices(call) {
                let before = code[..at].chars().next_back().unwrap_or(' ');
                let inside = code[at..].split_once('(').map_or("", |(_, rest)| rest);
                let literal = inside.trim_start().strip_prefix('"');
                let id = literal.and_then(|rest| rest.split('"').next());
                if let Some(id) = id
                    && !before.is_alphanumeric()
                    && before != '_'
                {
                    found.push(id);
                }
            }
        }
        found
    }

    #[test]
    fn every_message_that_the_code_asks_for_is_there() {
        let code = code();
        let english = ids(Language::English);
        let asked = asked_for(&code);
        assert!(asked.len() > 150, "{} calls were found", asked.len());
        for id in asked {
            assert!(english.contains(&id), "there is no message {id}");
        }
    }

    /// Messages whose names are put together from words of the rules or of a list.
    const MADE: [&str; 25] = [
        "about-",
        "absence-",
        "clock-",
        "confirm-",
        "do-",
        "edition-",
        "feature-",
        "figure-",
        "gone-",
        "hint-",
        "item-",
        "learn-",
        "level-",
        "name-",
        "neutral-",
        "option-",
        "pace-",
        "place-",
        "reason-",
        "refused-",
        "set-",
        "standing-",
        "theme-",
        "token-",
        "verb-",
    ];

    #[test]
    fn no_message_is_left_over() {
        let code = code();
        for id in ids(Language::English) {
            let made = MADE
                .iter()
                .chain(&["value-", "why-", "aid-", "mark-", "printed-", "colour-"]);
            assert!(
                code.contains(&format!("\"{id}\"")) || made.into_iter().any(|p| id.starts_with(p)),
                "nobody says {id}"
            );
        }
    }
}
