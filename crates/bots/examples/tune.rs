//! Tunes the evaluation by self-play and writes its weights.
//!
//!     cargo run --release -p towers-bots --features tuning --example tune -- two weights/two.bin \
//!         novice:4000:6 greedy:20000:4 greedy:20000:4 turn:4000:4
//!     cargo run --release -p towers-bots --features tuning --example tune -- solo weights/solo.bin \
//!         greedy:0:0 greedy:20000:4 greedy:20000:4 search:4000:4
//!
//! Each stage is player:games:epochs and starts from the net of the stage before. The environment variables `SEED`,
//! `RATE` (learning rate), `PLAYOUTS` (of searching stages) and `REACTIONS` (the percentage of versus games with
//! reactions) are optional. Versus games are played by the rules of all editions in turn.

use std::fmt::Display;

use fastrand::Rng;
use towers_bots::{shared_tuning as shared, tuning as versus};
use towers_rules::{Mode, Preset, Setup, SpellSet, Spells};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [kind, path, stages @ ..] = args.as_slice() else {
        eprintln!("usage: tune two|four|six|solo|spells FILE player:games:epochs …");
        std::process::exit(2);
    };
    let mut rng = Rng::with_seed(setting("SEED", 1));
    for stage in stages {
        let stage = TuningStage::read(stage);
        match kind.as_str() {
            "solo" | "spells" => alone(kind, path, &stage, &mut rng),
            _ => against(kind, path, &stage, &mut rng),
        }
    }
}

struct TuningStage {
    player: String,
    games: usize,
    epochs: usize,
}

impl TuningStage {
    fn read(text: &str) -> TuningStage {
        let parts: Vec<&str> = text.split(':').collect();
        let number = |i: usize| parts.get(i).and_then(|p| p.parse().ok()).unwrap_or(1);
        TuningStage {
            player: parts[0].into(),
            games: number(1),
            epochs: number(2),
        }
    }

    /// The learning rates, decreasing from epoch to epoch.
    fn rates(&self) -> impl Iterator<Item = f32> + use<> {
        let (epochs, rate) = (self.epochs, setting("RATE", 0.002));
        (0..epochs).map(move |epoch| rate * (1.0 - epoch as f32 / epochs as f32).max(0.1))
    }

    fn report(&self, what: impl Display) {
        println!("{}:{}:{}: {what}", self.player, self.games, self.epochs);
    }
}

fn setting<T: std::str::FromStr>(name: &str, usual: T) -> T {
    let text = std::env::var(name).ok();
    text.and_then(|t| t.parse().ok()).unwrap_or(usual)
}

fn read(path: &str) -> Vec<u8> {
    std::fs::read(path).unwrap_or_default()
}

fn write(path: &str, bytes: &[u8]) {
    std::fs::write(path, bytes).expect("the file of weights is writable");
}

fn alone(kind: &str, path: &str, stage: &TuningStage, rng: &mut Rng) {
    let net = shared::SharedNet::from_bytes(&read(path));
    let player = match stage.player.as_str() {
        "greedy" => shared::SharedPlayer::Greedy,
        _ => shared::SharedPlayer::Search(setting("PLAYOUTS", 48)),
    };
    let (mut samples, mut held) = (Vec::new(), Vec::new());
    let (mut cards, mut wins) = (0, 0);
    for i in 0..stage.games {
        let to = if i % 10 == 0 { &mut held } else { &mut samples };
        let (score, won) = shared::game(&table(kind, rng), &net, player, rng, to);
        wins += u64::from(won);
        cards += u64::from(score) * u64::from(won);
    }
    let (positions, mean) = (samples.len(), cards as f64 / wins.max(1) as f64);
    stage.report(format!(
        "{wins} won with {mean:.2} cards, {positions} positions"
    ));
    let mut trainer = shared::SharedTrainer::new(&net, rng);
    for rate in stage.rates() {
        let loss = trainer.epoch(&mut samples, rate, rng);
        stage.report(format!(
            "loss {loss:.5}, held out {:.5}",
            trainer.loss(&held)
        ));
    }
    write(path, &trainer.net().to_bytes());
}

fn against(kind: &str, path: &str, stage: &TuningStage, rng: &mut Rng) {
    let net = versus::Net::from_bytes(&read(path));
    let player = match stage.player.as_str() {
        "novice" => versus::TrainingPlayer::Novice,
        "greedy" => versus::TrainingPlayer::Greedy,
        _ => versus::TrainingPlayer::Turn,
    };
    let (mut samples, mut held) = (Vec::new(), Vec::new());
    for i in 0..stage.games {
        let to = if i % 10 == 0 { &mut held } else { &mut samples };
        versus::game(&table(kind, rng), &net, player, rng, to);
    }
    let mut trainer = versus::Trainer::new(&net, rng);
    for rate in stage.rates() {
        let loss = trainer.epoch(&mut samples, rate, rng);
        stage.report(format!(
            "loss {loss:.5}, held out {:.5}",
            trainer.loss(&held)
        ));
    }
    write(path, &trainer.net().to_bytes());
}

/// A setup of a kind with random spells.
fn table(kind: &str, rng: &mut Rng) -> Setup {
    let (mode, players) = match kind {
        "two" => (Mode::Versus, 2),
        "four" => (Mode::Versus, rng.usize(3..=4)),
        "six" => (Mode::Versus, rng.usize(5..=6)),
        _ => (Mode::Solo, 1),
    };
    let preset = match mode {
        Mode::Versus => Preset::ALL[rng.usize(0..Preset::ALL.len())],
        Mode::Solo | Mode::Coop => Preset::Capstone,
    };
    let mut setup = Setup::new(preset, mode, players);
    setup.options.reactions = mode == Mode::Versus && rng.u32(0..100) < setting("REACTIONS", 0);
    setup.start = setup.seats.get(rng.usize(0..players)).copied();
    setup.options.max_rounds = Some(150);
    setup.spells = match (kind, rng.u32(0..4)) {
        ("solo", _) => Spells::Chosen(SpellSet::NONE),
        ("spells", 0) => Spells::Random(rng.u8(1..=8)),
        ("spells", _) => Spells::Random(3),
        (_, 0 | 1) => Spells::Chosen(SpellSet::BEGINNER),
        _ => Spells::Random(3),
    };
    setup
}
