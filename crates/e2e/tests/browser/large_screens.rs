//! With mouse and keyboard on large screens: the room, the log beside the board, and where the focus is shown.

use serde_json::json;
use thirtyfour::prelude::*;
use towers_client::{Plan, preview, shown};
use towers_e2e::position::gather;
use towers_e2e::{Browser, Position, Size, TowersProcess, play, pointer};
use towers_rules::{Action, Move, Space};

fn preferences(name: &str) -> String {
    json!({"speed": "instant", "language": "en", "name": name}).to_string()
}

/// A decision alone in which a card can move a tower onto or within a stack of at least five, and that action.
fn tall_stack() -> (Position, Action) {
    let plan = Plan::solo("Ann", true);
    let higher = |view: &towers_rules::View, seat, action| {
        let to = preview::preview(view, seat, action).and_then(|p| p.to);
        let height = to.map_or(0, |space| shown::height(view, space));
        match action {
            Action::Play(_, Move::Tower(_)) | Action::Accept(Move::Tower(_)) => 5 + height as u32,
            _ => gather(view, seat, action),
        }
    };
    Position::find(&plan, higher, |position, action| {
        let Action::Play(_, Move::Tower(tower)) = action else {
            return false;
        };
        let view = position.view();
        let place = shown::find(&view, tower);
        place.is_some_and(|(space, level)| level > 1 && shown::height(&view, space) > 4)
    })
}

/// A piece that has the focus is shown at its place, also in a tall stack, and the focus does not cover it.
#[tokio::test]
async fn the_focus_is_on_its_tower() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, &preferences("Ann")).await?;
    let (position, action) = tall_stack();
    let Action::Play(card, Move::Tower(tower)) = action else {
        panic!("it moves a tower");
    };
    browser.open_position(&position).await?;
    let hand = position.model().shown.hand.clone().unwrap_or_default();
    let number = hand.iter().position(|c| *c == card).expect("it is held") + 1;
    let (space, _) = shown::find(&position.view(), tower).expect("it is on the board");
    let stack = shown::height(&position.view(), space);
    let keys = browser.driver.action_chain().send_keys(number.to_string());
    keys.perform().await?;
    browser.wait_for(".target:focus").await?;
    let mut points = Vec::new();
    for _ in 0..40 {
        let pick = browser
            .run("return document.activeElement?.dataset.pick ?? ''")
            .await?;
        let pick = pick.as_str().unwrap_or_default().to_string();
        let in_stack = position.view().spaces[space.index()]
            .iter()
            .filter_map(|level| level.tower)
            .any(|t| pick == format!("t{}", t.letter()));
        if in_stack {
            let ground = "return getComputedStyle(document.activeElement).backgroundColor";
            assert_eq!(browser.run(ground).await?, "rgba(0, 0, 0, 0)", "{pick}");
            let centre = "const r = document.activeElement.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]";
            points.push((pick, browser.run(centre).await?));
        }
        let next = browser.driver.action_chain().send_keys(Key::Right + "");
        next.perform().await?;
    }
    // Without a choice, the pieces are drawn where they stand.
    let escape = browser.driver.action_chain().send_keys(Key::Escape + "");
    escape.perform().await?;
    browser
        .wait_until("!document.querySelector('#confirm')")
        .await?;
    for (pick, point) in &points {
        let under = format!(
            "'t' + document.elementFromPoint(...{point})?.closest('[data-tower]')?.dataset.tower === '{pick}'"
        );
        browser.wait_until(&under).await?;
    }
    let seen = points.len();
    assert!(
        seen >= stack.min(3),
        "{seen} of {stack} towers on {}",
        Space::number(space)
    );
    browser.close().await;
    Ok(())
}

/// A person opens a link, types a name and presses Enter, or presses the one large button, and sits. Both are told which
/// seat is theirs.
#[tokio::test]
async fn one_key_or_one_button_takes_a_seat() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let ann = Browser::open(&server.url, Size::Desktop, &preferences("Ann")).await?;
    ann.click("#online").await?;
    ann.click("#open-table").await?;
    // The seats come before the rulebooks; nobody shares a device at a table on a server.
    let order = "return document.querySelector('.seats').compareDocumentPosition(document.querySelector('.editions'))";
    assert_eq!(ann.run(order).await?, 4);
    assert!(!ann.text(".seats").await?.contains("share this device"));
    ann.click("#begin").await?;
    ann.wait_for("#link").await?;
    ann.wait_text(".place[data-seat='0'] small", "You").await?;
    // The invitation is beside the seats.
    let beside = "(() => { const [share, seats] = ['.share', '.places'].map(s => document.querySelector(s).getBoundingClientRect());
         return share.left > seats.right && share.top < seats.bottom })()";
    ann.wait_until(beside).await?;
    let link = ann.text("#link").await?;
    let ben = Browser::open(&server.url, Size::Desktop, r#"{"language":"en"}"#).await?;
    ben.driver.goto(&link).await?;
    ben.fill("#room-name", "Ben\u{e007}").await?;
    ann.wait_text(".place[data-seat='1'] b", "Ben").await?;
    ben.wait_text(".place[data-seat='1'] small", "You").await?;
    let eve = Browser::open(&server.url, Size::Desktop, r#"{"language":"en"}"#).await?;
    eve.driver.goto(&link).await?;
    eve.wait_for("#take-seat").await?;
    let button = pointer::visible_point(&eve, "#take-seat").await?;
    pointer::click(&eve, "mouse", button).await?;
    ann.wait_text(".place[data-seat='2'] b", "Guest").await?;
    ann.click("#start:not(:disabled)").await?;
    let all = [&ann, &ben, &eve];
    let (who, _) = play::wait_any(&all).await?;
    // The others are told who decides, also after an event was told.
    let name = ["Ann", "Ben", "Guest"][who];
    for other in all.into_iter().filter(|b| !std::ptr::eq(*b, all[who])) {
        other
            .wait_text("#status", &format!("{name} is thinking"))
            .await?;
    }
    play::anything(all[who], 1).await?;
    play::wait_any(&all).await?;
    let other = all[(who + 1) % 3];
    if !other.has(".prompt.mine").await? {
        other.wait_text("#status", "is thinking").await?;
    }
    for browser in [ann, ben, eve] {
        browser.close().await;
    }
    Ok(())
}

/// On a tablet in landscape there is a log beside the board, too.
#[tokio::test]
async fn a_log_stands_beside_the_board_of_a_tablet() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, &preferences("Ann")).await?;
    pointer::phone(&browser, 1180, 820).await?;
    browser.click("#play-now").await?;
    play::wait(&browser).await?;
    browser.wait_text(".log-panel", "Your turn").await?;
    let place = "(() => { const [log, last] = ['.log-panel', '.player:last-child'].map(s => document.querySelector(s).getBoundingClientRect());
         return log.height >= 120 && log.top >= last.bottom - 3 && log.right <= innerWidth })()";
    browser.wait_until(place).await?;
    browser.close().await;
    Ok(())
}
