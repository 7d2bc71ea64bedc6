//! Splits every action of the rules into an intent and the pieces picked for it.

use towers_rules::{Action, Card, Cast, Colour, Direction, Move, Space, Spell, Tower};

/// The kind of action that a player wants to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intent {
    Card(Card),
    /// Use the roll.
    Roll,
    /// Roll again.
    Reroll,
    /// Discard the hand.
    Refresh,
    Spell(Spell),
    /// Claim this spell and cast it before the move.
    Before(Spell),
    /// Claim this spell for after the move.
    After(Spell),
    /// Claim Piggyback.
    With,
    /// Add another rider.
    More,
    End,
    /// Claim nothing.
    Pass,
    /// End the casts.
    Done,
    /// Ask the partner for a card.
    Ask,
    /// Offer the partner a card.
    Offer,
    /// Take the offered card.
    Accept,
    Decline,
    /// Give a card back.
    Return,
    /// Give full flasks.
    Give,
}

impl Intent {
    /// The spell that is cast or claimed.
    pub fn spell(self) -> Option<Spell> {
        match self {
            Intent::Spell(spell) | Intent::Before(spell) | Intent::After(spell) => Some(spell),
            Intent::With | Intent::More => Some(Spell::Piggyback),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pick {
    /// A visible wizard.
    Wizard(Space, Colour),
    Tower(Tower),
    /// The topmost tower of a space.
    Space(Space),
    /// A direction around the ring.
    Direction(Direction),
    /// No piece.
    Nothing,
    /// The die.
    Dice,
    /// A card of the hand.
    Card(Card),
    /// A number of flasks.
    Count(u8),
}

/// Splits an action into its intent and picks. `own` is the colour that the player's cards move.
pub fn parts(action: Action, own: Colour) -> (Intent, Vec<Pick>) {
    let of_move = |how: Move| match how {
        Move::Wizard { from, .. } => Pick::Wizard(from, own),
        Move::Tower(tower) => Pick::Tower(tower),
        Move::Nothing => Pick::Nothing,
    };
    match action {
        Action::Play(card, how) => (Intent::Card(card), vec![of_move(how)]),
        Action::Roll(card) => (Intent::Card(card), vec![Pick::Dice]),
        Action::Reroll => (Intent::Reroll, vec![]),
        Action::Accept(how) => (Intent::Roll, vec![of_move(how)]),
        Action::Refresh(tower) => (
            Intent::Refresh,
            vec![tower.map_or(Pick::Nothing, Pick::Tower)],
        ),
        Action::RefreshFirst => (Intent::Refresh, vec![]),
        Action::Cast(cast) => (Intent::Spell(cast.spell()), targets(cast)),
        Action::Before(cast) => (Intent::Before(cast.spell()), targets(cast)),
        Action::After(spell) => (Intent::After(spell), vec![]),
        Action::WithPiggyback => (Intent::With, vec![]),
        Action::Piggyback => (Intent::More, vec![]),
        Action::End => (Intent::End, vec![]),
        Action::Pass => (Intent::Pass, vec![]),
        Action::Done => (Intent::Done, vec![]),
        Action::Ask => (Intent::Ask, vec![]),
        Action::Offer(card) => (Intent::Offer, vec![Pick::Card(card)]),
        Action::AcceptOffer => (Intent::Accept, vec![]),
        Action::Decline => (Intent::Decline, vec![]),
        Action::Return(card) => (Intent::Return, vec![Pick::Card(card)]),
        Action::Give(count) => (Intent::Give, vec![Pick::Count(count)]),
    }
}

fn targets(cast: Cast) -> Vec<Pick> {
    match cast {
        Cast::AdvanceWizard(w) | Cast::HeadwindWizard(w) => vec![Pick::Wizard(w.space, w.colour)],
        Cast::AdvanceTower(tower) | Cast::HeadwindTower(tower) | Cast::FreeWizard(tower, _) => {
            vec![Pick::Tower(tower)]
        }
        Cast::SwapTowers(one, other) => vec![Pick::Space(one), Pick::Space(other)],
        Cast::NudgeCastle(direction) => vec![Pick::Direction(direction)],
    }
}

/// What the pointer hovers over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hover {
    /// An intent that can be started, such as a card.
    Intent(Intent),
    /// A piece, as every pick that refers to it.
    Piece(Vec<Pick>),
}
