//! A bot's actions depend only on what its seat can know.

mod common;

use common::{BotTable, random_setup, variants};
use towers_bots::{Bot, Budget, NoClock, Strength};
use towers_rules::{Action, Actor, Knowledge, Memory, Mode, Phase, State, Viewer};

const SMALL_BUDGET: Budget = Budget::Iterations(12);

fn answer(bot: &Bot, state: &State) -> Option<Action> {
    let view = state.view(Viewer::Seat(bot.seat()));
    bot.clone().act(&view, SMALL_BUDGET, &NoClock)
}

/// Another state that looks the same to this seat: other hands, another draw pile, other prisoners.
fn look_alike(state: &State, bot: &Bot, rng: &mut fastrand::Rng) -> State {
    let view = state.view(Viewer::Seat(bot.seat()));
    let other = view.sample(&Knowledge::default(), |n| rng.u32(0..n.max(1)));
    let other = other.expect("a view of a state");
    assert_eq!(other.view(Viewer::Seat(bot.seat())), view);
    other
}

#[test]
fn a_bot_acts_the_same_in_every_state_that_looks_the_same() {
    let (mut compared, mut different) = (0, 0);
    for seed in 0..60 {
        let mut rng = fastrand::Rng::with_seed(1000 + seed);
        let mut setup = random_setup(&mut rng);
        setup.options.memory = Memory::Strict;
        let level = Strength::ALL[seed as usize % 4];
        let mut table = BotTable::new(&setup, seed, |_| level);
        for _ in 0..12 {
            table.play(7, Budget::Iterations(1));
            let Actor::Player(seat) = table.state.actor() else {
                break;
            };
            let bot = &table.bots[seat.index()];
            let other = look_alike(&table.state, bot, &mut rng);
            different += usize::from(other != table.state);
            compared += 1;
            assert_eq!(answer(bot, &table.state), answer(bot, &other), "{level}");
            if let Some(partner) = table.state.partner(table.state.active()) {
                let bot = &table.bots[partner.index()];
                let other = look_alike(&table.state, bot, &mut rng);
                let offer = |state: &State| {
                    let view = state.view(Viewer::Seat(partner));
                    bot.clone().offer(&view)
                };
                assert_eq!(offer(&table.state), offer(&other), "{level}");
            }
        }
    }
    assert!(
        compared > 200 && different * 2 > compared,
        "{different} of {compared}"
    );
}

/// R12.2: the card stays face down until it is accepted. The active player's view and reaction do not depend on it.
#[test]
fn an_offered_card_is_unknown_until_it_is_accepted() {
    let mut tried = 0;
    let teams = |s: &&towers_rules::Setup| s.options.teams && s.options.mode == Mode::Versus;
    for (i, setup) in variants().iter().filter(teams).enumerate() {
        for level in Strength::ALL {
            let mut table = BotTable::new(setup, i as u64, |_| level);
            table.play(3, Budget::Iterations(1));
            let mut state = table.state.after_opening();
            while state.phase() != Phase::Turn || state.turn().offering_used {
                table.play(1, Budget::Iterations(1));
                state = table.state.after_opening();
            }
            let active = state.active();
            let partner = state.partner(active).expect("teams");
            let cards: Vec<_> = state.hand(partner).iter().collect();
            let mut answers = Vec::new();
            for card in cards {
                let mut offered = state;
                let mut events = Vec::new();
                offered
                    .apply_observed(partner, Action::Offer(card), &mut events)
                    .expect("the partner has this card");
                let mut bot = table.bots[active.index()].clone();
                for &event in &events {
                    bot.observe(&offered.event_seen_by(event, Viewer::Seat(active)));
                }
                answers.push((offered.view(Viewer::Seat(active)), answer(&bot, &offered)));
            }
            assert!(answers.windows(2).all(|two| two[0] == two[1]), "{level}");
            assert!(answers.iter().all(|a| a.1.is_some()), "{level}");
            tried += answers.len();
        }
    }
    assert!(tried > 60, "{tried}");
}
