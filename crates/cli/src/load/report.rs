//! The results as text and as JSON, also as ratios to the least work that any server has to do.

use std::fmt::Write;

use serde::Serialize;

use super::crowd::PlayResult;

/// The results of one part.
#[derive(Clone, Debug, Serialize)]
pub struct Play {
    pub actions: usize,
    pub errors: usize,
    pub per_second: f64,
    /// Milliseconds from sending an action until everybody at the table has received it.
    pub p50: f64,
    pub p99: f64,
    pub worst: f64,
    /// Microseconds of the server's processor time per action.
    pub cost: f64,
    /// The same of the simulated players, which share the machine.
    pub players_cost: f64,
    /// Bytes of messages that each player is sent for an action.
    pub bytes: f64,
}

impl Play {
    /// The results, with the processor time of the server and of the players in seconds.
    pub fn of(played: &PlayResult, server: f64, players: f64) -> Play {
        let actions = played.times.len();
        let each = |seconds: f64| seconds * 1e6 / actions.max(1) as f64;
        Play {
            actions,
            errors: played.errors.len(),
            per_second: played.rate(),
            p50: played.percentile(50),
            p99: played.percentile(99),
            worst: played.percentile(100),
            cost: each(server),
            players_cost: each(players),
            bytes: played.bytes_per_action(),
        }
    }
}

/// The results of all parts.
#[derive(Debug, Serialize)]
pub struct LoadReport {
    pub tables: usize,
    pub players: usize,
    pub database: &'static str,
    /// Echoes per second of a plain server.
    pub echo: f64,
    /// Rows per second, each in a separate transaction.
    pub appends: f64,
    /// Rows per second, batched as the server does.
    pub grouped_appends: f64,
    /// Bytes of the server's memory per idle connection.
    pub bytes_per_connection: f64,
    /// The same with its share of a table with a game in progress.
    pub bytes_per_player: f64,
    pub paced: Play,
    pub flat_out: Play,
    pub with_bots: Option<Play>,
}

impl LoadReport {
    pub fn text(&self) -> String {
        let play = |name: &str, play: &Play| {
            format!(
                "{name:<22}{:>8.0} actions/s   p50 {:>7.2} ms   p99 {:>7.2} ms   worst {:>7.1} ms   \
                 {:>5.0} µs of processor each, {:.0} of the players   {:>5.0} bytes to each player   \
                 {} errors\n",
                play.per_second,
                play.p50,
                play.p99,
                play.worst,
                play.cost,
                play.players_cost,
                play.bytes,
                play.errors
            )
        };
        let mut text = format!(
            "{} players at {} tables, {}\n",
            self.players, self.tables, self.database
        );
        text += &play("paced", &self.paced);
        if let Some(with_bots) = &self.with_bots {
            text += &play("paced, bots think", with_bots);
        }
        text += &play("as fast as possible", &self.flat_out);
        let rate = self.flat_out.per_second;
        let _ = write!(
            text,
            "memory                {:>8.1} KiB per idle connection, {:.1} KiB per player in a game\n\
             bare echo             {:>8.0} /s   actions are {:.3} of it\n\
             bare durable appends  {:>8.0} /s   actions are {:.2} of it\n\
             the same in groups    {:>8.0} /s   actions are {:.3} of it\n",
            self.bytes_per_connection / 1024.0,
            self.bytes_per_player / 1024.0,
            self.echo,
            rate / self.echo,
            self.appends,
            rate / self.appends,
            self.grouped_appends,
            rate / self.grouped_appends,
        );
        text
    }
}
