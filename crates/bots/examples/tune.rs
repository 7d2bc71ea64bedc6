//! Tunes the evaluation by self-play and writes its weights.
//!
//!     cargo run --release -p bots --features tuning --example tune -- two weights/two.bin \
//!         novice:4000:6 greedy:20000:4 greedy:20000:4 turn:4000:4
//!
//! Each stage is player:games:epochs. Every stage plays with the net of the stage before.

use bots::tuning::{Net, Player, Sample, Trainer, game};
use rules::{Mode, Preset, Setup, SpellSet, Spells};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [kind, path, stages @ ..] = args.as_slice() else {
        eprintln!("usage: tune two|four|six|solo FILE player:games:epochs …");
        std::process::exit(2);
    };
    let seed = std::env::var("SEED").ok().and_then(|s| s.parse().ok());
    let rate = std::env::var("RATE").ok().and_then(|s| s.parse().ok());
    let rate: f32 = rate.unwrap_or(0.002);
    let mut rng = fastrand::Rng::with_seed(seed.unwrap_or(1));
    let mut net = Net::from_bytes(&std::fs::read(path).unwrap_or_default());
    for stage in stages {
        let parts: Vec<&str> = stage.split(':').collect();
        let number = |i: usize| parts.get(i).and_then(|p| p.parse().ok()).unwrap_or(1);
        let player = match parts[0] {
            "novice" => Player::Novice,
            "thumb" => Player::Thumb,
            "greedy" => Player::Greedy,
            _ => Player::Turn,
        };
        let mut samples: Vec<Sample> = Vec::new();
        let mut held: Vec<Sample> = Vec::new();
        let begun = std::time::Instant::now();
        let (games, mut score) = (number(1), 0);
        for i in 0..games {
            let setup = table(kind, &mut rng);
            let to = if i % 10 == 0 { &mut held } else { &mut samples };
            score += u64::from(game(&setup, &net, player, &mut rng, to));
        }
        println!(
            "{stage}: {games} games of {:.1} cards, {} positions, {:.1?}",
            score as f64 / games as f64,
            samples.len(),
            begun.elapsed()
        );
        let mut trainer = Trainer::new(&net, &mut rng);
        let epochs = number(2);
        for epoch in 0..epochs {
            let rate = rate * (1.0 - epoch as f32 / epochs as f32).max(0.1);
            let loss = trainer.epoch(&mut samples, rate, &mut rng);
            println!(
                "  epoch {epoch}: {loss:.5}, held out {:.5}",
                trainer.loss(&held)
            );
        }
        net = Net::from_bytes(&trainer.net().to_bytes());
        std::fs::write(path, net.to_bytes()).expect("the weights can be written");
    }
}

/// A table of a kind, with all sorts of spells.
fn table(kind: &str, rng: &mut fastrand::Rng) -> Setup {
    let (mode, players) = match kind {
        "two" => (Mode::Versus, 2),
        "four" => (Mode::Versus, rng.usize(3..=4)),
        "six" => (Mode::Versus, rng.usize(5..=6)),
        _ => (Mode::Solo, 1),
    };
    let mut setup = Setup::new(Preset::Capstone, mode, players);
    setup.start = setup.seats.get(rng.usize(0..players)).copied();
    setup.options.max_rounds = Some(150);
    setup.spells = match rng.u32(0..4) {
        _ if mode == Mode::Solo && std::env::var("SPELLS").is_err() => {
            Spells::Chosen(SpellSet::NONE)
        }
        0 | 1 if mode == Mode::Versus => Spells::Chosen(SpellSet::BEGINNER),
        _ => Spells::Random(3),
    };
    setup
}
