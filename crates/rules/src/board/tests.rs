//! The board's own check must notice everything that can be wrong with a board.

use super::*;

/// The start of a game of two, with a wizard of each on tower A and one on the ground of space 12.
fn board() -> Board {
    let mut board = Board::start(2);
    for (surface, owner) in [(16, 0), (16, 1), (12, 0)] {
        board.add_wizard(Surface::at(surface), Seat(owner));
    }
    board
}

/// The error that the check reports after a change to the board.
fn verdict(harm: impl FnOnce(&mut Board)) -> Result<(), &'static str> {
    let mut board = board();
    harm(&mut board);
    board.check()
}

#[test]
fn r18_a_board_that_is_in_order_passes() {
    assert_eq!(verdict(|_| {}), Ok(()));
    assert_eq!(Board::start(6).check(), Ok(()));
}

#[test]
fn r18_3_a_tower_that_does_not_stand_where_it_should_is_noticed() {
    let resting = "R18.3: a tower's resting place is wrong";
    assert_eq!(verdict(|b| b.rests_on[2] = 9), Err(resting));
    let space = Space::wrapping(7);
    assert_eq!(
        verdict(|b| b.towers.put(Tower::at(2), space, 0)),
        Err("R18.3: a tower's space is wrong")
    );
    let space = Space::wrapping(3);
    assert_eq!(
        verdict(|b| b.towers.put(Tower::at(2), space, 1)),
        Err("R18.3: a tower's height is wrong")
    );
    assert_eq!(
        verdict(|b| b.exposed[9] = 9),
        Err("R18.3: a tower is missing")
    );
    assert_eq!(
        verdict(|b| b.exposed[15] = 14),
        Err("R18.3: an exposed surface is wrong")
    );
}

#[test]
fn r18_3_towers_that_stand_on_each_other_are_noticed() {
    let resting = "R18.3: a tower's resting place is wrong";
    assert_eq!(verdict(|b| b.rests_on[0] = 16), Err(resting));
}

/// A set with one surface more or less.
fn toggled(set: SurfaceSet, surface: Surface) -> SurfaceSet {
    let one = SurfaceSet::only(surface);
    set.without(one).or(one.without(set))
}

#[test]
fn inconsistent_derived_fields_are_detected() {
    for surface in Surface::all() {
        assert_eq!(
            verdict(|b| b.open = toggled(b.open, surface)),
            Err("the set of exposed surfaces is wrong")
        );
        assert_eq!(
            verdict(|b| b.full = toggled(b.full, surface)),
            Err("the set of full surfaces is wrong")
        );
        for owner in 0..MAX_SEATS {
            assert_eq!(
                verdict(|b| b.stands[owner] = toggled(b.stands[owner], surface)),
                Err("the surfaces of an owner's wizards are wrong")
            );
        }
    }
}

#[test]
fn r18_2_wizards_that_do_not_add_up_are_noticed() {
    let sum = "R18.2: wizards of a surface do not add up";
    // One more of a colour that is there already: nothing looks different.
    assert_eq!(verdict(|b| b.wizards[16] += 1), Err(sum));
    assert_eq!(verdict(|b| b.wizards[16] += 1 << TOTAL_SHIFT), Err(sum));
    let crowd = |b: &mut Board, wizards: u16| {
        b.wizards[12] = wizards << TOTAL_SHIFT | wizards;
        b.full = SurfaceSet::only_if(Surface::at(12), wizards == 6);
    };
    assert_eq!(verdict(|b| crowd(b, 6)), Ok(()));
    assert_eq!(verdict(|b| crowd(b, 7)), Err(sum));
}

#[test]
fn r18_4_wizards_on_the_castles_surface_are_noticed() {
    assert_eq!(
        verdict(|b| b.put_castle(Space::wrapping(12))),
        Err("R18.4: wizards stand on the castle's surface")
    );
    assert_eq!(verdict(|b| b.put_castle(Space::wrapping(11))), Ok(()));
}

#[test]
fn r18_3_a_stack_may_have_nine_towers() {
    let mut board = Board::start(2);
    for tower in Tower::all().take(8) {
        let from = board.tower_space(tower);
        board.move_stack(tower, from, Space::wrapping(tower.index() as u8 + 2));
    }
    assert_eq!(board.check(), Ok(()));
    assert_eq!(board.towers(Space::wrapping(9)).count(), TOWERS);
    let tower = Tower::at(8);
    board.move_stack(tower, board.tower_space(tower), Space::wrapping(15));
    assert_eq!(board.check(), Ok(()));
    assert_eq!(board.exposed(Space::wrapping(9)), Surface::at(9));
}
