//! Why an action or an outcome of chance is illegal.

use crate::card::Card;
use crate::ids::{Seat, Space, Tower};
use crate::spell::Spell;

/// Why an action or an outcome of chance is refused. [`Illegal::clause`] names the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Illegal {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// Chance has to act first.
    #[error("waiting for a card to be drawn or a die to be rolled")]
    ChanceFirst,
    /// The rules request no outcome of chance.
    #[error("no outcome of chance is due now")]
    NoChance,
    /// Another player is to act.
    #[error("seat {} is not to act", .0.0)]
    NotYourDecision(Seat),
    /// The phase has no such action.
    #[error("that action is not possible now")]
    WrongMoment,
    /// The hand has no such card.
    #[error("there is no card {0} in this hand")]
    NoSuchCard(Card),
    /// A dice card is rolled before it moves anything.
    #[error("card {0} has dice: roll first")]
    RollFirst(Card),
    /// A card with numbers is not rolled.
    #[error("card {0} has no dice to roll")]
    NoDice(Card),
    /// No reroll is left.
    #[error("no reroll is left")]
    NoReroll,
    /// A card that can move must move.
    #[error("the card has a legal move, so one must be made")]
    MustMove,
    /// The card moves no wizards.
    #[error("card {0} moves no wizard")]
    NotForWizards(Card),
    /// The card moves no towers.
    #[error("card {0} moves no tower")]
    NotForTowers(Card),
    /// None of the mover's wizards can be seen there.
    #[error("no wizard you may move is visible on space {0}")]
    NoWizard(Space),
    /// No wizard of this colour can be seen there.
    #[error("no wizard of that colour is visible on space {0}")]
    NoTarget(Space),
    /// The spell has no target at all.
    #[error("spell {0} has no target now")]
    NothingToCast(Spell),
    /// The surface there holds six wizards.
    #[error("there is no room on space {0}")]
    NoRoom(Space),
    /// The tower would land on the castle.
    #[error("tower {0} would land on the castle")]
    OntoCastle(Tower),
    /// A card was played already.
    #[error("a refresh replaces both actions, and a card was already played")]
    RefreshTooLate,
    /// A refresh moves a tower.
    #[error("a refresh moves a tower, and one can move")]
    MustMoveTower,
    /// The table draws the new cards of a refresh at the other time; `true`: before the tower is chosen.
    #[error("at this table the new cards of a refresh are drawn {}", if *.0 { "before its tower is chosen" } else { "at the end of the turn" })]
    RefreshOrder(bool),
    /// A turn with a spell has no refresh.
    #[error("in solo and cooperative games a turn has a spell or a refresh, not both")]
    RefreshAfterSpell,
    /// This table has no refresh.
    #[error("this table plays without refresh in solo and cooperative games")]
    NoRefresh,
    /// The spell is not in play.
    #[error("spell {0} is not in play")]
    NotInPlay(Spell),
    /// Too few full flasks.
    #[error("too few full flasks for spell {0}")]
    TooDear(Spell),
    /// One spell per turn.
    #[error("a spell was already cast this turn")]
    AlreadyCast,
    /// At this table, spells are cast only after a declaration.
    #[error("with reactions, a spell can only be cast after a move is declared")]
    OnlyInWindows,
    /// The caster has no right to cast left in this action.
    #[error("the right to cast in this action is used up")]
    NoRight,
    /// With one spell per player, spells after the move are cast in the closing window.
    #[error("at this table spells after the move are cast in the closing window and not claimed")]
    NoClaims,
    /// Free a Wizard at any time needs no claim.
    #[error("Free a Wizard can be cast at any time, so it is not claimed")]
    FreeIsNotClaimed,
    /// A flask filled by a series does not pay for its repeats.
    #[error("only flasks that were full at the first cast of {0} pay for its repeats")]
    FilledInSeries(Spell),
    /// The declared wizard is covered.
    #[error("the declared wizard is imprisoned, so nobody can ride along")]
    DeclaredHidden,
    /// In solo and cooperative games the spell comes after the card.
    #[error("in solo and cooperative games a spell is cast after the card's move")]
    SpellAfterCard,
    /// Swap takes the lower space first and two different spaces.
    #[error("a swap names two different spaces, the lower number first")]
    SwapOrder,
    /// No tower stands there.
    #[error("no tower stands on space {0}")]
    NoTower(Space),
    /// The castle has nowhere to go.
    #[error("every other space has wizards in sight, so the castle cannot move")]
    NowhereToGo,
    /// The stack's top is full.
    #[error("tower {0} stands in a stack whose top has no room for a freed wizard")]
    StackFull(Tower),
    /// The preferred colour is named in teams and only there.
    #[error("name a preferred colour, yours or your partner's, in teams and only there")]
    Preference,
    /// Piggyback needs a second wizard.
    #[error("piggyback needs another wizard of yours on the same surface")]
    NoRider,
    /// Piggyback goes with a wizard move.
    #[error("piggyback is cast together with a wizard's move")]
    NoWizardMove,
    /// The declared wizard is marked only when another of its colour stands beside it.
    #[error("the declared wizard is marked only when another of its colour stands beside it")]
    DeclaredMark,
    /// Another spell was claimed.
    #[error("spell {0} was claimed, so no other can be cast")]
    OtherSpell(Spell),
    /// The claimed spell has to be cast.
    #[error("a claimed spell has to be cast at least once")]
    MustCast,
    /// There are no teams.
    #[error("there are no teams at this table")]
    NoTeams,
    /// One exchange per turn.
    #[error("the exchange of this turn is used up")]
    ExchangeUsed,
    /// One gift each per turn.
    #[error("flasks were already given this turn")]
    GiftUsed,
    /// Only the partner gives, to the active player.
    #[error("at this table only the partner gives flasks, to the active player")]
    GiftDirection,
    /// Too few full flasks.
    #[error("a gift is one or more of your full flasks")]
    GiftSize,
    /// The outcome is not the one requested.
    #[error("that is not the outcome that is due")]
    OtherChance,
    /// The draw pile has no such card.
    #[error("the draw pile has no card {0}")]
    NotInPile(Card),
    /// A die shows 1 to 6.
    #[error("a die shows 1 to 6")]
    NoSuchRoll,
}

