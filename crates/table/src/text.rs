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

/// The text without capitals, to compare it with others: in Latin, Greek, Cyrillic and Armenian letters. A table of all letters there
/// are would be a hundredth of the browser client.
pub fn folded(text: &str) -> String {
    text.chars().map(small).collect()
}

/// The small letter of a capital.
fn small(c: char) -> char {
    let code = u32::from(c);
    let small = match code {
        0x41..=0x5A | 0xC0..=0xD6 | 0xD8..=0xDE => code + 32,
        0x391..=0x3A1 | 0x3A3..=0x3AB | 0x410..=0x42F => code + 32,
        0x400..=0x40F => code + 80,
        0x531..=0x556 => code + 48,
        // Capital and small letter take turns.
        0x100..=0x12F | 0x132..=0x137 | 0x14A..=0x177 | 0x460..=0x481 => code | 1,
        0x48A..=0x4BF | 0x4D0..=0x52F | 0x1E00..=0x1E95 | 0x1EA0..=0x1EFF => code | 1,
        0x139..=0x148 | 0x179..=0x17E | 0x4C1..=0x4CE => code + (code & 1),
        // Those that stand alone.
        0x178 => 0xFF,
        0x1E9E => 0xDF,
        0x386 => 0x3AC,
        0x388..=0x38A => code + 37,
        0x38C => 0x3CC,
        0x38E | 0x38F => code + 63,
        _ => code,
    };
    char::from_u32(small).unwrap_or(c)
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
    fn capitals_have_the_small_letters_of_the_library() {
        let all = [
            0..0x180,
            0x386..0x3CF,
            0x400..0x4C0,
            0x4C1..0x557,
            0x1E00..0x1F00,
        ];
        for c in all.into_iter().flatten().filter_map(char::from_u32) {
            // One of them becomes two.
            if c != 'İ' {
                assert_eq!(small(c).to_string(), c.to_lowercase().to_string(), "{c}");
            }
        }
        assert_eq!(folded("ÉMILE Straße ŁÓDŹ Ёлка"), "émile straße łódź ёлка");
    }

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
