//! Saved and recorded games that lie beside the checkout, if they do: `../shared/cases`, or the folder that the variable
//! `TRENCAVEL_CASES` names. They are only read. Without them the tests say so and pass.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use trencavel_record::jcz::check::{Verdict, check};
use trencavel_record::jcz::compare::{Comparison, compare};
use trencavel_record::jcz::differences;
use trencavel_record::jcz::error::{JczError, JczProblem};
use trencavel_record::jcz::file::JczFile;
use trencavel_record::jcz::recorded::Recorded;
use trencavel_record::jcz::setup::Strictness;
use trencavel_record::json::{Json, Limits};

/// The folder with the cases.
fn cases() -> Option<PathBuf> {
    let named = std::env::var_os("TRENCAVEL_CASES").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases");
    named.or(Some(beside)).filter(|folder| folder.is_dir())
}

/// The files below a folder with this ending, sorted.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn name(folder: &Path, path: &Path, ending: &str) -> String {
    let relative = path
        .strip_prefix(folder)
        .unwrap()
        .to_string_lossy()
        .replace('\\', "/");
    relative.trim_end_matches(ending).to_owned()
}

/// Whether a file cannot be followed only because an expansion is not there.
fn needs_expansion(error: &JczError) -> bool {
    matches!(error.problem, JczProblem::NeedsExpansion(..))
}

#[test]
fn saved_games_hold_what_they_say() {
    let Some(cases) = cases() else {
        println!("skipped: no folder ../shared/cases beside the checkout (0 saved games checked)");
        return;
    };
    let listed = differences::all();
    let folder = cases.join("jcz");
    let (mut followed, mut waiting, mut sentences, mut differing) = (0, 0, 0, 0);
    for path in files(&folder, ".jcz") {
        let name = format!("jcz/{}", name(&folder, &path, ".jcz"));
        let bytes = std::fs::read(&path).unwrap();
        let file = JczFile::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        match check(&file, Strictness::Strict) {
            Ok(mut report) => {
                report.mark_listed(&name, &listed);
                followed += 1;
                for checked in &report.checked {
                    sentences += 1;
                    match checked.verdict {
                        Verdict::Holds => {}
                        Verdict::Listed(..) => differing += 1,
                        Verdict::Fails(_) | Verdict::NotUnderstood => panic!("{name}: {checked}"),
                    }
                }
            }
            Err(error) if needs_expansion(&error) => waiting += 1,
            Err(error) => panic!("{name}: {error}"),
        }
    }
    println!(
        "{followed} saved games followed, {sentences} sentences checked, {differing} differ as listed; \
         {waiting} wait for expansions"
    );
    assert!(followed > 0);
}

#[test]
fn recorded_games_agree_step_by_step() {
    let Some(cases) = cases() else {
        println!(
            "skipped: no folder ../shared/cases beside the checkout (0 recorded games compared)"
        );
        return;
    };
    let listed = differences::all();
    let folder = cases.join("games");
    let mut sum = Comparison::default();
    let (mut compared, mut waiting) = (0, 0);
    for path in files(&folder, ".json.gz") {
        let name = name(&folder, &path, ".json.gz");
        let bytes = std::fs::read(&path).unwrap();
        let game = Recorded::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        match compare(&game, &name, &listed) {
            Ok(found) => {
                if let Some(first) = found.first() {
                    panic!("{name}: {first}");
                }
                compared += 1;
                sum.steps += found.steps;
                sum.confirmations += found.confirmations;
                sum.compared += found.compared;
                sum.equal += found.equal;
                sum.unreached += found.unreached;
            }
            Err(error) if needs_expansion(&error) => waiting += 1,
            Err(error) => panic!("{name}: {error}"),
        }
    }
    println!(
        "{compared} recorded games with {} steps: {} compared, {} equal, {} confirmations, {} not reached; \
         {waiting} games wait for expansions",
        sum.steps, sum.compared, sum.equal, sum.confirmations, sum.unreached
    );
    assert!(compared > 0);
    assert_eq!(sum.unreached, 0);
}

