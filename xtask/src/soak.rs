//! Servers and databases are killed again and again while people play.

use crate::run::{Done, cargo, run};

/// So many kills of a server on `SQLite`, as many of one of two servers on `PostgreSQL`, and a quarter
/// as many of `PostgreSQL` itself. It fails if play stands still for more than two seconds after a
/// kill, which takes a machine that has nothing else to do.
pub fn storm(kills: u32) -> Done {
    crate::postgres::install()?;
    let tests = [
        "test",
        "--package",
        "wandering-towers",
        "--test",
        "online",
        "--",
        "--nocapture",
        "--test-threads=1",
        "nothing_acknowledged_is_lost",
        "when_the_database_restarts",
    ];
    run(cargo(&tests)
        .env("TOWERS_TEST_KILLS", kills.to_string())
        .env("TOWERS_TEST_PATIENCE", "2"))
}
