//! Quick reactions of players as small drawings, which look the same on every device.

/// A quick sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// A greeting.
    Hello,
    /// Well played.
    Star,
    /// That went wrong.
    Oops,
    Thinking,
    /// Please hurry.
    Hourglass,
    /// Something wonderful.
    Sparkle,
    Laugh,
    /// Thank you.
    Heart,
}

const FACE: &str =
    r##"<circle cx="12" cy="12" r="9.5" fill="#ffd75e" stroke="#5a3a12" stroke-width="1.4"/>"##;
const EYES: &str = r##"<path d="M8.6 9.2v2M15.4 9.2v2" stroke="#3a2412" stroke-width="2" stroke-linecap="round"/>"##;

/// The drawing of a sign, 24 units wide and high.
pub fn sign(sign: Sign) -> String {
    let line = |d: &str| {
        format!(
            r##"<path d="{d}" fill="none" stroke="#3a2412" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/>"##
        )
    };
    let face = |more: &str| format!("{FACE}{EYES}{more}");
    let content = match sign {
        Sign::Hello => face(&(line("M8 14.4Q12 18.4 16 14.4") + &line("M20.4 3.4Q22.4 4.6 22.9 7M18.4 1.6Q20.2 1.3 21.6 2"))),
        Sign::Star => r##"<path d="M12 1.8L15.1 8.4 22.3 9.3 17 14.2 18.4 21.4 12 17.8 5.6 21.4 7 14.2 1.7 9.3 8.9 8.4Z" fill="#ffc93c" stroke="#7a4a00" stroke-width="1.4" stroke-linejoin="round"/>"##.into(),
        Sign::Oops => face(&(r##"<ellipse cx="12" cy="16.2" rx="2.1" ry="2.5" fill="#3a2412"/>"##.to_owned() + &line("M6.8 6.6L9.6 7.4M17.2 6.6L14.4 7.4"))),
        Sign::Thinking => face(&(line("M9 16.2L14.6 15.2") + &line("M14 6.4Q15.6 5.6 17.2 6.4")
            + r##"<g fill="#fff" stroke="#5a3a12"><circle cx="19" cy="4.4" r="1.6"/><circle cx="22" cy="1.9" r="1.1"/></g>"##)),
        Sign::Hourglass => r##"<path d="M5.5 2.5H18.5M5.5 21.5H18.5" stroke="#7a4a1c" stroke-width="2.4" stroke-linecap="round"/><path d="M7 3.6C7 8.6 10.6 9.6 10.6 12S7 15.4 7 20.4H17C17 15.4 13.4 14.4 13.4 12S17 8.6 17 3.6Z" fill="#dff1fb" stroke="#5a3a12" stroke-width="1.3"/><path d="M8.6 6.6H15.4Q14.6 9 12 11 9.4 9 8.6 6.6ZM8.2 19.4Q9.4 16 12 15.4 14.6 16 15.8 19.4Z" fill="#e9a23b"/>"##.into(),
        Sign::Sparkle => r##"<g fill="#ffc93c" stroke="#7a4a00" stroke-linejoin="round"><path d="M10 3L12 9.6 18.6 11.6 12 13.6 10 20.2 8 13.6 1.4 11.6 8 9.6Z" stroke-width="1.3"/><path d="M18.6 1.8L19.5 4.6 22.3 5.5 19.5 6.4 18.6 9.2 17.7 6.4 14.9 5.5 17.7 4.6ZM18.8 15.6L19.5 17.7 21.6 18.4 19.5 19.1 18.8 21.2 18.1 19.1 16 18.4 18.1 17.7Z"/></g>"##.into(),
        Sign::Laugh => format!("{FACE}{}{}", line("M6.6 10.6Q8.2 8.4 9.8 10.6M14.2 10.6Q15.8 8.4 17.4 10.6"),
            r##"<path d="M6.8 13.4H17.2Q16.4 19.2 12 19.2 7.6 19.2 6.8 13.4Z" fill="#7a1f2a" stroke="#3a2412"/>"##),
        Sign::Heart => r##"<path d="M12 21C4 15 1.8 11.4 2 8.2 2.2 3.2 9 1.8 12 6.8 15 1.8 21.8 3.2 22 8.2 22.2 11.4 20 15 12 21Z" fill="#a05be0" stroke="#4a1f7a" stroke-width="1.4"/>"##.into(),
    };
    super::icon("sign", "0 0 24 24", &content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_has_its_own_drawing() {
        let all = [
            Sign::Hello,
            Sign::Star,
            Sign::Oops,
            Sign::Thinking,
            Sign::Hourglass,
            Sign::Sparkle,
            Sign::Laugh,
            Sign::Heart,
        ]
        .map(sign);
        for (i, one) in all.iter().enumerate() {
            assert!(one.starts_with("<svg") && one.len() < 1500);
            assert!(all[..i].iter().all(|other| other != one));
        }
    }
}
