//! Scripted players that take random legal actions.

use towers_rules::Action;
use towers_table::{Command, GameView, ServerMessage, Stage};

use super::client::{Client, bot, sit};
use super::process::create;

/// Pseudo-random numbers.
pub struct TestRandom(pub u64);

impl TestRandom {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n.max(1) as u64) as usize
    }
}

/// A random legal action, if the viewer is to act.
pub fn choose(game: &GameView, dice: &mut TestRandom) -> Option<(u64, Action)> {
    let waiting = game.waiting?;
    let offers = !game.optional.is_empty() && dice.below(6) == 0;
    let list = if offers { &game.optional } else { &game.legal };
    if list.is_empty() {
        return None;
    }
    Some((waiting.decision, list[dice.below(list.len())]))
}

/// Plays until the game is over.
pub async fn play_on(mut client: Client, seed: u64) -> Client {
    let mut dice = TestRandom(seed);
    client
        .say(&towers_table::ClientMessage::View)
        .await
        .expect("the connection is open");
    loop {
        let message = client.next().await.expect("the connection stays open");
        let game = match &message {
            ServerMessage::View { .. } => client.game(),
            ServerMessage::Happened(update) if update.seen.changes_game() => client.game(),
            ServerMessage::Rejected { why, .. } => {
                // Another player was faster, for instance with an offer. An update follows.
                assert!(matches!(why.code.as_str(), "stale" | "illegal"), "{why:?}");
                continue;
            }
            // Other messages may still belong to the time before this game.
            _ => continue,
        };
        if client
            .table
            .as_ref()
            .is_some_and(|t| t.stage == Stage::Over)
        {
            return client;
        }
        if let Some((decision, action)) = game.and_then(|game| choose(game, &mut dice)) {
            let act = Command::Act {
                action,
                decision: Some(decision),
            };
            client.send(act).await.expect("the connection is open");
        }
    }
}

/// A table with this many people, the host first, and bots on the other seats.
pub async fn gather(port: u16, settings: &str, people: usize) -> (String, Vec<Client>) {
    let (table, token) = create(port, "Ann", settings).await;
    let mut clients = vec![Client::connect(port, &table, Some(&token)).await];
    clients[0].ok(sit("Ann")).await;
    for name in ["Ben", "Cy", "Di", "Ed", "Flo"].iter().take(people - 1) {
        let mut client = Client::connect(port, &table, None).await;
        client.ok(sit(name)).await;
        clients.push(client);
    }
    while clients[0].ask(bot()).await.is_ok() {}
    (table, clients)
}

/// Lets everybody play; returns when the game is over.
pub async fn play_together(clients: Vec<Client>, seed: u64) -> Vec<Client> {
    let tasks: Vec<_> = clients
        .into_iter()
        .zip(seed..)
        .map(|(client, seed)| tokio::spawn(play_on(client, seed * 977)))
        .collect();
    // Fails as soon as one task fails, because the others would wait for it.
    let all = futures_util::future::try_join_all(tasks).await;
    all.expect("every player plays to the end")
}
