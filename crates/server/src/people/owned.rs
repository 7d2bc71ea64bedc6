//! Everything that belongs to a person, one row for each table of the database: how it moves to another person when two
//! become one, how it is exported, and how it is deleted. A new table with a `person_id` is added here.

/// The data of people in one table of the database.
#[derive(Clone, Copy, Debug)]
pub struct OwnedData {
    /// The name in the export.
    pub name: &'static str,
    /// Statements that give the data of the person `$2` to the person `$1`. What cannot move stays and is deleted.
    pub merge: &'static [&'static str],
    /// Selects the data of the person `$1` for the export, without secrets. Names of columns are names in the export.
    pub export: &'static str,
    /// Deletes the data of the person `$1`.
    pub delete: &'static str,
}

/// All of it, in an order in which it can be deleted.
pub const OWNED: &[OwnedData] = &[
    OwnedData {
        name: "links",
        merge: &[],
        export: "SELECT expires FROM person_links WHERE person_id = $1",
        delete: "DELETE FROM person_links WHERE person_id = $1",
    },
    OwnedData {
        name: "sessions",
        // They belong to devices.
        merge: &[],
        export: "SELECT s.used, s.expires FROM person_sessions AS s \
                 JOIN person_devices AS d ON d.id = s.device_id WHERE d.person_id = $1",
        delete: "DELETE FROM person_sessions WHERE device_id IN \
                 (SELECT id FROM person_devices WHERE person_id = $1)",
    },
    OwnedData {
        name: "devices",
        merge: &["UPDATE person_devices SET person_id = $1 WHERE person_id = $2"],
        export: "SELECT id, label, created, used FROM person_devices WHERE person_id = $1",
        delete: "DELETE FROM person_devices WHERE person_id = $1",
    },
    OwnedData {
        name: "tables",
        merge: &["UPDATE person_tables SET person_id = $1 WHERE person_id = $2"],
        export: "SELECT table_id, seat, since FROM person_tables WHERE person_id = $1",
        delete: "DELETE FROM person_tables WHERE person_id = $1",
    },
    // Last, because everything else refers to it.
    OwnedData {
        name: "person",
        merge: &[
            "UPDATE people SET guarded = TRUE, name = CASE WHEN name <> '' THEN name ELSE \
             (SELECT name FROM people WHERE id = $2) END WHERE id = $1",
        ],
        export: "SELECT id, name, created, recovery IS NOT NULL AS has_recovery_code \
                 FROM people WHERE id = $1",
        delete: "DELETE FROM people WHERE id = $1",
    },
];
