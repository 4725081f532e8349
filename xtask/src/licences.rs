//! The licences of everything that is built in. `deny.toml` lists those we accept.
//!
//! Where cargo-deny is installed it does the check, and looks at sources and duplicates too; without it the licences alone are
//! checked here.

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::command::{cargo, on_path, output, run};
use crate::project::Project;
use crate::stages::Outcome;

/// The check.
pub(crate) fn check(project: &Project) -> Result<Outcome> {
    if let Some(program) = on_path("cargo-deny") {
        let mut command = Command::new(program);
        command.args(["--color", "never", "check", "bans", "licenses", "sources"]);
        run(command.current_dir(project.root()))?;
        return Ok(Outcome::Passed);
    }
    let allowed = allowed(&project.read("deny.toml")?)?;
    let metadata = output(&mut cargo(project, &["metadata", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let packages = metadata["packages"]
        .as_array()
        .context("cargo metadata lists no packages")?;
    let mut refused = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or("?");
        match package["license"].as_str() {
            Some(licence) if accepts(&allowed, licence) => {}
            other => refused.push(format!("{name}: {}", other.unwrap_or("no licence named"))),
        }
    }
    if !refused.is_empty() {
        bail!("licences not in deny.toml\n{}", refused.join("\n"));
    }
    say!(
        "{} packages, licences only; cargo-deny would check more",
        packages.len()
    );
    Ok(Outcome::Passed)
}

/// The list `licenses.allow` of deny.toml.
fn allowed(text: &str) -> Result<Vec<String>> {
    let table: toml::Table = text.parse().context("deny.toml")?;
    let list = table
        .get("licenses")
        .and_then(|l| l.get("allow"))
        .and_then(|a| a.as_array());
    let list = list.context("deny.toml has no list licenses.allow")?;
    Ok(list
        .iter()
        .filter_map(|l| l.as_str())
        .map(str::to_string)
        .collect())
}

/// Whether a licence expression (`MIT OR Apache-2.0`, `(MIT OR X) AND Y`, `MIT/X`) can be met with the allowed licences.
fn accepts(allowed: &[String], expression: &str) -> bool {
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    any(allowed, &mut rest) && rest.is_empty()
}

/// `a OR b OR …`
fn any(allowed: &[String], rest: &mut &[&str]) -> bool {
    let mut good = all(allowed, rest);
    while let [first, after @ ..] = *rest {
        if *first != "OR" {
            break;
        }
        *rest = after;
        good |= all(allowed, rest);
    }
    good
}

/// `a AND b AND …`
fn all(allowed: &[String], rest: &mut &[&str]) -> bool {
    let mut good = one(allowed, rest);
    while let [first, after @ ..] = *rest {
        if *first != "AND" {
            break;
        }
        *rest = after;
        good &= one(allowed, rest);
    }
    good
}

/// A licence, a licence with an exception, or an expression in brackets.
fn one(allowed: &[String], rest: &mut &[&str]) -> bool {
    let list = |name: &str| allowed.iter().any(|a| a == name);
    match *rest {
        ["(", after @ ..] => {
            *rest = after;
            let good = any(allowed, rest);
            match *rest {
                [")", after @ ..] => *rest = after,
                _ => return false,
            }
            good
        }
        [name, "WITH", exception, after @ ..] => {
            *rest = after;
            list(&format!("{name} WITH {exception}"))
        }
        [name, after @ ..] => {
            *rest = after;
            list(name)
        }
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licence_expressions_are_understood() {
        let allowed = allowed("[licenses]\nallow = [\"MIT\", \"Zlib\", \"X WITH Y\"]\n").unwrap();
        for good in [
            "MIT",
            "MIT OR GPL-3.0",
            "GPL-3.0/MIT",
            "(GPL-3.0 OR MIT) AND Zlib",
            "X WITH Y",
            "MIT OR GPL-3.0 AND X",
        ] {
            assert!(accepts(&allowed, good), "{good}");
        }
        for bad in [
            "",
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "X",
            "(MIT",
            "MIT MIT",
            "MIT AND (GPL-3.0 OR BSL-1.0)",
            "OR MIT",
        ] {
            assert!(!accepts(&allowed, bad), "{bad}");
        }
    }
}
