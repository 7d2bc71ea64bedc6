//! Variants at one device, in a real browser.

use thirtyfour::prelude::*;
use towers_client::plan::Sitter;
use towers_client::{Language, Plan, Words};
use towers_e2e::act::{act, choose};
use towers_e2e::play::{self, Moment};
use towers_e2e::position::{gather, hurry};
use towers_e2e::{Browser, Position, Size, TowersProcess, axe};
use towers_rules::{
    Action, CoopHands, Declared, Memory, Mode, Move, Phase, Preset, Spell, SpellSet, Spells,
};
use towers_table::Hex;

const QUICK: &str = r#"{"speed":"instant","language":"en","name":"Ann"}"#;

/// Persons at one device with all eight spells.
fn all_spells(players: usize) -> Plan {
    let names: Vec<String> = ["Ann", "Ben", "Cleo", "Dan"][..players]
        .iter()
        .map(ToString::to_string)
        .collect();
    let mut plan = Plan::hot_seat(&names);
    plan.settings.spells = Spells::Chosen(SpellSet::ALL);
    plan.repair();
    plan
}

/// Whether the log line of an action contains a text.
fn tells(position: &Position, action: Action, what: &str) -> bool {
    let told = position.clone().act_and_tell(action);
    told.iter().any(|line| line.contains(what))
}

/// Every spell is cast, and the log describes its effect (R10).
#[tokio::test]
async fn every_spell_at_one_device() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    for (spell, effect) in [
        (Spell::AdvanceWizard, "Wizard ("),
        (Spell::AdvanceTower, "Tower "),
        (Spell::SwapTowers, "change places."),
        (Spell::HeadwindWizard, "Wizard ("),
        (Spell::HeadwindTower, "Tower "),
        (Spell::NudgeCastle, "The castle moves"),
        (Spell::FreeWizard, "Freed: "),
    ] {
        let (mut position, action) = Position::find(&all_spells(2), gather, |position, action| {
            let cast = matches!(action, Action::Cast(cast) if cast.spell() == spell);
            cast && tells(position, action, effect)
        });
        browser.open_position(&position).await?;
        let told = act(&browser, &mut position, action).await?;
        let words = Words::of(Language::English);
        let name = words.say(&towers_client::labels::spell(spell));
        let cast = format!("casts {name} for ");
        assert!(told.iter().any(|line| line.contains(&cast)), "{told:?}");
        assert!(told.iter().any(|line| line.contains(effect)), "{told:?}");
    }
    browser.close().await;
    Ok(())
}

/// Piggyback is a way to play a card: two wizards make the same move (R10.7).
#[tokio::test]
async fn piggyback_moves_two_wizards_with_one_card() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    let rides = |_: &Position, action| matches!(action, Action::Play(_, Move::Wizard { piggyback, .. }) if piggyback);
    let (mut position, action) = Position::find(&all_spells(2), gather, rides);
    browser.open_position(&position).await?;
    let told = act(&browser, &mut position, action).await?;
    assert!(
        told.iter()
            .any(|line| line.contains("casts Piggyback for 2 flasks.")),
        "{told:?}"
    );
    let walks = told
        .iter()
        .filter(|line| line.contains(" moves a wizard ("));
    assert_eq!(walks.count(), 2, "{told:?}");
    browser.close().await;
    Ok(())
}

/// Two teams of two.
fn teams() -> Plan {
    let mut plan = all_spells(4);
    plan.settings.options.teams = true;
    plan.repair();
    plan
}

/// A player who is asked for a card hands one over and gets one back (R12.2).
#[tokio::test]
async fn a_partner_is_asked_for_a_card() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    let (mut position, ask) = Position::find(&teams(), gather, |_, action| action == Action::Ask);
    browser.open_position(&position).await?;
    let told = act(&browser, &mut position, ask).await?;
    assert!(
        told[0].ends_with(" asks their partner for a card."),
        "{told:?}"
    );
    let offer = find_legal(&position, |action| matches!(action, Action::Offer(_)));
    let told = act(&browser, &mut position, offer).await?;
    assert!(told[0].ends_with(" a card, face down."), "{told:?}");
    let given_back = find_legal(&position, |action| matches!(action, Action::Return(_)));
    let told = act(&browser, &mut position, given_back).await?;
    assert!(told[0].ends_with(" a card, face down."), "{told:?}");
    browser.close().await;
    Ok(())
}

