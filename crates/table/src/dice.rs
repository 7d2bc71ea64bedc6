//! Chance from a committed seed.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use towers_rules::{Chance, State};

use crate::ids::Seed;

/// The chance of one game: `ChaCha20` keyed with the seed, read as 32-bit numbers, one outcome after the other in the
/// order in which the rules request them.
#[derive(Clone, Debug)]
pub struct Dice {
    stream: ChaCha20Rng,
    /// Tests override chance to compare games that differ in hidden information only.
    #[cfg(test)]
    pub(crate) script: std::collections::VecDeque<Chance>,
}

impl Dice {
    /// The stream of a seed.
    pub fn new(seed: &Seed) -> Dice {
        Dice {
            stream: ChaCha20Rng::from_seed(seed.0),
            #[cfg(test)]
            script: std::collections::VecDeque::new(),
        }
    }

    /// A uniformly distributed number below `n`.
    fn below(&mut self, n: u32) -> u32 {
        // Lemire's method. Without the retry, some numbers would be slightly more likely.
        let mut wide = u64::from(self.stream.next_u32()) * u64::from(n);
        if (wide as u32) < n {
            let threshold = n.wrapping_neg() % n;
            while (wide as u32) < threshold {
                wide = u64::from(self.stream.next_u32()) * u64::from(n);
            }
        }
        (wide >> 32) as u32
    }

    /// The next outcome of chance, if chance is to act.
    pub fn deal(&mut self, state: &State) -> Option<Chance> {
        #[cfg(test)]
        if let Some(chance) = self.script.pop_front() {
            return Some(chance);
        }
        state.sample_chance(|n| self.below(n))
    }
}
