//! Whether majorities and values are those of the second implementation.

use trencavel_rules::{Claim, Ext, Occasion, Rules, Seat, State};

use super::ground::part_of;
use super::{Fault, demand};
use crate::second::{Landscape, Part, Standing, Values, owners, strengths, value};

/// The options of a game that change values.
fn values_of(rules: &Rules) -> Values {
    let setup = rules.setup();
    let is = |key: &str, wanted: &str| {
        setup
            .options
            .iter()
            .any(|(other, value)| other == key && value == wanted)
    };
    Values {
        // IC-42: with any tile that has one.
        inns: !is("inn", "false"),
        cathedrals: !is("cathedral", "false"),
        ignored_at_the_end: is("inn-and-cathedral-final-scoring", "ignore"),
        herds: rules.has(Ext::River) && !is("pig-herd", "false"),
        small_cities_count_half: is("tiny-city-scoring", "2"),
    }
}

/// SM-01 to SM-29, SM-58: every occupied feature, as it would be scored now.
pub(super) fn worth_agrees(
    rules: &Rules,
    state: &State,
    landscape: &Landscape,
) -> Result<(), Fault> {
    let seats = usize::from(state.n_seats());
    let figures: Vec<Standing> = state
        .pieces()
        .iter()
        .filter_map(|piece| {
            Some(Standing {
                kind: piece.kind.name().to_string(),
                seat: piece.seat.index(),
                on: part_of(state, piece.spot.as_segment()?),
            })
        })
        .collect();
    let values = values_of(rules);
    for (id, feature) in state.board().features() {
        if feature.crowd.figures == 0 {
            continue;
        }
        let part: Option<Part> = state
            .board()
            .members(id)
            .next()
            .map(|seg| part_of(state, seg));
        let area = landscape.area(part.ok_or("a feature without segments")?);
        let wanted = strengths(&area, &figures, seats);
        let found: Vec<u32> = rules
            .strengths(state, id)
            .iter()
            .take(seats)
            .map(|n| u32::from(*n))
            .collect();
        let name = || format!("the {} of {part:?}", feature.kind);
        demand!(
            found == wanted,
            "{} has strengths {found:?} and should have {wanted:?}",
            name()
        );
        let found: Vec<usize> = rules.owners(state, id).iter().map(Seat::index).collect();
        let wanted = owners(&wanted);
        demand!(
            found == wanted,
            "{} belongs to {found:?} and should to {wanted:?}",
            name()
        );
        let complete = feature.is_complete();
        let occasion = match complete {
            true => Occasion::Completed,
            false => Occasion::Final,
        };
        for seat in wanted {
            let claim = Claim {
                feature: id,
                seat: Some(Seat(seat as u8)),
                complete,
                occasion,
            };
            let found = i64::from(rules.worth(state, claim).total());
            if let Some(wanted) = value(landscape, &area, Some(seat), &figures, &values) {
                demand!(
                    found == wanted,
                    "{} is worth {found} to seat {} and should be {wanted}",
                    name(),
                    seat + 1
                );
            }
        }
    }
    Ok(())
}
