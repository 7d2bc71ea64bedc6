//! Boards.

use super::refused;
use towers_rules::notation::Diagram;
use towers_rules::{Colour, Surface, Tower, Wizards};

#[test]
fn boards_that_are_none() {
    let table = [
        ("^", "expected wizards, towers, '*' or '-'"),
        (
            "*/A/B/C/D/E/F/G/H/I/-/-/-/-/-^",
            "a board has 16 fields, this is number 15",
        ),
        ("*/A/B/C/D/E/F/G/H/I/-/-/-/-/-/-^/-", "unexpected '/-'"),
        ("*/A/B/C/D/E/F/G/H/I/-/-/-/-/-/-^ ", "unexpected ' '"),
        ("*/A/B/C/D/E/F/G/H/^/I/-/-/-/-/-", "for an empty space"),
        (
            "*/A/B/C/D/E/F/G/H/-/-/-/-/-/-/-^",
            "tower I is not on the board (R18.3)",
        ),
        (
            "*/A/B/C/D/E/F/G/H/^A/I/-/-/-/-/-",
            "tower A occurs twice (R18.3)",
        ),
        (
            "*/A/B/C/D/E/F/G/H/I/-/-/^*/-/-/-",
            "there is only one castle",
        ),
        (
            "-/A/B/C/D/E/F/G/H/I/-/-/-/-/-/-^",
            "the castle '*' is not on the board (R18.4)",
        ),
        (
            "b^*/A/B/C/D/E/F/G/H/I/-/-/-/-/-/-",
            "the castle cannot stand on wizards (R6.1)",
        ),
        (
            "Ay^*/-/B/C/D/E/F/G/H/I/-/-/-/-/-/-",
            "the castle cannot stand on wizards (R6.1)",
        ),
        ("*^A/-/B/C/D/E/F/G/H/I/-/-/-/-/-/-", "expected '/'"),
        (
            "*/Ay^b/B/C/D/E/F/G/H/I/-/-/-/-/-/-",
            "in the order b y r g o p",
        ),
        (
            "*/Abbbbbb^b/B/C/D/E/F/G/H/I/-/-/-/-/-/-",
            "at most 6 wizards (R5.3)",
        ),
        (
            "*/A/B/C/D/E/F/G/H/I/-/-/-/-/bbbbby^y/-",
            "at most 6 wizards (R5.3)",
        ),
        ("*/A^x/B/C/D/E/F/G/H/I/-/-/-/-/-/-", "expected '/'"),
        ("*/A/B/C/D/E/F/G/H/I/-/-/-/-/-^-/-", "expected '/'"),
        ("*/A/B/C/D/E/F/G/H/I/^J/-/-/-/-/-", "for an empty space"),
        ("*/A/B/C/D/E/F/G/H/I/^é/-/-/-/-/-", "for an empty space"),
    ];
    for (text, message) in table {
        refused(text, message, str::parse::<Diagram>);
    }
}

#[test]
fn a_board_is_read_level_by_level() {
    let board: Diagram = "-/-/brAyB*/C/D/E/F/G/H/I/-/-/bg/-/-/-"
        .parse()
        .expect("a board");
    assert_eq!(board.castle.number(), 2);
    assert_eq!(board.stacks[2].ground.to_string(), "br");
    let towers = board.stacks[2].towers.iter();
    let towers: Vec<_> = towers.map(|(t, w)| format!("{t}:{w}")).collect();
    assert_eq!(towers, ["A:y", "B:"]);
    let standing: Vec<_> = board.wizards().map(|(s, w)| format!("{s}:{w}")).collect();
    assert_eq!(standing, ["2:br", "A:y", "12:bg"]);
    assert_eq!(board.to_string(), "-/-/brAyB*/C/D/E/F/G/H/I/-/-/bg/-/-/-");
}

#[test]
fn wizards_surfaces_and_names() {
    let wizards: Wizards = "bbyp".parse().expect("four wizards");
    assert_eq!(
        (
            wizards.total(),
            wizards.of(Colour::Blue),
            wizards.of(Colour::Red)
        ),
        (4, 2, 0)
    );
    assert!(!wizards.is_empty() && Wizards::default().is_empty());
    let mut more = wizards;
    more.add(Colour::Green);
    assert_eq!(more.to_string(), "bbygp");
    refused("b^x", "unexpected 'x'", str::parse::<Wizards>);
    for surface in Surface::all() {
        assert_eq!(surface.to_string().parse(), Ok(surface));
        assert_eq!(
            surface.tower().map(Tower::top),
            surface.tower().map(|_| surface)
        );
    }
    assert_eq!(Surface::all().count(), 25);
    refused("^16", "spaces are 0 to 15", str::parse::<Surface>);
    refused("A^1", "unexpected '1'", str::parse::<Surface>);
    refused("^J", "expected a number", str::parse::<Surface>);
    refused("^x", "a colour, one of b y r g o p", str::parse::<Colour>);
    refused("b^b", "unexpected", str::parse::<Colour>);
    refused("^a", "a tower, A to I", str::parse::<Tower>);
}
