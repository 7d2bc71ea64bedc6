//! Settings from the environment and from files, and the errors for invalid ones.

use std::process::Output;

use super::process::{Data, Process, create, towers};

/// Starts a server with an unusable data folder, which fails after its settings were read.
fn start_with(variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut server = towers();
    server.args(["serve", "--listen", "127.0.0.1:0", "--data", "/dev/null/x"]);
    let output = server.envs(variables.iter().copied()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), said)
}

#[test]
fn a_flag_in_the_environment_is_said_in_any_usual_way() {
    let flags = flags();
    assert!(flags.len() >= 2, "{flags:?}");
    for flag in flags {
        for value in ["1", "true", "yes", "0", "false", "no"] {
            let (code, said) = start_with(&[(&flag, value)]);
            assert_eq!(code, Some(1), "{flag}={value}: {said}");
            assert!(said.contains("data folder"), "{said}");
        }
        let (code, said) = start_with(&[(&flag, "perhaps")]);
        assert_eq!(code, Some(2), "{flag}: {said}");
        assert!(said.contains("perhaps"), "{said}");
    }
}

/// The variables of all flags without a value, as the program itself lists them.
fn flags() -> Vec<String> {
    let help = towers().args(["serve", "--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let mut takes_value = true;
    let mut flags = Vec::new();
    for line in help.lines().map(str::trim) {
        if line.starts_with('-') {
            takes_value = line.contains('<');
        }
        if let Some((_, rest)) = line.split_once("[env: ")
            && !takes_value
        {
            flags.push(rest.split(['=', ']']).next().unwrap().to_string());
        }
    }
    flags
}

#[test]
fn a_log_filter_that_means_nothing_is_an_error() {
    for good in ["warn", "info,sqlx=debug", ""] {
        assert_eq!(start_with(&[("TOWERS_LOG", good)]).0, Some(1), "{good}");
    }
    for bad in ["warm", "server=loud", "info,,[", "debug warn"] {
        let (code, said) = start_with(&[("TOWERS_LOG", bad)]);
        assert_eq!(code, Some(2), "{bad}: {said}");
        assert!(said.contains("TOWERS_LOG"), "{said}");
    }
}

#[tokio::test]
async fn the_address_of_the_database_can_be_in_a_file() {
    let postgres = towers_test_support::Postgres::start().unwrap();
    let data = Data::new();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("secret");
    std::fs::write(&file, format!("{}\n", postgres.url())).unwrap();
    let args = ["--database-url-file", file.to_str().unwrap()];
    let process = Process::start_quick_with(&data.path(), &args);
    create(process.port, "Ann", "{}").await;
    let count = postgres.query("SELECT count(*) FROM tables").unwrap();
    assert_eq!(count, "1");
    // Both at once are ambiguous; an empty or missing file is an error.
    let file = file.to_str().unwrap();
    let both = [
        ("TOWERS_DATABASE_URL", "postgres://a@localhost/a"),
        ("TOWERS_DATABASE_URL_FILE", file),
    ];
    assert_eq!(start_with(&both).0, Some(2));
    let missing = [("TOWERS_DATABASE_URL_FILE", "/no/such/file")];
    let (code, said) = start_with(&missing);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("no such file"), "{said}");
}

#[test]
fn towers_health_asks_the_server_of_this_computer() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let ask = |port: u16, more: &[&str]| -> Output {
        let mut health = towers();
        health.args(["health", "--listen", &format!("0.0.0.0:{port}")]);
        health.args(more).output().unwrap()
    };
    for more in [&[][..], &["--live"]] {
        let output = ask(process.port, more);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(output.stdout, b"ok\n");
    }
    let port = process.port;
    drop(process);
    let output = ask(port, &[]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}
