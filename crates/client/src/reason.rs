//! Why an action is illegal, in words, with the clause of the rules.

use towers_rules::{
    Action, Cast, Direction, Illegal, Move, Seat, Space, Spell, State, Tower, View, WizardTarget,
};

use crate::choice::{Intent, Pick};
use crate::labels;
use crate::preview::imagine;
use crate::words::{Message, say};

/// A reason with its clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    pub message: Message,
    /// The clause, such as `R7.3`.
    pub clause: &'static str,
}

/// Why a piece cannot be picked for an intent; `None` if it can, or if there is no useful explanation.
pub fn why_not_pick(view: &View, seat: Seat, intent: Option<Intent>, pick: Pick) -> Option<Reason> {
    let state = imagine(view)?;
    let intent = intent?;
    let how = |pick: Pick| match pick {
        Pick::Wizard(from, _) => Some(Move::Wizard {
            from,
            piggyback: false,
        }),
        Pick::Tower(tower) => Some(Move::Tower(tower)),
        _ => None,
    };
    if let (Intent::Card(_) | Intent::Roll, Pick::Wizard(_, colour)) = (intent, pick)
        && colour != state.wizard_colour(state.moves_wizards_of(seat))
    {
        return Some(Reason {
            message: say("why.not_yours"),
            clause: "R5.1",
        });
    }
    let action = match intent {
        Intent::Card(card) if card.dice() > 0 => {
            return Some(Reason {
                message: say("why.roll_first"),
                clause: "R4.8",
            });
        }
        Intent::Card(card) => Action::Play(card, how(pick)?),
        Intent::Roll => Action::Accept(how(pick)?),
        Intent::Refresh => match pick {
            Pick::Tower(tower) => Action::Refresh(Some(tower)),
            _ => {
                return Some(Reason {
                    message: say("why.tower_wanted"),
                    clause: "R4.4",
                });
            }
        },
        Intent::Spell(spell) => Action::Cast(cast(&state, seat, spell, pick)?),
        Intent::Before(spell) => Action::Before(cast(&state, seat, spell, pick)?),
        _ => return None,
    };
    state.check(seat, action).err().map(reason)
}

/// Why a spell cannot be cast now; `None` if it can.
pub fn why_not_cast(view: &View, seat: Seat, spell: Spell) -> Option<Reason> {
    let state = imagine(view)?;
    if spell == Spell::Piggyback {
        let flasks = state.flasks(seat).full;
        return Some(if view.options.reactions {
            reason(Illegal::OnlyInWindows)
        } else if state.has_cast() {
            reason(Illegal::AlreadyCast)
        } else if flasks < view.options.costs.of(spell) {
            reason(Illegal::TooDear(spell))
        } else {
            Reason {
                message: say("why.piggyback"),
                clause: "R10.7",
            }
        });
    }
    let first = Space::new(0)?;
    let tower = Tower::new(0)?;
    let anything = [
        Pick::Tower(tower),
        Pick::Wizard(first, state.wizard_colour(state.owner(seat))),
        Pick::Space(first),
        Pick::Direction(Direction::Clockwise),
    ];
    let cast = anything
        .into_iter()
        .find_map(|pick| cast(&state, seat, spell, pick))?;
    let why = state.check(seat, Action::Cast(cast)).err()?;
    Some(match why {
        // These depend on the sample target, so report that the spell has no target.
        Illegal::NoTarget(_)
        | Illegal::NoRoom(_)
        | Illegal::OntoCastle(_)
        | Illegal::StackFull(_)
        | Illegal::NoTower(_)
        | Illegal::SwapOrder
        | Illegal::Preference => reason(Illegal::NothingToCast(spell)),
        other => reason(other),
    })
}

fn cast(state: &State, seat: Seat, spell: Spell, pick: Pick) -> Option<Cast> {
    let target = |space, colour| WizardTarget {
        space,
        colour,
        declared: false,
    };
    Some(match (spell, pick) {
        (Spell::AdvanceWizard, Pick::Wizard(space, colour)) => {
            Cast::AdvanceWizard(target(space, colour))
        }
        (Spell::HeadwindWizard, Pick::Wizard(space, colour)) => {
            Cast::HeadwindWizard(target(space, colour))
        }
        (Spell::AdvanceTower, Pick::Tower(tower)) => Cast::AdvanceTower(tower),
        (Spell::HeadwindTower, Pick::Tower(tower)) => Cast::HeadwindTower(tower),
        (Spell::FreeWizard, Pick::Tower(tower)) => {
            let colour = state.partner(seat).map(|_| state.wizard_colour(seat));
            Cast::FreeWizard(tower, colour)
        }
        (Spell::SwapTowers, Pick::Space(space)) => {
            let other = Space::all().find(|s| *s > space && state.towers(*s).next().is_some())?;
            Cast::SwapTowers(space, other)
        }
        (Spell::NudgeCastle, Pick::Direction(direction)) => Cast::NudgeCastle(direction),
        _ => return None,
    })
}

