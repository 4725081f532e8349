//! Computer players in a thread of their own.

use std::cell::{Cell, RefCell};

use gloo_timers::callback::Timeout;
use js_sys::{Object, Reflect};
use trencavel_ai::Level;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

use crate::thinking::think;

/// How long the page itself thinks where there is no thread, in milliseconds.
const SHORT_MS: f64 = 40.0;

type Answer = Box<dyn FnOnce(String)>;

thread_local! {
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
    static ASKED: RefCell<Option<(f64, Answer)>> = const { RefCell::new(None) };
    static NUMBER: Cell<f64> = const { Cell::new(0.0) };
}

fn remember(answer: impl FnOnce(String) + 'static) -> f64 {
    let number = NUMBER.get() + 1.0;
    NUMBER.set(number);
    ASKED.set(Some((number, Box::new(answer))));
    number
}

/// Asks a level for its choice in a game, after a pause in milliseconds, so that people can follow; a question before that is
/// forgotten.
pub(crate) fn ask(
    game: String,
    level: &'static Level,
    pause: u32,
    answer: impl FnOnce(String) + 'static,
) {
    let number = remember(answer);
    Timeout::new(pause, move || {
        if NUMBER.get() != number {
            return;
        }
        let sent = send(
            number,
            &game,
            &[
                ("level", level.name.into()),
                ("milliseconds", level.milliseconds.into()),
            ],
        );
        if !sent {
            deliver(
                number,
                think(&game, level.name, SHORT_MS).unwrap_or_default(),
            );
        }
    })
    .forget();
}

/// Lets the choices after so many inputs of a game be weighed: see [`crate::thinking::weigh`].
pub(crate) fn weigh(
    game: String,
    at: usize,
    milliseconds: f64,
    answer: impl FnOnce(String) + 'static,
) {
    let number = remember(answer);
    let sent = send(
        number,
        &game,
        &[
            ("at", (at as f64).into()),
            ("milliseconds", milliseconds.into()),
        ],
    );
    if !sent {
        Timeout::new(0, move || {
            deliver(
                number,
                crate::thinking::weigh(&game, at, SHORT_MS * 4.0).unwrap_or_default(),
            );
        })
        .forget();
    }
}

fn deliver(number: f64, text: String) {
    let asked = ASKED.with_borrow_mut(|asked| {
        asked
            .take_if(|(of, _)| *of == number)
            .map(|(_, answer)| answer)
    });
    if let Some(answer) = asked {
        answer(text);
    }
}

fn send(number: f64, game: &str, more: &[(&str, JsValue)]) -> bool {
    let message = Object::new();
    let set = |key: &str, value: JsValue| Reflect::set(&message, &key.into(), &value).is_ok();
    let complete = set("number", number.into())
        && set("game", game.into())
        && more.iter().all(|(key, value)| set(key, value.clone()));
    complete
        && WORKER.with_borrow_mut(|worker| {
            if worker.is_none() {
                *worker = start();
            }
            worker
                .as_ref()
                .is_some_and(|worker| worker.post_message(&message).is_ok())
        })
}

/// A thread; none where the page does not say from which file, or the browser refuses.
fn thread() -> Option<Worker> {
    let file = crate::files::worker()?;
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    Worker::new_with_options(&file, &options).ok()
}

/// Starts the thread of the computer players.
fn start() -> Option<Worker> {
    let worker = thread()?;
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(|event: MessageEvent| {
        let data = event.data();
        let number = Reflect::get(&data, &"number".into())
            .ok()
            .and_then(|n| n.as_f64());
        let text = Reflect::get(&data, &"answer".into())
            .ok()
            .and_then(|text| text.as_string());
        if let (Some(number), Some(text)) = (number, text) {
            deliver(number, text);
        }
    });
    worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // The thread lives as long as the page.
    on_message.forget();
    Some(worker)
}

/// An analysis of a whole game in a thread of its own; it ends when this is dropped.
pub(crate) struct Survey {
    worker: Worker,
    _hears: Closure<dyn Fn(MessageEvent)>,
}

impl Survey {
    /// Begins an analysis with so many milliseconds for each decision. `told` hears how many inputs have been looked at, `done` the
    /// answer of [`crate::thinking::survey`]. None where the browser has no threads.
    pub(crate) fn start(
        game: &str,
        milliseconds: f64,
        told: impl Fn(usize) + 'static,
        done: impl Fn(String) + 'static,
    ) -> Option<Survey> {
        let worker = thread()?;
        let hears = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            let get = |key: &str| Reflect::get(&event.data(), &key.into()).ok();
            if let Some(n) = get("told").and_then(|n| n.as_f64()) {
                told(n as usize);
            } else if let Some(text) = get("answer").and_then(|text| text.as_string()) {
                done(text);
            }
        });
        worker.set_onmessage(Some(hears.as_ref().unchecked_ref()));
        let message = Object::new();
        let pairs: [(&str, JsValue); 4] = [
            ("number", 0.into()),
            ("survey", true.into()),
            ("game", game.into()),
            ("milliseconds", milliseconds.into()),
        ];
        for (key, value) in pairs {
            Reflect::set(&message, &key.into(), &value).ok()?;
        }
        worker.post_message(&message).ok()?;
        Some(Survey {
            worker,
            _hears: hears,
        })
    }
}

impl Drop for Survey {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.terminate();
    }
}
