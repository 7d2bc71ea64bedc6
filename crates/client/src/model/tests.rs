use super::*;
use crate::{Language, LocalTable, Need, Plan, Words};
use towers_table::{BotLevel, ClientMessage, Command, Hex, ServerMessage, Update};

fn open(bots: usize) -> (LocalTable, Model) {
    let plan = Plan::against_bots("Ann", bots, BotLevel::Novice);
    let local = LocalTable::open("t", &plan, 0, &Hex([9; 32])).unwrap();
    let model = Model::new(local.view()).unwrap();
    (local, model)
}

/// Plays `most` actions. After each, the model must match the table.
fn play(local: &mut LocalTable, model: &mut Model, most: usize) {
    for i in 0..most {
        let (Need::Person(_, seat) | Need::Bot { seat, .. }) = local.need() else {
            return;
        };
        let (view, _) = local.bot_view(seat, u64::MAX).unwrap();
        let list = view.legal_actions().unwrap();
        let action = list.get(i * 5 % list.len()).unwrap();
        if matches!(local.need(), Need::Bot { .. }) {
            local.bot_acts(1, seat, action, None).unwrap();
        } else {
            local.send(
                1,
                ClientMessage::Do {
                    id: 1,
                    command: Command::Act {
                        action,
                        decision: None,
                    },
                },
            );
        }
        while let Some(message) = local.receive() {
            if let ServerMessage::Happened(Update { seen, .. }) = message {
                model.receive(&seen);
            }
        }
        model.skip();
        assert_eq!(model.shown, local.view().game.unwrap().view);
    }
}

#[test]
fn the_model_follows_the_table_and_tells_what_happened() {
    let (mut local, mut model) = open(2);
    while local.receive().is_some() {}
    play(&mut local, &mut model, 120);
    assert!(model.log.len() > 60);
    for language in Language::ALL {
        let words = Words::of(language);
        for line in &model.log {
            let text = words.say(&line.message);
            assert!(!text.contains('{') && text != line.message.key, "{text}");
        }
    }
}

#[test]
fn a_snapshot_of_what_is_known_does_not_disturb_what_is_being_shown() {
    let (mut local, mut model) = open(2);
    while local.receive().is_some() {}
    while !model.is_mine() {
        play(&mut local, &mut model, 1);
    }
    let intent = model.choice.intents()[0];
    model.choice.begin(intent);
    model.resync(local.view());
    assert_eq!(model.choice.intent(), Some(intent));
    assert_eq!(model.table, local.view());
    let mut later = local.view();
    later.number += 1;
    model.resync(later);
    assert_eq!(model.choice.intent(), None);
}

#[test]
fn the_log_is_read_turn_by_turn_the_newest_first() {
    let (mut local, mut model) = open(2);
    while local.receive().is_some() {}
    play(&mut local, &mut model, 40);
    let mut turns: Vec<&[Line]> = model.turns().collect();
    assert!(turns.len() > 3);
    assert!(
        turns
            .iter()
            .all(|t| t[1..].iter().all(|l| l.turn.is_none()))
    );
    turns.reverse();
    assert_eq!(turns.concat(), model.log);
}

#[test]
fn the_recap_begins_after_ones_own_last_turn_and_can_be_replayed() {
    let (mut local, mut model) = open(1);
    while local.receive().is_some() {}
    play(&mut local, &mut model, 30);
    while !model.is_mine() {
        play(&mut local, &mut model, 1);
    }
    let before = model.shown.clone();
    let lines = model.log.len();
    assert!(model.recap().len() < lines);
    model.replay();
    model.skip();
    assert_eq!((&model.shown, model.log.len()), (&before, lines));
    assert!(model.is_mine());
}

#[test]
fn r16_2_one_tap_turns_the_memory_aid_off_and_on_again() {
    let (mut local, mut model) = open(2);
    while local.receive().is_some() {}
    play(&mut local, &mut model, 40);
    assert!(model.has_memory_aid() && !model.is_unaided());
    let aided = model.shown.clone();
    model.set_memory_aid(false);
    assert_eq!(model.shown.options.memory, Memory::Strict);
    for levels in &model.shown.spaces {
        let (top, below) = levels.split_last().unwrap();
        assert!(top.wizards.is_some());
        assert!(below.iter().all(|level| level.wizards.is_none()));
    }
    model.set_memory_aid(true);
    assert_eq!(model.shown, aided);
}

#[test]
fn a_decision_is_previewed_before_it_is_made() {
    let (mut local, mut model) = open(1);
    while local.receive().is_some() {}
    while !model.is_mine() {
        play(&mut local, &mut model, 1);
    }
    assert!(model.choice.begin(Intent::Refresh));
    let tower = model.choice.offers()[1];
    assert!(model.choice.pick(tower));
    let preview = model.preview().unwrap();
    assert!(!preview.lines.is_empty());
}
