//! The server is killed repeatedly during games: nothing acknowledged is lost or applied twice, every game can be
//! finished, every record verifies.

use std::time::Duration;

use tokio::sync::watch;

use super::persistent::{Crowd, check};
use super::player::TestRandom;
use super::process::{Data, Process, verified_record};

/// The number of kills, unless `TOWERS_TEST_KILLS` says otherwise.
const KILLS: u64 = 50;

/// The number of kills in this run.
pub fn kills(usual: u64) -> u64 {
    let kills = std::env::var("TOWERS_TEST_KILLS");
    kills.map_or(usual, |n| n.parse().expect("a number of kills"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_when_the_server_is_killed() {
    let kills = kills(KILLS);
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let (tell_ports, ports) = watch::channel(vec![process.port]);
    let crowd = Crowd::gather(&ports).await;
    let tables = crowd.tables.clone();
    let mut dice = TestRandom(99);
    for _ in 0..kills {
        tokio::time::sleep(Duration::from_millis(20 + dice.below(120) as u64)).await;
        process.kill();
        process = Process::start(&data.path());
        tell_ports.send(vec![process.port]).unwrap();
    }
    let people = crowd.finish().await;
    let (mut acknowledged, mut games) = (0, 0);
    for table in &tables {
        let record = verified_record(process.port, table).await;
        games += record.entries.iter().filter(|e| e.over.is_some()).count();
        acknowledged += check(&record, table, &people);
    }
    let noticed = people.iter().all(|person| person.reconnects > 0);
    assert!(noticed, "the kills were noticed");
    assert!(acknowledged > kills, "people did play: {acknowledged}");
    println!("SQLite: {kills} kills, {acknowledged} acknowledged actions, {games} games");
}
