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

    const fn source(self) -> &'static str {
        match self {
            Language::English => include_str!("../text/en.ftl"),
            Language::French => include_str!("../text/fr.ftl"),
        }
    }
}

type Bundle = FluentBundle<FluentResource>;

thread_local! {
    static BUNDLES: RefCell<Vec<(Language, Bundle)>> = const { RefCell::new(Vec::new()) };
    static CURRENT: RefCell<Language> = const { RefCell::new(Language::English) };
}

fn bundle(language: Language) -> Bundle {
    let resource = match FluentResource::try_new(language.source().to_string()) {
        Ok(resource) | Err((resource, _)) => resource,
    };
    let id: unic_langid::LanguageIdentifier = language.code().parse().unwrap_or_default();
    let mut bundle = FluentBundle::new(vec![id]);
    bundle.set_use_isolating(false);
    let _ = bundle.add_resource(resource);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(language: Language) -> Vec<&'static str> {
        let lines = language.source().lines();
        lines
            .filter_map(|line| line.split_once(" = ").map(|(id, _)| id))
            .filter(|id| !id.starts_with([' ', '#']))
            .collect()
    }

    #[test]
    fn every_language_has_every_message() {
        let english = ids(Language::English);
        for language in Language::ALL {
            assert_eq!(ids(language), english, "{}", language.name());
            for id in &english {
                set_language(language);
                assert_ne!(tr(id), *id);
            }
        }
        set_language(Language::English);
    }
}
