//! At every supported size, panels, prompt, hand and buttons do not cover the ring, names are shown, and nothing
//! scrolls sideways.

use serde_json::Value;
use thirtyfour::prelude::*;
use towers_art::Layout;
use towers_client::{LocalTable, Plan, Shelf, preview};
use towers_e2e::position::{gather, hurry};
use towers_e2e::{Browser, Position, Size, TowersProcess, act, play, pointer};
use towers_rules::{Action, Move, Phase, SpellSet, Spells};
use towers_table::{BotLevel, Hex};

use crate::common::{self, kept};

const PREFERENCES: &str = r#"{"speed":"instant","language":"en","name":"Bartholomew the Seventh"}"#;

/// Phones in both orientations, tablets, a desktop at 200 % zoom, desktops and large screens.
pub const SIZES: [(u32, u32); 14] = [
    (360, 640),
    (390, 844),
    (768, 1024),
    (667, 375),
    (740, 360),
    (844, 390),
    (720, 450),
    (1024, 768),
    (1180, 820),
    (1280, 600),
    (1280, 720),
    (1440, 900),
    (1920, 1080),
    (2560, 1440),
];

/// The layout faults of the page; empty if there are none. Boxes may overlap by three pixels.
const CHECK: &str = r"
    (() => {
      const wrong = [], box = e => e.getBoundingClientRect(), all = s => [...document.querySelectorAll(s)];
      const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
      const around = ['.player', '.prompt', '.card-slot', '.tools', '.log-panel', '.actions button'].flatMap(s => all(s).map(e => [s, e]));
      const inside = [...all('.wt-stones .wt-space > use'), ...all('.wt-scene [data-spell]'), ...all('.wt-scene [data-die]'), ...all('.wt-scene [data-pile]')];
      for (const [name, e] of around) {
        if (getComputedStyle(e).clipPath !== 'none') continue;
        const r = box(e);
        if (r.left < -1 || r.top < -1 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1) wrong.push(`${name} ${e.id} leaves the window`);
        for (const p of inside) if (meet(r, box(p))) wrong.push(`${name} ${e.id} covers ${p.closest('[data-space]')?.dataset.space ?? p.outerHTML.slice(0, 40)}`);
        for (const [other, f] of around)
          if (e !== f && !e.contains(f) && !f.contains(e) && getComputedStyle(f).clipPath === 'none' && meet(r, box(f))) wrong.push(`${name} covers ${other}`);
      }
      for (const e of all('.player .name')) {
        const style = getComputedStyle(e);
        if (box(e).height < 9 || parseFloat(style.fontSize) < 10 || style.textOverflow !== 'ellipsis') wrong.push(`a name is not shown: ${e.textContent}`);
      }
      for (const e of all('.tool')) if (parseFloat(getComputedStyle(e).fontSize) < 10) wrong.push(`${e.id} has no words`);
      if (document.scrollingElement.scrollWidth > innerWidth) wrong.push('the page scrolls sideways');
      return wrong;
    })()";

#[tokio::test(flavor = "multi_thread")]
async fn six_players_fit_on_every_size() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, PREFERENCES).await?;
    let plan = Plan::against_bots("Bartholomew the Seventh", 5, BotLevel::Novice);
    let local = LocalTable::open("sizes", &plan, 0, &Hex([5; 32])).expect("a good plan");
    common::put(&browser, &kept("sizes", &plan, &local)).await?;
    browser.run("location.hash = 'game/sizes'").await?;
    browser
        .wait_until("document.querySelector('.prompt.mine')")
        .await?;
    let mut wrong = Vec::new();
    for (width, height) in SIZES {
        pointer::phone(&browser, width, height).await?;
        let here = format!(
            "innerWidth === {width} && document.querySelector('.wt-scene')?.viewBox.baseVal.width === {width}
             && document.querySelectorAll('.player').length === 6 && document.querySelectorAll('.wt-scene [data-tower]').length >= 9"
        );
        browser.wait_until(&here).await?;
        // Where there is room, the names of bots are whole.
        if width > 800 {
            let cut = "return [...document.querySelectorAll('.player:not([data-seat=\"0\"]) .name')].filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent)";
            let cut = browser.run(cut).await?;
            if cut.as_array().is_some_and(|cut| !cut.is_empty()) {
                wrong.push(format!("{width}x{height}: names are cut: {cut}"));
            }
        }
        // Also with a card chosen and its actions shown.
        for step in ["", "document.querySelector('.card:not(:disabled)').click()"] {
            browser.run(step).await?;
            let found = browser.run(&format!("return {CHECK}")).await?;
            let list = found
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str);
            wrong.extend(list.map(|w| format!("{width}x{height}: {w}")));
        }
        browser
            .run("document.querySelector('#cancel')?.click()")
            .await?;
    }
    browser.close().await;
    assert!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