/// Full flasks are given to a partner (R12.3).
#[tokio::test]
async fn flasks_are_given_to_a_partner() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    let gives = |_: &Position, action| action == Action::Give(1);
    let (mut position, give) = Position::find(&teams(), gather, gives);
    browser.open_position(&position).await?;
    let told = act(&browser, &mut position, give).await?;
    assert!(told[0].ends_with(" 1 full flask."), "{told:?}");
    browser.close().await;
    Ok(())
}

/// The first legal action of a kind.
fn find_legal(position: &Position, wanted: impl Fn(Action) -> bool) -> Action {
    let legal = position.legal();
    let found = legal.iter().copied().find(|&action| wanted(action));
    found.unwrap_or_else(|| panic!("not among {legal:?}"))
}

/// A game with reactions in an edition.
fn reactions(preset: Preset, players: usize) -> Plan {
    let mut plan = all_spells(players);
    plan.set_preset(preset);
    plan.set_reactions(true);
    plan.settings.spells = Spells::Chosen(SpellSet::ALL);
    plan.settings.options.memory = Memory::Assisted;
    plan.repair();
    plan
}

/// One spell per action for all players: it is claimed before a move, after it, or to ride along (R13.3, R13.4, R13.8).
#[tokio::test]
async fn reactions_before_after_and_with_a_move() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    let plan = reactions(Preset::Oya, 3);
    let is_before = |_: &Position, action| matches!(action, Action::Before(_));
    let (mut position, before) = Position::find(&plan, gather, is_before);
    browser.open_position(&position).await?;
    let told = act(&browser, &mut position, before).await?;
    assert!(told[0].contains(" reacts with "), "{told:?}");

    let is_after = |_: &Position, action| action == Action::After(Spell::AdvanceTower);
    let (mut position, after) = Position::find(&plan, gather, is_after);
    browser.open_position(&position).await?;
    let told = act(&browser, &mut position, after).await?;
    assert!(
        told[0].ends_with(" will cast Advance a Tower after the move."),
        "{told:?}"
    );
    while !matches!(position.legal()[0], Action::Cast(_)) {
        let pass = find_legal(&position, |action| action == Action::Pass);
        act(&browser, &mut position, pass).await?;
    }
    let cast = find_legal(&position, |action| matches!(action, Action::Cast(_)));
    let told = act(&browser, &mut position, cast).await?;
    assert!(
        told[0].contains(" casts Advance a Tower for 1 flask."),
        "{told:?}"
    );

    let rides = |_: &Position, action| action == Action::WithPiggyback;
    let (mut position, with) = Position::find(&plan, gather, rides);
    browser.open_position(&position).await?;
    let told = act(&browser, &mut position, with).await?;
    assert!(told[0].ends_with(" joins in with Piggyback."), "{told:?}");
    browser.close().await;
    Ok(())
}

/// A card with dice is rolled, rerolled, and used (R4.8).
#[tokio::test]
async fn dice_are_rolled_again_and_used() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    let plan = all_spells(2);
    let two_dice =
        |_: &Position, action| matches!(action, Action::Roll(card) if card.text().ends_with("??"));
    let (mut position, roll) = Position::find(&plan, gather, two_dice);
    browser.open_position(&position).await?;
    for action in [roll, Action::Reroll] {
        let told = act(&browser, &mut position, action).await?;
        let rolled = position.view().turn.rolled;
        let line = format!(" rolls {rolled}.");
        assert!(told.iter().any(|l| l.ends_with(&line)), "{told:?}");
        browser
            .wait_text("#status", &format!("You rolled {rolled}"))
            .await?;
    }
    let used = find_legal(&position, |action| matches!(action, Action::Accept(_)));
    act(&browser, &mut position, used).await?;
    browser.close().await;
    Ok(())
}

/// Cooperative with one open hand: the device need not be handed over.
#[tokio::test]
async fn an_open_hand_is_played_without_handing_over() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    browser.click("#coop").await?;
    browser.click("#begin").await?;
    for n in 0..4 {
        assert_eq!(play::wait(&browser).await?, Moment::Decide);
        play::anything(&browser, n).await?;
    }
    browser.close().await;
    Ok(())
}

