//! What the evaluation cannot see by itself of the expansions: one table for the worth of figures in the supply, one for
//! that of tokens. An expansion without a line here is played by what the rules expose of it.

use trencavel_rules::{Kind, MAX_SEATS, Rules, Shown, State, Token};

/// What a figure in the supply is worth, as a share of the first ordinary follower there.
pub(crate) const FIGURES: &[(Kind, f32)] = &[
    (Kind::Large, 0.6),
    (Kind::Phantom, 0.6),
    (Kind::Abbot, 0.5),
    (Kind::Wagon, 0.6),
    (Kind::Mayor, 0.5),
    (Kind::Builder, 0.5),
    (Kind::Pig, 0.2),
    (Kind::Barn, 0.5),
];

/// What tokens are worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Worth {
    /// So many points at the end to whoever has most of the kind; all who share the first place get them.
    Most(f32),
    /// So many points each, as long as it can still be used.
    Each(f32),
}

/// What tokens of each kind are worth.
pub(crate) const TOKENS: &[(Token, Worth)] = &[
    (Token::Wine, Worth::Most(10.0)),
    (Token::Grain, Worth::Most(10.0)),
    (Token::Cloth, Worth::Most(10.0)),
    (Token::TowerPiece, Worth::Each(0.5)),
    (Token::Abbey, Worth::Each(3.0)),
];

/// The share of a figure's worth.
pub(crate) fn figure(kind: Kind) -> f32 {
    FIGURES
        .iter()
        .find(|(known, _)| *known == kind)
        .map_or(0.5, |(_, share)| *share)
}

/// Adds to every seat's points what its tokens are worth with so many own turns left.
pub(crate) fn tokens(
    rules: &Rules,
    state: &State,
    turns: f32,
    scale: f32,
    scores: &mut [f32; MAX_SEATS],
) {
    let shown = rules.shown(state);
    for (token, worth) in TOKENS {
        let mut held = [0.0f32; MAX_SEATS];
        for thing in &shown {
            if let Shown::Held { seat, token: of, n } = thing
                && of == token
            {
                held[seat.index()] += f32::from(*n);
            }
        }
        for seat in state.seat_list() {
            let own = held[seat.index()];
            scores[seat.index()] += scale
                * match worth {
                    Worth::Each(points) => points * own * turns / (turns + 4.0),
                    Worth::Most(points) => {
                        let others = state.seat_list().filter(|other| *other != seat);
                        let most = others.map(|other| held[other.index()]).fold(0.0, f32::max);
                        let lead = own - most;
                        let doubt = 0.2 + 0.15 * turns;
                        // A first place of none is none.
                        let there = own.max(most) / (own.max(most) + doubt);
                        points * there * (0.5 + 0.5 * lead / (lead.abs() + doubt))
                    }
                };
        }
    }
}
