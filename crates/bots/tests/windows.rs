//! Bots in windows and series (§13).

mod common;

use std::cell::Cell;
use std::time::Duration;

use common::BotTable;
use towers_bots::{Bot, Budget, NoClock, Strength};
use towers_rules::{
    Action, Actor, Mode, Phase, Preset, Seat, Setup, SpellSet, Spells, State, Viewer,
};

const SMALL_BUDGET: Budget = Budget::Iterations(60);

/// Blue to move with a wizard on space 5, one step from the castle; three of yellow's stand with it.
const RIDE_POSITION: &str = "-/-/-/-/-/byyy/*/-/-/-/A/B/C/D/Ebb/FGHI seats=b,y memory=assisted";

fn position(rest: &str) -> State {
    let text = format!("{RIDE_POSITION} {rest}");
    text.parse::<State>()
        .unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// The action of a bot of this level when it is asked.
fn answer(state: &State, level: Strength) -> Action {
    let Actor::Player(seat) = state.actor() else {
        panic!("nobody is asked in {state:?}");
    };
    let view = state.view(Viewer::Seat(seat));
    let mut bot = Bot::new(level, seat, 3, &view);
    let action = bot
        .act(&view, SMALL_BUDGET, &NoClock)
        .expect("its decision");
    assert!(state.is_legal(seat, action), "{level}: {action}");
    action
}

fn declare(state: &mut State, action: &str) {
    let action: Action = action.parse().expect("an action");
    state.apply(Seat(0), action).expect("a legal action");
}

/// R13.8: a bot that can ride home does so, and repeats it as long as there are riders.
#[test]
fn riders_come_home_with_the_declared_wizard() {
    let rules = "reactions spells=PB costs=PB:1 hands=b:w1,w2,w3;y:w1,w1,w2 flasks=b:3/0/3;y:2/4/0";
    for right in [
        "spell_right=each spell_time=any",
        "spell_right=shared spell_time=declared",
    ] {
        let mut state = position(&format!("{rules} {right}"));
        declare(&mut state, "w1:w5");
        for level in [Strength::Apprentice, Strength::Adept, Strength::Master] {
            let mut state = state;
            let mut riders = 0;
            while matches!(state.phase(), Phase::Window | Phase::With) {
                let Actor::Player(seat) = state.actor() else {
                    panic!("somebody is asked");
                };
                let action = answer(&state, level);
                riders += u32::from(action != Action::Pass && action != Action::Done);
                state.apply(seat, action).expect("a legal action");
            }
            assert_eq!(riders, 3, "{level}, {right}");
            assert_eq!(state.home(Seat(1)), 5, "{level}, {right}");
        }
        assert_eq!(answer(&state, Strength::Novice), Action::Pass);
    }
}

/// Windows are frequent: where nothing can be gained, a Master passes without playouts.
#[test]
fn a_master_passes_at_once_where_nothing_is_to_be_gained() {
    let mut setup = Setup::new(Preset::Capstone, Mode::Versus, 3);
    setup.options.reactions = true;
    setup.options.max_rounds = Some(30);
    setup.spells = Spells::Chosen(SpellSet::ALL);
    let mut table = BotTable::new(&setup, 4, |_| Strength::Adept);
    let (mut windows, mut quick) = (0, 0);
    while table.state.outcome().is_none() {
        if table.state.phase().is_window()
            && let Actor::Player(seat) = table.state.actor()
        {
            let view = table.state.view(Viewer::Seat(seat));
            let mut bot = Bot::new(Strength::Master, seat, 1, &view);
            // A search would read the clock repeatedly.
            let looks = Cell::new(0);
            let clock = || {
                looks.set(looks.get() + 1);
                Duration::from_millis(looks.get())
            };
            let budget = Budget::Time(Duration::from_millis(100));
            assert!(bot.act(&view, budget, &clock).is_some());
            windows += 1;
            quick += u32::from(looks.get() <= 1);
        }
        table.play(1, Budget::Iterations(1));
    }
    assert!(windows > 50 && quick * 2 > windows, "{quick} of {windows}");
}
