//! Tiles made for these tests, and games on tables laid by hand.

use std::borrow::Cow;

use trencavel_rules::{
    Chance, Choice, Edition, Event, FeatureKind, Half, Input, Kind, Marks, Moves, Piece, Pos,
    Position, Quadrants, Rotation, Rules, Seat, SegId, SegmentDef, Setup, Side, Spot, StartTile,
    State, Symbols, Target, TileDef, Verb, Waiting,
};

// ---- tiles -----------------------------------------------------------------------------------------------------------

pub(crate) fn sides(names: &str) -> u8 {
    let sides = Side::ALL
        .into_iter()
        .filter(|side| names.contains(side.letter()));
    sides.fold(0, |bits, side| bits | 1 << side.index())
}

pub(crate) fn halves(names: &str) -> u8 {
    let halves = Half::ALL
        .into_iter()
        .filter(|half| names.contains(half.name()));
    halves.fold(0, |bits, half| bits | 1 << half.index())
}

pub(crate) fn segment(kind: FeatureKind, at: &str) -> SegmentDef {
    let built = matches!(kind, FeatureKind::Road | FeatureKind::City);
    SegmentDef {
        kind,
        sides: if built { sides(at) } else { 0 },
        halves: if built { 0 } else { halves(at) },
        touches: 0,
        marks: Marks::NONE,
        pennants: 0,
        links: 0,
    }
}

pub(crate) const ALL_ROUND: &str = "NL NR EL ER SL SR WL WR";

pub(crate) fn tile(id: &'static str, segments: Vec<SegmentDef>) -> TileDef {
    TileDef {
        id: Cow::Borrowed(id),
        names: Cow::Borrowed(&[]),
        group: Cow::Borrowed(""),
        limit: u8::MAX,
        segments: Cow::Owned(segments),
        symbols: Symbols::NONE,
        quadrants: None,
    }
}

pub(crate) fn meadow(id: &'static str) -> TileDef {
    tile(id, vec![segment(FeatureKind::Field, ALL_ROUND)])
}

pub(crate) fn with(symbols: Symbols, def: TileDef) -> TileDef {
    TileDef { symbols, ..def }
}

pub(crate) fn city(id: &'static str, marks: Marks, pennants: u8) -> TileDef {
    let wall = SegmentDef {
        marks,
        pennants,
        ..segment(FeatureKind::City, "N S")
    };
    tile(
        id,
        vec![
            wall,
            segment(FeatureKind::Field, "EL ER"),
            segment(FeatureKind::Field, "WL WR"),
        ],
    )
}

pub(crate) fn road(id: &'static str, marks: Marks) -> TileDef {
    let way = SegmentDef {
        marks,
        ..segment(FeatureKind::Road, "N S")
    };
    let banks = ["NR EL ER SL", "SR WL WR NL"].map(|at| segment(FeatureKind::Field, at));
    tile(id, [way].into_iter().chain(banks).collect())
}

/// Every tile of these tests.
pub(crate) fn tiles() -> Vec<TileDef> {
    use FeatureKind::{City, Field, Garden, Hut, Monastery, Road};
    let every = [
        segment(City, "N"),
        segment(Road, "S"),
        segment(Field, "EL ER SL"),
        segment(Field, "SR WL WR"),
        segment(Monastery, ""),
        segment(Garden, ""),
        segment(Hut, ""),
    ];
    let quadrant = |id, sign| TileDef {
        quadrants: Some(Quadrants([sign; 4])),
        ..with(Symbols::QUADRANTS, meadow(id))
    };
    vec![
        tile("every", every.to_vec()),
        meadow("field"),
        tile(
            "cloister",
            vec![segment(Field, ALL_ROUND), segment(Monastery, "")],
        ),
        tile(
            "road-end",
            vec![segment(Field, ALL_ROUND), segment(Road, "N")],
        ),
        tile(
            "city-end",
            vec![segment(City, "S"), segment(Field, "EL ER WL WR NL NR")],
        ),
        road("road", Marks::NONE),
        city("city", Marks::NONE, 0),
        city("city+", Marks::NONE, 1),
        city("city++", Marks::NONE, 2),
        with(Symbols::PORTAL, meadow("portal")),
        with(Symbols::TOWER, meadow("tower")),
        with(Symbols::VOLCANO, meadow("volcano")),
        with(Symbols::DRAGON, meadow("dragon")),
        city("princess", Marks::PRINCESS, 0),
        with(Symbols::FESTIVAL, meadow("festival")),
        with(Symbols::LAKE, meadow("lake")),
        with(Symbols::TREE, road("tree", Marks::TREE)),
        quadrant("quadrant-city", City),
        quadrant("quadrant-road", Road),
        quadrant("quadrant-field", Field),
        quadrant("quadrant-monastery", Monastery),
    ]
}

// ---- a game ----------------------------------------------------------------------------------------------------------

pub(crate) const EXPANSIONS: [&str; 9] = [
    "abbot",
    "inns-and-cathedrals",
    "traders-and-builders",
    "princess-and-dragon",
    "tower",
    "abbey-and-mayor",
    "phantom",
    "festival",
    "russian-promos",
];

