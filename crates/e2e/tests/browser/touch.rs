//! Every gesture has one meaning with touch, mouse and pen, also in tall stacks.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use thirtyfour::prelude::*;
use towers_client::{Choice, Intent, LocalTable, Model, Need, Pick, Plan, shown};
use towers_e2e::pointer::{self, PagePoint};
use towers_e2e::{Browser, Size, TowersProcess};
use towers_rules::{Action, Move, Seat, Space, SpellSet, Spells, View};
use towers_table::{BotLevel, Hex};

use crate::common::{act, kept, legal, put};
use crate::sizes::SIZES;

const PREFERENCES: &str = r#"{"speed":"instant","language":"en","name":"Ann"}"#;
const POSITIONS: u8 = 20;

/// A game on this device at a decision of its person, as the browser stores it.
struct TouchPosition {
    id: String,
    /// The browser's storage, by key.
    kept: BTreeMap<String, String>,
    /// The card with the most pieces to choose from.
    card: String,
    /// The number of pieces it can move.
    targets: usize,
    /// A tower that stands alone and can be moved by this card, its space, and its destination.
    alone: Option<(char, usize, usize)>,
    tallest: usize,
}

fn tallest(view: &View) -> usize {
    let heights = Space::all().map(|space| shown::height(view, space));
    heights.max().unwrap_or(0)
}

/// The height of the stack on which an action puts a tower.
fn height_after(view: &View, seat: Seat, action: Action) -> usize {
    let tower = match action {
        Action::Play(_, Move::Tower(tower)) | Action::Accept(Move::Tower(tower)) => tower,
        Action::Refresh(Some(tower)) => tower,
        _ => return 0,
    };
    let to = towers_client::preview::preview(view, seat, action).and_then(|p| p.to);
    let from = shown::find(view, tower);
    from.zip(to).map_or(0, |((from, level), to)| {
        shown::height(view, to) + shown::height(view, from) + 1 - level
    })
}

/// The card with the most pieces on the board, with these pieces.
fn best_card(model: &Model) -> Option<(String, Choice, Vec<Pick>)> {
    let cards = model.choice.intents().into_iter().filter_map(|intent| {
        let Intent::Card(card) = intent else {
            return None;
        };
        let mut choice = model.choice.clone();
        choice.begin(intent);
        let mut picks = choice.alternatives();
        picks.retain(|p| matches!(p, Pick::Tower(_) | Pick::Wizard(..)));
        Some((card.text().to_string(), choice, picks))
    });
    cards.max_by_key(|(.., picks)| picks.len())
}

/// A tower that is the only choice in its space, that space, and its destination.
fn alone(model: &Model, choice: &Choice, picks: &[Pick]) -> Option<(char, usize, usize)> {
    picks.iter().find_map(|&pick| {
        let Pick::Tower(tower) = pick else {
            return None;
        };
        let (from, _) = shown::find(&model.shown, tower)?;
        let wizard = |p: &Pick| matches!(p, Pick::Wizard(space, _) if *space == from);
        if shown::height(&model.shown, from) > 1 || picks.iter().any(wizard) {
            return None;
        }
        let mut choice = choice.clone();
        choice.pick(pick);
        let preview =
            towers_client::preview::preview(&model.shown, model.me()?, choice.pending()?)?;
        Some((tower.letter(), from.index(), preview.to?.index()))
    })
}

/// A position with a tall stack: all players build as high as possible until a person has to decide.
fn position(number: u8) -> TouchPosition {
    let players = 1 + usize::from(number) % 5;
    position_of(
        number,
        &Plan::against_bots("Ann", players, BotLevel::Novice),
    )
}

