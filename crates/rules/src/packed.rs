//! The options of a table in six bytes, as a state carries them.

use crate::options::{Choice, CoopHands, Memory, Mode, Options, SoloDeck, TeamEnd};
use crate::spell::{Costs, Spell};

/// [`Options`], packed: a state is copied often, so it has to be small.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Packed {
    flags: u16,
    /// Two bits for each spell.
    costs: u16,
    /// One less than the most rounds there can be: with no cap more than any round.
    last_but_one: u16,
}

const TEAMS: u16 = 1 << 2;
const REACTIONS: u16 = 1 << 3;
const MAY_DECLINE: u16 = 1 << 4;
const FREE_ANY_TIME: u16 = 1 << 5;
const SOLO_REFRESH: u16 = 1 << 6;
const ASSISTED: u16 = 1 << 7;
const AT_ONCE: u16 = 1 << 8;
const RENEW: u16 = 1 << 9;
const PRIVATE: u16 = 1 << 10;
const RANDOM_SPELLS: u16 = 1 << 11;
const RANDOM_START: u16 = 1 << 12;
/// Versus, or solo and cooperative games with `SOLO_REFRESH`: asked often, so worked out before.
const REFRESH: u16 = 1 << 13;

impl Packed {
    pub(crate) fn new(options: &Options) -> Packed {
        let flags = [
            (options.teams, TEAMS),
            (options.reactions, REACTIONS),
            (options.may_decline, MAY_DECLINE),
            (options.free_any_time, FREE_ANY_TIME),
            (options.solo_refresh, SOLO_REFRESH),
            (options.memory == Memory::Assisted, ASSISTED),
            (options.team_end == TeamEnd::AtOnce, AT_ONCE),
            (options.solo_deck == SoloDeck::Renew, RENEW),
            (options.coop_hands == CoopHands::Private, PRIVATE),
            (options.spell_setup == Choice::Random, RANDOM_SPELLS),
            (options.start_setup == Choice::Random, RANDOM_START),
            (
                options.mode == Mode::Versus || options.solo_refresh,
                REFRESH,
            ),
        ];
        let flags = flags
            .into_iter()
            .filter(|(set, _)| *set)
            .fold(options.mode as u16, |all, (_, flag)| all | flag);
        let cost = |spell: Spell| u16::from(options.costs.of(spell) & 3) << (2 * spell as u16);
        Packed {
            flags,
            costs: Spell::ALL
                .into_iter()
                .map(cost)
                .fold(0, |all, cost| all | cost),
            last_but_one: options.max_rounds.unwrap_or(0).wrapping_sub(1),
        }
    }

    pub(crate) fn options(self) -> Options {
        let has = |flag| self.flags & flag != 0;
        let choice = |flag| {
            if has(flag) {
                Choice::Random
            } else {
                Choice::Chosen
            }
        };
        Options {
            mode: self.mode(),
            teams: self.teams(),
            reactions: self.reactions(),
            memory: if has(ASSISTED) {
                Memory::Assisted
            } else {
                Memory::Strict
            },
            costs: Spell::ALL.into_iter().fold(Costs::usual(), |costs, spell| {
                costs.with(spell, self.cost(spell))
            }),
            may_decline: self.may_decline(),
            free_any_time: self.free_any_time(),
            team_end: if self.ends_at_once() {
                TeamEnd::AtOnce
            } else {
                TeamEnd::Round
            },
            solo_refresh: self.solo_refresh(),
            solo_deck: if self.renews() {
                SoloDeck::Renew
            } else {
                SoloDeck::Lose
            },
            coop_hands: if has(PRIVATE) {
                CoopHands::Private
            } else {
                CoopHands::Shared
            },
            max_rounds: self.max_rounds(),
            spell_setup: choice(RANDOM_SPELLS),
            start_setup: choice(RANDOM_START),
        }
    }

    pub(crate) const fn mode(self) -> Mode {
        match self.flags & 3 {
            0 => Mode::Versus,
            1 => Mode::Solo,
            _ => Mode::Coop,
        }
    }

    #[inline]
    pub(crate) const fn teams(self) -> bool {
        self.flags & TEAMS != 0
    }

    /// Whether there are other actions in a turn than usual: partners', or not to move.
    #[inline]
    pub(crate) const fn changes_turns(self) -> bool {
        self.flags & (TEAMS | MAY_DECLINE) != 0
    }

    #[inline]
    pub(crate) const fn reactions(self) -> bool {
        self.flags & REACTIONS != 0
    }

    #[inline]
    pub(crate) const fn may_decline(self) -> bool {
        self.flags & MAY_DECLINE != 0
    }

    pub(crate) const fn free_any_time(self) -> bool {
        self.flags & FREE_ANY_TIME != 0
    }

    pub(crate) const fn solo_refresh(self) -> bool {
        self.flags & SOLO_REFRESH != 0
    }

    #[inline]
    pub(crate) const fn refreshes(self) -> bool {
        self.flags & REFRESH != 0
    }

    pub(crate) const fn assisted(self) -> bool {
        self.flags & ASSISTED != 0
    }

    pub(crate) const fn ends_at_once(self) -> bool {
        self.flags & AT_ONCE != 0
    }

    pub(crate) const fn renews(self) -> bool {
        self.flags & RENEW != 0
    }

    pub(crate) const fn random_spells(self) -> bool {
        self.flags & RANDOM_SPELLS != 0
    }

    #[inline]
    pub(crate) const fn cost(self, spell: Spell) -> u8 {
        (self.costs >> (2 * spell as u16)) as u8 & 3
    }

    pub(crate) const fn max_rounds(self) -> Option<u16> {
        self.last_but_one.checked_add(1)
    }

    /// Whether a round is the last there can be (R11.7), or even later.
    #[inline]
    pub(crate) const fn is_last_round(self, round: u16) -> bool {
        round > self.last_but_one
    }
}
