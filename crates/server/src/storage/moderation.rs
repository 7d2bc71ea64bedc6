//! Operators' changes and queries, in SQL that both databases understand.

use serde::Serialize;
use towers_table::Millis;

use super::signed;

/// A change by an operator, or a report to one.
#[derive(Clone, Debug)]
pub enum Moderation {
    /// Hides a table from the lobby, or shows it again.
    Hide { table: String, hidden: bool },
    /// A report of a table. A table keeps a bounded number of reports.
    Report {
        table: String,
        at: Millis,
        reason: String,
    },
    /// Deletes the reports of a table.
    DismissReports { table: String },
    /// Bans an address until a time.
    Ban { network: String, until: Millis },
    /// Lifts the ban of an address.
    Unban { network: String },
    /// Deletes expired bans.
    ExpireBans { now: Millis },
}

impl Moderation {
    /// The statement; `$1` is [`subject`](Moderation::subject), `$2` is
    /// [`number`](Moderation::number), `$3`, if there is one, is [`reason`](Moderation::reason).
    pub fn sql(&self) -> &'static str {
        match self {
            Moderation::Hide { .. } => {
                "UPDATE tables SET hidden = (CAST($2 AS BIGINT) <> 0) WHERE id = $1"
            }
            Moderation::Report { .. } => {
                "INSERT INTO reports (table_id, at, reason) \
                 SELECT id, $2, $3 FROM tables WHERE id = $1 \
                 AND (SELECT COUNT(*) FROM reports WHERE table_id = $1) < 20"
            }
            Moderation::DismissReports { .. } => {
                "DELETE FROM reports WHERE table_id = $1 AND at <= $2"
            }
            Moderation::Ban { .. } => {
                "INSERT INTO bans (network, until) VALUES ($1, $2) \
                 ON CONFLICT (network) DO UPDATE SET until = $2"
            }
            Moderation::Unban { .. } => "DELETE FROM bans WHERE network = $1 AND until > $2",
            Moderation::ExpireBans { .. } => "DELETE FROM bans WHERE network <> $1 AND until <= $2",
        }
    }

    pub fn subject(&self) -> &str {
        match self {
            Moderation::Hide { table, .. }
            | Moderation::Report { table, .. }
            | Moderation::DismissReports { table } => table,
            Moderation::Ban { network, .. } | Moderation::Unban { network } => network,
            Moderation::ExpireBans { .. } => "",
        }
    }

    pub fn number(&self) -> i64 {
        match self {
            Moderation::Hide { hidden, .. } => i64::from(*hidden),
            Moderation::Report { at, .. } => signed(*at),
            Moderation::DismissReports { .. } => i64::MAX,
            Moderation::Ban { until, .. } => signed(*until),
            Moderation::Unban { .. } => 0,
            Moderation::ExpireBans { now } => signed(*now),
        }
    }

    pub fn reason(&self) -> Option<&str> {
        match self {
            Moderation::Report { reason, .. } => Some(reason),
            _ => None,
        }
    }
}

/// A table as an operator sees it.
#[derive(Clone, Debug, Serialize)]
pub struct TableRow {
    pub table: String,
    pub visited: i64,
    pub hidden: bool,
    pub archived: bool,
    pub entries: i64,
    pub reports: i64,
    /// What the lobby shows, as JSON.
    #[serde(skip)]
    pub summary: String,
}

/// A report of a table.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub table: String,
    pub at: i64,
    pub reason: String,
}

/// A table with a new log.
#[derive(Clone, Debug)]
pub struct Rewrite {
    pub table: String,
    pub header: String,
    /// All entries in order, from number 1.
    pub lines: Vec<String>,
    pub summary: String,
}

/// The most recently visited tables.
pub const TABLES: &str = "\
    SELECT id, visited, hidden, archived IS NOT NULL, \
    COALESCE((SELECT MAX(number) FROM entries WHERE table_id = id), \
             (SELECT MAX(number) FROM packed_logs WHERE table_id = id), 0), \
    (SELECT COUNT(*) FROM reports WHERE table_id = id), summary \
    FROM tables ORDER BY visited DESC LIMIT $1";

/// The newest reports.
pub const REPORTS: &str = "SELECT table_id, at, reason FROM reports ORDER BY at DESC LIMIT $1";

/// Bans that have not expired.
pub const BANS: &str = "SELECT network, until FROM bans WHERE until > $1";

/// A table's new header and summary; its log is no longer packed.
pub const REWRITE_TABLE: &str =
    "UPDATE tables SET header = $2, summary = $3, packed = FALSE WHERE id = $1";
