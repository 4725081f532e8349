//! What can be chosen in the figure steps and in the questions about them, worked out a second time from the rule files:
//! random games in which the engine must offer just that.
//!
//! Only the landscape (checked by the referee) and the printed tiles are the engine's; who may do what is said here again.
//!
//! Long: the questions of one figure step, whose answers depend on one another.

use std::collections::BTreeSet;

use trencavel_rules::{
    Choice, Edition, Event, Ext, FeatureId, FeatureKind, Half, Input, Kind, Marks, Moves, Neutral,
    Piece, Place, Pos, Rotation, Rules, Seat, SegId, Setup, Shown, Side, Spot, State, Step,
    Symbols, Target, TileSlot, Token, Verb, Waiting, Why,
};

use trencavel_record::notation::{choice_text, input_text};

use crate::play::Trouble;
use crate::random::Random;
use crate::referee::any_input;

/// Plays a random game and looks at every question of the figure steps. Says how many were looked at.
///
/// # Errors
/// The first difference.
pub fn offered(setup: &Setup, seed: u64) -> Result<usize, Box<Trouble>> {
    let trouble = |record, fault| Trouble::new(setup, seed, record, fault);
    let rules = Rules::new(setup).map_err(|error| trouble(Vec::new(), error.to_string()))?;
    let mut random = Random::new(seed);
    let mut events = Vec::new();
    let mut state = rules.start_with(&mut events);
    let mut watch = Watch::new(&rules);
    let mut record = Vec::new();
    let mut looked_at = 0;
    loop {
        watch.hear(&state, &events);
        if let Waiting::Seats(seats) = state.waiting() {
            for seat in seats.iter() {
                let Some(wanted) = watch.wanted(&state, seat) else {
                    continue;
                };
                let mut moves = Moves::new();
                rules.legal_for(&state, seat, &mut moves);
                let found: BTreeSet<Choice> = moves.iter().copied().collect();
                looked_at += 1;
                if found != wanted {
                    let words = |choices: Vec<&Choice>| -> Vec<String> {
                        let text = |choice: &&Choice| choice_text(&rules, &state, **choice);
                        choices.iter().map(text).collect()
                    };
                    let more = words(found.difference(&wanted).collect());
                    let less = words(wanted.difference(&found).collect());
                    let fault = format!("offered against the rules {more:?}, not offered {less:?}");
                    return Err(trouble(record, fault));
                }
            }
        }
        let Some(input) = any_input(&rules, &state, &mut random) else {
            return Ok(looked_at);
        };
        record.push(input_text(&rules, &state, input));
        watch.notes(&state, input);
        let must_ask = watch.first_step_follows(&state, input);
        events.clear();
        if let Err(error) = rules.apply(&mut state, input, &mut events) {
            return Err(trouble(record, error.to_string()));
        }
        let asks = rules.step(&state) == Some(Step::MoveWood);
        if must_ask.is_some_and(|must| must != asks) {
            let fault = match asks {
                true => "the first figure step asks though nothing can be done (OP-107)",
                false => "the first figure step is left out though something can be done",
            };
            return Err(trouble(record, fault.to_string()));
        }
    }
}

/// What has to be remembered of a turn.
struct Watch<'r> {
    rules: &'r Rules,
    /// A figure was placed on the tile just laid, one through a quadrant, one through the portal.
    on_tile: bool,
    diagonal: bool,
    portal: bool,
    /// A prisoner was bought back in this turn.
    ransom: bool,
    /// The own figures in traps when the turn part began.
    trapped: Vec<Piece>,
    /// The tower that has just grown.
    grown: Option<TileSlot>,
    /// Where the dragon has been in this walk.
    visited: Vec<TileSlot>,
    /// Where scored wagons stood, in this part.
    wagons: Vec<Piece>,
    /// Whose follower was captured last.
    captured: Option<Seat>,
}