fn position_of(number: u8, plan: &Plan) -> TouchPosition {
    let wanted = 4 + usize::from(number) % 5;
    let id = format!("touch{number}");
    let mut local = LocalTable::open(&id, plan, 0, &Hex([number; 32])).expect("a good plan");
    for _ in 0..400 {
        let seat = match local.need() {
            Need::Person(_, seat) | Need::Bot { seat, .. } => seat,
            Need::Nothing => break,
        };
        let model = Model::new(local.view()).expect("the game has begun");
        if matches!(local.need(), Need::Person(..))
            && tallest(&model.shown) >= wanted
            && let Some((card, choice, picks)) = best_card(&model)
            && picks.len() > 4
        {
            return TouchPosition {
                kept: kept(&id, plan, &local),
                id,
                card,
                targets: picks.len(),
                alone: alone(&model, &choice, &picks),
                tallest: tallest(&model.shown),
            };
        }
        let all = legal(&local, seat);
        // Wizards do not move, so that nobody wins.
        let towers = all.iter().copied().filter(|a| {
            matches!(
                a,
                Action::Play(_, Move::Tower(_))
                    | Action::Accept(Move::Tower(_))
                    | Action::Refresh(_)
            )
        });
        let (view, _) = local.bot_view(seat, u64::MAX).expect("the seat is taken");
        let built = towers.max_by_key(|&action| height_after(&view, seat, action));
        let ending = || all.iter().copied().find(|a| *a == Action::End);
        let action = built.or_else(ending).unwrap_or(all[0]);
        act(&mut local, seat, action);
    }
    panic!("game {number} does not get a stack of {wanted}");
}

/// JavaScript helpers: the visible points of pieces, and the outcome of a tap.
const TOOLS: &str = r"
    window.touched = {
      clicks: 0,
      frames: n => new Promise(done => { const next = () => n-- > 0 ? requestAnimationFrame(next) : done(); next() }),
      name: e => {
        const w = e?.closest('.wt-scene [data-wizard]');
        if (w) return `wizard ${w.dataset.wizard} ${w.dataset.space}`;
        if (e?.closest('.wt-scene [data-castle]')) return 'castle';
        const t = e?.closest('.wt-scene [data-tower]');
        return t ? `tower ${t.dataset.tower}` : '';
      },
      // For every piece: its visible point that is nearest to the middle of its visible part.
      points: () => {
        const seen = {};
        for (const e of document.querySelectorAll('.wt-scene .wt-legal:is([data-tower], [data-wizard])')) {
          const name = touched.name(e), r = e.getBoundingClientRect(), list = seen[name] ??= [];
          for (let y = Math.ceil(r.top); y < r.bottom; y += 1)
            for (let i = 1; i < 8; i += 1) {
              const x = r.left + r.width * i / 8;
              if (touched.name(document.elementFromPoint(x, y)) === name) list.push([x, y]);
            }
        }
        return Object.entries(seen).map(([name, list]) => {
          if (!list.length) return [name, null];
          const mean = [0, 1].map(i => list.reduce((sum, p) => sum + p[i], 0) / list.length);
          const far = p => Math.hypot(p[0] - mean[0], p[1] - mean[1]);
          return [name, list.reduce((best, p) => far(p) < far(best) ? p : best)];
        });
      },
      // A point of a space, or of what stands there.
      spot: space => {
        for (const e of document.querySelectorAll(`.wt-scene [data-space='${space}']`)) {
          const r = e.getBoundingClientRect();
          for (let y = Math.floor(r.bottom); y > r.top; y -= 2)
            for (const part of [.5, .4, .6, .3, .7]) {
              const x = r.left + r.width * part, hit = document.elementFromPoint(x, y)?.closest('.wt-scene [data-space]');
              if (hit?.dataset.space === String(space)) return [x, y];
            }
        }
        return null;
      },
      chosen: () => [...new Set([...document.querySelectorAll('.wt-scene .wt-chosen')].map(touched.name))].join(),
      // Chooses a card again, with nothing picked.
      begin: async card => {
        document.querySelector('.dialog .round')?.click();
        document.querySelector('#cancel')?.click();
        document.querySelector(`.card[data-card='${card}']`).click();
        await new Promise(done => setTimeout(done));
        touched.clicks = 0;
      },
      // What is chosen after a tap, whether a picker is open, and where its row with these words is. If none is open, the card is chosen again.
      outcome: async (words, card) => {
        for (let i = 0; i < 600 && !touched.clicks; i++) await touched.frames(1);
        await touched.frames(1);
        touched.clicks = 0;
        const chosen = touched.chosen(), picker = document.querySelector('.opened');
        if (!picker) {
          await touched.begin(card);
          return [chosen, false, null];
        }
        await touched.frames(3);
        const row = [...document.querySelectorAll('.opened-picks button')].find(b => b.textContent.startsWith(words));
        row?.scrollIntoView({ block: 'nearest' });
        const r = row?.getBoundingClientRect();
        return [chosen, picker.isConnected, r ? [r.x + r.width / 2, r.y + r.height / 2] : null];
      },
    };
    addEventListener('click', () => { touched.clicks++; touched.last = performance.now() }, true);
    // Without the landscape and without motion a frame takes a fraction of the time. The page's policy forbids style elements.
    const still = new CSSStyleSheet();
    still.replaceSync('.backdrop, .air { display: none !important } * { animation: none !important; transition: none !important; filter: none !important }');
    document.adoptedStyleSheets.push(still);";