/// The visible elements of a selector that reach into the zone of the board, by more than three pixels, or whose text
/// does not fit into them.
async fn over_the_board(
    browser: &Browser,
    selector: &str,
    (width, height): (u32, u32),
) -> WebDriverResult<Vec<String>> {
    let board = Layout::fit(width.into(), height.into()).zones.board;
    let script = format!(
        "const out = [], board = {{ left: {}, top: {}, right: {}, bottom: {} }};
         for (const e of document.querySelectorAll('{selector}')) {{
           const r = e.getBoundingClientRect(), text = e.innerText.replace(/\\s+/g, ' ');
           const w = Math.min(r.right, board.right) - Math.max(r.left, board.left), h = Math.min(r.bottom, board.bottom) - Math.max(r.top, board.top);
           if (w > 3 && h > 3) out.push(`over the board by ${{Math.round(h)}}: ${{text}}`);
           if (e.scrollHeight > e.clientHeight + 3) out.push(`${{e.scrollHeight - e.clientHeight}} too high: ${{text}}`);
           if (r.left < -1 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1) out.push(`leaves the window: ${{text}}`);
         }}
         return out",
        board.x,
        board.y,
        board.x + board.w,
        board.y + board.h
    );
    let found = browser.run(&script).await?;
    let list = found.as_array().into_iter().flatten();
    let list = list.filter_map(Value::as_str);
    Ok(list.map(|w| format!("{width}x{height}: {w}")).collect())
}

/// A decision alone in which a tower can imprison wizards, and that action.
fn imprisoning() -> (Position, Action) {
    let plan = Plan::solo("Bartholomew the Seventh", true);
    Position::find(&plan, gather, |position, action| {
        let Action::Play(_, Move::Tower(_)) = action else {
            return false;
        };
        let seat = position.seat().expect("somebody is to act");
        let preview = preview::preview(&position.view(), seat, action);
        preview.is_some_and(|p| p.imprisons > 1)
    })
}

