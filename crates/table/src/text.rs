//! What people may call themselves and say: Unicode, but nothing that could disturb a page or
//! pretend to be something else.

/// The most characters of a name.
pub const NAME_CHARS: usize = 24;
/// The most characters of a table's title.
pub const TITLE_CHARS: usize = 60;
/// The most characters of a chat message.
pub const CHAT_CHARS: usize = 300;

/// Why a text is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadText {
    /// Nothing is left of it.
    Empty,
    /// More characters than this.
    TooLong(usize),
    /// It has characters that control how text is shown.
    Control,
}

/// Trims a text, joins runs of white space, and checks it.
pub fn clean(text: &str, most: usize) -> Result<String, BadText> {
    // Long input is refused before any work is done on it; no character has more than 4 bytes.
    if text.len() > most * 16 {
        return Err(BadText::TooLong(most));
    }
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if joined.chars().any(disturbs) {
        return Err(BadText::Control);
    }
    // Marks that only stack on other characters would make a name of nothing visible.
    if !joined.chars().any(|c| !is_blank(c)) {
        return Err(BadText::Empty);
    }
    if joined.chars().count() > most {
        return Err(BadText::TooLong(most));
    }
    Ok(joined)
}

/// Control characters, changes of writing direction, private use, tags.
fn disturbs(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{061C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF0}'..='\u{FFFF}'
            | '\u{E000}'..='\u{F8FF}' | '\u{E0000}'..='\u{10FFFF}')
}

/// Characters that show nothing by themselves.
fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || matches!(c,
            '\u{00AD}' | '\u{034F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180E}' | '\u{200C}' | '\u{200D}' | '\u{2800}' | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FFA0}' | '\u{0300}'..='\u{036F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_scripts_are_welcome_and_trimmed() {
        for name in ["Ann", "Zoë", "李小龍", "Ольга", "مريم", "👩‍👧 & co"] {
            assert_eq!(
                clean(&format!("  {name} "), NAME_CHARS).as_deref(),
                Ok(name)
            );
        }
        assert_eq!(clean("a \t\n b", NAME_CHARS).as_deref(), Ok("a b"));
    }

    #[test]
    fn nothing_invisible_reversed_or_endless_gets_through() {
        assert_eq!(clean("  ", NAME_CHARS), Err(BadText::Empty));
        assert_eq!(clean("\u{3164}\u{200D}", NAME_CHARS), Err(BadText::Empty));
        assert_eq!(clean("a\u{202E}b", NAME_CHARS), Err(BadText::Control));
        assert_eq!(clean("a\u{0}b", NAME_CHARS), Err(BadText::Control));
        assert_eq!(clean("\u{1b}[31m", NAME_CHARS), Err(BadText::Control));
        assert_eq!(
            clean(&"é".repeat(25), NAME_CHARS),
            Err(BadText::TooLong(24))
        );
        assert_eq!(
            clean(&"x".repeat(100_000), NAME_CHARS),
            Err(BadText::TooLong(24))
        );
        assert!(clean(&"é".repeat(24), NAME_CHARS).is_ok());
    }
}
