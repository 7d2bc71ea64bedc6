//! Sound effects as notes, a distinct one for every important event.

use crate::motion::Motion;

/// A sound effect. From the least important to the most important.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SoundEffect {
    Card,
    /// New cards for a whole hand.
    Refresh,
    Roll,
    Wizard,
    Tower,
    Swap,
    Castle,
    Flask,
    Spell,
    /// A wizard is free again.
    Freed,
    Imprison,
    Home,
    /// Somebody said something.
    Chat,
    /// What the player tried was refused.
    Refused,
    /// The player has to decide.
    YourTurn,
    /// The player is needed while in another tab or window.
    Call,
    /// The game is over and the player did not win.
    End,
    Win,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wave {
    Sine,
    Triangle,
    Square,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Note {
    pub hertz: f32,
    /// Seconds after the start of the effect.
    pub start: f64,
    pub seconds: f64,
    /// Between 0 and 1, before the player's volume is applied.
    pub loudness: f32,
}

const fn note(hertz: f32, start: f64, seconds: f64, loudness: f32) -> Note {
    Note {
        hertz,
        start,
        seconds,
        loudness,
    }
}

impl SoundEffect {
    pub const ALL: [SoundEffect; 18] = [
        SoundEffect::Card,
        SoundEffect::Refresh,
        SoundEffect::Roll,
        SoundEffect::Wizard,
        SoundEffect::Tower,
        SoundEffect::Swap,
        SoundEffect::Castle,
        SoundEffect::Flask,
        SoundEffect::Spell,
        SoundEffect::Freed,
        SoundEffect::Imprison,
        SoundEffect::Home,
        SoundEffect::Chat,
        SoundEffect::Refused,
        SoundEffect::YourTurn,
        SoundEffect::Call,
        SoundEffect::End,
        SoundEffect::Win,
    ];

    /// The effect of a motion; `has_won` is whether the player won the finished game.
    pub fn of(motion: Motion, has_won: bool) -> Option<SoundEffect> {
        Some(match motion {
            Motion::None | Motion::Turn { .. } | Motion::Peek { .. } => return None,
            Motion::Wizard { home: true, .. } => SoundEffect::Home,
            // It climbs out of its stack.
            Motion::Wizard { from, to, .. } if from == to => SoundEffect::Freed,
            Motion::Wizard { .. } => SoundEffect::Wizard,
            Motion::Tower { .. } => SoundEffect::Tower,
            Motion::Swap { .. } => SoundEffect::Swap,
            Motion::Freed => SoundEffect::Freed,
            Motion::Refresh => SoundEffect::Refresh,
            Motion::Imprison { .. } => SoundEffect::Imprison,
            Motion::Castle { .. } => SoundEffect::Castle,
            Motion::Roll { .. } => SoundEffect::Roll,
            Motion::Card { .. } => SoundEffect::Card,
            Motion::Flask { .. } => SoundEffect::Flask,
            Motion::Spell { .. } => SoundEffect::Spell,
            Motion::Over if has_won => SoundEffect::Win,
            Motion::Over => SoundEffect::End,
        })
    }

    pub const fn wave(self) -> Wave {
        match self {
            SoundEffect::Roll => Wave::Square,
            SoundEffect::Tower
            | SoundEffect::Home
            | SoundEffect::Imprison
            | SoundEffect::Spell
            | SoundEffect::Swap
            | SoundEffect::Freed
            | SoundEffect::Win => Wave::Triangle,
            _ => Wave::Sine,
        }
    }

    pub const fn notes(self) -> &'static [Note] {
        match self {
            SoundEffect::Card => {
                const { &[note(300.0, 0.0, 0.06, 0.1), note(420.0, 0.03, 0.05, 0.06)] }
            }
            // Cards are shuffled.
            SoundEffect::Refresh => {
                const {
                    &[
                        note(420.0, 0.0, 0.05, 0.08),
                        note(360.0, 0.07, 0.05, 0.08),
                        note(300.0, 0.14, 0.06, 0.1),
                    ]
                }
            }
            SoundEffect::Swap => {
                const {
                    &[
                        note(180.0, 0.0, 0.2, 0.2),
                        note(240.0, 0.1, 0.2, 0.2),
                        note(80.0, 0.55, 0.3, 0.4),
                    ]
                }
            }
            // The slam of imprisonment, backwards.
            SoundEffect::Freed => {
                const {
                    &[
                        note(175.0, 0.0, 0.12, 0.2),
                        note(247.0, 0.1, 0.14, 0.2),
                        note(494.0, 0.2, 0.35, 0.2),
                    ]
                }
            }
            SoundEffect::Chat => {
                const { &[note(740.0, 0.0, 0.06, 0.1), note(740.0, 0.1, 0.08, 0.1)] }
            }
            SoundEffect::Refused => {
                const { &[note(196.0, 0.0, 0.1, 0.12), note(156.0, 0.09, 0.16, 0.12)] }
            }
            // A tower lifts and lands.
            SoundEffect::Tower => {
                const {
                    &[
                        note(180.0, 0.0, 0.2, 0.2),
                        note(90.0, 0.55, 0.25, 0.4),
                        note(65.0, 0.58, 0.3, 0.4),
                    ]
                }
            }
            SoundEffect::Wizard => {
                const { &[note(440.0, 0.0, 0.09, 0.2), note(587.0, 0.08, 0.12, 0.2)] }
            }
            SoundEffect::Home => {
                const {
                    &[
                        note(523.0, 0.0, 0.25, 0.2),
                        note(659.0, 0.12, 0.25, 0.2),
                        note(784.0, 0.24, 0.25, 0.2),
                        note(1047.0, 0.36, 0.5, 0.2),
                    ]
                }
            }
            // A door slams shut.
            SoundEffect::Imprison => {
                const {
                    &[
                        note(247.0, 0.0, 0.12, 0.25),
                        note(175.0, 0.1, 0.14, 0.28),
                        note(73.0, 0.2, 0.45, 0.4),
                    ]
                }
            }
            SoundEffect::Flask => {
                const {
                    &[
                        note(500.0, 0.0, 0.08, 0.15),
                        note(700.0, 0.07, 0.08, 0.15),
                        note(950.0, 0.14, 0.12, 0.15),
                    ]
                }
            }
            SoundEffect::Spell => {
                const {
                    &[
                        note(880.0, 0.0, 0.3, 0.1),
                        note(1175.0, 0.1, 0.3, 0.1),
                        note(1397.0, 0.2, 0.4, 0.1),
                    ]
                }
            }
            SoundEffect::Castle => {
                const {
                    &[
                        note(330.0, 0.0, 0.5, 0.12),
                        note(415.0, 0.15, 0.5, 0.12),
                        note(494.0, 0.3, 0.6, 0.12),
                    ]
                }
            }
            SoundEffect::Roll => {
                const {
                    &[
                        note(220.0, 0.0, 0.03, 0.06),
                        note(260.0, 0.12, 0.03, 0.06),
                        note(200.0, 0.22, 0.03, 0.06),
                        note(240.0, 0.36, 0.04, 0.06),
                    ]
                }
            }
            SoundEffect::YourTurn => {
                const { &[note(659.0, 0.0, 0.25, 0.12), note(880.0, 0.14, 0.4, 0.12)] }
            }
            SoundEffect::Call => {
                const { &[note(880.0, 0.0, 0.4, 0.2), note(1175.0, 0.18, 0.6, 0.2)] }
            }
            SoundEffect::Win => {
                const {
                    &[
                        note(392.0, 0.0, 0.3, 0.2),
                        note(523.0, 0.2, 0.3, 0.2),
                        note(659.0, 0.4, 0.3, 0.2),
                        note(784.0, 0.6, 0.9, 0.2),
                        note(1047.0, 0.8, 1.0, 0.16),
                    ]
                }
            }
            SoundEffect::End => {
                const { &[note(392.0, 0.0, 0.4, 0.15), note(330.0, 0.3, 0.7, 0.15)] }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use towers_rules::{Colour, Seat, Space, Tower};

    #[test]
    fn everything_that_matters_has_a_sound_of_its_own() {
        for (i, one) in SoundEffect::ALL.into_iter().enumerate() {
            assert!(!one.notes().is_empty());
            for note in one.notes() {
                assert!((40.0..4000.0).contains(&note.hertz), "{one:?} can be heard");
                assert!(note.loudness <= 0.5 && note.start + note.seconds < 2.5);
            }
            for other in &SoundEffect::ALL[..i] {
                assert_ne!(one.notes(), other.notes(), "{one:?} and {other:?}");
            }
        }
        assert_eq!(SoundEffect::of(Motion::Over, true), Some(SoundEffect::Win));
        assert_eq!(SoundEffect::of(Motion::Over, false), Some(SoundEffect::End));
        assert_eq!(SoundEffect::of(Motion::None, true), None);
    }

    #[test]
    fn every_event_that_is_shown_sounds_different() {
        let [from, to] = [1, 3].map(Space::wrapping);
        let [one, other] = ['A', 'B'].map(|l| Tower::from_letter(l).unwrap());
        let (seat, colour) = (Seat(0), Colour::Blue);
        let wizard = |home| Motion::Wizard {
            colour,
            from,
            to,
            home,
        };
        let sounds = [
            wizard(false),
            wizard(true),
            Motion::Tower {
                tower: one,
                from,
                to,
            },
            Motion::Swap { one, other },
            Motion::Castle { from, to },
            Motion::Roll { value: 1 },
            Motion::Card { seat },
            Motion::Refresh,
            Motion::Flask { seat },
            Motion::Spell { seat },
            Motion::Imprison { seat },
            Motion::Freed,
            Motion::Over,
        ]
        .map(|motion| SoundEffect::of(motion, false).expect("it can be heard"));
        for (i, sound) in sounds.iter().enumerate() {
            assert!(!sounds[..i].contains(sound), "{sound:?}");
        }
    }

    #[test]
    fn of_several_events_at_once_the_most_important_one_sounds() {
        use SoundEffect::{Card, Flask, Home, Imprison, Tower, Win};
        assert_eq!(
            [Card, Tower, Imprison, Flask].into_iter().max(),
            Some(Imprison)
        );
        assert_eq!([Home, Win, Card].into_iter().max(), Some(Win));
        assert!(SoundEffect::ALL.is_sorted());
    }
}