/// With the goal, the best result, a preview of several effects, and a notice, the prompt never reaches over the board.
#[tokio::test(flavor = "multi_thread")]
async fn the_prompt_stays_in_its_zone() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let mut wrong = Vec::new();
    for language in ["en", "fr"] {
        let preferences = PREFERENCES.replace("\"en\"", &format!("{language:?}"));
        let browser = Browser::open(&server.url, Size::Desktop, &preferences).await?;
        let (position, action) = imprisoning();
        let mut shelf = Shelf(position.kept());
        shelf.keep_best(&position.model().table.settings, 24);
        browser.keep_only(&shelf.0).await?;
        browser
            .run(&format!("location.hash = 'game/{}'", position.id()))
            .await?;
        browser.wait_for(".prompt.mine").await?;
        let steps = act::steps(&position.model(), action);
        for size in SIZES {
            pointer::phone(&browser, size.0, size.1).await?;
            browser
                .wait_until(&format!("innerWidth === {} && innerHeight === {} && document.querySelector('.wt-scene')?.viewBox.baseVal.height === {}", size.0, size.1, size.1))
                .await?;
            wrong.extend(over_the_board(&browser, ".prompt", size).await?);
            for step in &steps[..steps.len() - 1] {
                // The names in other languages are not known here.
                let find = step.find.replace(
                    "find(e => {",
                    "find(e => { if (e.dataset.pick) return e.dataset.pick === PICK;",
                );
                let pick = match action {
                    Action::Play(_, Move::Tower(tower)) => format!("'t{}'", tower.letter()),
                    _ => unreachable!("a tower moves"),
                };
                browser
                    .run(&format!("const PICK = {pick}; {find}.click()"))
                    .await?;
            }
            browser.wait_for(".preview .preview-imprisons").await?;
            wrong.extend(over_the_board(&browser, ".prompt", size).await?);
            browser
                .run("document.querySelector('#cancel').click()")
                .await?;
            browser
                .wait_until("!document.querySelector('.preview li')")
                .await?;
        }
        browser.close().await;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

/// Another player's declared move with the most effects to tell: a wizard comes home, or the viewer is imprisoned.
fn declared(by_tower: bool) -> Position {
    let mut plan = Plan::hot_seat(&["Rowan", "Yarrow", "Gorse"].map(String::from));
    plan.set_reactions(true);
    plan.settings.spells = Spells::Chosen(SpellSet::ALL);
    plan.repair();
    let found = |position: &Position, _| {
        let (view, me) = (position.view(), position.seat());
        let preview = preview::declared(&view, me);
        let told = preview.is_some_and(|p| {
            let hits = p.lines.iter().any(|line| line.key == "preview.hits_you");
            if by_tower { hits } else { p.home }
        });
        view.turn.phase == Phase::Window && told
    };
    let preference = if by_tower { gather } else { hurry };
    Position::find(&plan, preference, found).0
}

/// A player who is asked to react can read the whole move and its effects without scrolling, on phones in both orientations.
#[tokio::test]
async fn a_declared_move_is_told_in_sight() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let mut wrong = Vec::new();
    for language in ["en", "de", "fr"] {
        let preferences = PREFERENCES.replace("\"en\"", &format!("{language:?}"));
        let browser = Browser::open(&server.url, Size::Phone, &preferences).await?;
        for by_tower in [false, true] {
            browser.open_position(&declared(by_tower)).await?;
            for size in [(360, 640), (390, 844), (844, 390), (740, 360)] {
                pointer::phone(&browser, size.0, size.1).await?;
                browser
                    .wait_until(&format!("innerWidth === {} && document.querySelector('.wt-scene')?.viewBox.baseVal.height === {} && document.querySelector('.claims')", size.0, size.1))
                    .await?;
                let found = over_the_board(&browser, ".prompt", size).await?;
                wrong.extend(found.iter().map(|w| format!("{language} {w}")));
            }
        }
        browser.close().await;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

/// At a table: the clock, a proposal to end the game, and an absent player are told beside the board, at every size.
#[tokio::test(flavor = "multi_thread")]
async fn notices_of_a_table_leave_the_board_free() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let preferences = |name: &str| PREFERENCES.replace("Bartholomew the Seventh", name);
    let ann = Browser::open(&server.url, Size::Desktop, &preferences("Ann")).await?;
    let ben = Browser::open(&server.url, Size::Phone, &preferences("Bartholomew")).await?;
    let eve = Browser::open(&server.url, Size::Phone, &preferences("Eve")).await?;
    ann.click("#online").await?;
    ann.click("#open-table").await?;
    ann.choose("Players", "2").await?;
    ann.choose("Time for each decision", "90 seconds").await?;
    ann.click("#begin").await?;
    ann.wait_for("#link").await?;
    let link = ann.text("#link").await?;
    ben.driver.goto(&link).await?;
    ben.click(".sit").await?;
    ben.wait_for("#ready").await?;
    ann.click("#start:not(:disabled)").await?;
    play::wait_any(&[&ann, &ben]).await?;
    eve.driver.goto(&link).await?;
    eve.wait_for("#watching").await?;
    ben.click("#chat").await?;
    ben.click("#wish-end").await?;
    ann.wait_for("#end-wish").await?;
    let mut wrong = Vec::new();
    for (who, selector) in [
        (&ann, ".prompt, .note, .around"),
        (&eve, ".prompt, .note, .around"),
        (&ann, ".note, .around"),
    ] {
        if selector == ".note, .around" {
            ann.click("#end-no").await?;
            ben.driver.close_window().await?;
            ann.wait_for("[data-away]").await?;
        }
        for size in SIZES {
            pointer::phone(who, size.0, size.1).await?;
            who.wait_until(&format!("innerWidth === {} && innerHeight === {} && document.querySelector('.wt-scene')?.viewBox.baseVal.height === {}", size.0, size.1, size.1))
                .await?;
            wrong.extend(over_the_board(who, selector, size).await?);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // A bot that plays on is told in place of the hand, which is of no use meanwhile.
    for browser in [ann, ben, eve] {
        browser.close().await;
    }
    Ok(())
}

/// Whether the middle of an element can be tapped without scrolling.
fn in_sight(selector: &str) -> String {
    format!(
        "(() => {{ const e = document.querySelector('{selector}'); if (!e) return false; const r = e.getBoundingClientRect();
           return e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)) }})()"
    )
}

/// The link of a new table on a phone, the next step of the lesson at 200 % zoom, and the menu of a seat.
#[tokio::test(flavor = "multi_thread")]
async fn the_next_step_is_visible_without_scrolling() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, PREFERENCES).await?;
    for (width, height) in [(360, 640), (640, 360)] {
        pointer::phone(&browser, width, height).await?;
        browser.run("location.hash = 'learn'").await?;
        browser.wait_until(&in_sight("#coach-next")).await?;
        browser.home().await?;
    }
    pointer::phone(&browser, 390, 844).await?;
    browser.click("#online").await?;
    browser.click("#open-table").await?;
    browser.click("#begin").await?;
    browser.wait_until(&in_sight("#copy-link")).await?;
    let link = browser.text("#link").await?;
    let preferences = PREFERENCES.replace("the Seventh", "the Eighth");
    let guest = Browser::open(&server.url, Size::Phone, &preferences).await?;
    guest.driver.goto(&link).await?;
    guest.click(".sit").await?;
    // The menu opens over the page, and what opened it stays where it is.
    let top = "return Math.round(document.querySelector('.person-menu summary').getBoundingClientRect().top)";
    browser.wait_for(".person-menu").await?;
    let before = browser.run(top).await?;
    browser
        .run("document.querySelector('.person-menu').open = true")
        .await?;
    browser
        .wait_until(&in_sight(".person-menu .make-host"))
        .await?;
    assert_eq!(browser.run(top).await?, before);
    guest.close().await;
    browser.close().await;
    Ok(())
}
