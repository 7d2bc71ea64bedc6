//! The commands of `docs/hosting.md`, run or checked as far as possible.

use std::path::Path;
use std::process::Command;

use super::process::towers;

const HOSTING: &str = include_str!("../../../../docs/hosting.md");
const NGINX: &str = include_str!("../../../../deploy/nginx.conf");

/// The fenced blocks of one kind.
fn blocks(kind: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<(bool, Vec<&str>)> = None;
    for line in HOSTING.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => open = Some((language == kind, Vec::new())),
            (Some((wanted, lines)), Some(_)) => {
                if *wanted {
                    blocks.push(lines.join("\n"));
                }
                open = None;
            }
            (Some((_, lines)), None) => lines.push(line),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

fn commands() -> Vec<String> {
    let blocks = blocks("sh");
    let lines = blocks.iter().flat_map(|block| block.lines());
    lines.map(Into::into).collect()
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn the_shell_can_read_every_command_and_files_of_the_repository_exist() {
    for command in commands() {
        let read = Command::new("sh").args(["-n", "-c", &command]).status();
        assert!(read.unwrap().success(), "{command}");
        for word in command
            .split(' ')
            .filter(|word| word.starts_with("deploy/"))
        {
            assert!(root().join(word).exists(), "{word}");
        }
    }
    assert!(commands().len() > 40);
}

/// With `--help` after the arguments, they are parsed but not executed.
#[test]
fn the_program_understands_its_commands() {
    let mut seen = 0;
    for command in commands() {
        let Some(arguments) = command.strip_prefix("towers") else {
            continue;
        };
        let mut towers = towers();
        let output = towers
            .args(arguments.split_whitespace())
            .arg("--help")
            .output();
        let output = output.unwrap();
        assert!(output.status.success(), "{command}: {output:?}");
        // An unknown flag before `--help` is an error; so is one that lacks its value.
        seen += 1;
    }
    assert!(seen >= 12, "{seen}");
    let mut unknown = towers();
    let output = unknown.args(["--no-such-flag", "--help"]).output().unwrap();
    assert!(!output.status.success());
}

#[test]
fn the_role_and_the_database_are_enough_for_a_server() {
    let postgres = towers_test_support::Postgres::start().unwrap();
    let sql = blocks("sql");
    assert_eq!(sql.len(), 1);
    // The superuser of tests has this name already.
    let sql = sql[0].replace("towers", "games");
    for statement in sql.split(';').filter(|s| !s.trim().is_empty()) {
        postgres.query(statement).unwrap();
    }
    let url = postgres.url_of("games", "games");
    let data = super::process::Data::new();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("database-url");
    std::fs::write(&file, format!("{url}\n")).unwrap();
    let arguments = ["--database-url-file", file.to_str().unwrap()];
    let mut process = super::process::Process::start_with(&data.path(), &arguments);
    let connections = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'games'";
    let count: usize = postgres.query(connections).unwrap().parse().unwrap();
    assert!(count <= 8, "{count} connections");
    assert!(process.stop());
}

#[test]
fn the_lines_for_nginx_are_those_of_the_shipped_file() {
    let [lines] = &blocks("nginx")[..] else {
        panic!("one block");
    };
    for line in lines.lines() {
        assert!(NGINX.contains(line), "{line}");
    }
    assert!(NGINX.contains("hash $uri consistent;") && lines.contains("$http_host"));
}

/// The installed `PostgreSQL` accepts the settings for archiving.
#[test]
fn the_settings_for_point_in_time_recovery_are_understood() {
    let settings = blocks("ini");
    assert_eq!(settings.len(), 2);
    let postgres = towers_test_support::Postgres::start().unwrap();
    for line in settings.iter().flat_map(|block| block.lines()) {
        let (name, value) = line.split_once(" = ").unwrap();
        let set = match value.strip_prefix('\'') {
            Some(_) => format!("ALTER SYSTEM SET {name} = {value}"),
            None => format!("ALTER SYSTEM SET {name} = '{value}'"),
        };
        postgres
            .query(&set)
            .unwrap_or_else(|why| panic!("{line}: {why}"));
    }
}

#[test]
fn the_units_are_understood_by_systemd_where_it_is_installed() {
    let folder = tempfile::tempdir().unwrap();
    let unit = std::fs::read_to_string(root().join("deploy/towers.service")).unwrap();
    let program = towers().get_program().to_string_lossy().into_owned();
    assert!(unit.contains("/usr/local/bin/towers"));
    let unit = unit.replace("/usr/local/bin/towers", &program);
    let copy = folder.path().join("towers.service");
    std::fs::write(&copy, unit).unwrap();
    let overrides = folder.path().join("towers.service.d");
    std::fs::create_dir(&overrides).unwrap();
    for file in ["tls.conf", "database.conf"] {
        let from = root().join("deploy/towers.service.d").join(file);
        std::fs::copy(from, overrides.join(file)).unwrap();
    }
    let mut verify = Command::new("systemd-analyze");
    match verify.args(["verify", "--man=no"]).arg(&copy).output() {
        Err(why) => eprintln!("systemd-analyze is not installed: {why}"),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success() && said.is_empty(), "{said}");
        }
    }
}
