//! What an address is about.

use towers_client::Route;

/// The subject of an address, as far as a preview shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    Start,
    Table(String),
    /// A finished game, possibly at one of its entries.
    Replay(String, Option<u64>),
    /// A puzzle by its key, a day, or `today`.
    Puzzle(String),
    Daily,
}

impl Subject {
    /// The subject of a path of the client.
    pub fn of_path(path: &str) -> Subject {
        match Route::of_path(path) {
            Some(Route::Table(id) | Route::Board(id)) if towers_table::is_table_id(&id) => {
                Subject::Table(id)
            }
            Some(Route::Replay(id, entry)) if towers_table::is_table_id(&id) => {
                Subject::Replay(id, entry)
            }
            Some(Route::Puzzle(key)) => Subject::Puzzle(key),
            Some(Route::PlayDaily) => Subject::Daily,
            _ => Subject::Start,
        }
    }

    /// The subject of a picture `/preview/KIND/FILE`.
    pub fn of_picture(kind: &str, file: &str) -> Option<Subject> {
        let name = file.strip_suffix(".png")?;
        let table = || Some(name.to_string()).filter(|id| towers_table::is_table_id(id));
        match kind {
            "start" if name == "towers" => Some(Subject::Start),
            "daily" if name == "today" => Some(Subject::Daily),
            "table" => table().map(Subject::Table),
            "replay" => match name.split_once('-') {
                None => table().map(|id| Subject::Replay(id, None)),
                Some((id, entry)) if towers_table::is_table_id(id) => {
                    Some(Subject::Replay(id.into(), Some(entry.parse().ok()?)))
                }
                Some(_) => None,
            },
            "puzzle" => Some(Subject::Puzzle(name.into())),
            _ => None,
        }
    }

    pub fn picture(&self) -> String {
        match self {
            Subject::Start => "/preview/start/towers.png".into(),
            Subject::Daily => "/preview/daily/today.png".into(),
            Subject::Table(id) => format!("/preview/table/{id}.png"),
            Subject::Replay(id, None) => format!("/preview/replay/{id}.png"),
            Subject::Replay(id, Some(entry)) => format!("/preview/replay/{id}-{entry}.png"),
            Subject::Puzzle(key) => format!("/preview/puzzle/{key}.png"),
        }
    }

    /// The link to share.
    pub fn path(&self) -> String {
        match self {
            Subject::Start => "/".into(),
            Subject::Daily => "/daily".into(),
            Subject::Table(id) => format!("/t/{id}"),
            Subject::Replay(id, entry) => format!("/{}", Route::Replay(id.clone(), *entry)),
            Subject::Puzzle(key) => format!("/{}", Route::Puzzle(key.clone())),
        }
    }

    /// Whether its link is a secret of some people.
    pub fn is_secret(&self) -> bool {
        matches!(self, Subject::Table(_) | Subject::Replay(..))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_found_by_its_path_and_by_its_picture() {
        let id = || "3k9x7m2qh5v8w0abcdef".to_string();
        for subject in [
            Subject::Start,
            Subject::Table(id()),
            Subject::Replay(id(), None),
            Subject::Replay(id(), Some(17)),
            Subject::Puzzle("0badcafe".into()),
            Subject::Puzzle("today".into()),
            Subject::Daily,
        ] {
            assert_eq!(Subject::of_path(&subject.path()), subject);
            let picture = subject.picture();
            let (kind, file) = picture["/preview/".len()..].split_once('/').unwrap();
            assert_eq!(Subject::of_picture(kind, file), Some(subject));
        }
    }

    #[test]
    fn other_paths_are_about_the_game_and_other_pictures_do_not_exist() {
        for path in [
            "/rules",
            "/t/short",
            "/replay/my-own-game",
            "/game/1a2b",
            "/x",
        ] {
            assert_eq!(Subject::of_path(path), Subject::Start, "{path}");
        }
        for (kind, file) in [
            ("table", "short.png"),
            ("table", "3k9x7m2qh5v8w0abcdef"),
            ("replay", "3k9x7m2qh5v8w0abcdef-x.png"),
            ("start", "other.png"),
            ("other", "today.png"),
        ] {
            assert_eq!(Subject::of_picture(kind, file), None, "{kind}/{file}");
        }
    }
}