impl Illegal {
    /// The clause of the rules that forbids it.
    pub const fn clause(self) -> &'static str {
        match self {
            Illegal::Over => "R11.2",
            Illegal::ChanceFirst | Illegal::NoChance | Illegal::OtherChance => "R19",
            Illegal::NotYourDecision(_) | Illegal::WrongMoment => "R19",
            Illegal::NoSuchCard(_) => "R4.1",
            Illegal::RollFirst(_) | Illegal::NoDice(_) | Illegal::NoReroll => "R4.8",
            Illegal::MustMove => "R4.2",
            Illegal::NotForWizards(_) | Illegal::NotForTowers(_) => "R4.3",
            Illegal::NoWizard(_) => "R5.1",
            Illegal::NoRoom(_) => "R5.3",
            Illegal::OntoCastle(_) => "R7.3",
            Illegal::RefreshTooLate => "R4.4",
            Illegal::MustMoveTower => "R4.4",
            Illegal::RefreshOrder(_) => "R4.5",
            Illegal::RefreshAfterSpell => "R14.6",
            Illegal::NoRefresh => "R14.5",
            Illegal::NotInPlay(_) => "R9.5",
            Illegal::TooDear(_) => "R9.2",
            Illegal::AlreadyCast => "R9.1",
            Illegal::OnlyInWindows => "R13.2",
            Illegal::NoRight => "R13.3",
            Illegal::NoClaims => "R13.4",
            Illegal::FreeIsNotClaimed => "R13.11",
            Illegal::FilledInSeries(_) => "R13.5",
            Illegal::DeclaredHidden => "R13.8",
            Illegal::SpellAfterCard => "R14.6",
            Illegal::NoTarget(_) | Illegal::NothingToCast(_) => "R9.5",
            Illegal::SwapOrder | Illegal::NoTower(_) => "R10.3",
            Illegal::NowhereToGo => "R10.6",
            Illegal::StackFull(_) => "R10.8",
            Illegal::Preference => "R12.6",
            Illegal::NoRider => "R10.7",
            Illegal::NoWizardMove => "R13.8",
            Illegal::DeclaredMark => "R13.10",
            Illegal::OtherSpell(_) => "R13.5",
            Illegal::MustCast => "R13.4",
            Illegal::NoTeams => "R12.1",
            Illegal::ExchangeUsed => "R12.2",
            Illegal::GiftUsed | Illegal::GiftSize | Illegal::GiftDirection => "R12.3",
            Illegal::NotInPile(_) => "R18.1",
            Illegal::NoSuchRoll => "R2.6",
        }
    }
}
