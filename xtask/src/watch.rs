//! Work on the client: it is built anew whenever a file changes, and pages that show it reload.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use crate::run::{Done, cargo, root};
use crate::web::{Kind, build};

/// How often files are looked at.
const OFTEN: Duration = Duration::from_millis(500);

/// Builds the client quickly, serves the game at <http://localhost:8080>, and goes on building until it is stopped.
pub fn forever() -> Done {
    build(Kind::Quick)?;
    let serve = [
        "run",
        "--bin",
        "towers",
        "--",
        "serve",
        "--data",
        "target/work",
    ];
    let mut server = cargo(&serve).spawn().map_err(|e| e.to_string())?;
    let mut seen = newest(&root().join("crates"));
    loop {
        sleep(OFTEN);
        if server.try_wait().is_ok_and(|ended| ended.is_some()) {
            return Err("the server has stopped".into());
        }
        let now = newest(&root().join("crates"));
        if now == seen {
            continue;
        }
        seen = now;
        match build(Kind::Quick) {
            Ok(()) => println!("built anew; pages reload"),
            Err(why) => println!("{why}"),
        }
    }
}

/// How many files there are below a folder, and when the last of them was changed.
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
            .set_modified(std::time::SystemTime::now() + super::OFTEN)
            .unwrap();
        let changed = newest(&folder);
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!((empty.0, one.0, changed.0), (0, 1, 1));
        assert!(changed.1 > one.1 && one.1 > empty.1);
    }
}
