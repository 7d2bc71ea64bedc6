//! Rows of a list that stay as long as their keys do.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::{Owner, untrack};
use leptos::reactive::effect::RenderEffect;
use web_sys::{Node, Text};

use super::Make;
use super::state::{State, insert, mark, remove};

/// A row that is made when it is needed.
pub type Row = Box<dyn Make>;

/// What the rows are now, with their keys.
pub type Rows = Box<dyn FnMut() -> Vec<(u32, Row)>>;

/// A row in the page. What is shown goes before what it belongs to.
struct PlacedRow {
    key: u32,
    state: State,
    _owner: Owner,
}

impl PlacedRow {
    /// Makes a row; it belongs to the list and not to the change that brought it.
    fn new(key: u32, mut row: Row, list: Option<&Owner>) -> PlacedRow {
        let owner = list.map_or_else(Owner::new, Owner::child);
        let state = owner.with(|| untrack(|| row.make().build()));
        PlacedRow {
            key,
            state,
            _owner: owner,
        }
    }
}

/// A list in the page.
pub struct PlacedRows {
    rows: Rc<RefCell<Vec<PlacedRow>>>,
    end: Text,
    _effect: RenderEffect<()>,
}

impl PlacedRows {
    /// Makes it, and follows what becomes of it.
    pub fn new(mut each: Rows) -> PlacedRows {
        let rows = Rc::new(RefCell::new(Vec::new()));
        let (end, list) = (mark(), Owner::current());
        let (shown, last) = (Rc::clone(&rows), end.clone());
        let effect = RenderEffect::new(move |_| {
            let new = each();
            let old = shown.take();
            shown.replace(change(old, new, &last, list.as_ref()));
        });
        PlacedRows {
            rows,
            end,
            _effect: effect,
        }
    }

    /// Puts it into the page.
    pub fn mount(&self, parent: &Node, before: Option<&Node>) {
        for row in &mut *self.rows.borrow_mut() {
            row.state.mount(parent, before);
        }
        insert(parent, &self.end, before);
    }

    /// Takes it out of the page.
    pub fn unmount(&self) {
        for row in &mut *self.rows.borrow_mut() {
            row.state.unmount();
        }
        remove(&self.end);
    }

    /// The first of its nodes.
    pub fn first(&self) -> Node {
        let first = self.rows.borrow().first().and_then(|r| r.state.first());
        first.unwrap_or_else(|| self.end.clone().into())
    }
}

/// Makes the rows that are new, takes out those that are gone, and moves the others only if their order has changed.
fn change(
    old: Vec<PlacedRow>,
    new: Vec<(u32, Row)>,
    end: &Text,
    list: Option<&Owner>,
) -> Vec<PlacedRow> {
    let place = |key: u32| old.iter().position(|row| row.key == key);
    let places: Vec<_> = new.iter().map(|(key, _)| place(*key)).collect();
    let moved = !places.iter().flatten().is_sorted();
    let mut old: Vec<_> = old.into_iter().map(Some).collect();
    for (n, row) in old.iter_mut().enumerate() {
        if !places.contains(&Some(n))
            && let Some(mut row) = row.take()
        {
            row.state.unmount();
        }
    }
    let (parent, mut next) = (end.parent_node(), Node::from(end.clone()));
    let mut rows: Vec<_> = new
        .into_iter()
        .zip(places)
        .rev()
        .map(|((key, row), place)| {
            let kept = place.and_then(|n| old[n].take());
            let stays = kept.is_some() && !moved;
            let mut row = kept.unwrap_or_else(|| PlacedRow::new(key, row, list));
            if let (Some(parent), false) = (&parent, stays) {
                row.state.mount(parent, Some(&next));
            }
            if let Some(first) = row.state.first() {
                next = first;
            }
            row
        })
        .collect();
    rows.reverse();
    rows
}