async fn page(browser: &Browser, expression: &str) -> WebDriverResult<Value> {
    let script = format!(
        "const done = arguments[0]; (async () => ({expression}))().then(done, why => done('error: ' + why))"
    );
    let answer = browser.driver.execute_async(&script, Vec::new()).await?;
    Ok(answer.json().clone())
}

async fn show(browser: &Browser, position: &TouchPosition) -> WebDriverResult<()> {
    put(browser, &position.kept).await?;
    let go = format!("location.hash = 'game/{}'", position.id);
    browser.run(&go).await?;
    // Another game has a different scene.
    browser
        .wait_until(
            "(scene => document.querySelector('.prompt.mine') && document.querySelectorAll('.wt-scene [data-tower]').length === 9
             && touched.shown !== scene && (touched.shown = scene))(document.querySelector('.wt-scene'))",
        )
        .await
}

fn point(value: &Value) -> Option<PagePoint> {
    Some((value[0].as_f64()?, value[1].as_f64()?))
}

/// The pieces that can be chosen, and their visible points.
async fn targets(
    browser: &Browser,
    card: &str,
) -> WebDriverResult<Vec<(String, Option<PagePoint>)>> {
    let ask = format!("(await touched.begin({}), touched.points())", json!(card));
    let found = page(browser, &ask).await?;
    let all = found.as_array().into_iter().flatten();
    Ok(all
        .map(|t| (t[0].as_str().unwrap_or_default().into(), point(&t[1])))
        .collect())
}

/// The start of the text of a piece's row in the picker.
fn words(name: &str) -> String {
    match name.split_once(' ') {
        Some(("tower", letter)) => format!("Tower {letter} "),
        _ => "Wizard ".into(),
    }
}

/// Two taps so near and so soon after each other are a double tap, whose second tap does nothing by itself.
const DOUBLE_TAP_PIXELS: f64 = 100.0;
const DOUBLE_TAP_MILLIS: u32 = 500;

/// How a tap reached its piece.
#[derive(Debug, PartialEq, Eq)]
enum PointerPath {
    Direct,
    Picker,
}

/// Taps a piece that can be chosen. Returns how it was previewed, or what happened instead.
async fn tap_piece(
    browser: &Browser,
    card: &str,
    name: &str,
    at: PagePoint,
) -> WebDriverResult<Result<PointerPath, String>> {
    pointer::tap(browser, at).await?;
    let outcome = format!(
        "await touched.outcome({}, {})",
        json!(words(name)),
        json!(card)
    );
    let first = page(browser, &outcome).await?;
    Ok(
        match (first[0].as_str(), first[1].as_bool(), point(&first[2])) {
            (Some(chosen), Some(false), None) if chosen == name => Ok(PointerPath::Direct),
            (Some(""), Some(true), Some(row)) => {
                if (row.0 - at.0).hypot(row.1 - at.1) < DOUBLE_TAP_PIXELS {
                    let is_over = format!("performance.now() - touched.last > {DOUBLE_TAP_MILLIS}");
                    browser.wait_until(&is_over).await?;
                }
                pointer::tap(browser, row).await?;
                let then = page(browser, &outcome).await?;
                if then == json!([name, false, null]) {
                    Ok(PointerPath::Picker)
                } else {
                    Err(format!("its row in the picker leads to {then}"))
                }
            }
            _ => Err(format!("{first}")),
        },
    )
}

