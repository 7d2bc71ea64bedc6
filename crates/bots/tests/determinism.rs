//! The same seed and the same iterations give the same game.

mod common;

use common::{BotTable, variants};
use towers_bots::{Budget, Strength};

#[test]
fn the_same_seed_and_iterations_play_the_same_game() {
    for setup in variants().into_iter().step_by(7) {
        for level in Strength::ALL {
            let play = |seed| {
                let mut table = BotTable::new(&setup, seed, |_| level);
                table.play(8, Budget::Iterations(24));
                table.record
            };
            assert_eq!(play(1), play(1), "{level}");
        }
    }
}
