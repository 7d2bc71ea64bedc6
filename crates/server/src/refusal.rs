//! Refusals by the server itself, not by a table.

use std::time::Duration;

use towers_table::{ErrorCode, Millis, Refusal};

/// A refusal without a clause of the rules.
pub fn refusal(code: ErrorCode, message: impl Into<String>) -> Refusal {
    Refusal {
        code,
        message: message.into(),
        clause: None,
        retry_after: None,
    }
}

/// A refusal of a request that may be repeated later.
pub fn too_fast(after: Duration) -> Refusal {
    let seconds = after.as_secs_f64().ceil();
    // Rounded up: a client that waits this long is not refused again.
    let millis = after.as_millis().saturating_add(1);
    Refusal {
        retry_after: Some(Millis::try_from(millis).unwrap_or(Millis::MAX)),
        ..refusal(
            ErrorCode::TooFast,
            format!("too much at once: wait {seconds} s"),
        )
    }
}