/// Cooperative with separate hands: the device is handed over after every card, and the end shows the result.
#[tokio::test]
async fn secret_hands_are_covered_and_the_end_tells_the_result() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    browser.click("#coop").await?;
    browser.choose("Hands", "hidden").await?;
    browser.click("#begin").await?;
    let mut covers = 0;
    for n in 0.. {
        match play::wait(&browser).await? {
            Moment::Cover if covers == 4 => break,
            Moment::Cover => {
                covers += 1;
                assert!(!browser.has(".card").await?, "cards are hidden");
                browser.click("#uncover").await?;
            }
            Moment::Decide => play::anything(&browser, n).await?,
            Moment::Over => panic!("over after {n} decisions"),
        }
    }
    let mut plan = Plan::hot_seat(&["Ann", "Ben", "Cleo"].map(String::from));
    plan.set_mode(Mode::Coop);
    plan.settings.options.coop_hands = CoopHands::Private;
    for (seat, name) in plan.seats.iter_mut().zip(["Ann", "Ben", "Cleo"]) {
        seat.1 = Sitter::Person { name: name.into() };
    }
    let (mut position, last) = Position::find(&plan, hurry, ends);
    browser.open_position(&position).await?;
    choose(&browser, &position.model(), last).await?;
    position.act(last);
    let result = position.result().expect("the game is over");
    let won = position
        .model()
        .shown
        .outcome
        .is_some_and(|o| !o.winners.is_empty());
    let begin = if won { "Home with " } else { "Lost after " };
    assert!(result.starts_with(begin), "{result}");
    play::expect_text(&browser, "#over-title", &result).await?;
    browser.close().await;
    Ok(())
}

/// Whether an action ends the game.
fn ends(position: &Position, action: Action) -> bool {
    let mut after = position.clone();
    after.act(action);
    after.seat().is_none()
}

/// The setup starts with the edition; a table says whether it is played as printed.
#[tokio::test]
async fn an_edition_is_played_as_printed_or_with_house_rules() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    browser.click("#new-game").await?;
    for edition in ["capstone", "abacus-1", "abacus-2", "oya"] {
        let button = format!("[data-edition={edition}]");
        browser.click(&button).await?;
        browser
            .wait_for(&format!("{button}[aria-pressed=true]"))
            .await?;
        let printed = "As printed in the rulebook of this edition.";
        browser.wait_text("#printed", printed).await?;
        // The memory aid is a house rule, and the table says so.
        browser.choose("Memory", "memory aid on").await?;
        browser
            .wait_text("#printed", "Memory: memory aid on")
            .await?;
        browser.choose("Memory", "memory aid off").await?;
        browser.wait_text("#printed", printed).await?;
    }
    // The first printings have no solo game.
    browser.click("[data-edition=abacus-1]").await?;
    let modes = "return [...document.querySelectorAll('fieldset')].find(f => f.querySelector('legend')?.textContent === 'Mode').querySelectorAll('button').length";
    assert_eq!(browser.run(modes).await?.as_u64(), Some(1));
    browser.choose("Reactions", "On").await?;
    // Costs can be set although the spells are drawn.
    browser.choose("Free a Wizard", "3").await?;
    let costs = "Spell costs: Free a Wizard 3";
    browser.wait_text("#printed", costs).await?;
    let editions = "Free a Wizard 1: ABACUS 1, ABACUS 2";
    browser.click("#house-rules > summary").await?;
    browser.wait_text("#costs-about", editions).await?;
    axe::check(&browser, "the house rules").await?;
    browser.choose("Free a Wizard", "1").await?;
    browser
        .choose("Spells per action", "one for each player")
        .await?;
    browser
        .wait_text("#printed", "Spells per action: one for each player")
        .await?;
    // The rules of the table can be read during the game.
    browser.click("#begin").await?;
    play::wait(&browser).await?;
    browser.click("#reference").await?;
    browser
        .wait_text(
            "#edition",
            "ABACUSSPIELE, first printing, with 1 house rule",
        )
        .await?;
    browser.close().await;
    Ok(())
}

