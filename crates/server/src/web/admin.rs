//! The operator's page behind a secret link, and reports from players.

use std::fmt::Write as _;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, LOCATION, REFERRER_POLICY,
};
use axum::response::{Html, IntoResponse, Response};
use axum::{Extension, Form, Json};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use towers_table::{Digest, ErrorCode, NewReport, REPORT_CHARS};

use super::App;
use super::address::ClientAddress;
use super::api::Problem;
use super::json::parse;
use crate::limits::network;
use crate::secrets;
use crate::storage::{Moderation, Report, TableRow};
use crate::tables::ConnectedPerson;

/// The maximum number of rows in each list.
const ROWS: u32 = 200;

/// Headers of the operator's page, which has forms and no scripts.
const PAGE_HEADERS: [(HeaderName, &str); 3] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    // With no-referrer, browsers would not send the origin of a form.
    (REFERRER_POLICY, "same-origin"),
    (CACHE_CONTROL, "no-store"),
];

/// Reports a table. Anybody with its link may do so.
pub async fn report(
    State(app): State<Arc<App>>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    Path(table): Path<String>,
    body: Bytes,
) -> Result<StatusCode, Problem> {
    let NewReport { reason } = parse(&body)?;
    let reason: String = reason.chars().filter(|c| !c.is_control()).collect();
    if reason.trim().is_empty() || reason.chars().count() > REPORT_CHARS {
        let message = format!("a report has 1 to {REPORT_CHARS} characters");
        return Err(Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            ErrorCode::BadText,
            &message,
        ));
    }
    let shared = app.registry.shared();
    if let Err(after) = shared.budgets.reports.take(&address) {
        shared.metrics.over_limit.increment(1);
        let message = "too many reports from your address: wait a while";
        return Err(Problem::too_many(message).retry_after(after));
    }
    if !towers_table::is_table_id(&table) || shared.storage.summary(&table).await?.is_none() {
        return Err(Problem::no_table());
    }
    tracing::info!(table = secrets::short(&table), "a table was reported");
    let at = shared.clock.now();
    let report = Moderation::Report { table, at, reason };
    shared.storage.moderate(report).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Checks the operator's secret. A wrong one is answered like an unknown path.
fn authorize(app: &App, secret: &str) -> Result<(), Problem> {
    // Compare hashes, so that the response time reveals nothing about the secret.
    let hash = Digest::digest(&[secret.as_bytes()]);
    if app.admin_secret == Some(hash) {
        Ok(())
    } else {
        Err(super::api::not_found())
    }
}

/// A table with its summary.
#[derive(Serialize)]
struct TableState {
    #[serde(flatten)]
    row: TableRow,
    summary: Value,
}

#[derive(Serialize)]
struct Ban {
    address: IpAddr,
    until: u64,
}

/// The contents of the operator's page.
#[derive(Serialize)]
pub struct AdminState {
    now: u64,
    tables: Vec<TableState>,
    people: Vec<ConnectedPerson>,
    reports: Vec<Report>,
    bans: Vec<Ban>,
}

async fn read_state(app: &App) -> Result<AdminState, Problem> {
    let shared = app.registry.shared();
    let tables = shared.storage.tables(ROWS).await?;
    let tables = tables.into_iter().map(|row| TableState {
        summary: serde_json::from_str(&row.summary).unwrap_or_default(),
        row,
    });
    let bans = shared.bans.list().into_iter();
    Ok(AdminState {
        now: shared.clock.now(),
        tables: tables.collect(),
        people: app.registry.connected_people().await,
        reports: shared.storage.reports(ROWS).await?,
        bans: bans
            .map(|(address, until)| Ban { address, until })
            .collect(),
    })
}

pub async fn state(
    State(app): State<Arc<App>>,
    Path(secret): Path<String>,
) -> Result<Response, Problem> {
    authorize(&app, &secret)?;
    let state = read_state(&app).await?;
    Ok(([(CACHE_CONTROL, "no-store")], Json(state)).into_response())
}

#[derive(Debug, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum OperatorAction {
    Hide { table: String },
    Show { table: String },
    Delete { table: String },
    DeleteName { table: String, name: String },
    Dismiss { table: String },
    Ban { address: IpAddr, minutes: u64 },
    Unban { address: IpAddr },
}

pub async fn change(
    State(app): State<Arc<App>>,
    Path(secret): Path<String>,
    Form(fields): Form<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    authorize(&app, &secret)?;
    let change = parse_change(fields)?;
    if !carry_out(&app, change).await? {
        let message = "there is no such table, name or address";
        return Err(Problem::new(
            StatusCode::NOT_FOUND,
            ErrorCode::Nothing,
            message,
        ));
    }
    let back = format!("/admin/{secret}");
    Ok((StatusCode::SEE_OTHER, [(LOCATION, back)]).into_response())
}

/// Parses a form. Its values are texts, so numbers are parsed here.
fn parse_change(fields: Vec<(String, String)>) -> Result<OperatorAction, Problem> {
    let fields = fields.into_iter().map(|(name, text)| {
        let value = match text.parse::<u64>() {
            Ok(number) if name == "minutes" => number.into(),
            _ => Value::String(text),
        };
        (name, value)
    });
    serde_json::from_value(Value::Object(fields.collect())).map_err(|e| {
        Problem::new(
            StatusCode::BAD_REQUEST,
            ErrorCode::BadMessage,
            &e.to_string(),
        )
    })
}

