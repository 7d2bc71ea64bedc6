//! The commands of `docs/hosting.md`, run or checked as far as possible.

use std::path::Path;
use std::process::Command;

use super::process::towers;

const HOSTING: &str = include_str!("../../../../docs/hosting.md");
const COMPOSE: &str = include_str!("../../../../deploy/compose.yaml");
const NGINX: &str = include_str!("../../../../deploy/nginx.conf");

/// The fenced blocks of one kind.
pub fn blocks(kind: &str) -> Vec<String> {
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

pub fn commands() -> Vec<String> {
    let blocks = blocks("sh");
    let lines = blocks.iter().flat_map(|block| block.lines());
    lines.map(Into::into).collect()
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn the_shell_can_read_every_command_and_files_of_the_repository_exist() {
    let commands = commands();
    // Some commands create files.
    let is_created = |file: &str| {
        let create = format!("install -m 600 /dev/null {file}");
        commands.contains(&create)
    };
    for command in &commands {
        let read = Command::new("sh").args(["-n", "-c", command]).status();
        assert!(read.unwrap().success(), "{command}");
        for word in command
            .split(' ')
            .filter(|word| word.starts_with("deploy/"))
        {
            let word = word.trim_end_matches([';', '\'']);
            assert!(is_created(word) || root().join(word).exists(), "{word}");
        }
    }
    assert!(commands.len() > 40);
}

/// With `--help` after the arguments, they are parsed but not executed.
#[test]
fn the_program_understands_its_commands() {
    let mut seen = 0;
    for command in commands() {
        let command = command.split(" #").next().unwrap_or_default();
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
    assert!(seen >= 18, "{seen}");
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

/// The commands that create the secrets of the example with containers, run in another folder, and the file that uses
/// them. Docker itself checks the file where it is installed.
#[test]
fn the_example_with_containers_finds_its_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let deploy = folder.path().join("deploy");
    std::fs::create_dir(&deploy).unwrap();
    let is_secret = |line: &String| {
        let words = ["install -m 600 /dev/null deploy/", "sh -c", "chown 65534"];
        words.iter().any(|start| line.starts_with(start))
    };
    let commands: Vec<String> = commands().into_iter().filter(is_secret).collect();
    assert_eq!(commands.len(), 4, "{commands:?}");
    for command in &commands {
        // Only root may give files away.
        let command = command.replace("chown 65534", "test -s");
        let mut shell = Command::new("sh");
        let done = shell
            .args(["-e", "-c", &command])
            .current_dir(folder.path());
        assert!(done.status().unwrap().success(), "{command}");
    }
    let read = |name: &str| std::fs::read_to_string(deploy.join(name)).unwrap();
    let (password, address) = (read("password"), read("database-url"));
    assert!(password.len() >= 32, "{password}");
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    assert!(
        password.chars().all(is_plain),
        "usable in an address: {password}"
    );
    assert_eq!(
        address,
        format!("postgres://towers:{password}@database/towers")
    );
    for name in ["password", "database-url"] {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(deploy.join(name)).unwrap().permissions();
        assert_eq!(mode.mode() & 0o777, 0o600, "{name}");
        assert!(COMPOSE.contains(&format!("  {name}:\n    file: ./{name}\n")));
        assert!(COMPOSE.contains(&format!("/run/secrets/{name}\n")));
        assert!(
            COMPOSE.contains(&format!("secrets:\n      - {name}\n"))
                || COMPOSE.contains(&format!("secrets:\n    - {name}\n"))
        );
    }
    assert!(!COMPOSE.contains("${PASSWORD"), "not in the environment");
    for file in ["compose.yaml", "Caddyfile"] {
        std::fs::copy(root().join("deploy").join(file), deploy.join(file)).unwrap();
    }
    let mut docker = Command::new("docker");
    docker.args(["compose", "-f", "deploy/compose.yaml", "config", "--quiet"]);
    docker
        .current_dir(folder.path())
        .env("SITE", "towers.example");
    let has_compose = Command::new("docker").args(["compose", "version"]).output();
    if has_compose.is_ok_and(|output| output.status.success()) {
        let output = docker.output().unwrap();
        assert!(output.status.success(), "{output:?}");
    } else {
        println!("docker compose is not installed: deploy/compose.yaml is not parsed");
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
    verify.args(["verify", "--man=no"]).arg(&copy);
    for file in ["towers-tls.path", "towers-tls.service"] {
        let to = folder.path().join(file);
        std::fs::copy(root().join("deploy").join(file), &to).unwrap();
        verify.arg(to);
    }
    match verify.output() {
        Err(why) => eprintln!("systemd-analyze is not installed: {why}"),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success() && said.is_empty(), "{said}");
        }
    }
}
