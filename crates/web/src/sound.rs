//! Short sounds, made by the browser: nothing is loaded for them.

use std::cell::RefCell;

use web_sys::{AudioContext, OscillatorType};

/// What is heard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sound {
    /// A tile or figure is put down.
    Wood,
    /// Points are given.
    Points,
}

thread_local! {
    static CONTEXT: RefCell<Option<AudioContext>> = const { RefCell::new(None) };
}

/// Plays a sound; where the browser has none, nothing is heard.
pub(crate) fn play(sound: Sound) {
    CONTEXT.with_borrow_mut(|context| {
        if context.is_none() {
            *context = AudioContext::new().ok();
        }
        if let Some(context) = context {
            let notes: &[(f32, f64, f64)] = match sound {
                Sound::Wood => &[(190.0, 0.0, 0.07)],
                Sound::Points => &[(523.0, 0.0, 0.12), (659.0, 0.1, 0.12), (784.0, 0.2, 0.2)],
            };
            for (pitch, from, length) in notes {
                let _ = note(context, *pitch, *from, *length);
            }
        }
    });
}

fn note(
    context: &AudioContext,
    pitch: f32,
    from: f64,
    length: f64,
) -> Result<(), wasm_bindgen::JsValue> {
    let tone = context.create_oscillator()?;
    let volume = context.create_gain()?;
    let begin = context.current_time() + from;
    tone.set_type(OscillatorType::Triangle);
    tone.frequency().set_value(pitch);
    volume.gain().set_value_at_time(0.16, begin)?;
    volume
        .gain()
        .exponential_ramp_to_value_at_time(0.001, begin + length)?;
    tone.connect_with_audio_node(&volume)?;
    volume.connect_with_audio_node(&context.destination())?;
    tone.start_with_when(begin)?;
    tone.stop_with_when(begin + length)
}
