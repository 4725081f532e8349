//! `cargo xtask new-expansion`: the first files of an expansion, from templates, and what to do next.

use std::fs;

use anyhow::{Context, Result, bail};
use trencavel_clauses::{Book, read_books};

use crate::project::Project;

/// Options of the command.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Its slug, that is, the name of its file in docs/rules without .md
    slug: String,
}

/// Path and text of each new file, with words in braces to be replaced.
const TEMPLATES: [(&str, &str); 3] = [
    (
        "data/tiles/{slug}.toml",
        include_str!("../templates/tiles.toml.txt"),
    ),
    (
        "crates/rules/src/expansions/{module}.rs",
        include_str!("../templates/expansion.rs.txt"),
    ),
    (
        "scenarios/{slug}/{first}-say-the-rule-here.scn",
        include_str!("../templates/scenario.scn.txt"),
    ),
];

/// Writes the files that do not exist yet.
pub(crate) fn run(project: &Project, args: &Args) -> Result<bool> {
    let slug = args.slug.as_str();
    let books = read_books(&project.path("docs/rules"))?;
    let Some(book) = books.iter().find(|book| book.slug == slug) else {
        bail!(
            "write docs/rules/{slug}.md first, with a prefix and clauses (docs/rules/README.md says how)"
        );
    };
    let files = filled(
        book,
        &title(&project.read(&format!("docs/rules/{slug}.md"))?),
    )?;
    for (path, text) in &files {
        if project.has(path) {
            say!("kept {path}, which exists");
            continue;
        }
        let file = project.path(path);
        fs::create_dir_all(file.parent().context("a file without directory")?)?;
        fs::write(&file, text).with_context(|| format!("cannot write {path}"))?;
        say!("wrote {path}");
    }
    say!("{}", next_steps(book));
    Ok(true)
}

/// The heading of the file, without what stands in brackets.
fn title(text: &str) -> String {
    let heading = text
        .lines()
        .next()
        .unwrap_or_default()
        .trim_start_matches('#')
        .trim();
    heading.split(" (").next().unwrap_or_default().to_string()
}

fn filled(book: &Book, name: &str) -> Result<Vec<(String, String)>> {
    let prefix = book
        .prefix
        .as_deref()
        .context("the rules file has no prefix in its header")?;
    let first = book
        .rules()
        .next()
        .context("the rules file has no clause")?;
    let module = book.slug.replace('-', "_");
    let words = [
        ("{slug}", book.slug.as_str()),
        ("{module}", &module),
        ("{prefix}", prefix),
        ("{name}", name),
        ("{first}", first.id.as_str()),
        ("{FIRST}", &first.id.constant()),
    ];
    let fill = |text: &str| {
        words
            .iter()
            .fold(text.to_string(), |text, (word, by)| text.replace(word, by))
    };
    Ok(TEMPLATES
        .iter()
        .map(|(path, text)| (fill(path), fill(text)))
        .collect())
}

/// The lines that a person adds, because their place is a decision.
fn next_steps(book: &Book) -> String {
    let module = book.slug.replace('-', "_");
    let name: String = book
        .slug
        .split('-')
        .map(|word| word[..1].to_uppercase() + &word[1..])
        .collect();
    format!(
        "\nNow:\n\
         1. crates/rules/src/expansions.rs: pub(crate) mod {module};\n\
         2. crates/rules/src/registry.rs: {name} = {module};\n\
         3. crates/rules/src/order.rs: its steps, where the rule book puts them\n\
         4. tiles, module and a scenario for each of its {} clauses and {} examples:\n   \
            cargo xtask clauses --slug {} --missing\n\
         5. cargo xtask test",
        book.rules().count(),
        book.examples().count(),
        book.slug
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled() {
        let book = Book::parse(
            "gold-mines",
            "# The Goldmines (C2)\nprefix GM\n- **GM-01** One.\n",
        );
        assert_eq!(title("# The Goldmines (C2)\n"), "The Goldmines");
        let files = filled(&book, "The Goldmines").unwrap();
        let paths: Vec<&str> = files.iter().map(|f| f.0.as_str()).collect();
        assert_eq!(
            paths,
            [
                "data/tiles/gold-mines.toml",
                "crates/rules/src/expansions/gold_mines.rs",
                "scenarios/gold-mines/GM-01-say-the-rule-here.scn"
            ]
        );
        for (path, text) in &files {
            assert!(text.ends_with('\n'), "{path}");
            for word in [
                "{slug}", "{module}", "{prefix}", "{name}", "{first}", "{FIRST}",
            ] {
                assert!(!text.contains(word), "{path} still has {word}");
            }
        }
        assert!(
            files[1].1.contains("slug: \"gold-mines\"") && files[1].1.contains("clause::GM_01")
        );
        assert!(next_steps(&book).contains("GoldMines = gold_mines;"));
    }

    #[test]
    fn an_expansion_without_rules_file_is_refused() {
        let project = Project::find().unwrap();
        let error = run(
            &project,
            &Args {
                slug: "no-such-thing".into(),
            },
        )
        .unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("write docs/rules/no-such-thing.md first")
        );
    }
}
