use super::*;
use crate::{Language, LocalTable, Need, Plan, Words};
use towers_rules::{Spell, SpellSet, Spells, SurfaceView, Wizards};
use towers_table::{BotLevel, ClientMessage, Command, Hex, ServerMessage, StandInReason, Update};

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
fn a_snapshot_without_news_does_not_interrupt_the_animation() {
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
    let is_aided = |levels: &Vec<SurfaceView>| {
        let below = levels.split_last().unwrap().1;
        below
            .iter()
            .any(|level| level.wizards.is_some_and(|w| !w.is_empty()))
    };
    assert!(aided.spaces.iter().any(is_aided), "somebody is imprisoned");
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

/// What the model is told next, without a change of the table.
fn seen(model: &Model, events: Vec<AnyEvent>) -> Seen {
    Seen {
        number: model.table.number + 1,
        at: 0,
        by: None,
        events,
        changed: None,
        view: None,
    }
}

#[test]
fn a_move_that_a_bot_makes_for_a_person_is_told_as_the_bots() {
    let (mut local, mut model) = open(1);
    while local.receive().is_some() {}
    let seat = Seat(0);
    let passed = AnyEvent::Game(Event::Passed { seat });
    let (level, why) = (BotLevel::Adept, StandInReason::OneMove);
    let stood_in = AnyEvent::Table(TableEvent::StoodIn { seat, level, why });
    let made = AnyEvent::Table(TableEvent::MoveMade { seat });
    let events = vec![passed.clone(), stood_in, passed.clone(), made, passed];
    let before = model.log.len();
    model.receive(&seen(&model, events));
    model.skip();
    let told = |language| {
        let words = Words::of(language);
        let lines = model.log[before..].iter();
        lines.map(|l| words.say(&l.message)).collect::<Vec<_>>()
    };
    assert_eq!(
        told(Language::English),
        [
            "You pass.",
            "You run out of time: a bot makes this move.",
            "Ann (bot) passes.",
            "You pass.",
        ]
    );
    assert_eq!(told(Language::German)[2], "Ann (bot) passt.");
}

#[test]
fn an_event_of_the_table_does_not_interrupt_a_decision() {
    let (mut local, mut model) = open(1);
    while local.receive().is_some() {}
    while !model.is_mine() {
        play(&mut local, &mut model, 1);
    }
    let intent = model.choice.intents()[0];
    model.choice.begin(intent);
    let lines = model.log.len();
    let back = TableEvent::CameBack { seat: Seat(1) };
    model.receive(&seen(&model, vec![AnyEvent::Table(back)]));
    assert_eq!(model.choice.intent(), Some(intent));
    assert_eq!(model.log.len(), lines + 1);
    // The next game event is told after it.
    assert!(!model.is_busy());
}

#[test]
fn the_last_move_shows_whom_it_hit() {
    let (mut local, mut model) = open(1);
    while local.receive().is_some() {}
    let spaces = [Space::new(3), Space::new(5)].map(Option::unwrap);
    let [from, to] = spaces;
    let tower = towers_rules::Tower::from_letter('D').unwrap();
    let moved = Event::TowerMoved { tower, from, to };
    let surface = towers_rules::Surface::ground(to);
    let own = model.shown.players[0].colour;
    let other = model.shown.players[1].colour;
    let mut hit = |seat, colour| {
        let mut wizards = Wizards::default();
        wizards.add(colour);
        model.mark(&moved, Motion::of(&moved, &model.shown));
        assert_eq!((model.trail, model.hit), (Some((from, to)), None));
        let imprisoned = Event::Imprisoned {
            seat,
            surface,
            wizards,
        };
        model.mark(&imprisoned, Motion::None);
        model.hit
    };
    assert_eq!(hit(Seat(1), own), Some(to));
    assert_eq!(hit(Seat(1), other), None);
    // What one does to oneself is no news.
    assert_eq!(hit(Seat(0), own), None);
}

#[test]
fn a_spell_says_what_it_does_until_its_target_is_chosen() {
    let mut plan = Plan::against_bots("Ann", 1, BotLevel::Novice);
    plan.settings.spells = Spells::Chosen(SpellSet::ALL);
    let local = LocalTable::open("t", &plan, 0, &Hex([9; 32])).unwrap();
    let mut model = Model::new(local.view()).unwrap();
    let [one, two, three] = [1, 2, 3].map(Space::wrapping);
    let swap = |other| Action::Cast(towers_rules::Cast::SwapTowers(one, other));
    model.choice = Choice::new(&[swap(two), swap(three)], model.own_colour());
    assert!(model.effects(None).is_empty());
    assert!(model.choice.begin(Intent::Spell(Spell::SwapTowers)));
    assert_eq!(model.choice.pending(), None);
    let keys = |model: &Model| -> Vec<_> { model.effects(None).iter().map(|l| l.key).collect() };
    assert_eq!(keys(&model), ["effect.sw", "preview.cost"]);
    for space in [one, two] {
        model.choice.pick(Pick::Space(space));
    }
    assert!(model.choice.pending().is_some());
    assert!(!keys(&model).contains(&"effect.sw"));
}
