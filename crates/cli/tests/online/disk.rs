//! A full disk and a read-only file: clear errors, no damage, and recovery.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command as Program;
use std::time::{Duration, Instant};

use towers_table::Command;

use super::alarms::Scrapes;
use super::client::Client;
use super::player::{gather, play_together};
use super::process::{Data, Process, http, towers, verified_record};

/// Limits the size of the server's files, in bytes.
fn limit_files(process: &Process, bytes: &str) {
    let pid = process.id().to_string();
    let limit = format!("--fsize={bytes}:");
    let done = Program::new("prlimit")
        .args(["--pid", &pid, &limit])
        .status();
    assert!(done.is_ok_and(|s| s.success()), "prlimit is there");
}

fn chat(text: &str) -> Command {
    Command::Chat { text: text.into() }
}

/// A small separate file system, unmounted when dropped.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// `None` without the permission to mount.
    fn mount() -> Option<SmallDisk> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Program::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=8m", "tmpfs"]);
        let done = mount.arg(folder.path()).output();
        done.is_ok_and(|o| o.status.success())
            .then_some(SmallDisk(folder))
    }

    fn data(&self) -> PathBuf {
        self.0.path().join("data")
    }

    fn ballast(&self) -> PathBuf {
        self.0.path().join("ballast")
    }

    /// Fills it to the last byte.
    fn fill(&self) {
        let mut ballast = File::create(self.ballast()).unwrap();
        for size in [1 << 16, 1 << 10, 1] {
            while ballast.write_all(&vec![1; size]).is_ok() {}
        }
    }

    fn make_room(&self) {
        std::fs::remove_file(self.ballast()).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Program::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

/// Asks for the readiness, which is a quarter of a second old at most.
async fn wait_for_health(process: &Process, status: u16) {
    let begun = Instant::now();
    loop {
        let health = http(process.port, "GET", "/health", &[], "").await;
        if health.status == status {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(1), "{}", health.body);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Plays a game on a server whose disk fills up repeatedly.
async fn play_with_a_full_disk(process: &Process, fill: impl Fn(), make_room: impl Fn()) -> String {
    let settings = r#"{"seats":2,"options":{"max_rounds":6}}"#;
    let (table, mut clients) = gather(process.port, settings, 2).await;
    clients[0].ok(Command::Start).await;
    for round in 0..3 {
        let before = clients[0].view().await;
        let mut alarms = Scrapes::default();
        alarms.take(process).await;
        fill();
        let refused = clients[1].ask(chat("is anybody there?")).await.unwrap_err();
        assert_eq!(refused.code, "not_stored");
        wait_for_health(process, 503).await;
        let opened = http(process.port, "POST", "/api/tables", &[], r#"{"name":"Cy"}"#).await;
        assert_eq!(opened.status, 503, "{}", opened.body);
        alarms.take_until(process, "TowersNotReady").await;
        let firing = alarms.firing();
        assert!(firing.contains(&"TowersWritesFail"), "{firing:?}");
        // Stored data can still be read.
        let view = clients[0].view().await;
        assert_eq!((view.number, view.game), (before.number, before.game));
        make_room();
        wait_for_health(process, 200).await;
        let number = clients[1].ok(chat(&format!("again {round}"))).await;
        assert_eq!(number, before.number + 1);
    }
    play_together(clients, 3).await;
    verified_record(process.port, &table).await;
    table
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_that_cannot_grow_are_said_clearly_and_nothing_is_lost_when_they_can_again() {
    let data = Data::new();
    // Its log goes to a file that cannot be written either.
    let process = Process::start_ignoring_file_limits(&data.path());
    let fill = || limit_files(&process, "1");
    let make_room = || limit_files(&process, "unlimited");
    let table = play_with_a_full_disk(&process, fill, make_room).await;
    drop(process);
    // The file is undamaged.
    let process = Process::start(&data.path());
    verified_record(process.port, &table).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_said_clearly_and_nothing_is_lost_when_there_is_room_again() {
    let Some(disk) = SmallDisk::mount() else {
        println!("only root may mount a small disk: files that cannot grow have to do here");
        return;
    };
    let process = Process::start_ignoring_file_limits(&disk.data());
    let (fill, make_room) = (|| disk.fill(), || disk.make_room());
    let table = play_with_a_full_disk(&process, fill, make_room).await;
    drop(process);
    // A server that starts on a full disk says so and damages nothing.
    disk.fill();
    let mut server = towers();
    server.args(["serve", "--listen", "127.0.0.1:0", "--data"]);
    let output = server.arg(disk.data()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("disk"), "{said}");
    disk.make_room();
    let process = Process::start(&disk.data());
    verified_record(process.port, &table).await;
}

#[tokio::test]
async fn a_file_that_can_only_be_read_is_said_at_the_start_and_is_not_hurt() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let (table, mut clients) = gather(process.port, r#"{"seats":2}"#, 2).await;
    clients[0].ok(Command::Start).await;
    let number = clients[0].view().await.number;
    assert!(process.stop());
    let file = data.path().join("towers.db");
    let allow = |mode| {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    allow(0o444);
    let mut server = towers();
    // Root can write to any file.
    let as_root = File::options().write(true).open(&file).is_ok();
    if as_root {
        let folder = data.path().parent().unwrap().to_owned();
        let given = Program::new("chown")
            .args(["-R", "nobody"])
            .arg(folder)
            .status();
        assert!(given.unwrap().success());
        let program = server.get_program().to_owned();
        server = Program::new("setpriv");
        server
            .args(["--reuid", "nobody", "--clear-groups", "--"])
            .arg(program);
    }
    let output = server
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(data.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("readonly"), "{said}");
    allow(0o644);
    let process = Process::start(&data.path());
    let mut ann = Client::connect(process.port, &table, Some(&clients[0].token)).await;
    assert_eq!(ann.view().await.number, number);
}
