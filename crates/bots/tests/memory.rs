//! A perfect memory knows everything it saw; the lower levels forget.

mod common;

use common::{BotTable, variants, viewer};
use towers_bots::{Bot, Budget, Strength};
use towers_rules::{Memory, Surface};

const SMALL_BUDGET: Budget = Budget::Iterations(1);

/// R16.2: in strict mode views do not show prisoners; a bot that watched from the start knows them all.
#[test]
fn a_perfect_memory_is_the_truth() {
    for (i, mut setup) in variants().into_iter().enumerate() {
        setup.options.memory = Memory::Strict;
        let mut table = BotTable::new(&setup, i as u64, |seat| {
            if seat == 0 {
                Strength::Adept
            } else {
                Strength::Novice
            }
        });
        for _ in 0..6 {
            table.play(10, SMALL_BUDGET);
            for surface in Surface::all() {
                let remembered = table.bots[0].memory().wizards(surface);
                assert_eq!(remembered, Some(table.state.wizards(surface)), "{surface}");
            }
        }
    }
}

#[test]
fn a_novice_forgets_what_an_adept_remembers() {
    let mut setup = variants().remove(0);
    setup.options.memory = Memory::Strict;
    let mut forgotten = 0;
    for seed in 0..20 {
        let mut table = BotTable::new(&setup, seed, |_| Strength::Novice);
        table.play(120, SMALL_BUDGET);
        forgotten += Surface::all()
            .filter(|&s| table.bots[0].memory().wizards(s).is_none())
            .count();
    }
    assert!(forgotten > 20, "{forgotten}");
}

#[test]
fn a_bot_that_joins_late_does_not_know_prisoners() {
    let mut setup = variants().remove(0);
    setup.options.memory = Memory::Strict;
    let mut table = BotTable::new(&setup, 3, |_| Strength::Apprentice);
    table.play(60, SMALL_BUDGET);
    let view = table.state.view(viewer(0));
    let late = Bot::new(Strength::Master, towers_rules::Seat(0), 1, &view);
    for surface in Surface::all() {
        let covered = table.state.tower_on(surface).is_some();
        assert_eq!(late.memory().wizards(surface).is_none(), covered);
    }
}
