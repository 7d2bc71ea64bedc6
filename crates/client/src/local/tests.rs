use super::*;
use towers_table::Hex;

fn seed() -> Seed {
    Hex([5; 32])
}

/// Plays the first legal action until nobody has to act, at most `most` times.
fn play(local: &mut LocalTable, most: usize) {
    for _ in 0..most {
        let seat = match local.need() {
            Need::Nothing => return,
            Need::Person(person, seat) => {
                local.hand_to(person);
                seat
            }
            Need::Bot { seat, .. } => seat,
        };
        let (view, _) = local.bot_view(seat, 0).unwrap();
        let list = view.legal_actions().unwrap();
        let action = list.get(local.number() as usize * 7 % list.len()).unwrap();
        if matches!(local.need(), Need::Bot { .. }) {
            local.bot_acts(1, seat, action, None).unwrap();
        } else {
            let command = Command::Act {
                action,
                decision: None,
            };
            local.send(1, ClientMessage::Do { id: 1, command });
        }
        while let Some(message) = local.receive() {
            assert!(
                !matches!(message, ServerMessage::Rejected { .. }),
                "{message:?}"
            );
        }
    }
}

#[test]
fn r13_2_all_persons_at_a_device_are_asked_before_and_after_every_action() {
    let mut plan = Plan::hot_seat(&["Ann".into(), "Ben".into()]);
    plan.set_reactions(true);
    let mut local = LocalTable::open("t", &plan, 0, &seed()).unwrap();
    local.set_stops(0, true).unwrap();
    assert_eq!(local.persons().len(), 2);
    for person in local.persons() {
        local.hand_to(person);
        assert!(local.view().you.stops_everywhere, "{person:?}");
    }
    let again = LocalTable::reopen(&local.record().to_text()).unwrap();
    assert!(again.view().you.stops_everywhere);
}

#[test]
fn a_game_with_a_chosen_start_can_be_verified() {
    let mut plan = Plan::against_bots("Ann", 1, BotLevel::Novice);
    plan.settings.start = towers_table::Start::Seat(Seat(0));
    let mut local = LocalTable::open("t", &plan, 0, &seed()).unwrap();
    play(&mut local, 5000);
    assert_eq!(local.need(), Need::Nothing);
    let verified = towers_table::verify_text(&local.record().to_text());
    assert!(verified.is_ok(), "{verified:?}");
}

#[test]
fn a_stored_game_resumes_where_it_stopped() {
    let plan = Plan::against_bots("Ann", 2, BotLevel::Novice);
    let mut local = LocalTable::open("t", &plan, 0, &seed()).unwrap();
    play(&mut local, 40);
    let again = LocalTable::reopen(&local.record().to_text()).unwrap();
    assert_eq!(again.need(), local.need());
    assert_eq!(again.view().game, local.view().game);
    assert!(!again.past().is_empty());
}

#[test]
fn a_solo_game_comes_to_its_end_and_can_be_played_again() {
    let plan = Plan::solo("Ann", true);
    let mut local = LocalTable::open("t", &plan, 0, &seed()).unwrap();
    play(&mut local, 3000);
    assert_eq!(local.need(), Need::Nothing);
    assert!(local.view().ending.is_some());
    local.rematch(2, &Hex([6; 32])).unwrap();
    assert_ne!(local.need(), Need::Nothing);
}

#[test]
fn the_device_is_handed_over_and_shows_each_their_own_cards() {
    let plan = Plan::hot_seat(&["Ann".into(), "Ben".into()]);
    let mut local = LocalTable::open("t", &plan, 0, &seed()).unwrap();
    let first = local.viewer();
    let hand = |local: &LocalTable| local.view().game.unwrap().view.hand;
    let seen = hand(&local);
    for _ in 0..20 {
        if local.hand_over().is_some() {
            break;
        }
        play(&mut local, 1);
    }
    let Need::Person(second, _) = local.need() else {
        panic!("a person is to act")
    };
    local.hand_to(second);
    assert_ne!(first, second, "the turn goes to the other person");
    assert_ne!(hand(&local), seen, "who sees their own cards");
    assert_eq!(local.hand_over(), None);
}

#[test]
fn r12_2_a_partner_keeps_the_device_until_a_card_is_offered() {
    let names = ["Ann", "Ben", "Cleo", "Dan"].map(String::from);
    let mut plan = Plan::hot_seat(&names);
    plan.settings.options.teams = true;
    let mut local = LocalTable::open("t", &plan, 0, &seed()).unwrap();
    let Need::Person(active, _) = local.need() else {
        panic!("a person is to act")
    };
    let partner = local.human_partner().expect("the partner may offer a card");
    assert_ne!(active, partner);
    local.hand_to(partner);
    assert_eq!((local.viewer(), local.hand_over()), (partner, None));
    // The partner can hand the device back.
    assert_eq!(local.human_partner(), Some(active));
    local.hand_to(active);
    assert_eq!((local.viewer(), local.hand_over()), (active, None));
    local.hand_to(partner);
    let game = local.view().game.unwrap();
    let offer = game
        .optional
        .iter()
        .find(|a| matches!(a, Action::Offer(_)))
        .copied()
        .expect("a card can be offered");
    let command = Command::Act {
        action: offer,
        decision: None,
    };
    local.send(1, ClientMessage::Do { id: 1, command });
    assert_eq!(local.hand_over(), Some(active));
}
