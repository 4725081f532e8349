//! A small generator of random numbers, the same on every platform.

/// Spreads a number over all 64 bits.
pub(crate) fn mix(x: u64) -> u64 {
    Rng::new(x).next_u64()
}

/// A generator (xoshiro256++) with a seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng([u64; 4]);

impl Rng {
    /// The generator with this seed.
    pub fn new(seed: u64) -> Rng {
        // SplitMix64 spreads the seed over the state.
        let mut z = seed;
        Rng(core::array::from_fn(|_| {
            z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut x = z;
            x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            x ^ (x >> 31)
        }))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.0;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let t = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= t;
        *d = d.rotate_left(45);
        result
    }

    /// A number below `n`, which must not be 0.
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.next_u64() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// A number from 0 to 1, 1 excluded.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Puts a list in random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i as u32 + 1) as usize);
        }
    }

    /// One of the things with weights; `None` if there is none.
    pub fn pick<T: Copy>(&mut self, weighted: &[(T, u32)]) -> Option<T> {
        let total: u32 = weighted.iter().map(|(_, weight)| weight).sum();
        if total == 0 {
            return None;
        }
        let mut at = self.below(total);
        for (thing, weight) in weighted {
            if at < *weight {
                return Some(*thing);
            }
            at -= weight;
        }
        None
    }
}
