//! Day and night.

/// Day or night, as a class on an element around everything drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// Sunlight and clouds.
    Day,
    /// Moon, lanterns, fireflies.
    #[default]
    Night,
}

impl Theme {
    /// The class that switches the colours.
    pub fn class(self) -> &'static str {
        match self {
            Theme::Day => "wt-day",
            Theme::Night => "wt-night",
        }
    }
}
