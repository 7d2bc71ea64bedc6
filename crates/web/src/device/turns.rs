//! Taking turns: what a screen is made of comes one after the other, so that the page can answer in between.
//!
//! In a game the numbers are: 0 its frame, 1 sky and ground, and the board, 2 the scene in portions, 3 the hand, 4 the players,
//! 5 what can be done, 6 targets, 7 tools, 8 what is asked, 9 the finer layers of the valley, and then the game goes on, 10 what
//! moves in the air. The first page has 0 its buttons and 1 what stands below them.

use std::cell::RefCell;

use js_sys::{Function, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use super::page::{sleep, window};
use crate::live::RwSignal;

/// As long as so many have not been called, they come one by one: what is done for the first time takes longest.
const FIRST: usize = 40;
/// How many come between two pictures later on.
const LATER: usize = 5;

/// Those who wait for their turn.
struct Waiting {
    /// Who, and how soon they should come.
    who: Vec<(u32, Function)>,
    /// How many have been called.
    called: usize,
    /// Whether somebody calls them.
    calling: bool,
}

impl Waiting {
    fn next(&mut self) -> Option<Function> {
        let numbers = self.who.iter().enumerate().map(|(i, who)| (who.0, i));
        let place = numbers.min();
        self.calling = place.is_some();
        let (_, place) = place?;
        self.called += 1;
        Some(self.who.remove(place).1)
    }
}

thread_local! {
    static WAITING: RefCell<Waiting> = const {
        RefCell::new(Waiting {
            who: Vec::new(),
            called: 0,
            calling: false,
        })
    };
}

/// Waits until the page has been shown anew; not for ever, since what nobody sees is not shown.
async fn picture() {
    let promise = Promise::new(&mut |done, _| {
        let _ = window().request_animation_frame(&done);
        let _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(&done, 100);
    });
    let _ = JsFuture::from(promise).await;
    sleep(0).await;
}

/// Waits for its turn: between two pictures of the page come a few of all who wait, first those with the lowest number.
pub async fn turn(number: u32) {
    let promise = Promise::new(&mut |done, _| {
        let calling = WAITING.with_borrow_mut(|waiting| {
            waiting.who.push((number, done));
            std::mem::replace(&mut waiting.calling, true)
        });
        if !calling {
            leptos::task::spawn_local(call());
        }
    });
    let _ = JsFuture::from(promise).await;
}

/// Calls one after the other until nobody waits.
async fn call() {
    loop {
        picture().await;
        let several = WAITING.with_borrow(|waiting| waiting.called >= FIRST);
        for _ in 0..if several { LATER } else { 1 } {
            let Some(done) = WAITING.with_borrow_mut(Waiting::next) else {
                return;
            };
            let _ = done.call0(&JsValue::NULL);
        }
    }
}

/// Turns true when it is its turn, for what need not be there at once.
pub fn after(number: u32) -> RwSignal<bool> {
    let due = RwSignal::new(false);
    leptos::task::spawn_local(async move {
        turn(number).await;
        due.set(true);
    });
    due
}
