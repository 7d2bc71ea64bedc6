//! Durations in words.

/// The remaining time in words, from milliseconds.
pub fn left(millis: u64) -> String {
    let seconds = millis.div_ceil(1000);
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    if hours >= 48 {
        // Rounded to the nearest unit, so that three days do not turn into two after one second.
        format!("{} d", (hours + 12) / 24)
    } else if hours > 0 {
        format!("{hours}:{:02} h", minutes % 60)
    } else {
        format!("{minutes}:{:02}", seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::left;

    #[test]
    fn remaining_time_is_rounded_to_a_useful_unit() {
        const HOUR: u64 = 3_600_000;
        for (millis, text) in [
            (0, "0:00"),
            (1, "0:01"),
            (61_000, "1:01"),
            (HOUR - 1, "1:00 h"),
            (HOUR + 59_000, "1:00 h"),
            (47 * HOUR + 30 * 60_000, "47:30 h"),
            (49 * HOUR, "2 d"),
            (72 * HOUR - 1_500, "3 d"),
            (72 * HOUR, "3 d"),
        ] {
            assert_eq!(left(millis), text, "{millis}");
        }
    }
}