impl<'r> Watch<'r> {
    fn new(rules: &'r Rules) -> Watch<'r> {
        Watch {
            rules,
            on_tile: false,
            diagonal: false,
            portal: false,
            ransom: false,
            trapped: Vec::new(),
            grown: None,
            visited: Vec::new(),
            wagons: Vec::new(),
            captured: None,
        }
    }

    /// What an answer brings about for later questions.
    fn notes(&mut self, state: &State, input: Input) {
        let Input::Choice(_, choice) = input else {
            self.visited.clear();
            return;
        };
        match choice.verb {
            Verb::Deploy => self.on_tile = true,
            Verb::Diagonal => self.diagonal = true,
            Verb::Portal => self.portal = true,
            Verb::Ransom => self.ransom = true,
            _ => {}
        }
        match (choice.verb, choice.target) {
            (Verb::TowerPiece, Target::Tile(slot)) => self.grown = Some(slot),
            (Verb::Capture, Target::Piece(piece)) => self.captured = Some(piece.seat),
            _ => {}
        }
        match (choice.verb, choice.target) {
            (Verb::Dragon, Target::Tile(slot)) => {
                if self.visited.is_empty() {
                    self.visited.extend(self.neutral(state, Neutral::Dragon));
                }
                self.visited.push(slot);
            }
            (Verb::Ransom, _) => {}
            _ => self.visited.clear(),
        }
    }

    fn hear(&mut self, state: &State, events: &[Event]) {
        for event in events {
            match event {
                Event::Began { part, .. } => {
                    *self = Watch {
                        ransom: self.ransom && *part == 2,
                        trapped: in_place(state, Place::Trap).collect(),
                        ..Watch::new(self.rules)
                    };
                }
                Event::WentHome {
                    piece,
                    why: Why::Scored,
                    ..
                } if piece.kind == Kind::Wagon => self.wagons.push(*piece),
                _ => {}
            }
        }
    }

    /// Whether the first figure step must ask after a tile is laid; nothing is said of other inputs, and if a question comes
    /// before it.
    fn first_step_follows(&self, state: &State, input: Input) -> Option<bool> {
        let Input::Choice(seat, choice) = input else {
            return None;
        };
        let mut then = state.clone();
        let applied = self
            .rules
            .apply_before(&mut then, input, Step::MoveWood, &mut ());
        if choice.verb != Verb::Lay || applied.is_err() || !self.rules.stands_still(&then) {
            return None;
        }
        // RI-21, RI-23.
        let extra = match self.option("river-volcano-turn") {
            Some(value) => value == "extra-turn",
            None => self.rules.setup().edition != Edition::C1,
        };
        let lake = self.laid_with(&then, Symbols::VOLCANO.with(Symbols::RIVER_END));
        if self.rules.has(Ext::River) && lake && extra {
            return Some(false);
        }
        let mut wanted = BTreeSet::new();
        self.first_step(&then, seat, &mut wanted);
        self.ransoms(&then, seat, &mut wanted);
        Some(wanted.len() > 1)
    }

    // ---- what is set and where things are ----------------------------------------------------------------------------

    fn option(&self, key: &str) -> Option<&str> {
        let options = self.rules.setup().options.iter().rev();
        let mut values = options.filter(|(other, _)| other == key);
        values.next().map(|(_, value)| value.as_str())
    }

    fn is(&self, key: &str, value: &str) -> bool {
        self.option(key) == Some(value)
    }

    fn symbols(&self, state: &State, slot: TileSlot) -> Symbols {
        self.rules.tile(state.board().tile(slot).kind).symbols
    }

    fn laid_with(&self, state: &State, symbol: Symbols) -> bool {
        state
            .laid()
            .is_some_and(|slot| self.symbols(state, slot).has(symbol))
    }

    fn neutral(&self, state: &State, wanted: Neutral) -> Option<TileSlot> {
        self.rules
            .shown(state)
            .into_iter()
            .find_map(|thing| match thing {
                Shown::Neutral { neutral, slot, .. } if neutral == wanted => Some(slot),
                _ => None,
            })
    }

    fn companion_of_the_fairy(&self, state: &State) -> Option<Piece> {
        self.rules
            .shown(state)
            .into_iter()
            .find_map(|thing| match thing {
                Shown::Neutral {
                    neutral: Neutral::Fairy,
                    with,
                    ..
                } => with,
                _ => None,
            })
    }

    fn height(&self, state: &State, tower: TileSlot) -> u8 {
        let heights = self
            .rules
            .shown(state)
            .into_iter()
            .map(|thing| match thing {
                Shown::OnTile {
                    slot,
                    token: Token::TowerPiece,
                    n,
                } if slot == tower => n,
                _ => 0,
            });
        heights.sum()
    }

    // ---- who may stand where -----------------------------------------------------------------------------------------

    /// SM-87.
    fn may_claim(&self, kind: Kind, feature: FeatureKind) -> bool {
        use Kind::{Abbot, Builder, Large, Mayor, Normal, Phantom, Pig, Wagon};
        let farmers = !self.is("farmers", "false");
        match feature {
            FeatureKind::Road => matches!(kind, Normal | Large | Phantom | Wagon | Builder),
            FeatureKind::City => matches!(kind, Normal | Large | Phantom | Wagon | Mayor | Builder),
            FeatureKind::Monastery => matches!(kind, Normal | Large | Phantom | Wagon | Abbot),
            FeatureKind::Garden => kind == Abbot && !self.is("garden", "false"),
            // RP-22; without the expansion it is a picture.
            FeatureKind::Hut => {
                self.rules.has(Ext::RussianPromos)
                    && matches!(kind, Normal | Large | Phantom | Wagon)
            }
            FeatureKind::Field => farmers && matches!(kind, Normal | Large | Phantom | Pig),
            FeatureKind::River => false,
        }
    }

    /// HP-11, HP-12, RP-94: whether a tile keeps figures off a segment.
    fn tile_forbids(&self, state: &State, seg: SegId) -> bool {
        let symbols = self.symbols(state, state.board().tile_of(seg));
        let quadrants = self.rules.has(Ext::HungarianPromo) && symbols.has(Symbols::QUADRANTS);
        let crossing = quadrants && state.board().at(seg).kind != FeatureKind::Road;
        let lake = self.rules.has(Ext::RussianPromos)
            && symbols.has(Symbols::LAKE)
            && self.is("vodyanoy-tile-field", "closed");
        crossing || lake
    }

    /// BA-22, BA-40, TB-21, TB-24, TB-26, TB-51, AM-66, AM-72, PD-12, PD-19.
    fn can_stand(
        &self,
        state: &State,
        seat: Seat,
        kind: Kind,
        seg: SegId,
        just_laid: bool,
    ) -> bool {
        let feature = state.board().at(seg);
        let id = state.board().feature_of(seg);
        let on_it: Vec<Piece> = on_feature(state, id).collect();
        let dragon = self.neutral(state, Neutral::Dragon);
        if !self.may_claim(kind, feature.kind)
            || self.tile_forbids(state, seg)
            || dragon == Some(state.board().tile_of(seg))
        {
            return false;
        }
        if is_follower(kind) {
            let barn = barns(state, self.rules).any(|field| field == id);
            !on_it.iter().any(|piece| is_follower(piece.kind))
                && !barn
                && (just_laid || !feature.is_complete())
        } else {
            let own = |piece: &&Piece| piece.seat == seat;
            on_it
                .iter()
                .filter(own)
                .any(|piece| is_follower(piece.kind))
                && !on_it.iter().filter(own).any(|piece| piece.kind == kind)
                && !feature.is_complete()
        }
    }

    /// AM-60 to AM-64, HP-56.
    fn barn_can_stand(&self, state: &State, corner: Pos) -> bool {
        let Some(fields) = fields_round(state, self.rules, corner) else {
            return false;
        };
        let field = state.board().feature_of(fields[0]);
        fields.iter().all(|seg| !self.tile_forbids(state, *seg))
            && (self.is("barn-placement", "occupied")
                || barns(state, self.rules).all(|other| other != field))
    }

    // ---- the figure steps --------------------------------------------------------------------------------------------

    /// What a seat can choose; nothing is said of other questions.
    fn wanted(&self, state: &State, seat: Seat) -> Option<BTreeSet<Choice>> {
        let mut moves = Moves::new();
        self.rules.legal_for(state, seat, &mut moves);
        let asks = |verb: Verb| moves.iter().any(|choice| choice.verb == verb);
        let mut wanted = BTreeSet::new();
        match self.rules.step(state) {
            Some(Step::MoveWood) => self.first_step(state, seat, &mut wanted),
            Some(Step::Second) => self.second_step(state, seat, &mut wanted),
            Some(Step::Princess) => self.princess(state, &mut wanted),
            Some(Step::OwnTile) => self.abbeys(state, &mut wanted),
            Some(Step::AskSecondPart) => {
                wanted.insert(plain(Verb::Continue, Target::None));
                wanted.insert(Choice::PASS);
            }
            Some(_) => return None,
            None if asks(Verb::Capture) => self.captures(state, &mut wanted),
            None if asks(Verb::Exchange) => {
                let holder = self.captured?;
                let mine = in_place(state, Place::Prison)
                    .filter(|piece| piece.seat == seat && piece.spot == Spot::prison(holder));
                wanted.extend(mine.map(|piece| plain(Verb::Exchange, Target::Piece(piece))));
            }
            None if asks(Verb::Dragon) => self.dragon(state, &mut wanted),
            None if asks(Verb::Wagon) => self.wagon(state, seat, &mut wanted),
            None if asks(Verb::Abbey) => {
                // AM-26: between turns.
                self.abbeys(state, &mut wanted);
                return Some(wanted);
            }
            None => return None,
        }
        self.ransoms(state, seat, &mut wanted);
        Some(wanted)
    }

    /// TO-31 to TO-36.
    fn ransoms(&self, state: &State, seat: Seat, wanted: &mut BTreeSet<Choice>) {
        if seat != state.active() || self.ransom || state.seat(seat).score < 3 {
            return;
        }
        let mine = in_place(state, Place::Prison).filter(|piece| piece.seat == seat);
        wanted.extend(mine.map(|piece| plain(Verb::Ransom, Target::Piece(piece))));
    }

    fn first_step(&self, state: &State, seat: Seat, wanted: &mut BTreeSet<Choice>) {
        wanted.insert(Choice::PASS);
        let supply = |kind: Kind| state.seat(seat).has(kind) > 0;
        for kind in Kind::ALL.iter().copied().filter(|kind| supply(*kind)) {
            if kind != Kind::Barn {
                self.figure(state, seat, kind, wanted);
            }
        }
        let Some(laid) = state.laid() else { return };
        if supply(Kind::Barn) {
            for corner in corners(state.board().tile(laid).pos) {
                if self.barn_can_stand(state, corner) {
                    wanted.insert(with(Verb::Barn, Kind::Barn, Target::Corner(corner)));
                }
            }
            if !self.is("hungarian-promo-special-figures", "meeples-only") {
                for (other, sign) in self.quadrants(state) {
                    if sign != FeatureKind::Field {
                        continue;
                    }
                    for corner in corners(state.board().tile(other).pos) {
                        if self.barn_can_stand(state, corner) {
                            wanted.insert(with(Verb::Diagonal, Kind::Barn, Target::Corner(corner)));
                        }
                    }
                }
            }
        }
        self.pieces_of_towers(state, seat, wanted);
        // AB-09, AB-11.
        for piece in state.pieces().iter() {
            let open = piece
                .spot
                .as_segment()
                .is_some_and(|seg| !state.board().at(seg).is_complete());
            if piece.seat == seat && piece.kind == Kind::Abbot && open {
                wanted.insert(plain(Verb::Recall, Target::Piece(piece)));
            }
        }
        // FE-10, FE-14, FE-15, FE-19.
        if self.rules.has(Ext::Festival)
            && self.laid_with(state, Symbols::FESTIVAL)
            && !self.is("festival", "0")
        {
            let followers = self.is("festival-return", "follower");
            let back = state.pieces().iter().filter(|piece| {
                piece.seat == seat
                    && piece.spot.place != Place::Prison
                    && (!followers || is_follower(piece.kind))
            });
            wanted.extend(back.map(|piece| plain(Verb::Festival, Target::Piece(piece))));
        }
        // RP-110, RP-113, RP-114.
        let trapped = in_place(state, Place::Trap).filter(|piece| piece.seat == seat);
        for piece in trapped {
            if self.trapped.contains(&piece) {
                wanted.insert(plain(Verb::Release, Target::Piece(piece)));
            }
        }
        self.fairy(state, seat, wanted);
    }

    /// Every place for a figure of this kind: on the tile just laid, through a portal or a quadrant, on a tower.
    fn figure(&self, state: &State, seat: Seat, kind: Kind, wanted: &mut BTreeSet<Choice>) {
        let Some(laid) = state.laid() else { return };
        let board = state.board();
        let quadrants = self.rules.has(Ext::HungarianPromo)
            && self.symbols(state, laid).has(Symbols::QUADRANTS);
        let exclusive = !self.is("hungarian-promo-phantom", "independent");
        // HP-67.
        if !(quadrants && exclusive && self.diagonal) {
            for seg in board.segments_of(laid) {
                if self.can_stand(state, seat, kind, seg, true) {
                    wanted.insert(with(Verb::Deploy, kind, Target::Segment(seg)));
                }
            }
        }
        // PD-20 to PD-26.
        if self.rules.has(Ext::PrincessAndDragon)
            && self.laid_with(state, Symbols::PORTAL)
            && !self.is("portal", "false")
            && !self.portal
            && is_follower(kind)
        {
            for slot in (0..board.tiles().len() as u16)
                .map(TileSlot)
                .filter(|slot| *slot != laid)
            {
                for seg in board.segments_of(slot) {
                    if self.can_stand(state, seat, kind, seg, false) {
                        wanted.insert(with(Verb::Portal, kind, Target::Segment(seg)));
                    }
                }
            }
        }
        // HP-13 to HP-23.
        let closed = exclusive && (self.on_tile || self.diagonal);
        let special = !self.is("hungarian-promo-special-figures", "meeples-only");
        if !closed && (is_follower(kind) || special) {
            for (other, sign) in self.quadrants(state) {
                for seg in board.segments_of(other) {
                    if board.at(seg).kind == sign && self.can_stand(state, seat, kind, seg, false) {
                        wanted.insert(with(Verb::Diagonal, kind, Target::Segment(seg)));
                    }
                }
            }
        }
        // TO-04, TO-06, TO-22, PD-19.
        if matches!(kind, Kind::Normal | Kind::Large | Kind::Phantom) {
            let dragon = self.neutral(state, Neutral::Dragon);
            for slot in (0..board.tiles().len() as u16).map(TileSlot) {
                let free = is_free_on_top(state, slot) && dragon != Some(slot);
                if self.height(state, slot) > 0 && free {
                    wanted.insert(with(Verb::TowerTop, kind, Target::Tile(slot)));
                }
            }
        }
    }

    /// HP-06, HP-07: diagonal neighbours and the signs that the tile just laid shows them, if it has quadrants.
    fn quadrants(&self, state: &State) -> Vec<(TileSlot, FeatureKind)> {
        use FeatureKind::{City, Field, Monastery, Road};
        let laid = state.laid().filter(|slot| {
            self.rules.has(Ext::HungarianPromo)
                && self.symbols(state, *slot).has(Symbols::QUADRANTS)
        });
        let Some(laid) = laid else { return Vec::new() };
        let tile = state.board().tile(laid);
        // The table of HP-07, row by row: NW, NE, SE, SW.
        let signs = match tile.rotation.quarters() {
            0 => [City, Road, Field, Monastery],
            1 => [Monastery, City, Road, Field],
            2 => [Field, Monastery, City, Road],
            _ => [Road, Field, Monastery, City],
        };
        let squares = [(-1, -1), (1, -1), (1, 1), (-1, 1)];
        squares
            .into_iter()
            .zip(signs)
            .filter_map(|((dx, dy), sign)| {
                Some((state.board().tile_at(tile.pos.offset(dx, dy))?, sign))
            })
            .collect()
    }

    /// TO-04, TO-08, TO-21.
    fn pieces_of_towers(&self, state: &State, seat: Seat, wanted: &mut BTreeSet<Choice>) {
        let stock = self.rules.shown(state).into_iter().any(|thing| {
            matches!(thing, Shown::Held { seat: s, token: Token::TowerPiece, n } if s == seat && n > 0)
        });
        if !self.rules.has(Ext::Tower) || self.is("tower", "false") || !stock {
            return;
        }
        for slot in (0..state.board().tiles().len() as u16).map(TileSlot) {
            if self.symbols(state, slot).has(Symbols::TOWER) && is_free_on_top(state, slot) {
                wanted.insert(plain(Verb::TowerPiece, Target::Tile(slot)));
            }
        }
    }

    /// PD-40 to PD-44, PD-53.
    fn fairy(&self, state: &State, seat: Seat, wanted: &mut BTreeSet<Choice>) {
        if !self.rules.has(Ext::PrincessAndDragon) || self.is("fairy", "false") {
            return;
        }
        let on_a_tile = |piece: &Piece| {
            matches!(
                piece.spot.place,
                Place::Segment | Place::TowerTop | Place::Trap
            )
        };
        let mine = state
            .pieces()
            .iter()
            .filter(|piece| piece.seat == seat && is_follower(piece.kind) && on_a_tile(piece));
        if self.is("fairy-placement", "on-tile") {
            let here = self.neutral(state, Neutral::Fairy);
            let tiles = mine.filter_map(|piece| state.board().tile_of_spot(piece.spot));
            let tiles = tiles.filter(|slot| here != Some(*slot));
            wanted.extend(tiles.map(|slot| plain(Verb::Fairy, Target::Tile(slot))));
        } else {
            let companion = self.companion_of_the_fairy(state);
            let others = mine.filter(|piece| companion != Some(*piece));
            wanted.extend(others.map(|piece| plain(Verb::Fairy, Target::Piece(piece))));
        }
    }

    /// PH-11, PH-30, PH-31, PH-65, HP-65 to HP-68.
    fn second_step(&self, state: &State, seat: Seat, wanted: &mut BTreeSet<Choice>) {
        wanted.insert(Choice::PASS);
        if state.seat(seat).has(Kind::Phantom) > 0 {
            self.figure(state, seat, Kind::Phantom, wanted);
        }
    }

    // ---- questions ---------------------------------------------------------------------------------------------------

    /// PD-29, PD-30, PD-34, PD-35, PD-37.
    fn princess(&self, state: &State, wanted: &mut BTreeSet<Choice>) {
        if !self.is("princess-action", "must") {
            wanted.insert(Choice::PASS);
        }
        let Some(laid) = state.laid() else { return };
        let def = self.rules.tile(state.board().tile(laid).kind);
        for (seg, shown) in state.board().segments_of(laid).zip(def.segments.iter()) {
            if !shown.marks.has(Marks::PRINCESS) {
                continue;
            }
            for piece in on_feature(state, state.board().feature_of(seg)) {
                if is_follower(piece.kind) && piece.kind != Kind::Abbot {
                    wanted.insert(plain(Verb::Seduce, Target::Piece(piece)));
                }
            }
        }
    }

    /// AM-11, AM-12.
    fn abbeys(&self, state: &State, wanted: &mut BTreeSet<Choice>) {
        wanted.insert(Choice::PASS);
        let board = state.board();
        let beside = |pos: Pos| Side::ALL.into_iter().map(move |side| pos.beside(side));
        for tile in board.tiles() {
            for hole in beside(tile.pos).filter(|pos| board.tile_at(*pos).is_none()) {
                if beside(hole).all(|pos| board.tile_at(pos).is_some()) {
                    for rotation in Rotation::ALL {
                        wanted.insert(plain(Verb::Abbey, Target::Square(hole, rotation)));
                    }
                }
            }
        }
    }

    /// TO-09 to TO-17.
    fn captures(&self, state: &State, wanted: &mut BTreeSet<Choice>) {
        wanted.insert(Choice::PASS);
        let Some(tower) = self.grown else { return };
        let from = state.board().tile(tower).pos;
        let reach = i32::from(self.height(state, tower));
        for piece in state
            .pieces()
            .iter()
            .filter(|piece| is_follower(piece.kind))
        {
            let Some(slot) = state.board().tile_of_spot(piece.spot) else {
                continue;
            };
            let pos = state.board().tile(slot).pos;
            let (dx, dy) = (
                i32::from(pos.x) - i32::from(from.x),
                i32::from(pos.y) - i32::from(from.y),
            );
            if (dx == 0 || dy == 0) && dx.abs() + dy.abs() <= reach {
                wanted.insert(plain(Verb::Capture, Target::Piece(piece)));
            }
        }
    }

    /// PD-59 to PD-61.
    fn dragon(&self, state: &State, wanted: &mut BTreeSet<Choice>) {
        let Some(dragon) = self.neutral(state, Neutral::Dragon) else {
            return;
        };
        let fairy = self.neutral(state, Neutral::Fairy);
        let pos = state.board().tile(dragon).pos;
        for slot in Side::ALL
            .into_iter()
            .filter_map(|side| state.board().tile_at(pos.beside(side)))
        {
            if !self.visited.contains(&slot) && fairy != Some(slot) && slot != dragon {
                wanted.insert(plain(Verb::Dragon, Target::Tile(slot)));
            }
        }
    }

    /// AM-43 to AM-46.
    fn wagon(&self, state: &State, seat: Seat, wanted: &mut BTreeSet<Choice>) {
        wanted.insert(Choice::PASS);
        let stood = self.wagons.iter().find(|piece| piece.seat == seat);
        let Some(from) = stood.and_then(|piece| piece.spot.as_segment()) else {
            return;
        };
        let old = self.is("wagon-move", "C1")
            || self.option("wagon-move").is_none() && self.rules.setup().edition == Edition::C1;
        let board = state.board();
        let reached: Vec<SegId> = if old {
            let connected = self.connected(state, board.feature_of(from));
            connected.iter().flat_map(|id| board.members(*id)).collect()
        } else {
            let pos = board.pos_of(from);
            let near = pos.around().into_iter().chain([pos]);
            near.filter_map(|pos| board.tile_at(pos))
                .flat_map(|slot| board.segments_of(slot))
                .collect()
        };
        for seg in reached {
            let kind = board.at(seg).kind;
            if matches!(
                kind,
                FeatureKind::Road | FeatureKind::City | FeatureKind::Monastery
            ) && self.can_stand(state, seat, Kind::Wagon, seg, false)
            {
                wanted.insert(with(Verb::Wagon, Kind::Wagon, Target::Segment(seg)));
            }
        }
    }

    /// AM-44: features that share a letter on a tile, and abbeys that touch; never two cities.
    fn connected(&self, state: &State, scored: FeatureId) -> BTreeSet<FeatureId> {
        let board = state.board();
        let mut found = BTreeSet::new();
        for seg in board.members(scored) {
            let slot = board.tile_of(seg);
            let placed = board.tile(slot);
            let segments = &self.rules.tile(placed.kind).segments;
            let mine = &segments[usize::from(seg.index_on_tile())];
            for (other, shown) in board.segments_of(slot).zip(segments.iter()) {
                if shown.links & mine.links != 0 {
                    found.insert(board.feature_of(other));
                }
            }
            let is_abbey = self.symbols(state, slot).has(Symbols::ABBEY);
            for side in Side::ALL {
                let Some(next) = board.tile_at(placed.pos.beside(side)) else {
                    continue;
                };
                let reaches = |slot: TileSlot, seg: SegId, side: Side| {
                    let placed = board.tile(slot);
                    let shown =
                        &self.rules.tile(placed.kind).segments[usize::from(seg.index_on_tile())];
                    shown.sides & (1 << side.turned_back(placed.rotation).index()) != 0
                };
                if is_abbey {
                    let touched = board
                        .segments_of(next)
                        .filter(|other| reaches(next, *other, side.opposite()));
                    found.extend(touched.map(|other| board.feature_of(other)));
                } else if reaches(slot, seg, side) && self.symbols(state, next).has(Symbols::ABBEY)
                {
                    found.extend(board.segments_of(next).map(|other| board.feature_of(other)));
                }
            }
        }
        let city = |id: FeatureId| board.feature(id).kind == FeatureKind::City;
        found.retain(|id| *id != scored && !(city(*id) && city(scored)));
        found
    }
}

fn plain(verb: Verb, target: Target) -> Choice {
    Choice {
        verb,
        kind: None,
        target,
    }
}

fn with(verb: Verb, kind: Kind, target: Target) -> Choice {
    Choice {
        verb,
        kind: Some(kind),
        target,
    }
}

pub(crate) fn is_follower(kind: Kind) -> bool {
    !matches!(kind, Kind::Builder | Kind::Pig | Kind::Barn)
}

pub(crate) fn in_place(state: &State, place: Place) -> impl Iterator<Item = Piece> + '_ {
    let all = state.pieces().iter();
    all.filter(move |piece| piece.spot.place == place)
}

