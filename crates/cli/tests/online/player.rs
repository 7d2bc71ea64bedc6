//! Scripted players: they do anything that is legal.

use rules::Action;
use table::{Command, GameView, ServerMessage, Stage};

use super::client::{Client, bot, sit};
use super::process::create;

/// Numbers that look random enough.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n.max(1) as u64) as usize
    }
}

/// Something to do in a game, if it is up to the viewer.
pub fn choose(game: &GameView, dice: &mut Dice) -> Option<(u64, Action)> {
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
    let mut dice = Dice(seed);
    client
        .say(&table::ClientMessage::View)
        .await
        .expect("the connection is open");
    loop {
        let message = client.next().await.expect("the connection stays open");
        let game = match &message {
            ServerMessage::View { view, .. } if view.stage == Stage::Over => return client,
            ServerMessage::View { view, .. } => view.game.as_deref(),
            ServerMessage::Happened { seen, .. } => {
                let over = seen.game.as_ref().is_some_and(|g| g.waiting.is_none());
                if over {
                    return client;
                }
                seen.game.as_deref()
            }
            // Somebody else was faster, with an offer for instance: the next message tells.
            ServerMessage::Rejected { why, .. } => {
                assert!(matches!(why.code.as_str(), "stale" | "illegal"), "{why:?}");
                None
            }
            _ => None,
        };
        if let Some((decision, action)) = game.and_then(|game| choose(game, &mut dice)) {
            let act = Command::Act {
                action,
                decision: Some(decision),
            };
            client.send(act).await.expect("the connection is open");
        }
    }
}

/// A table at which so many people sit, and bots on the other seats. The host is the first.
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

/// Everybody plays at once; comes back when the game is over.
pub async fn play_together(clients: Vec<Client>, seed: u64) -> Vec<Client> {
    let tasks: Vec<_> = clients
        .into_iter()
        .zip(seed..)
        .map(|(client, seed)| tokio::spawn(play_on(client, seed * 977)))
        .collect();
    let mut done = Vec::new();
    for task in tasks {
        done.push(task.await.expect("nothing unexpected happens"));
    }
    done
}
