//! The pages of the rule book as HTML, in which every clause can be addressed by its id.

use std::collections::BTreeSet;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// A page of the rule book.
pub(crate) struct Page {
    /// The prefix of its clauses.
    pub(crate) prefix: String,
    /// Its title.
    pub(crate) title: String,
    /// Its body.
    pub(crate) html: String,
}

/// Makes a page out of its source; none if no clause prefix is named in it.
pub(crate) fn page(source: &str) -> Option<Page> {
    let title = source.lines().find_map(|line| line.strip_prefix("# "))?;
    let prefix = source.lines().find_map(|line| {
        let mut cells = line.split('|').map(str::trim).skip(1);
        (cells.next()? == "Clause prefix").then(|| cells.next())?
    })?;
    let prefix: String = prefix
        .chars()
        .take_while(char::is_ascii_uppercase)
        .collect();
    let options = Options::ENABLE_TABLES;
    let mut events: Vec<Event<'_>> = Parser::new_ext(source, options).collect();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for i in 1..events.len().saturating_sub(1) {
        let id = match (&events[i - 1], &events[i], &events[i + 1]) {
            (Event::Start(Tag::Strong), Event::Text(text), Event::End(TagEnd::Strong))
                if is_clause(text) =>
            {
                text.to_string()
            }
            _ => continue,
        };
        if seen.insert(id.clone()) {
            events[i - 1] = Event::InlineHtml(CowStr::from(format!("<strong id=\"{id}\">")));
            events[i + 1] = Event::InlineHtml(CowStr::from("</strong>"));
        }
    }
    let mut html = String::new();
    html::push_html(&mut html, without_links(events).into_iter());
    Some(Page {
        prefix,
        title: title.to_string(),
        html,
    })
}

/// Whether a text is the id of a clause, such as `TW-07` or `IC-E01`.
fn is_clause(text: &str) -> bool {
    let Some((prefix, number)) = text.split_once('-') else {
        return false;
    };
    prefix.len() == 2
        && prefix.bytes().all(|b| b.is_ascii_uppercase())
        && !number.is_empty()
        && number
            .trim_start_matches('E')
            .bytes()
            .all(|b| b.is_ascii_alphanumeric())
}

/// Links lead to other files of the book, which the page shows by itself: their text stays. Raw HTML is shown as text.
fn without_links(events: Vec<Event<'_>>) -> Vec<Event<'_>> {
    events
        .into_iter()
        .filter(|event| {
            !matches!(
                event,
                Event::Start(Tag::Link { .. }) | Event::End(TagEnd::Link)
            )
        })
        .map(|event| match event {
            Event::Html(text) => Event::Text(text),
            other => other,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_can_be_addressed() {
        let source = "# The Inn\n\n| | |\n| --- | --- |\n| Clause prefix | IN |\n\n- **IN-01** One.\n- **IN-02** Two, see **IN-01**.\n";
        let page = page(source).unwrap();
        assert_eq!(
            (page.prefix.as_str(), page.title.as_str()),
            ("IN", "The Inn")
        );
        assert_eq!(page.html.matches("id=\"IN-01\"").count(), 1);
        assert!(
            page.html
                .contains("<strong id=\"IN-02\">IN-02</strong> Two")
        );
    }

    #[test]
    fn a_page_without_clauses_is_none() {
        assert!(page("# Index\n\nNothing.\n").is_none());
        assert!(!is_clause("majority"));
        assert!(!is_clause("IN-"));
    }
}