/// Taps every piece that can be chosen in every position, on a screen of this size. Returns the number of taps, the
/// number that led through a picker, and the failures.
async fn tap_all(
    server: &TowersProcess,
    (width, height): (u32, u32),
    positions: &[TouchPosition],
) -> WebDriverResult<(usize, usize, Vec<String>)> {
    let browser = Browser::open(&server.url, Size::Phone, PREFERENCES).await?;
    pointer::phone(&browser, width, height).await?;
    browser.run(TOOLS).await?;
    let (mut taps, mut picked, mut wrong) = (0, 0, Vec::new());
    for position in positions {
        show(&browser, position).await?;
        let pieces = targets(&browser, &position.card).await?;
        if pieces.len() != position.targets {
            wrong.push(format!("{width} px, {}: only {pieces:?}", position.id));
        }
        for (name, at) in pieces {
            taps += 1;
            let answer = match at {
                Some(at) => tap_piece(&browser, &position.card, &name, at).await?,
                None => Err("it cannot be seen".into()),
            };
            match answer {
                Ok(way) => picked += usize::from(way == PointerPath::Picker),
                Err(why) => {
                    wrong.push(format!("{width} px, {}, {name}: {why}", position.id));
                    targets(&browser, &position.card).await?;
                }
            }
        }
    }
    browser.close().await;
    Ok((taps, picked, wrong))
}

/// In positions with tall stacks, a tap on any piece that can be chosen previews it, or opens a picker that stays open
/// and leads to it.
#[tokio::test(flavor = "multi_thread")]
async fn every_tap_previews_its_piece_or_opens_a_picker_that_stays() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let positions: Vec<TouchPosition> = (0..POSITIONS).map(position).collect();
    assert!(positions.iter().all(|p| p.tallest >= 4));
    assert!(positions.iter().filter(|p| p.tallest >= 7).count() > 8);
    // Most of the time is spent waiting for frames, so the sizes run concurrently.
    let (narrow, phone, tablet) = tokio::try_join!(
        tap_all(&server, (360, 740), &positions),
        tap_all(&server, (390, 844), &positions),
        tap_all(&server, (768, 1024), &positions),
    )?;
    let all = [narrow, phone, tablet];
    let taps: usize = all.iter().map(|r| r.0).sum();
    let picked: usize = all.iter().map(|r| r.1).sum();
    let wrong: Vec<_> = all.iter().flat_map(|r| &r.2).collect();
    assert!(
        wrong.is_empty(),
        "{} of {taps} taps: {wrong:#?}",
        wrong.len()
    );
    assert!(picked > 100 && taps - picked > 50, "{picked} of {taps}");
    Ok(())
}

/// Spells, die, piles, cards, buttons and panels of which less than nine tenths can be hit. What rounded corners leave
/// out does not count.
const COVERED: &str = r"(() => {
      const wrong = [], all = ['.wt-scene [data-spell]', '.wt-scene [data-die]', '.wt-scene [data-pile]', '.card', '.tool', '.actions button', '.player'];
      for (const selector of all) for (const e of document.querySelectorAll(selector)) {
        if (e.classList.contains('spell-button')) continue;
        const r = e.getBoundingClientRect();
        let own = 0, hit = 0;
        for (let i = .5; i < 12; i++) for (let j = .5; j < 12; j++) {
          const stack = document.elementsFromPoint(r.left + r.width * i / 12, r.top + r.height * j / 12);
          own += stack.some(f => e.contains(f));
          hit += e.contains(stack[0]);
        }
        if (hit < .9 * own || own < 36) wrong.push(`${selector} ${e.dataset.spell ?? e.id}: ${hit} of ${own}`);
      }
      return wrong;
    })()";

