//! Why something cannot be read.

use std::fmt::{self, Display};

use serde::de::{Expected, Unexpected};

/// Why something cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong(String);

impl Wrong {
    pub(crate) fn missing(field: &'static str) -> Wrong {
        Wrong(format!("missing field `{field}`"))
    }

    pub(crate) fn unknown(field: &str) -> Wrong {
        Wrong(format!("unknown field `{field}`"))
    }

    pub(crate) fn alternative(name: &str, names: &[&str]) -> Wrong {
        Wrong(format!(
            "unknown variant `{name}`, expected one of {}",
            names.join(", ")
        ))
    }

    pub(crate) fn shape(expected: &str) -> Wrong {
        Wrong(format!("expected {expected}"))
    }

    /// Says what was found only if it is a whole number or a text: to write any other would be much code in the client.
    fn other(found: &Unexpected, expected: &dyn Expected) -> Wrong {
        let found = match found {
            Unexpected::Unsigned(n) => format!(" {n}"),
            Unexpected::Signed(n) => format!(" {n}"),
            Unexpected::Str(text) => format!(" `{text}`"),
            _ => String::new(),
        };
        Wrong(format!("invalid value{found}, expected {expected}"))
    }
}

impl Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Wrong {}

impl serde::de::Error for Wrong {
    fn custom<T: Display>(why: T) -> Wrong {
        Wrong(why.to_string())
    }

    fn invalid_type(found: Unexpected, expected: &dyn Expected) -> Wrong {
        Wrong::other(&found, expected)
    }

    fn invalid_value(found: Unexpected, expected: &dyn Expected) -> Wrong {
        Wrong::other(&found, expected)
    }
}