/// Describes a violated rule.
pub fn reason(why: Illegal) -> Reason {
    let message = match why {
        Illegal::Over => say("why.over"),
        Illegal::ChanceFirst
        | Illegal::NoChance
        | Illegal::OtherChance
        | Illegal::NotInPile(_)
        | Illegal::NoSuchRoll => say("why.chance"),
        Illegal::NotYourDecision(_) => say("why.not_your_turn"),
        Illegal::NoSuchCard(card) => say("why.no_card").with("card", labels::card(card)),
        Illegal::RollFirst(_) | Illegal::NoDice(_) => say("why.roll_first"),
        Illegal::NoReroll => say("why.no_reroll"),
        Illegal::MustMove => say("why.must_move"),
        Illegal::NotForWizards(_) => say("why.not_for_wizards"),
        Illegal::NotForTowers(_) => say("why.not_for_towers"),
        Illegal::NoWizard(space) | Illegal::NoTarget(space) => {
            say("why.no_wizard").with("space", space.number())
        }
        Illegal::NothingToCast(spell) => say("why.no_target").with("spell", labels::spell(spell)),
        Illegal::NoRoom(space) => say("why.no_room").with("space", space.number()),
        Illegal::OntoCastle(tower) => say("why.onto_castle").with("tower", tower.letter()),
        Illegal::RefreshTooLate => say("why.refresh_late"),
        Illegal::MustMoveTower => say("why.must_move_tower"),
        Illegal::RefreshAfterSpell => say("why.refresh_after_spell"),
        Illegal::NoRefresh => say("why.no_refresh"),
        Illegal::NotInPlay(spell) => say("why.not_in_play").with("spell", labels::spell(spell)),
        Illegal::TooDear(spell) => say("why.too_dear").with("spell", labels::spell(spell)),
        Illegal::AlreadyCast => say("why.already_cast"),
        Illegal::OnlyInWindows => say("why.only_windows"),
        Illegal::NoRight => say("why.no_right"),
        Illegal::FilledInSeries(_) => say("why.filled_in_series"),
        Illegal::DeclaredHidden => say("why.declared_hidden"),
        Illegal::SpellAfterCard => say("why.spell_after_card"),
        Illegal::NoTower(space) => say("why.no_tower").with("space", space.number()),
        Illegal::NowhereToGo => say("why.nowhere"),
        Illegal::StackFull(_) => say("why.stack_full"),
        Illegal::NoRider | Illegal::NoWizardMove => say("why.no_rider"),
        Illegal::OtherSpell(spell) => say("why.other_spell").with("spell", labels::spell(spell)),
        Illegal::MustCast => say("why.must_cast"),
        Illegal::ExchangeUsed => say("why.exchange_used"),
        Illegal::GiftUsed | Illegal::GiftSize => say("why.gift"),
        Illegal::GiftDirection => say("why.gift_direction"),
        _ => say("why.moment"),
    };
    Reason {
        message,
        clause: why.clause(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use towers_rules::{Viewer, examples};

    #[test]
    fn a_spell_without_flasks_is_too_dear() {
        let state = examples::opening();
        let view = state.view(Viewer::Seat(state.active()));
        let why = why_not_cast(&view, state.active(), Spell::AdvanceTower).unwrap();
        assert_eq!((why.message.key, why.clause), ("why.too_dear", "R9.2"));
        let why = why_not_cast(&view, state.active(), Spell::SwapTowers).unwrap();
        assert_eq!(why.message.key, "why.not_in_play");
    }

    #[test]
    fn a_tower_before_the_castle_may_not_land_on_it() {
        let state = examples::opening();
        let view = state.view(Viewer::Seat(state.active()));
        let first = why_not_pick(
            &view,
            state.active(),
            None,
            Pick::Space(Space::new(1).unwrap()),
        );
        assert_eq!(first, None);
        let card = towers_rules::Card::from_text("w3").unwrap();
        let tower = Pick::Tower(Tower::new(0).unwrap());
        let why = why_not_pick(&view, state.active(), Some(Intent::Card(card)), tower);
        assert!(why.is_some());
    }
}
