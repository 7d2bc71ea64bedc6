//! Reading records of version 1, which have fewer rules fields, and checking their checksums.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use towers_rules::{CoopHands, Costs, Field, Memory, Mode, Options, Selection, SoloDeck, TeamEnd};

/// The options of a record of version 1.
#[derive(Serialize)]
pub(crate) struct OptionsV1 {
    mode: Mode,
    teams: bool,
    reactions: bool,
    memory: Memory,
    costs: Costs,
    may_decline: bool,
    free_any_time: bool,
    team_end: TeamEnd,
    solo_refresh: bool,
    solo_deck: SoloDeck,
    coop_hands: CoopHands,
    max_rounds: Option<u16>,
    spell_setup: Selection,
    start_setup: Selection,
}

impl OptionsV1 {
    const FIELDS: [Field; 14] = [
        Field::Mode,
        Field::Teams,
        Field::Reactions,
        Field::Memory,
        Field::Costs,
        Field::MayDecline,
        Field::FreeAnyTime,
        Field::TeamEnd,
        Field::SoloRefresh,
        Field::SoloDeck,
        Field::CoopHands,
        Field::MaxRounds,
        Field::SpellSetup,
        Field::StartSetup,
    ];

    /// Whether version 1 wrote these options: all of its fields are present, and no others.
    pub(crate) fn wrote(options: &Value) -> bool {
        let known = |field: &Field| OptionsV1::FIELDS.contains(field);
        let named = |field: &Field| options.get(field.name()).is_some();
        Field::ALL.iter().all(|field| known(field) == named(field))
    }

    /// The options in the old form; `None` if they need a field that it does not have.
    pub(crate) fn of(options: &Options) -> Option<OptionsV1> {
        let Options {
            mode,
            teams,
            reactions,
            memory,
            costs,
            may_decline,
            free_any_time,
            team_end,
            solo_refresh,
            solo_deck,
            coop_hands,
            max_rounds,
            spell_setup,
            start_setup,
            ..
        } = *options;
        let old = OptionsV1 {
            mode,
            teams,
            reactions,
            memory,
            costs,
            may_decline,
            free_any_time,
            team_end,
            solo_refresh,
            solo_deck,
            coop_hands,
            max_rounds,
            spell_setup,
            start_setup,
        };
        let read = serde_json::to_value(&old).and_then(Options::deserialize);
        (read.ok()? == *options).then_some(old)
    }
}