/// A game for one seat in which every tile can be drawn.
pub(crate) fn rules(options: &[(&str, &str)]) -> Rules {
    let mut setup = Setup::new(Edition::C2, 1).with("hungarian-promo");
    for slug in EXPANSIONS {
        setup = setup.with(slug);
    }
    for (key, value) in options {
        setup = setup.option(key, value);
    }
    setup.tiles = tiles();
    setup.bag = Some(
        setup
            .tiles
            .iter()
            .map(|tile| (tile.id.to_string(), 9))
            .collect(),
    );
    let (id, pos, rotation) = ("field".to_string(), Pos::new(0, 0), Rotation::default());
    setup.start = Some(vec![StartTile { id, pos, rotation }]);
    Rules::new(&setup).unwrap()
}

/// A game with a table that was laid by hand.
pub(crate) struct Game<'r> {
    pub(crate) rules: &'r Rules,
    pub(crate) state: State,
    pub(crate) events: Vec<Event>,
}

/// A tile of a position and what stands on it.
pub(crate) type Laid<'a> = (&'a str, i8, i8, &'a [(Kind, FeatureKind)]);

impl<'r> Game<'r> {
    pub(crate) fn new(rules: &'r Rules, laid: &[Laid]) -> Game<'r> {
        let mut position = Position::new(rules);
        for (id, x, y, figures) in laid {
            let kind = rules.kind_of(id).unwrap();
            let pos = Pos::new(*x, *y);
            position.lay(kind, pos, Rotation::default()).unwrap();
            for (kind, on) in *figures {
                let seg = segment_at(rules, position.state(), pos, *on);
                let spot = Spot::segment(seg);
                position
                    .put(Piece {
                        spot,
                        seat: Seat(0),
                        kind: *kind,
                    })
                    .unwrap();
            }
        }
        Game::of(rules, position)
    }

    pub(crate) fn of(rules: &'r Rules, position: Position) -> Game<'r> {
        let state = position.begin(Seat(0), &mut ()).unwrap();
        Game {
            rules,
            state,
            events: Vec::new(),
        }
    }

    pub(crate) fn legal(&self) -> Vec<Choice> {
        let mut moves = Moves::new();
        self.rules.legal(&self.state, &mut moves);
        moves.to_vec()
    }

    pub(crate) fn apply(&mut self, input: Input) {
        self.rules
            .apply(&mut self.state, input, &mut self.events)
            .unwrap();
    }

    pub(crate) fn choose(&mut self, choice: Choice) {
        self.apply(Input::Choice(Seat(0), choice));
    }

    /// The first choice of this sort, taken.
    pub(crate) fn take(&mut self, wanted: impl Fn(&Choice) -> bool) {
        let found = self.legal().into_iter().find(wanted);
        self.choose(found.unwrap_or_else(|| panic!("no such choice in {:?}", self.legal())));
    }

    /// Goes on to the next draw, passing.
    pub(crate) fn pass_to_the_draw(&mut self) {
        while let Waiting::Seats(_) = self.state.waiting() {
            let legal = self.legal();
            self.choose(if legal.contains(&Choice::PASS) {
                Choice::PASS
            } else {
                legal[0]
            });
        }
    }

    pub(crate) fn lay(&mut self, id: &str, x: i8, y: i8) {
        self.pass_to_the_draw();
        self.apply(Input::Chance(Chance::Tile(self.rules.kind_of(id).unwrap())));
        self.choose(Choice::lay(Pos::new(x, y), Rotation::default()));
    }

    pub(crate) fn kind_on(&self, seg: SegId) -> FeatureKind {
        self.state.board().at(seg).kind
    }

    /// The kinds of features on which a figure is offered by a verb.
    pub(crate) fn offered(&self, verb: Verb, kind: Kind) -> Vec<FeatureKind> {
        let legal = self.legal().into_iter();
        let on = legal.filter(|choice| choice.verb == verb && choice.kind == Some(kind));
        let mut on: Vec<FeatureKind> = on
            .filter_map(|choice| match choice.target {
                Target::Segment(seg) => Some(self.kind_on(seg)),
                _ => None,
            })
            .collect();
        on.sort();
        on.dedup();
        on
    }

    pub(crate) fn deploy(&mut self, kind: Kind, on: FeatureKind) {
        let seg = segment_at(self.rules, &self.state, self.state.laid_pos().unwrap(), on);
        self.choose(Choice::put(Verb::Deploy, kind, seg));
    }

    /// Whether a verb is offered with a figure of this kind as its target.
    pub(crate) fn is_target(&self, verb: Verb, kind: Kind) -> bool {
        self.legal().into_iter().any(|choice| {
            choice.verb == verb
                && matches!(choice.target, Target::Piece(piece) if piece.kind == kind)
        })
    }

    pub(crate) fn offers_kind(&self, verb: Verb, kind: Kind) -> bool {
        self.legal()
            .into_iter()
            .any(|choice| choice.verb == verb && choice.kind == Some(kind))
    }

    pub(crate) fn piece(&self, kind: Kind) -> Option<Piece> {
        self.state.pieces().iter().find(|piece| piece.kind == kind)
    }
}

/// The first segment of a kind on the tile at a square.
pub(crate) fn segment_at(rules: &Rules, state: &State, pos: Pos, kind: FeatureKind) -> SegId {
    let board = state.board();
    let slot = board.tile_at(pos).unwrap();
    let mut found = board
        .segments_of(slot)
        .filter(|seg| board.at(*seg).kind == kind);
    found
        .next()
        .unwrap_or_else(|| panic!("no {kind} on {}", rules.tile(board.tile(slot).kind).id))
}
