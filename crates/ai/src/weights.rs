//! The numbers of the evaluation.

/// Declares the numbers with their values; they can be read and changed by place or by name, for tuning.
macro_rules! weights {
    ($($(#[$meta:meta])* $name:ident = $value:expr,)*) => {
        /// The numbers of the evaluation. They were found by self-play; see docs/players.md.
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct Weights { $($(#[$meta])* pub $name: f32,)* }

        impl Default for Weights {
            fn default() -> Weights {
                Weights { $($name: $value,)* }
            }
        }

        impl Weights {
            /// The names, in order.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// All values, in the order of the names.
            pub fn to_vec(&self) -> Vec<f32> {
                vec![$(self.$name,)*]
            }

            /// The weights with these values in the order of the names; those that are missing as they usually are.
            pub fn from_slice(values: &[f32]) -> Weights {
                let mut weights = Weights::default();
                let mut values = values.iter();
                $(if let Some(value) = values.next() { weights.$name = *value; })*
                weights
            }
        }
    };
}

weights! {
    /// Roads: how readily a tile that closes an open square is drawn and used for that, for each own turn.
    road_close = 0.4799,
    /// The same of a tile that fits without closing.
    road_extend = 0.0949,
    /// Cities: as `road_close`.
    city_close = 0.4134,
    /// Cities: as `road_extend`.
    city_extend = 0.235,
    /// How much each further open square slows the closing of every one.
    spread = 0.6339,
    /// How much each further open feature of the same owner slows closing.
    busy = 0.0,
    /// Tiles that a road grows by in the long run, for each open square.
    road_grow = 0.2474,
    /// Tiles that a city grows by in the long run, for each open square.
    city_grow = 0.1654,
    /// Own turns after which half of the growth is there.
    grow_turns = 0.2405,
    /// How readily an empty square round a monastery is filled, for each own turn.
    fill_own = 0.0428,
    /// The same for each turn of others.
    fill_any = 0.0471,
    /// How readily an empty square round a monastery is filled that no tile touches yet, of one that is touched.
    fill_far = 0.6181,
    /// Points of a field for each open square beside it and own turn left, by new cities.
    field_grow = 0.0,
    /// Open squares beyond which a field does not gain by more.
    field_wide = 24.9099,
    /// How readily an unclaimed city is closed, of a claimed one.
    free_city = 0.3548,
    /// Points that the last follower in the supply is worth in the long run.
    supply_1 = 45.9629,
    /// The last but one.
    supply_2 = 20.0356,
    /// The third.
    supply_3 = 15.0585,
    /// The fourth.
    supply_4 = 12.2709,
    /// The fifth.
    supply_5 = 13.2789,
    /// The sixth and each further one.
    supply_6 = 12.1644,
    /// Own turns with which a follower in the supply is worth half of that.
    supply_turns = 20.2069,
    /// What a follower that comes back is worth, of one in the supply.
    back = 0.8258,
    /// How much other kinds of figures in the supply count, of what the table of hints says.
    figure = 1.0,
    /// How readily two roads or cities are joined by who gains, for each own turn.
    join_built = 0.2575,
    /// How readily two fields are joined by who gains, for each own turn.
    join_field = 0.248,
    /// How readily a road is invaded from outside, for each turn of others and open square.
    invade_road = 0.0022,
    /// How readily a city is invaded.
    invade_city = 0.0016,
    /// How readily a field is invaded.
    invade_field = 0.0,
    /// What a majority that is out of reach by one is still worth.
    minority = 0.1321,
    /// Points of the seat that moves next.
    tempo = 0.8414,
    /// How much tokens count, of what the table of hints says.
    tokens = 1.0,
    /// The spread of the final lead when one tile is left.
    luck_base = 3.0,
    /// What is added to the spread for the square root of each tile left.
    luck_tile = 2.5,
}

impl Weights {
    /// What the follower with this number in a supply is worth in the long run, from 0.
    pub(crate) fn supply(&self, number: u8) -> f32 {
        match number {
            0 => self.supply_1,
            1 => self.supply_2,
            2 => self.supply_3,
            3 => self.supply_4,
            4 => self.supply_5,
            _ => self.supply_6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_keeps_its_place() {
        let values: Vec<f32> = (0..Weights::NAMES.len()).map(|i| i as f32).collect();
        assert_eq!(Weights::from_slice(&values).to_vec(), values);
        assert_eq!(Weights::from_slice(&[]), Weights::default());
    }
}
