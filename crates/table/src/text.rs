//! Validation of names and chat: Unicode without characters that disturb the page or impersonate others.

/// The maximum length of a name, in characters.
pub const NAME_CHARS: usize = 24;
/// The maximum length of a table's title, in characters.
pub const TITLE_CHARS: usize = 60;
/// The maximum length of a chat message, in characters.
pub const CHAT_CHARS: usize = 300;
/// The maximum length of a report to the operator, in characters.
pub const REPORT_CHARS: usize = 500;

/// Why a text is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadText {
    /// It is empty after cleaning.
    Empty,
    /// It has more characters than this.
    TooLong(usize),
    /// It contains control or formatting characters.
    Control,
}

/// The maximum number of combining marks on one character.
const MARKS: usize = 2;

/// Trims a text, joins runs of white space, drops invisible characters and excess combining marks, and checks the
/// rest.
pub fn clean(text: &str, most: usize) -> Result<String, BadText> {
    // Reject long input before processing it. No character has more than 4 bytes.
    if text.len() > most * 16 {
        return Err(BadText::TooLong(most));
    }
    // Splitting removes tabs and line endings, which are control characters as well.
    if text
        .split_whitespace()
        .flat_map(str::chars)
        .any(is_forbidden)
    {
        return Err(BadText::Control);
    }
    let visible = without_clutter(text);
    let joined = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    // A name must not consist of combining marks only.
    if !joined.chars().any(|c| !is_blank(c)) {
        return Err(BadText::Empty);
    }
    if joined.chars().count() > most {
        return Err(BadText::TooLong(most));
    }
    Ok(joined)
}

/// The text without invisible characters, and with at most [`MARKS`] combining marks on each character.
fn without_clutter(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut marks = 0;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let before = kept.chars().rev().find(|c| *c != '\u{FE0F}');
        let on_emoji = before.is_some_and(is_emoji);
        let keeps = match c {
            // A zero-width joiner combines emoji.
            '\u{200D}' => on_emoji && rest.peek().is_some_and(|next| is_emoji(*next)),
            '\u{FE0F}' => on_emoji,
            _ => !is_ignorable(c),
        };
        if is_mark(c) {
            marks += 1;
        } else if keeps {
            marks = 0;
        }
        if keeps && marks <= MARKS {
            kept.push(c);
        }
    }
    kept
}

/// Whether a character is a combining mark. The standard library escapes these when debug-printing, and also
/// characters that it does not know. It has no other way to ask, and a separate table would make the browser client
/// larger.
fn is_mark(c: char) -> bool {
    !c.is_ascii() && c.escape_debug().len() > 1
}

/// Whether a character is an emoji that can be joined with others.
fn is_emoji(c: char) -> bool {
    matches!(c, '\u{203C}'..='\u{3299}' | '\u{1F000}'..='\u{1FAFF}')
}

/// Default-ignorable characters of Unicode, except those that [`clean`] refuses.
fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{034F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200C}' | '\u{200D}' | '\u{3164}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FFA0}' | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}')
}

/// Whether two names can be mistaken for each other: they differ only in case, or look the same in another script.
/// The latter needs the feature `confusables`.
pub fn looks_like(one: &str, other: &str) -> bool {
    if folded(one) == folded(other) {
        return true;
    }
    #[cfg(feature = "confusables")]
    {
        let skeleton = |text: &str| {
            let shape: String = unicode_security::confusable_detection::skeleton(text).collect();
            folded(&shape)
        };
        // Compare as written and case-folded: a reader may see either.
        skeleton(one) == skeleton(other) || skeleton(&folded(one)) == skeleton(&folded(other))
    }
    #[cfg(not(feature = "confusables"))]
    false
}

/// The text in lower case for comparisons: Latin, Greek, Cyrillic and Armenian letters. A table of all letters would
/// be one percent of the browser client.
pub fn folded(text: &str) -> String {
    text.chars().map(lower_case).collect()
}