/// Executes an operator's action. It is logged without personal data.
async fn carry_out(app: &App, change: OperatorAction) -> Result<bool, Problem> {
    let shared = app.registry.shared();
    let moderate = async |change: Moderation| shared.storage.moderate(change).await;
    let now = shared.clock.now();
    let done = match change {
        OperatorAction::Hide { table } => {
            tracing::warn!(table = secrets::short(&table), "the operator hid a table");
            let hidden = true;
            moderate(Moderation::Hide { table, hidden }).await? > 0
        }
        OperatorAction::Show { table } => {
            tracing::warn!(
                table = secrets::short(&table),
                "the operator showed a table again"
            );
            let hidden = false;
            moderate(Moderation::Hide { table, hidden }).await? > 0
        }
        OperatorAction::Delete { table } => {
            tracing::warn!(
                table = secrets::short(&table),
                "the operator deleted a table"
            );
            app.registry.delete(&table).await?
        }
        OperatorAction::DeleteName { table, name } => {
            tracing::warn!(
                table = secrets::short(&table),
                "the operator deleted a name"
            );
            app.registry.remove_name(&table, &name).await?
        }
        OperatorAction::Dismiss { table } => {
            let done = moderate(Moderation::DismissReports { table }).await? > 0;
            app.registry.erase("").await;
            done
        }
        OperatorAction::Ban { address, minutes } => {
            tracing::warn!(minutes, "the operator banned an address");
            let time = Duration::from_secs(minutes.saturating_mul(60));
            let until = now.saturating_add(time.as_millis() as u64);
            let address = network(address);
            let network = address.to_string();
            moderate(Moderation::Ban { network, until }).await?;
            shared.bans.reload(&*shared.storage, now).await?;
            app.registry.disconnect(address).await;
            true
        }
        OperatorAction::Unban { address } => {
            tracing::warn!("the operator ended a ban");
            let network = network(address).to_string();
            let done = moderate(Moderation::Unban { network }).await? > 0;
            app.registry.erase("").await;
            shared.bans.reload(&*shared.storage, now).await?;
            done
        }
    };
    Ok(done)
}

pub async fn page(
    State(app): State<Arc<App>>,
    Path(secret): Path<String>,
) -> Result<Response, Problem> {
    authorize(&app, &secret)?;
    let state = read_state(&app).await?;
    Ok((PAGE_HEADERS, Html(render(&state))).into_response())
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

fn button(action: &str, fields: &[(&str, &str)], label: &str) -> String {
    let mut form = format!("<form method=post><input type=hidden name=action value={action}>");
    for (name, value) in fields {
        let value = escape(value);
        let _ = write!(form, "<input type=hidden name={name} value=\"{value}\">");
    }
    form + &format!("<button>{label}</button></form>")
}

fn minutes_ago(now: u64, then: i64) -> i64 {
    (now.cast_signed() - then) / 60_000
}

fn render(state: &AdminState) -> String {
    let mut page = String::from(
        "<!doctype html><html lang=en><meta charset=utf-8><title>Wandering Towers: operator</title>\
         <h1>Tables</h1><table border=1><tr><th>table<th>title<th>stage<th>people<th>entries\
         <th>reports<th>visited (minutes ago)<th>",
    );
    for TableState { row, summary } in &state.tables {
        let text = |field: &str| escape(summary[field].as_str().unwrap_or_default());
        let fields = [("table", row.table.as_str())];
        let seats = summary["seats"].as_array().into_iter().flatten();
        let names = seats.filter_map(|seat| seat["name"].as_str());
        let mut people = String::new();
        for name in names {
            let fields = [("table", row.table.as_str()), ("name", name)];
            people += &escape(name);
            people += &button("delete_name", &fields, "delete this name");
        }
        let toggle = if row.hidden {
            button("show", &fields, "show again")
        } else {
            button("hide", &fields, "hide")
        };
        let _ = write!(
            page,
            "<tr><td>{}<td>{}<td>{}<td>{people}<td>{}<td>{}<td>{}<td>{toggle}{}",
            escape(&row.table),
            text("title"),
            text("stage"),
            row.entries,
            row.reports,
            minutes_ago(state.now, row.visited),
            button("delete", &fields, "delete"),
        );
    }
    page += "</table><h1>Reports</h1><table border=1><tr><th>table<th>minutes ago<th>reason<th>";
    for report in &state.reports {
        let _ = write!(
            page,
            "<tr><td>{}<td>{}<td>{}<td>{}",
            escape(&report.table),
            minutes_ago(state.now, report.at),
            escape(&report.reason),
            button("dismiss", &[("table", &report.table)], "dismiss"),
        );
    }
    page += "</table><h1>People connected here</h1>\
             <table border=1><tr><th>name<th>table<th>address<th>";
    for person in &state.people {
        let address = person.address.to_string();
        let ban = button(
            "ban",
            &[("address", &address), ("minutes", "1440")],
            "ban for a day",
        );
        let name = person.name.as_deref().unwrap_or("(watches)");
        let _ = write!(
            page,
            "<tr><td>{}<td>{}<td>{address}<td>{ban}",
            escape(name),
            escape(&person.table),
        );
    }
    page += "</table><h1>Bans</h1><table border=1><tr><th>address<th>minutes left<th>";
    for ban in &state.bans {
        let address = ban.address.to_string();
        let left = ban.until.saturating_sub(state.now) / 60_000;
        let unban = button("unban", &[("address", &address)], "end");
        let _ = write!(page, "<tr><td>{address}<td>{left}<td>{unban}");
    }
    page + "</table></html>\n"
}
