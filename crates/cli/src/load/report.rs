//! What was measured, as text and as JSON, with everything as a ratio to the least that any server
//! has to do.

use std::fmt::Write;

use serde::Serialize;

use super::crowd::Played;

/// Playing for a while.
#[derive(Clone, Debug, Serialize)]
pub struct Play {
    pub actions: usize,
    pub errors: usize,
    pub per_second: f64,
    /// Milliseconds from sending an action until everybody at the table has been told.
    pub p50: f64,
    pub p99: f64,
    pub worst: f64,
    /// Microseconds of the server's processor time for an action.
    pub cost: f64,
}

impl Play {
    pub fn of(played: &Played, processor: f64) -> Play {
        let actions = played.times.len();
        Play {
            actions,
            errors: played.errors.len(),
            per_second: played.rate(),
            p50: played.percentile(50),
            p99: played.percentile(99),
            worst: played.percentile(100),
            cost: processor * 1e6 / actions.max(1) as f64,
        }
    }
}

/// Everything.
#[derive(Debug, Serialize)]
pub struct Report {
    pub tables: usize,
    pub players: usize,
    pub database: &'static str,
    /// Echoes a second of a bare server.
    pub echo: f64,
    /// Rows a second, each in a transaction of its own.
    pub appends: f64,
    /// Rows a second, as many in a transaction as the server takes.
    pub grouped_appends: f64,
    /// Bytes of the server's memory for a connection without anything going on.
    pub bytes_per_connection: f64,
    /// The same with its share of a table at which a game goes on.
    pub bytes_per_player: f64,
    pub paced: Play,
    pub flat_out: Play,
    pub with_bots: Option<Play>,
}

impl Report {
    pub fn text(&self) -> String {
        let play = |name: &str, play: &Play| {
            format!(
                "{name:<22}{:>8.0} actions/s   p50 {:>7.2} ms   p99 {:>7.2} ms   worst {:>7.1} ms   \
                 {:>5.0} µs of processor each   {} errors\n",
                play.per_second, play.p50, play.p99, play.worst, play.cost, play.errors
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
        text += &play("as fast as they can", &self.flat_out);
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
