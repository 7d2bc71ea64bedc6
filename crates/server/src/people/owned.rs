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

/// The name in the results of a person who was deleted.
pub const DELETED: &str = "Somebody";

/// All of it, in an order in which it can be deleted.
pub const OWNED: &[OwnedData] = &[
    OwnedData {
        name: "links",
        merge: &[],
        export: "SELECT expires FROM person_links WHERE person_id = $1",
        delete: "DELETE FROM person_links WHERE person_id = $1",
    },
    OwnedData {
        name: "passkeys",
        merge: &["UPDATE person_passkeys SET person_id = $1 WHERE person_id = $2"],
        export: "SELECT label, created, used FROM person_passkeys WHERE person_id = $1",
        delete: "DELETE FROM person_passkeys WHERE person_id = $1",
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
        name: "push_subscriptions",
        // They belong to devices.
        merge: &[],
        export: "SELECT s.created FROM push_subscriptions AS s \
                 JOIN person_devices AS d ON d.id = s.device_id WHERE d.person_id = $1",
        delete: "DELETE FROM push_subscriptions WHERE device_id IN \
                 (SELECT id FROM person_devices WHERE person_id = $1)",
    },
    OwnedData {
        name: "call_settings",
        merge: &[
            "UPDATE call_settings SET person_id = $1 WHERE person_id = $2 AND NOT EXISTS \
             (SELECT 1 FROM call_settings WHERE person_id = $1)",
        ],
        export: "SELECT language, quiet_from, quiet_to, time_zone, \
                 calendar IS NOT NULL AS has_calendar FROM call_settings WHERE person_id = $1",
        delete: "DELETE FROM call_settings WHERE person_id = $1",
    },
    OwnedData {
        name: "muted_tables",
        // They and open calls belong to the person's tables.
        merge: &[],
        export: "SELECT m.table_id FROM muted_tables AS m \
                 JOIN person_tables AS t ON t.table_id = m.table_id AND t.key = m.key \
                 WHERE t.person_id = $1",
        delete: "DELETE FROM muted_tables WHERE EXISTS (SELECT 1 FROM person_tables AS t \
                 WHERE t.table_id = muted_tables.table_id AND t.key = muted_tables.key \
                 AND t.person_id = $1)",
    },
    OwnedData {
        name: "open_calls",
        merge: &[],
        export: "SELECT c.table_id, c.title, c.since, c.deadline FROM open_calls AS c \
                 JOIN person_tables AS t ON t.table_id = c.table_id AND t.key = c.key \
                 WHERE t.person_id = $1",
        delete: "DELETE FROM open_calls WHERE EXISTS (SELECT 1 FROM person_tables AS t \
                 WHERE t.table_id = open_calls.table_id AND t.key = open_calls.key \
                 AND t.person_id = $1)",
    },
    OwnedData {
        name: "webhooks",
        // They belong to the person's tables, too.
        merge: &[],
        export: "SELECT w.table_id, w.form, w.language FROM webhooks AS w \
                 JOIN person_tables AS t ON t.table_id = w.table_id AND t.key = w.key \
                 WHERE t.person_id = $1",
        delete: "DELETE FROM webhooks WHERE EXISTS (SELECT 1 FROM person_tables AS t \
                 WHERE t.table_id = webhooks.table_id AND t.key = webhooks.key \
                 AND t.person_id = $1)",
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
        export: "SELECT table_id, seat, since, hidden FROM person_tables WHERE person_id = $1",
        delete: "DELETE FROM person_tables WHERE person_id = $1",
    },
    OwnedData {
        name: "results",
        merge: &["UPDATE results SET person_id = $1 WHERE person_id = $2"],
        export: "SELECT table_id, game, seat, ended, mode, teams, preset, as_printed, players, \
                 rated, agreed, score, name, team, place, won, gain FROM results WHERE person_id = $1",
        // The others keep their results.
        delete: "UPDATE results SET person_id = NULL, name = 'Somebody', gain = NULL \
                 WHERE person_id = $1",
    },
    OwnedData {
        name: "ratings",
        // The person who stays keeps their own.
        merge: &[
            "UPDATE ratings SET person_id = $1, player = 'person ' || $1 WHERE person_id = $2 \
             AND NOT EXISTS (SELECT 1 FROM ratings AS r WHERE r.kind = ratings.kind \
                             AND r.person_id = $1)",
        ],
        export: "SELECT kind, rating, uncertainty, games FROM ratings WHERE person_id = $1",
        delete: "DELETE FROM ratings WHERE person_id = $1",
    },
    OwnedData {
        name: "deals_of_the_day",
        merge: &[
            "UPDATE daily_results SET person_id = $1 WHERE person_id = $2 \
             AND NOT EXISTS (SELECT 1 FROM daily_results AS r WHERE r.day = daily_results.day \
                             AND r.person_id = $1)",
        ],
        export: "SELECT day, won, score, at FROM daily_results WHERE person_id = $1",
        delete: "DELETE FROM daily_results WHERE person_id = $1",
    },
    OwnedData {
        name: "circles",
        merge: &[],
        export: "SELECT c.id, c.name, c.created FROM circles AS c \
                 JOIN circles_people AS m ON m.circle_id = c.id WHERE m.person_id = $1",
        // A circle is deleted with its last member.
        delete: "DELETE FROM circles WHERE id IN (SELECT circle_id FROM circles_people \
                 WHERE accepted GROUP BY circle_id HAVING COUNT(*) = 1 AND MIN(person_id) = $1)",
    },
    OwnedData {
        name: "memberships",
        merge: &[
            "UPDATE circles_people SET person_id = $1 WHERE person_id = $2 \
             AND NOT EXISTS (SELECT 1 FROM circles_people AS c \
                             WHERE c.circle_id = circles_people.circle_id AND c.person_id = $1)",
        ],
        export: "SELECT circle_id, name, accepted, since FROM circles_people WHERE person_id = $1",
        // Including open invitations to deleted circles.
        delete: "DELETE FROM circles_people WHERE person_id = $1 \
                 OR circle_id NOT IN (SELECT id FROM circles)",
    },
    OwnedData {
        name: "waiting",
        merge: &[],
        export: "SELECT name, wish, bots, since FROM waiting_people WHERE person_id = $1",
        delete: "DELETE FROM waiting_people WHERE person_id = $1",
    },
    OwnedData {
        name: "invitations",
        merge: &[
            "UPDATE invitations SET person_id = $1 WHERE person_id = $2 AND inviter <> $1 \
             AND NOT EXISTS (SELECT 1 FROM invitations AS i WHERE i.table_id = invitations.table_id \
                             AND i.inviter = invitations.inviter AND i.person_id = $1)",
            "UPDATE invitations SET inviter = $1 WHERE inviter = $2 AND person_id <> $1 \
             AND NOT EXISTS (SELECT 1 FROM invitations AS i WHERE i.table_id = invitations.table_id \
                             AND i.person_id = invitations.person_id AND i.inviter = $1)",
        ],
        export: "SELECT table_id, name, at, inviter = $1 AS sent FROM invitations \
                 WHERE person_id = $1 OR inviter = $1",
        delete: "DELETE FROM invitations WHERE person_id = $1 OR inviter = $1",
    },
    // Last, because everything else refers to it.
    OwnedData {
        name: "person",
        merge: &[
            "UPDATE people SET guarded = TRUE, name = CASE WHEN name <> '' THEN name ELSE \
             (SELECT name FROM people WHERE id = $2) END WHERE id = $1",
        ],
        export: "SELECT id, name, created, recovery IS NOT NULL AS has_recovery_code, \
                 keeps_deals, statistics FROM people WHERE id = $1",
        delete: "DELETE FROM people WHERE id = $1",
    },
];
