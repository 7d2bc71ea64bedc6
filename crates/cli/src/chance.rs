//! Seeded chance.

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use towers_rules::trace::Dealer;
use towers_rules::{Chance, State};

/// A reproducible stream of random numbers.
pub struct Seeded(ChaCha12Rng);

impl Seeded {
    /// The random stream of one game, derived from a seed.
    pub fn game(seed: u64, game: u64) -> Seeded {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..16].copy_from_slice(&game.to_le_bytes());
        Seeded(ChaCha12Rng::from_seed(bytes))
    }

    /// A uniformly distributed number below `n`.
    pub fn below(&mut self, n: u32) -> u32 {
        // Lemire's method. Without the retry, some numbers would be slightly more likely.
        let mut wide = u64::from(self.0.next_u32()) * u64::from(n);
        if (wide as u32) < n {
            let threshold = n.wrapping_neg() % n;
            while (wide as u32) < threshold {
                wide = u64::from(self.0.next_u32()) * u64::from(n);
            }
        }
        (wide >> 32) as u32
    }
}

impl Dealer for Seeded {
    fn deal(&mut self, state: &State) -> Option<Chance> {
        state.sample_chance(|n| self.below(n))
    }
}
