//! A setup as one line of text: `C2; seats 2; with abbot river; option farmers=false`.

use trencavel_rules::{Edition, Pos, Rotation, Setup, StartTile};

/// The line for a setup. Tiles that a user made are not part of it.
pub fn setup_text(setup: &Setup) -> String {
    let mut parts = vec![
        setup.edition.name().to_string(),
        format!("seats {}", setup.seats),
    ];
    if setup.first != 0 {
        parts.push(format!("first {}", u16::from(setup.first) + 1));
    }
    if !setup.expansions.is_empty() {
        parts.push(format!("with {}", setup.expansions.join(" ")));
    }
    parts.extend(
        setup
            .options
            .iter()
            .map(|(key, value)| format!("option {key}={value}")),
    );
    parts.extend(
        setup
            .sets
            .iter()
            .map(|(id, copies)| format!("sets {id}={copies}")),
    );
    if let Some(bag) = &setup.bag {
        let tiles: Vec<String> = bag.iter().map(|(id, n)| format!("{id}*{n}")).collect();
        parts.push(format!("bag {}", tiles.join(" ")));
    }
    if let Some(start) = &setup.start {
        parts.extend(
            start
                .iter()
                .map(|tile| format!("start {} {} {}", tile.id, tile.pos, tile.rotation)),
        );
    }
    parts.join("; ")
}

/// Reads the line of a setup. Whether it can be played is found out when it is linked.
///
/// # Errors
/// The part that is wrong, and why.
pub fn parse_setup(text: &str) -> Result<Setup, String> {
    let mut setup = Setup::new(Edition::C2, 2);
    for part in text
        .split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        if let Some(edition) = Edition::from_name(part) {
            setup.edition = edition;
            continue;
        }
        let (word, rest) = part.split_once(' ').unwrap_or((part, ""));
        let rest = rest.trim();
        let wrong = |should: &str| format!("\"{}\" should be like \"{should}\"", clip(part));
        match word {
            "seats" => setup.seats = rest.parse().map_err(|_| wrong("seats 3"))?,
            "first" => {
                let first: u8 = rest.parse().map_err(|_| wrong("first 2"))?;
                setup.first = first.checked_sub(1).ok_or_else(|| wrong("first 2"))?;
            }
            "with" => setup
                .expansions
                .extend(rest.split_whitespace().map(String::from)),
            "option" => match rest.split_once('=') {
                Some((key, value)) => setup
                    .options
                    .push((key.trim().to_string(), value.trim().to_string())),
                None => return Err(wrong("option key=value")),
            },
            "sets" => match rest
                .rsplit_once('=')
                .and_then(|(id, n)| Some((id, n.trim().parse().ok()?)))
            {
                Some((id, copies)) => setup.sets.push((id.trim().to_string(), copies)),
                None => return Err(wrong("sets river/1:2=2")),
            },
            "bag" => {
                let bag = setup.bag.get_or_insert_default();
                for tile in rest.split_whitespace() {
                    match tile.rsplit_once('*') {
                        None => bag.push((tile.to_string(), 1)),
                        Some((id, n)) => {
                            bag.push((id.to_string(), n.parse().map_err(|_| wrong("bag BA/L*3"))?))
                        }
                    }
                }
            }
            "start" => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                let [id, pos, rotation] = words.as_slice() else {
                    return Err(wrong("start BA/RCr 0,0 r0"));
                };
                let pos = pos
                    .split_once(',')
                    .and_then(|(x, y)| Some(Pos::new(x.parse().ok()?, y.parse().ok()?)));
                let rotation = Rotation::ALL
                    .into_iter()
                    .find(|r| r.to_string() == *rotation);
                match (pos, rotation) {
                    (Some(pos), Some(rotation)) => {
                        setup.start.get_or_insert_default().push(StartTile {
                            id: (*id).to_string(),
                            pos,
                            rotation,
                        });
                    }
                    _ => return Err(wrong("start BA/RCr 0,0 r0")),
                }
            }
            _ => return Err(format!("\"{}\" is no part of a setup", clip(part))),
        }
    }
    Ok(setup)
}

pub(crate) fn clip(text: &str) -> String {
    let short: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().count() > 60 {
        format!("{short}…")
    } else {
        short
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setup_survives_as_text() {
        let text = "C1; seats 3; first 2; with abbot river; option farmers=false; sets river/1:2=2; \
                    bag BA/L*3 BA/RFr*1; start BA/RCr 0,0 r0; start BA/RFr 1,0 r90";
        assert_eq!(setup_text(&parse_setup(text).unwrap()), text);
        assert_eq!(setup_text(&parse_setup("").unwrap()), "C2; seats 2");
    }

    #[test]
    fn faults_are_named() {
        let error = |text: &str| parse_setup(text).unwrap_err();
        assert_eq!(
            error("C1; seats many"),
            "\"seats many\" should be like \"seats 3\""
        );
        assert_eq!(error("first 0"), "\"first 0\" should be like \"first 2\"");
        assert_eq!(error("chairs 3"), "\"chairs 3\" is no part of a setup");
        assert_eq!(
            error("start BA/RCr 0,0 r45"),
            "\"start BA/RCr 0,0 r45\" should be like \"start BA/RCr 0,0 r0\""
        );
    }
}
