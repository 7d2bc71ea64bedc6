//! Every action that notation can express, legal or not.

use towers_rules::{
    Action, Card, Cast, Colour, Direction, Move, Space, Spell, Tower, WizardTarget,
};

pub fn universe() -> Vec<Action> {
    let mut all = vec![
        Action::Reroll,
        Action::Refresh(None),
        Action::RefreshFirst,
        Action::End,
        Action::Pass,
        Action::WithPiggyback,
        Action::Piggyback,
        Action::Done,
        Action::Ask,
        Action::AcceptOffer,
        Action::Decline,
    ];
    all.extend(Tower::all().map(|t| Action::Refresh(Some(t))));
    all.extend(moves().map(Action::Accept));
    for card in Card::all() {
        all.extend(moves().map(|m| Action::Play(card, m)));
        all.extend([
            Action::Roll(card),
            Action::Offer(card),
            Action::Return(card),
        ]);
    }
    for cast in casts() {
        all.extend([Action::Cast(cast), Action::Before(cast)]);
    }
    all.extend(Spell::ALL.map(Action::After));
    all.extend((0..=14).chain([255]).map(Action::Give));
    all
}

fn moves() -> impl Iterator<Item = Move> {
    let wizard = |from| {
        [false, true]
            .into_iter()
            .map(move |piggyback| Move::Wizard { from, piggyback })
    };
    Space::all()
        .flat_map(wizard)
        .chain(Tower::all().map(Move::Tower))
        .chain([Move::Nothing])
}

pub fn casts() -> Vec<Cast> {
    let mut all = vec![
        Cast::NudgeCastle(Direction::Clockwise),
        Cast::NudgeCastle(Direction::CounterClockwise),
    ];
    for space in Space::all() {
        for colour in Colour::ALL {
            for declared in [false, true] {
                let target = WizardTarget {
                    space,
                    colour,
                    declared,
                };
                all.extend([Cast::AdvanceWizard(target), Cast::HeadwindWizard(target)]);
            }
        }
        all.extend(Space::all().map(|other| Cast::SwapTowers(space, other)));
    }
    for tower in Tower::all() {
        all.extend([Cast::AdvanceTower(tower), Cast::HeadwindTower(tower)]);
        all.push(Cast::FreeWizard(tower, None));
        all.extend(Colour::ALL.map(|c| Cast::FreeWizard(tower, Some(c))));
    }
    all
}
