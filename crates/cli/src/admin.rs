//! `towers admin`: manual tasks of a server's operator.

use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use clap::Subcommand;
use serde_json::Value;
use towers_server::Config;

use crate::failure::Failure;
use crate::serve_health::{reachable, request};

/// Administers a server on the computer on which it runs, while it runs.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: AdminCommand,
}

#[derive(Subcommand)]
enum AdminCommand {
    /// List tables, connected people, reports and bans
    List {
        #[command(flatten)]
        server: ServerArgs,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Leave a table out of the lobby
    Hide(TableTarget),
    /// Show a table in the lobby again
    Show(TableTarget),
    /// Delete a table permanently, with its record and its reports
    Delete(TableTarget),
    /// Delete a name from a table's record, with that person's chat messages
    DeleteName {
        #[command(flatten)]
        table: TableTarget,
        /// The name as it is at the table
        name: String,
    },
    /// Delete the reports of a table
    Dismiss(TableTarget),
    /// Ban an address for a time; of an IPv6 address, its /64
    Ban {
        #[command(flatten)]
        server: ServerArgs,
        address: IpAddr,
        /// The length of the ban
        #[arg(long)]
        minutes: u64,
    },
    /// Lift the ban of an address
    Unban {
        #[command(flatten)]
        server: ServerArgs,
        address: IpAddr,
    },
    /// Delete tables that nobody has visited for some time, with their records
    Prune(Prune),
}

/// The server and how to reach it.
#[derive(clap::Args)]
struct ServerArgs {
    /// The address where the server listens for operators [default: that of --listen]
    #[arg(long, env = "TOWERS_OPS_LISTEN")]
    ops_listen: Option<SocketAddr>,
    /// The address where the server listens
    #[arg(long, env = "TOWERS_LISTEN", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Use TLS and accept only this certificate chain (PEM), the one that the server uses
    #[arg(long, env = "TOWERS_TLS_CERT")]
    tls_cert: Option<PathBuf>,
    #[command(flatten)]
    data: DataArgs,
    /// The file with the operator's secret [default: admin-secret in the data folder]
    #[arg(long, env = "TOWERS_ADMIN_SECRET_FILE")]
    admin_secret_file: Option<PathBuf>,
}

#[derive(clap::Args)]
struct TableTarget {
    #[command(flatten)]
    server: ServerArgs,
    /// The table's id, as in links
    table: String,
}

/// The server's data folder.
#[derive(clap::Args)]
struct DataArgs {
    /// The server's data folder
    #[arg(long, env = "TOWERS_DATA", default_value = "data")]
    data: PathBuf,
}

#[derive(clap::Args)]
struct Prune {
    #[command(flatten)]
    data: DataArgs,
    #[arg(
        long,
        env = "TOWERS_DATABASE_URL",
        hide_env_values = true,
        help = "The PostgreSQL database of the server, if it has one"
    )]
    database_url: Option<String>,
    /// The number of days without a visit
    #[arg(long, value_name = "DAYS")]
    delete_after: f64,
    /// Only print the number of tables
    #[arg(long)]
    dry_run: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let change =
        |table: &TableTarget, action| table.server.change(action, &[("table", &table.table)]);
    match &args.command {
        AdminCommand::List { server, json } => list(server, *json),
        AdminCommand::Hide(table) => change(table, "hide"),
        AdminCommand::Show(table) => change(table, "show"),
        AdminCommand::Delete(table) => change(table, "delete"),
        AdminCommand::DeleteName { table, name } => table
            .server
            .change("delete_name", &[("table", &table.table), ("name", name)]),
        AdminCommand::Dismiss(table) => change(table, "dismiss"),
        AdminCommand::Ban {
            server,
            address,
            minutes,
        } => server.change(
            "ban",
            &[
                ("address", &address.to_string()),
                ("minutes", &minutes.to_string()),
            ],
        ),
        AdminCommand::Unban { server, address } => {
            server.change("unban", &[("address", &address.to_string())])
        }
        AdminCommand::Prune(args) => prune(args),
    }
}

