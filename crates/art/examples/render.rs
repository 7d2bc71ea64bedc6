//! Writes demo pages into `out/`: positions on a desk and on a phone, by day and by night, a sheet of all pieces, and opened stacks.
//!
//! `cargo run --example render`

use std::{fs, io};
use towers_art::geometry::{Rect, Shape};
use towers_art::pieces::{self, FlaskState, book, flask, hat, icon, spell, wizard};
use towers_art::scene::{Ghost, Mark, Middle, Piece, Trail};
use towers_art::side_view::SideView;
use towers_art::{Layout, STYLE, Scene, Theme, defs, landscape};
use towers_rules::{Card, Colour, Space, Spell, Tower};

const PAGE_STYLE: &str = r#"
@font-face { font-family: "Tower Title"; src: url(../fonts/title.woff2); font-weight: 700; }
@font-face { font-family: "Tower Text"; src: url(../fonts/text.woff2); font-weight: 400; }
@font-face { font-family: "Tower Text"; src: url(../fonts/text-bold.woff2); font-weight: 700; }
body { margin: 0; font: 14px "Tower Text", sans-serif; background: #222; }
.stage { position: relative; overflow: hidden; }
.box { position: absolute; }
.panel { box-sizing: border-box; border-radius: 14px; border: 2px solid #f3cf6e88; background: #241a44d9; color: #fff4d8; padding: 6px 10px; }
.wt-day .panel { background: #fff6e2e6; color: #3a2a44; border-color: #b98f5299; }
.panel.active { border-color: #ffdf6e; box-shadow: 0 0 0 3px #ffdf6e66; }
.panel b { font-family: "Tower Title", serif; font-size: 17px; }
.panel svg { display: block; width: 100%; height: 36px; }
.small { padding: 3px; border-radius: 10px; text-align: center; }
.small svg { height: 44px; }
.hand .wt-card { width: 100%; filter: drop-shadow(0 5px 6px #0008); }
.status { text-align: center; font: 700 16px "Tower Title", serif; color: #fff4d8; background: #241a44d9; border-radius: 12px; line-height: 32px; }
.wt-day .status { background: #fff6e2e6; color: #3a2a44; }
.sheet { padding: 16px; } .sheet svg { margin: 3px; vertical-align: middle; }
.sheet .wt-card { width: 176px; } .sheet .wt-card-back { width: 110px; } .sheet .wt-spell { width: 132px; }
.w60 { width: 60px; } .w30 { width: 26px; } .w20 { width: 18px; } .w50 { width: 50px; } .w40 { width: 38px; } .w200 { width: 190px; }
.night-bg { background: linear-gradient(#20265a, #4b3f7a); } .day-bg { background: linear-gradient(#bfe3ee, #f4ecd6); }
.sides { display: flex; align-items: flex-end; } .wt-side { width: 340px; }
"#;

fn page(theme: Theme, css: &str, body: &str) -> String {
    format!(
        r#"<!doctype html><meta charset="utf-8"><title>Wandering Towers</title><style>{STYLE}{PAGE_STYLE}{css}</style><body class="{}">{}{body}"#,
        theme.class(),
        defs()
    )
}

/// Boxes laid over the board, and the rules that place them.
#[derive(Default)]
struct Boxes {
    css: String,
    html: String,
}

impl Boxes {
    fn add(&mut self, rect: Rect, class: &str, content: &str) {
        let id = self.css.lines().count();
        self.css += &format!(
            "#box{id} {{ left: {:.0}px; top: {:.0}px; width: {:.0}px; height: {:.0}px; }}\n",
            rect.x, rect.y, rect.w, rect.h
        );
        self.html += &format!(r#"<div class="box {class}" id="box{id}">{content}</div>"#);
    }
}

struct Demo {
    name: &'static str,
    board: &'static str,
    players: usize,
    hand: [&'static str; 3],
    decorate: fn(&mut Scene),
}

fn tower(letter: char) -> Tower {
    Tower::from_letter(letter).expect("a letter from A to I")
}

fn space(number: u8) -> Space {
    Space::new(number).expect("a number from 0 to 15")
}

fn demos() -> [Demo; 4] {
    [
        Demo {
            name: "start",
            board: "*/Abyr/Bbyg/Cbrg/Dyr/Ebg/Fyr/Gg/H/I/-/-/-/-/-/-",
            players: 4,
            hand: ["w3", "w1t5", "t??"],
            decorate: |scene| {
                scene.middle.spells = vec![(Spell::AdvanceWizard, 2), (Spell::AdvanceTower, 1)];
                scene.middle.draw = 78;
            },
        },
        Demo {
            name: "middle",
            board: "-/yH/-/byDr/-/CbEAyF/byr/-/B/Gbyrggo/-/p/I*/-/g/y",
            players: 6,
            hand: ["w2t4", "t3", "w?t?"],
            decorate: |scene| {
                scene.middle.spells = vec![
                    (Spell::AdvanceWizard, 2),
                    (Spell::SwapTowers, 1),
                    (Spell::FreeWizard, 2),
                ];
                scene.middle.draw = 41;
                scene.middle.discard = Card::from_text("w4t2");
                scene.middle.die = 5;
                scene.marks = vec![
                    (Piece::Tower(tower('G')), Mark::Legal),
                    (Piece::Tower(tower('H')), Mark::Legal),
                    (Piece::Wizard(space(6), Colour::Blue), Mark::Legal),
                    (Piece::Space(space(14)), Mark::Legal),
                    (Piece::Spell(Spell::SwapTowers), Mark::Legal),
                ];
                scene.trail = Some(Trail {
                    from: space(12),
                    to: space(15),
                    clockwise: true,
                    colour: Some(Colour::Red),
                });
                scene.show_prisoners = true;
            },
        },
        Demo {
            name: "preview",
            board: "-/yH/-/byDr/-/CbEAyF/byr/-/B/Gbyrggo/-/p/I*/-/g/y",
            players: 3,
            hand: ["t4", "w5", "w???"],
            decorate: |scene| {
                scene.middle.spells = Spell::ALL
                    .into_iter()
                    .map(|s| (s, s.usual_cost()))
                    .collect();
                scene.middle.draw = 12;
                scene.middle.discard = Card::from_text("t??");
                scene.middle.die = 3;
                scene.ghosts = vec![
                    Ghost::Tower {
                        tower: tower('A'),
                        to: space(6),
                    },
                    Ghost::Wizard {
                        from: space(11),
                        colour: Colour::Purple,
                        to: space(12),
                    },
                ];
                scene.marks = vec![(Piece::Tower(tower('A')), Mark::Chosen)];
                scene.focus = Some(space(4));
                scene.trail = Some(Trail {
                    from: space(1),
                    to: space(3),
                    clockwise: true,
                    colour: Some(Colour::Blue),
                });
            },
        },
        Demo {
            name: "late",
            board: "gHr/-/-/-/oICFAEG*/-/bB/-/-/-/Dyr/-/-/-/op/-",
            players: 6,
            hand: ["w1", "w5t1", "t???"],
            decorate: |scene| {
                scene.middle.spells = vec![
                    (Spell::HeadwindWizard, 2),
                    (Spell::HeadwindTower, 1),
                    (Spell::NudgeCastle, 2),
                    (Spell::Piggyback, 2),
                ];
                scene.middle.draw = 7;
                scene.middle.discard = Card::from_text("w3t3");
                scene.middle.die = 6;
                scene.marks = vec![(Piece::Castle, Mark::Legal)];
            },
        },
    ]
}

fn panel(boxes: &mut Boxes, colour: Colour, small: bool, active: bool, rect: Rect) {
    let n = colour as usize;
    let states = |i: usize| {
        if i < n % 3 + 1 {
            FlaskState::Full
        } else if i == 3 {
            FlaskState::Spent
        } else {
            FlaskState::Empty
        }
    };
    let class = format!(
        "panel{}{}",
        if small { " small" } else { "" },
        if active { " active" } else { "" }
    );
    if small {
        let flasks: String = (0..4)
            .map(|i| flask(colour, states(i), 8.0 + 13.0 * i as f64, 42.0, 0.36))
            .collect();
        let content = wizard(colour, 13.0, 28.0, 0.42)
            + &hat(colour, 36.0, 24.0, 0.4)
            + &hat(colour, 48.0, 24.0, 0.4)
            + &flasks;
        return boxes.add(rect, &class, &icon("", "0 0 56 54", &content));
    }
    let flasks: String = (0..5)
        .map(|i| flask(colour, states(i), 62.0 + 26.0 * i as f64, 24.0, 0.72))
        .collect();
    let content = wizard(colour, 18.0, 40.0, 0.6) + &flasks;
    let name = ["Ada", "Ben", "Cleo", "Dag", "Eva", "Finn"][n];
    boxes.add(
        rect,
        &class,
        &format!("<b>{name}</b>{}", icon("", "0 0 200 44", &content)),
    );
}

fn board_page(demo: &Demo, theme: Theme, width: f64, height: f64) -> String {
    let layout = Layout::fit(width, height);
    let mut scene = Scene::new(demo.board.parse().expect("a board"));
    scene.middle = Middle {
        draw: 60,
        ..Middle::default()
    };
    (demo.decorate)(&mut scene);
    let upright = layout.shape == Shape::Portrait;
    let mut boxes = Boxes {
        css: format!(".stage {{ width: {width}px; height: {height}px; }}\n"),
        ..Boxes::default()
    };
    for (i, seat) in layout.seats(demo.players).into_iter().enumerate() {
        panel(&mut boxes, Colour::ALL[i], upright, i == 0, seat.panel);
    }
    if upright {
        boxes.add(
            layout.zones.prompt,
            "status",
            "Your turn: play a card (1 of 2)",
        );
    }
    for (rect, card) in layout.hand_cards(3).into_iter().zip(demo.hand) {
        boxes.add(
            rect,
            "hand",
            &book::card(Card::from_text(card).expect("a card")),
        );
    }
    let layers = landscape::scenery(&layout) + &scene.svg(&layout) + &landscape::air(&layout);
    page(
        theme,
        &boxes.css,
        &format!(r#"<div class="stage">{layers}{}</div>"#, boxes.html),
    )
}

fn sheet(theme: Theme) -> String {
    let mut s = format!(
        r#"<div class="sheet {}">"#,
        if theme == Theme::Day {
            "day-bg"
        } else {
            "night-bg"
        }
    );
    s.extend(Card::all().map(book::card));
    s += &book::back();
    s += "<br>";
    s.extend(
        Spell::ALL
            .into_iter()
            .map(|kind| spell::tile(kind, kind.usual_cost())),
    );
    s += "<br>";
    for class in ["w60", "w30", "w20"] {
        s.extend(Colour::ALL.map(|c| icon(class, "-24 -70 48 76", &wizard(c, 0.0, 0.0, 1.0))));
    }
    s.extend(Colour::ALL.map(|c| icon("w30", "-18 -36 36 44", &hat(c, 0.0, 0.0, 1.0))));
    s += "<br>";
    s.extend((0..=6).map(|n| icon("w50", "-34 -34 68 72", &pieces::die(n, 0.0, 0.0, 1.0))));
    for colour in Colour::ALL {
        s.extend(
            [FlaskState::Empty, FlaskState::Full, FlaskState::Spent]
                .map(|f| icon("w40", "-22 -28 46 52", &flask(colour, f, 0.0, 0.0, 1.0))),
        );
    }
    s += "<br>";
    s += &icon("w200", "-90 -170 180 200", &pieces::castle());
    for letter in ['A', 'B', 'G', 'H'] {
        let drum = pieces::tower(tower(letter), 1.0, true)
            + &pieces::tower_letter(tower(letter), 1.0)
            + &pieces::tower_front(tower(letter), 1.0);
        s += &icon("w200", "-70 -110 140 150", &drum);
    }
    for space in [0, 1, 5, 8].map(space) {
        s += &icon(
            "w200",
            "-70 -50 140 100",
            &(pieces::stone(space) + &pieces::lights(space)),
        );
    }
    page(theme, "", &(s + "</div>"))
}

fn sides(theme: Theme) -> String {
    let mut s = format!(
        r#"<div class="sheet sides {}">"#,
        if theme == Theme::Day {
            "day-bg"
        } else {
            "night-bg"
        }
    );
    for (number, board) in [
        (5, "*/B/-/-/-/CbEAyFbyrgo/-/-/D/G/H/I/-/-/-/-"),
        (4, "-/-/-/-/oICFAEG*/B/D/H/-/-/-/-/-/-/-/-"),
        (8, "*/A/B/C/D/E/F/G/byr/H/I/-/-/-/-/-"),
        (7, "*/A/C/D/E/F/G/brBy/H/I/-/-/-/-/-/-"),
    ] {
        let board = board.parse().expect("a board");
        let marks = [
            (Piece::Tower(tower('E')), Mark::Legal),
            (Piece::Tower(tower('A')), Mark::Chosen),
            (Piece::Wizard(space(8), Colour::Red), Mark::Legal),
        ];
        s += &SideView {
            board: &board,
            space: space(number),
            marks: &marks,
            show_prisoners: number != 4,
        }
        .svg();
    }
    page(theme, "", &(s + "</div>"))
}

fn main() -> io::Result<()> {
    fs::create_dir_all("out")?;
    for theme in [Theme::Night, Theme::Day] {
        let suffix = if theme == Theme::Day { "day" } else { "night" };
        for demo in demos() {
            for (device, w, h) in [
                ("upright", 820.0, 1180.0),
                ("lying", 844.0, 390.0),
                ("desktop", 1440.0, 900.0),
                ("phone", 390.0, 844.0),
                ("tablet", 1024.0, 768.0),
                ("small", 360.0, 640.0),
                ("low", 667.0, 375.0),
            ] {
                fs::write(
                    format!("out/{}-{device}-{suffix}.html", demo.name),
                    board_page(&demo, theme, w, h),
                )?;
            }
        }
        fs::write(format!("out/sheet-{suffix}.html"), sheet(theme))?;
        fs::write(format!("out/sides-{suffix}.html"), sides(theme))?;
    }
    for (w, h) in [(1440.0, 900.0), (390.0, 844.0)] {
        let layout = Layout::fit(w, h);
        let scene = Scene::new(demos()[1].board.parse().expect("a board")).svg(&layout);
        println!(
            "{w}x{h}: scenery {} bytes, scene {} bytes",
            landscape::scenery(&layout).len(),
            scene.len()
        );
    }
    println!(
        "shared drawings {} bytes, stylesheet {} bytes",
        defs().len(),
        STYLE.len()
    );
    Ok(())
}