pub(crate) fn on_feature(state: &State, id: FeatureId) -> impl Iterator<Item = Piece> + '_ {
    state.pieces().iter().filter(move |piece| {
        let seg = piece.spot.as_segment();
        seg.is_some_and(|seg| state.board().feature_of(seg) == id)
    })
}

fn is_free_on_top(state: &State, slot: TileSlot) -> bool {
    in_place(state, Place::TowerTop).all(|piece| piece.spot != Spot::tower_top(slot))
}

/// The corners of a square, each named by the square to its south-east.
fn corners(pos: Pos) -> [Pos; 4] {
    [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| pos.offset(dx, dy))
}

/// AM-60, AM-61: the field segments of the four tiles round a corner, if there are four and each shows only field there.
pub(crate) fn fields_round(state: &State, rules: &Rules, corner: Pos) -> Option<[SegId; 4]> {
    let [nl, nr, el, er, sl, sr, wl, wr] = Half::ALL;
    let round = [
        ((0, 0), [wr, nl]),
        ((-1, 0), [nr, el]),
        ((-1, -1), [er, sl]),
        ((0, -1), [sr, wl]),
    ];
    let mut fields = [SegId(0); 4];
    for (field, ((dx, dy), halves)) in fields.iter_mut().zip(round) {
        let slot = state.board().tile_at(corner.offset(dx, dy))?;
        let placed = state.board().tile(slot);
        let segments = &rules.tile(placed.kind).segments;
        let mut reaching =
            state
                .board()
                .segments_of(slot)
                .zip(segments.iter())
                .filter(|(_, shown)| {
                    let reaches = |half: Half| {
                        shown.halves & (1 << half.turned_back(placed.rotation).index()) != 0
                    };
                    shown.kind == FeatureKind::Field && halves.into_iter().all(reaches)
                });
        *field = reaching.next()?.0;
    }
    Some(fields)
}

/// The fields on which barns stand.
pub(crate) fn barns<'s>(
    state: &'s State,
    rules: &'s Rules,
) -> impl Iterator<Item = FeatureId> + 's {
    in_place(state, Place::Corner).filter_map(move |piece| {
        let fields = fields_round(state, rules, piece.spot.as_corner()?)?;
        Some(state.board().feature_of(fields[0]))
    })
}
