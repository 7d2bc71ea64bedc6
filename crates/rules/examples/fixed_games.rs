//! Plays the same random games every time, to count the instructions they take:
//! `cargo xtask instructions`.

use towers_rules::{Actions, Actor, Mode, Preset, Setup, SpellSet, Spells, State};

fn main() {
    let players = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(2);
    let mut setup = Setup::new(Preset::Capstone, Mode::Versus, players);
    if std::env::args().nth(2).as_deref() == Some("reactions") {
        setup.options.reactions = true;
        setup.spells = Spells::Chosen(SpellSet::ALL);
    }
    let start = State::new(&setup).expect("the setup is legal");
    let mut list = Actions::new();
    let mut seed = 1u64;
    let mut below = |n: u32| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 32) * u64::from(n) >> 32) as u32
    };
    let mut actions = 0u64;
    for _ in 0..100 {
        let mut state = start;
        loop {
            match state.actor() {
                Actor::Player(seat) => {
                    state.legal_actions_into(&mut list);
                    let chosen = below(list.len() as u32) as usize;
                    let action = list.get(chosen).expect("there is always a legal action");
                    state.apply_unchecked(seat, action, &mut ());
                    actions += 1;
                }
                Actor::Chance => state.settle(&mut below, &mut ()),
                Actor::Nobody => break,
            }
        }
    }
    println!("{actions}");
}
