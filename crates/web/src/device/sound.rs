//! Plays the notes of a [`SoundEffect`].

use std::cell::RefCell;

use towers_client::sound::{Note, SoundEffect, Wave};
use web_sys::{AudioContext, OscillatorType};

thread_local! {
    static CONTEXT: RefCell<Option<AudioContext>> = const { RefCell::new(None) };
}

/// Plays an effect at a volume between 0 and 1.
pub fn play(effect: SoundEffect, volume: f32) {
    CONTEXT.with_borrow_mut(|kept| {
        if kept.is_none() {
            *kept = AudioContext::new().ok();
        }
        if let Some(context) = kept {
            for &note in effect.notes() {
                // Failures are ignored: the game works without sound.
                let _ = sound(context, effect.wave(), note, volume);
            }
        }
    });
}

fn sound(
    context: &AudioContext,
    wave: Wave,
    note: Note,
    volume: f32,
) -> Result<(), wasm_bindgen::JsValue> {
    let at = context.current_time() + note.start;
    let voice = context.create_oscillator()?;
    let gain = context.create_gain()?;
    voice.set_type(match wave {
        Wave::Sine => OscillatorType::Sine,
        Wave::Triangle => OscillatorType::Triangle,
        Wave::Square => OscillatorType::Square,
    });
    voice.frequency().set_value(note.hertz);
    // The exponential ramp must start above 0.
    let loudness = (note.loudness * volume).max(0.001);
    gain.gain().set_value_at_time(loudness, at)?;
    gain.gain()
        .exponential_ramp_to_value_at_time(0.0005, at + note.seconds)?;
    voice.connect_with_audio_node(&gain)?;
    gain.connect_with_audio_node(&context.destination())?;
    voice.start_with_when(at)?;
    voice.stop_with_when(at + note.seconds)
}
