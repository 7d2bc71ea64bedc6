//! Development server: rebuilds the client whenever a file changes; open pages reload.

use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use anyhow::{Result, bail};
use xshell::Shell;

use crate::client::{Build, build};
use crate::{cargo, root};

/// How often files are checked for changes.
const INTERVAL: Duration = Duration::from_millis(500);

/// Builds the client, serves the game at <http://localhost:8080>, and rebuilds on changes until it is stopped.
pub fn serve(sh: &Shell) -> Result<()> {
    build(sh, Build::Quick)?;
    let serve = [
        "run",
        "--bin",
        "towers",
        "--",
        "serve",
        "--data",
        "target/work",
    ];
    let mut server = Command::from(cargo(sh, &serve)).spawn()?;
    let mut seen = newest(&root().join("crates"));
    loop {
        sleep(INTERVAL);
        if server.try_wait()?.is_some() {
            bail!("the server has stopped");
        }
        let now = newest(&root().join("crates"));
        if now == seen {
            continue;
        }
        seen = now;
        match build(sh, Build::Quick) {
            Ok(()) => println!("rebuilt; pages reload"),
            Err(error) => println!("{error:#}"),
        }
    }
}

/// The number of files below a folder, and the time of the latest change.
fn newest(folder: &Path) -> (usize, Option<SystemTime>) {
    let (mut count, mut last) = (0, None);
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let Ok(about) = entry.metadata() else {
            continue;
        };
        let (more, at) = if about.is_dir() {
            newest(&entry.path())
        } else {
            (1, about.modified().ok())
        };
        count += more;
        last = last.max(at);
    }
    (count, last)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::newest;

    #[test]
    fn changes_and_new_files_are_noticed() {
        let folder = std::env::temp_dir().join(format!("towers-watch-{}", std::process::id()));
        fs::create_dir_all(folder.join("inner")).unwrap();
        let empty = newest(&folder);
        fs::write(folder.join("inner/a"), "1").unwrap();
        let one = newest(&folder);
        let file = fs::File::options()
            .append(true)
            .open(folder.join("inner/a"));
        file.unwrap()
            .set_modified(std::time::SystemTime::now() + super::INTERVAL)
            .unwrap();
        let changed = newest(&folder);
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!((empty.0, one.0, changed.0), (0, 1, 1));
        assert!(changed.1 > one.1 && one.1 > empty.1);
    }
}