/// Every listed difference is one that is found: none is left over from something that was mended.
#[test]
fn every_listed_difference_is_found() {
    let Some(cases) = cases() else {
        println!("skipped: no folder ../shared/cases beside the checkout");
        return;
    };
    for listed in differences::all() {
        if listed.what == "sentence" {
            let bytes = std::fs::read(cases.join(format!("{}.jcz", listed.game))).unwrap();
            let report = check(&JczFile::read(&bytes).unwrap(), Strictness::Strict).unwrap();
            let fails = |c: &trencavel_record::jcz::check::Checked| {
                c.sentence == listed.text && matches!(c.verdict, Verdict::Fails(_))
            };
            assert!(report.checked.iter().any(fails), "{listed:?}");
        } else {
            let path = cases.join(format!("games/{}.json.gz", listed.game));
            let game = Recorded::read(&std::fs::read(path).unwrap()).unwrap();
            let found = compare(&game, &listed.game, &[]).unwrap();
            let is_it = |d: &trencavel_record::jcz::compare::Difference| {
                d.step == listed.step
                    && d.what.word() == listed.what
                    && d.theirs
                        .iter()
                        .chain(&d.ours)
                        .any(|text| *text == listed.text)
            };
            assert!(found.differences.iter().any(is_it), "{listed:?}");
        }
        let clause = trencavel_rules::Clause::from_id(&listed.clause);
        assert!(clause.is_some(), "{listed:?}");
    }
}

/// Every key, name and word in the files is in the document.
#[test]
fn the_document_knows_every_key() {
    let Some(cases) = cases() else {
        println!(
            "skipped: no folder ../shared/cases beside the checkout (0 files searched for keys)"
        );
        return;
    };
    let mut words = Words::default();
    let saved = files(&cases.join("jcz"), ".jcz");
    let recorded = files(&cases.join("games"), ".json.gz");
    for path in saved.iter().chain(&recorded) {
        let bytes = std::fs::read(path).unwrap();
        let text = if bytes.starts_with(&[0x1f, 0x8b]) {
            let mut text = Vec::new();
            flate2::read::GzDecoder::new(&bytes[..])
                .read_to_end(&mut text)
                .unwrap();
            text
        } else {
            bytes
        };
        let limits = Limits {
            bytes: 64 << 20,
            depth: 64,
            values: 4_000_000,
        };
        let json = Json::read(&text, limits).unwrap();
        if json.get("steps").is_none() {
            words.keys(&json);
        }
        let setup = json.get("setup").unwrap();
        words.keys(setup);
        for part in ["sets", "elements", "rules"] {
            for (key, value) in setup.get(part).unwrap().table().unwrap() {
                let name = key.split(':').next().unwrap();
                words.add(if part == "sets" { name } else { key });
                if let (true, Some(value)) = (part == "rules", value.text()) {
                    words.values.insert((key.to_string(), value.to_owned()));
                }
            }
        }
        let steps = json.get("steps").and_then(Json::list).unwrap_or_default();
        let messages = steps.iter().filter_map(|step| step.get("message"));
        let replay = json.get("replay").and_then(Json::list).unwrap_or_default();
        for message in messages.chain(replay) {
            words.keys(message);
            words.add(message.get("type").unwrap().text().unwrap());
            words.payload(message.get("payload").unwrap());
        }
        for (part, list) in [
            ("players", false),
            ("gameAnnotations", true),
            ("test", true),
        ] {
            match json.get(part) {
                Some(part) if list => words.keys(part),
                Some(part) => part
                    .list()
                    .into_iter()
                    .flatten()
                    .for_each(|one| words.keys(one)),
                None => {}
            }
        }
    }
    let document =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/jcz.md"))
            .unwrap();
    for word in &words.all {
        assert!(document.contains(&format!("`{word}`")), "{word}");
    }
    for (rule, value) in &words.values {
        let row = format!("| `{rule}` |");
        let row = document
            .lines()
            .find(|line| line.starts_with(&row))
            .unwrap();
        let values = row.trim_end_matches('|').rsplit('|').next().unwrap();
        assert!(
            values.split(',').any(|one| one.trim() == value),
            "{rule} {value}"
        );
    }
    println!(
        "{} saved and {} recorded games: {} keys and words, {} values of rules, all in docs/jcz.md",
        saved.len(),
        recorded.len(),
        words.all.len(),
        words.values.len()
    );
    assert!(words.all.len() > 100);
}

#[derive(Default)]
struct Words {
    all: BTreeSet<String>,
    /// Of rules.
    values: BTreeSet<(String, String)>,
}

impl Words {
    fn add(&mut self, word: &str) {
        self.all.insert(word.to_owned());
    }

    fn keys(&mut self, json: &Json) {
        for (key, _) in json.table().into_iter().flatten() {
            self.add(key);
        }
    }

    /// Keys at any depth, and the words that are of the format and not of the game.
    fn payload(&mut self, json: &Json) {
        for (key, value) in json.table().into_iter().flatten() {
            self.add(key);
            match (&**key, value.text()) {
                ("feature" | "source" | "token" | "figureId", Some(word)) => self.add(word),
                ("meepleId", Some(id)) => self.add(id.split('.').nth(1).unwrap()),
                _ => self.payload(value),
            }
        }
    }
}