impl ServerArgs {
    /// Sends a request; returns the status and the body of the response.
    fn ask(&self, method: &str, path: &str, body: &str) -> Result<(u16, String), Failure> {
        let file = match &self.admin_secret_file {
            Some(file) => file.clone(),
            None => self.data.data.join("admin-secret"),
        };
        let secret =
            std::fs::read_to_string(&file).map_err(|why| Failure::file(file.display(), &why))?;
        let address = reachable(self.ops_listen.unwrap_or(self.listen));
        let path = format!("/admin/{}{path}", secret.trim());
        request(address, method, &path, body, self.tls_cert.as_deref())
            .map_err(|why| Failure::Outside(format!("no response from {address}: {why}")))
    }

    fn change(&self, action: &str, fields: &[(&str, &str)]) -> Result<(), Failure> {
        let mut body = format!("action={action}");
        for (name, value) in fields {
            let _ = write!(body, "&{name}={}", percent_encode(value));
        }
        match self.ask("POST", "", &body)? {
            (303, _) => Ok(()),
            (_, why) => Err(Failure::Outside(format!("refused: {}", why.trim()))),
        }
    }
}

/// Percent-encodes a form value.
fn percent_encode(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
        encoded
    })
}

fn list(server: &ServerArgs, json: bool) -> Result<(), Failure> {
    let (status, body) = server.ask("GET", "/state", "")?;
    if status != 200 {
        return Err(Failure::Outside(format!(
            "the server returned no list: {}",
            body.trim()
        )));
    }
    if json {
        println!("{}", body.trim());
        return Ok(());
    }
    let state: Value = serde_json::from_str(&body).map_err(|e| Failure::Outside(e.to_string()))?;
    let now = state["now"].as_i64().unwrap_or(0);
    let minutes = |then: &Value| (now - then.as_i64().unwrap_or(now)).abs() / 60_000;
    let rows = |name: &str| state[name].as_array().cloned().unwrap_or_default();
    // Names and reports are untrusted text: printed as JSON, so that control characters are escaped.
    println!("tables (title, stage, entries, reports, minutes since the last visit)");
    for t in rows("tables") {
        let hidden = if t["hidden"] == true { " hidden" } else { "" };
        let (table, title) = (t["table"].as_str().unwrap_or(""), &t["summary"]["title"]);
        let (stage, entries, reports) = (&t["summary"]["stage"], &t["entries"], &t["reports"]);
        let visited = minutes(&t["visited"]);
        println!("  {table} {title} {stage} {entries} {reports} {visited}{hidden}");
    }
    println!("people (table, name, address)");
    for p in rows("people") {
        let table = p["table"].as_str().unwrap_or("");
        println!("  {table} {} {}", p["name"], p["address"]);
    }
    println!("reports (table, minutes ago, reason)");
    for r in rows("reports") {
        let table = r["table"].as_str().unwrap_or("");
        println!("  {table} {} {}", minutes(&r["at"]), r["reason"]);
    }
    println!("bans (address, minutes left)");
    for b in rows("bans") {
        println!("  {} {}", b["address"], minutes(&b["until"]));
    }
    Ok(())
}

fn prune(args: &Prune) -> Result<(), Failure> {
    let age = Duration::try_from_secs_f64(args.delete_after * 86_400.0).map_err(|_| {
        Failure::input(format!("--delete-after is too long: {}", args.delete_after))
    })?;
    let config = Config {
        data: args.data.data.clone(),
        database: args.database_url.clone(),
        ..Config::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|why| Failure::Outside(why.to_string()))?;
    let count = runtime
        .block_on(towers_server::prune(&config, age, args.dry_run))
        .map_err(|why| Failure::Outside(why.to_string()))?;
    let done = if args.dry_run { "would be" } else { "were" };
    println!("{count} tables {done} deleted");
    Ok(())
}
