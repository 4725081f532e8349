//! Reproducible random numbers.

/// A small generator (splitmix64): the same seed gives the same numbers on every platform.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Numbers of this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 {
            return 0;
        }
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of these.
    pub fn of<'l, T>(&mut self, list: &'l [T]) -> Option<&'l T> {
        list.get(self.below(list.len()))
    }

    /// One of these, as often as its weight says.
    pub fn weighted<T: Copy>(&mut self, list: &[(T, u32)]) -> Option<T> {
        let total: u64 = list.iter().map(|(_, weight)| u64::from(*weight)).sum();
        let mut pick = self.below(total as usize) as u64;
        for (item, weight) in list {
            if pick < u64::from(*weight) {
                return Some(*item);
            }
            pick -= u64::from(*weight);
        }
        None
    }
}
