//! Sound effects, made of a few notes.

use std::cell::RefCell;

use client::motion::Motion;
use web_sys::{AudioContext, OscillatorType};

thread_local! {
    static CONTEXT: RefCell<Option<AudioContext>> = const { RefCell::new(None) };
}

/// A note: pitch in hertz, when it begins and how long it lasts in seconds, how loud.
type Note = (f32, f64, f64, f32);

/// The sound of something that moves.
pub fn of(motion: Motion) {
    let (kind, notes): (OscillatorType, &[Note]) = match motion {
        Motion::None | Motion::Turn { .. } | Motion::Peek { .. } => return,
        Motion::Wizard { home: true, .. } => (
            OscillatorType::Triangle,
            &[
                (523.0, 0.0, 0.25, 0.2),
                (659.0, 0.12, 0.25, 0.2),
                (784.0, 0.24, 0.25, 0.2),
                (1047.0, 0.36, 0.5, 0.2),
            ],
        ),
        Motion::Wizard { .. } => (
            OscillatorType::Sine,
            &[(440.0, 0.0, 0.09, 0.2), (587.0, 0.08, 0.12, 0.2)],
        ),
        Motion::Tower { .. } | Motion::Swap { .. } => (
            OscillatorType::Triangle,
            &[
                (180.0, 0.0, 0.2, 0.2),
                (90.0, 0.55, 0.25, 0.4),
                (65.0, 0.58, 0.3, 0.4),
            ],
        ),
        Motion::Castle { .. } => (
            OscillatorType::Sine,
            &[
                (330.0, 0.0, 0.5, 0.12),
                (415.0, 0.15, 0.5, 0.12),
                (494.0, 0.3, 0.6, 0.12),
            ],
        ),
        Motion::Roll { .. } => (
            OscillatorType::Square,
            &[
                (220.0, 0.0, 0.03, 0.06),
                (260.0, 0.12, 0.03, 0.06),
                (200.0, 0.22, 0.03, 0.06),
                (240.0, 0.36, 0.04, 0.06),
            ],
        ),
        Motion::Card { .. } => (OscillatorType::Sine, &[(300.0, 0.0, 0.06, 0.1)]),
        Motion::Flask { .. } => (
            OscillatorType::Sine,
            &[
                (500.0, 0.0, 0.08, 0.15),
                (700.0, 0.07, 0.08, 0.15),
                (950.0, 0.14, 0.12, 0.15),
            ],
        ),
        Motion::Spell { .. } => (
            OscillatorType::Triangle,
            &[
                (880.0, 0.0, 0.3, 0.1),
                (1175.0, 0.1, 0.3, 0.1),
                (1397.0, 0.2, 0.4, 0.1),
            ],
        ),
        Motion::Over => (
            OscillatorType::Triangle,
            &[
                (392.0, 0.0, 0.3, 0.2),
                (523.0, 0.2, 0.3, 0.2),
                (659.0, 0.4, 0.3, 0.2),
                (784.0, 0.6, 0.8, 0.2),
            ],
        ),
    };
    play(kind, notes);
}

/// Somebody is called.
pub fn bell() {
    play(
        OscillatorType::Sine,
        &[(880.0, 0.0, 0.4, 0.2), (1175.0, 0.18, 0.6, 0.2)],
    );
}

fn play(kind: OscillatorType, notes: &[Note]) {
    CONTEXT.with_borrow_mut(|kept| {
        if kept.is_none() {
            *kept = AudioContext::new().ok();
        }
        if let Some(context) = kept {
            for &note in notes {
                // A browser without sound is no reason to stop.
                let _ = sound(context, kind, note);
            }
        }
    });
}

fn sound(
    context: &AudioContext,
    kind: OscillatorType,
    (pitch, begin, length, loud): Note,
) -> Result<(), wasm_bindgen::JsValue> {
    let at = context.current_time() + begin;
    let voice = context.create_oscillator()?;
    let gain = context.create_gain()?;
    voice.set_type(kind);
    voice.frequency().set_value(pitch);
    gain.gain().set_value_at_time(loud, at)?;
    gain.gain()
        .exponential_ramp_to_value_at_time(0.001, at + length)?;
    voice.connect_with_audio_node(&gain)?;
    gain.connect_with_audio_node(&context.destination())?;
    voice.start_with_when(at)?;
    voice.stop_with_when(at + length)
}