/// The first game says that the memory aid is on, and one tap turns it off.
#[tokio::test]
async fn the_memory_aid_is_turned_off_with_one_tap() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    browser.click("#play-now").await?;
    assert_eq!(play::wait(&browser).await?, Moment::Decide);
    browser
        .wait_text("#memory-off", "Memory aid is on: turn it off")
        .await?;
    browser.click("#memory-off").await?;
    browser
        .wait_until("!document.querySelector('#memory-off')")
        .await?;
    browser.click("#reference").await?;
    browser.wait_for("#memory-aid[aria-pressed=false]").await?;
    // It stays off in this game, also after the page was loaded again.
    browser.driver.refresh().await?;
    assert_eq!(play::wait(&browser).await?, Moment::Decide);
    browser.wait_for(".card").await?;
    assert!(!browser.has("#memory-off").await?);
    browser.click("#reference").await?;
    browser.wait_for("#memory-aid[aria-pressed=false]").await?;
    // It can be turned off in every round.
    let plan = Plan::solo("Ann", false);
    let (position, _) = Position::find(&plan, gather, |p, _| p.view().round > 3);
    browser.open_position(&position).await?;
    browser.click("#memory-off").await?;
    browser
        .wait_until("!document.querySelector('#memory-off')")
        .await?;
    browser.close().await;
    Ok(())
}

/// Reactions in the edition with a spell for each player: a card can be chosen at once in the player's own opening
/// window, another player's declared move is shown on the board, and players can opt in to be asked before and after
/// every action (R13.2).
#[tokio::test]
async fn reactions_are_asked_for_where_it_matters() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    let plan = reactions(Preset::Capstone, 2);
    let phase = |position: &Position, phase: Phase| position.view().turn.phase == phase;
    let (mut position, _) = Position::find(&plan, gather, |p, _| phase(p, Phase::Opening));
    browser.open_position(&position).await?;
    browser
        .wait_text(
            "#status",
            "Before your action: cast a spell, or choose a card",
        )
        .await?;
    assert!(browser.has(".card:not(:disabled)").await?);
    assert!(!browser.has("#pass").await?, "to choose a card is to pass");
    let card = find_legal(&position, |action| matches!(action, Action::Play(..)));
    act(&browser, &mut position, card).await?;

    // A player with all stops is asked again after the other's move.
    let is_asked_after = |position: &Position| {
        let mut after = position.clone();
        after.ask_everywhere();
        after.act(Action::Pass);
        after.seat() == position.seat() && phase(&after, Phase::Closing)
    };
    let (mut position, _) = Position::find(&plan, gather, |p, _| {
        phase(p, Phase::Window)
            && matches!(p.view().turn.declared, Declared::Tower { .. })
            && is_asked_after(p)
    });
    browser.open_position(&position).await?;
    let turn = position.view().turn;
    let Declared::Tower { tower, steps } = turn.declared else {
        unreachable!("it was looked for");
    };
    let who = ["Ann", "Ben"][turn.active.index()];
    let asked = format!("{who} will move tower {tower} by {steps}. React?");
    browser.wait_text("#status", &asked).await?;
    browser.wait_for(".wt-scene [data-ghost]").await?;

    browser.click("#reference").await?;
    browser.click(".dialog #stops[aria-pressed=false]").await?;
    browser
        .wait_for(".dialog #stops[aria-pressed=true]")
        .await?;
    // That is for this game; the setting of the device is for the next ones, and for this one once it changes.
    let preference = "!!JSON.parse(localStorage['towers.preferences'] || '{}').stops_everywhere";
    let kept = browser.run(&format!("return {preference}")).await?;
    assert_eq!(kept.as_bool(), Some(false));
    let escape = Key::Escape + "";
    let chain = browser.driver.action_chain();
    chain.send_keys(escape).perform().await?;
    position.ask_everywhere();
    act(&browser, &mut position, Action::Pass).await?;
    let after = format!("After {who}’s move");
    browser.wait_text("#status", &after).await?;
    browser.close().await;
    Ok(())
}

/// Players are not asked after another player's action unless they opt in (R13.2).
#[test]
fn nobody_is_asked_after_the_action_of_another() {
    let mut position = Position::start(&reactions(Preset::Capstone, 2), &Hex([3; 32]));
    let mut windows = 0;
    for n in 0..300 {
        if position.seat().is_none() {
            break;
        }
        let turn = position.view().turn;
        windows += usize::from(turn.phase == Phase::Window);
        assert!(turn.phase != Phase::Closing || turn.active == turn.actor);
        position.play(n, &gather);
    }
    assert!(windows > 10, "{windows}");
}
