//! Why something cannot be read.

use std::fmt::{self, Display};

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
}
