//! A small generator with the same numbers on every machine and in every version (`SplitMix64`).

/// A stream of numbers.
#[derive(Clone)]
pub struct Rng(pub u64);

impl Rng {
    /// The stream of a seed and a name, so that different tests see different games.
    pub fn named(seed: u64, name: &str) -> Rng {
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
        Rng(name.bytes().fold(seed ^ 0xCBF2_9CE4_8422_2325, mix))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u32) -> u32 {
        ((self.next() >> 32) * u64::from(n.max(1)) >> 32) as u32
    }

    /// True with probability 1/`n`.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u32) as usize]
    }
}