/// The lower case of a letter.
fn lower_case(c: char) -> char {
    let code = u32::from(c);
    let lower = match code {
        0x41..=0x5A | 0xC0..=0xD6 | 0xD8..=0xDE => code + 32,
        0x391..=0x3A1 | 0x3A3..=0x3AB | 0x410..=0x42F => code + 32,
        0x400..=0x40F => code + 80,
        0x531..=0x556 => code + 48,
        // Upper and lower case alternate.
        0x100..=0x12F | 0x132..=0x137 | 0x14A..=0x177 | 0x460..=0x481 => code | 1,
        0x48A..=0x4BF | 0x4D0..=0x52F | 0x1E00..=0x1E95 | 0x1EA0..=0x1EFF => code | 1,
        0x139..=0x148 | 0x179..=0x17E | 0x4C1..=0x4CE => code + (code & 1),
        // Exceptions.
        0x178 => 0xFF,
        0x1E9E => 0xDF,
        0x386 => 0x3AC,
        0x388..=0x38A => code + 37,
        0x38C => 0x3CC,
        0x38E | 0x38F => code + 63,
        _ => code,
    };
    char::from_u32(lower).unwrap_or(c)
}

/// Control characters, changes of writing direction, private use, tags.
fn is_forbidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{061C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF0}'..='\u{FFFF}'
            | '\u{E000}'..='\u{F8FF}' | '\u{E0000}'..='\u{10FFFF}')
}

/// Characters that are invisible by themselves.
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
            // Its lower case has two characters.
            if c != 'İ' {
                assert_eq!(
                    lower_case(c).to_string(),
                    c.to_lowercase().to_string(),
                    "{c}"
                );
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
    fn invisible_reversing_and_overlong_text_is_refused() {
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

    #[test]
    fn invisible_characters_are_dropped() {
        for text in [
            "A\u{AD}nn",
            "A\u{200D}nn",
            "A\u{200C}nn\u{FE0F}",
            "\u{34F}Ann\u{3164}",
        ] {
            assert_eq!(clean(text, NAME_CHARS).as_deref(), Ok("Ann"), "{text:?}");
        }
        assert_eq!(
            clean("a \u{AD} b", NAME_CHARS).as_deref(),
            Ok("a b"),
            "nothing between two spaces"
        );
        for picture in ["👩‍👧", "❤️", "🏳️‍🌈", "1️⃣".trim_end_matches('\u{20E3}')]
        {
            let cleaned = clean(picture, NAME_CHARS).unwrap();
            assert!(picture.starts_with(&cleaned), "{picture}");
        }
        assert_eq!(clean("🏳️‍🌈", NAME_CHARS).as_deref(), Ok("🏳️‍🌈"));
    }

    #[test]
    fn at_most_two_marks_are_on_a_character() {
        let towers = "Z\u{310}\u{311}\u{312}\u{313}o\u{308}e\u{301}\u{302}";
        assert_eq!(
            clean(towers, NAME_CHARS).as_deref(),
            Ok("Z\u{310}\u{311}o\u{308}e\u{301}\u{302}")
        );
        let hundred = format!("A{}", "\u{489}".repeat(90));
        assert_eq!(clean(&hundred, NAME_CHARS).unwrap().chars().count(), 3);
        // Words that need combining marks keep them.
        for word in ["नमस्ते", "สวัสดี", "שָׁלוֹם", "Việt", "தமிழ்"]
        {
            assert_eq!(clean(word, NAME_CHARS).as_deref(), Ok(word));
        }
    }

    #[cfg(feature = "confusables")]
    #[test]
    fn names_that_look_the_same_are_the_same() {
        for (one, other) in [
            ("Ann", "Аnn"),
            ("Ann", "ANN"),
            ("Ben", "Вen"),
            ("Ben", "ΒEN"),
            ("Ian", "lan"),
            ("Bob", "B0b"),
            ("paypal", "раураl"),
            ("Zoë", "Zoe\u{308}"),
            ("Ann", "𝐀𝐧𝐧"),
        ] {
            assert!(looks_like(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("Ann", "Anna"),
            ("Ann", "Änn"),
            ("李", "里"),
            ("Анна", "Ольга"),
        ] {
            assert!(!looks_like(one, other), "{one} {other}");
        }
    }
}