/// With all spells, up to six players and stacks of up to eight, nothing that can be tapped is hidden at any size.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_hidden_behind_a_tall_stack() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, PREFERENCES).await?;
    pointer::phone(&browser, SIZES[0].0, SIZES[0].1).await?;
    browser.run(TOOLS).await?;
    let mut wrong = Vec::new();
    for number in 0..POSITIONS / 2 {
        let players = 1 + usize::from(number) % 5;
        let mut plan = Plan::against_bots("Ann", players, BotLevel::Novice);
        plan.settings.spells = Spells::Chosen(SpellSet::ALL);
        show(&browser, &position_of(number, &plan)).await?;
        for (width, height) in SIZES {
            pointer::phone(&browser, width, height).await?;
            let drawn = format!(
                "innerWidth === {width} && (v => v?.width === {width} && v.height === {height})(document.querySelector('.wt-scene')?.viewBox.baseVal)
                 && document.querySelectorAll('.wt-scene [data-spell]').length === 8 && document.querySelector('.card')"
            );
            browser.wait_until(&drawn).await?;
            let found = browser.run(&format!("return {COVERED}")).await?;
            let list = found.as_array().into_iter().flatten();
            let list = list.filter_map(Value::as_str);
            wrong.extend(list.map(|w| format!("{width}x{height}, {number}: {w}")));
        }
    }
    browser.close().await;
    assert!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

/// The number of log lines about this move.
async fn moves(browser: &Browser, way: &str) -> WebDriverResult<usize> {
    let told = towers_e2e::play::log(browser).await?;
    let (_, all) = told.split_once("The whole game").unwrap_or_default();
    Ok(all.matches(way).count())
}

/// Drags with a pressed mouse or pen, or with a finger.
async fn drag(
    browser: &Browser,
    kind: &str,
    from: PagePoint,
    to: PagePoint,
) -> WebDriverResult<()> {
    match kind {
        "touch" => pointer::swipe(browser, from, to).await,
        _ => pointer::drag(browser, kind, from, to).await,
    }
}

/// A piece dragged to its destination is moved, once. Dropped elsewhere, it is only previewed. This holds for every
/// kind of pointer.
#[tokio::test]
async fn a_drag_is_one_move_with_finger_mouse_and_pen() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, PREFERENCES).await?;
    browser.run(TOOLS).await?;
    let mut positions = (0..60).map(position).filter(|p| p.alone.is_some());
    for kind in ["touch", "mouse", "pen"] {
        if kind == "touch" {
            pointer::phone(&browser, 390, 844).await?;
        }
        let position = positions.next().expect("some towers stand alone");
        let (tower, from, to) = position.alone.expect("only such positions are left");
        show(&browser, &position).await?;
        let way = format!(
            "You move tower {tower} by {} to space {to}.",
            (to + 16 - from) % 16
        );
        let before = moves(&browser, &way).await?;
        let pieces = targets(&browser, &position.card).await?;
        let name = format!("tower {tower}");
        let seen = pieces.iter().find(|(n, _)| *n == name);
        let at = seen.and_then(|p| p.1).expect("it is seen");
        let spot = |space: usize| format!("touched.spot({space})");
        let beside = page(&browser, &spot((to + 1) % 16)).await?;
        drag(&browser, kind, at, point(&beside).expect("a space is seen")).await?;
        browser.wait_for("#confirm").await?;
        let state = page(&browser, "(await touched.frames(3), [touched.chosen(), !!document.querySelector('#confirm'), !!document.querySelector('.dialog')])").await?;
        assert_eq!(state, json!([name, true, false]), "{kind}, {}", position.id);
        let decision = towers_e2e::play::decision(&browser).await?;
        let decision = decision.expect("a decision is open");
        let landing = page(&browser, &spot(to)).await?;
        let at = page(&browser, &format!("touched.spot({from})")).await?;
        drag(
            &browser,
            kind,
            point(&at).expect("it is seen"),
            point(&landing).expect("it is seen"),
        )
        .await?;
        let decision =
            format!("document.querySelector('.prompt').dataset.decision !== '{decision}'");
        browser.wait_until(&decision).await?;
        let after = moves(&browser, &way).await?;
        assert_eq!(after, before + 1, "{kind}, {}: {way}", position.id);
    }
    browser.close().await;
    Ok(())
}
