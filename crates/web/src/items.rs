//! What a line of the log can be opened for: the items of a score, in words.

use trencavel_rules::{Clause, Line, Unit};

use crate::text::{known, say};

/// What a line of the log can be opened for: an item of a score, or a clause.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// What the points are for and how they are counted, in words, as `8 tiles × 2 = 16`; may be empty.
    pub text: String,
    /// The clause that says so.
    pub clause: Clause,
}

impl Item {
    /// A clause; where points that stand by themselves come from it, with what they are for.
    pub fn of(clause: Clause) -> Item {
        let text = cause(clause).unwrap_or_default();
        Item { text, clause }
    }
}

/// What a clause gives or takes points for, where it changes what others give.
pub fn cause(clause: Clause) -> Option<String> {
    known(&format!("item-{}", clause.id()))
}

/// The items of a value. The first is what the feature is worth by itself; others have a cause.
pub fn items(lines: &[Line]) -> Vec<Item> {
    let item = |(n, line): (usize, &Line)| {
        let cause = cause(line.clause).filter(|_| n > 0);
        let products: Vec<String> = line.products().map(product).collect();
        let text = match (products.is_empty(), cause) {
            (true, cause) => {
                let points = signed(line.points);
                cause.map_or(points.clone(), |cause| format!("{cause} {points}"))
            }
            (false, cause) => {
                let sum = number(line.points);
                let counted = format!("{} = {sum}", products.join(" + "));
                let parts = [
                    ("cause", cause.clone().unwrap_or_default().into()),
                    ("what", counted.clone().into()),
                ];
                cause.map_or(counted, |_| say("item-for", &parts))
            }
        };
        Item {
            text,
            clause: line.clause,
        }
    };
    lines.iter().enumerate().map(item).collect()
}

fn product((unit, n, each): (Unit, u16, i16)) -> String {
    let unit = match unit {
        Unit::Tile => "unit-tile",
        Unit::Pennant => "unit-pennant",
        Unit::City => "unit-city",
        Unit::Empty => "unit-empty",
    };
    let what = say(unit, &[("n", n.into())]);
    format!("{what} × {}", number(i32::from(each)))
}

/// A number with the sign that print has for less than nothing.
fn number(n: i32) -> String {
    n.to_string().replace('-', "−")
}

fn signed(n: i32) -> String {
    format!("{n:+}").replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Language, set_language};
    use trencavel_rules::{Rates, Units};

    fn line_of(clause: &str, points: i32, rates: Rates, units: Units) -> Line {
        Line {
            clause: Clause::from_id(clause).unwrap(),
            points,
            rates,
            units,
        }
    }

    #[test]
    fn items_say_what_is_counted() {
        let units = Units {
            tiles: 8,
            pennants: 1,
            ..Units::default()
        };
        let road = [
            line_of("BA-30", 8, Rates::built(1, 0), units),
            line_of("IC-25", 8, Rates::built(1, 0), units),
        ];
        let city = [
            line_of("BA-43", 9, Rates::built(1, 1), units),
            line_of("IC-32", -9, Rates::default(), units),
        ];
        let texts = |lines| {
            items(lines)
                .into_iter()
                .map(|item| item.text)
                .collect::<Vec<_>>()
        };
        set_language(Language::English);
        assert_eq!(texts(&road), ["8 tiles × 1 = 8", "inn: 8 tiles × 1 = 8"]);
        assert_eq!(
            texts(&city),
            [
                "8 tiles × 1 + 1 pennant × 1 = 9",
                "cathedral, city not finished −9"
            ]
        );
        set_language(Language::French);
        assert_eq!(texts(&road)[1], "auberge : 8 tuiles × 1 = 8");
        set_language(Language::English);
    }
}
