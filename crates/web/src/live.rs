//! Values that others follow, as Leptos has them, but kept as something of any type: what Leptos does for a signal or a memo is
//! then in the client once and not once for every type.

use std::any::Any;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;

struct Kept {
    changed: ArcTrigger,
    value: RefCell<Box<dyn Any>>,
}

type Place = leptos::prelude::StoredValue<Rc<Kept>, LocalStorage>;

#[inline(never)]
fn keep(value: Box<dyn Any>) -> Place {
    leptos::prelude::StoredValue::new_local(Rc::new(Kept {
        changed: ArcTrigger::new(),
        value: RefCell::new(value),
    }))
}

#[inline(never)]
fn look(place: Place) -> Option<Rc<Kept>> {
    place.try_get_value()
}

#[inline(never)]
fn watch(place: Place) -> Option<Rc<Kept>> {
    let kept = look(place)?;
    kept.changed.track();
    Some(kept)
}

#[inline(never)]
fn drop_kept(kept: Rc<Kept>) {
    drop(kept);
}

#[inline(never)]
fn tell(kept: Rc<Kept>) {
    kept.changed.notify();
}

#[cold]
#[inline(never)]
fn gone() -> ! {
    panic!("a value was used after the screen it belongs to was left")
}

/// A value that others follow. It is gone with the screen on which it was made.
pub struct RwSignal<T> {
    place: Place,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for RwSignal<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for RwSignal<T> {}

impl<T: 'static> RwSignal<T> {
    /// A value.
    pub fn new(value: T) -> Self {
        RwSignal {
            place: keep(Box::new(value)),
            of: PhantomData,
        }
    }

    fn see<U>(kept: Option<Rc<Kept>>, look: impl FnOnce(&T) -> U) -> Option<U> {
        let kept = kept?;
        let seen = kept.value.borrow().downcast_ref().map(look);
        drop_kept(kept);
        seen
    }

    /// Looks at it, and is told when it changes.
    pub fn with<U>(&self, look: impl FnOnce(&T) -> U) -> U {
        Self::see(watch(self.place), look).unwrap_or_else(|| gone())
    }

    /// Looks at it as it is now.
    pub fn with_untracked<U>(&self, see: impl FnOnce(&T) -> U) -> U {
        self.try_with_untracked(see).unwrap_or_else(|| gone())
    }

    /// Looks at it as it is now, if it is still there.
    pub fn try_with_untracked<U>(&self, see: impl FnOnce(&T) -> U) -> Option<U> {
        Self::see(look(self.place), see)
    }

    /// Changes it, if it is still there, and tells those who follow.
    pub fn try_update<U>(&self, change: impl FnOnce(&mut T) -> U) -> Option<U> {
        let kept = look(self.place)?;
        let done = kept.value.borrow_mut().downcast_mut().map(change);
        tell(kept);
        done
    }

    /// Changes it, and tells those who follow.
    pub fn update(&self, change: impl FnOnce(&mut T)) {
        self.try_update(change).unwrap_or_else(|| gone());
    }

    /// Replaces it, and tells those who follow; nobody if it is gone.
    #[inline(never)]
    pub fn set(&self, value: T) {
        self.try_update(|kept| *kept = value);
    }

    /// Is told when it changes.
    #[inline(never)]
    pub fn track(&self) {
        watch(self.place);
    }
}

impl<T: Clone + 'static> RwSignal<T> {
    /// What it is, and is told when it changes.
    #[inline(never)]
    pub fn get(&self) -> T {
        self.with(T::clone)
    }

    /// What it is now.
    #[inline(never)]
    pub fn get_untracked(&self) -> T {
        self.with_untracked(T::clone)
    }

    /// What it is now, if it is still there.
    pub fn try_get_untracked(&self) -> Option<T> {
        self.try_with_untracked(T::clone)
    }
}

/// Something of any type that can be told from another.
trait Value: Any + Send + Sync {
    fn is(&self, other: &dyn Value) -> bool;
    fn any(&self) -> &dyn Any;
}

impl<T: Any + PartialEq + Send + Sync> Value for T {
    fn is(&self, other: &dyn Value) -> bool {
        other.any().downcast_ref() == Some(self)
    }

    fn any(&self) -> &dyn Any {
        self
    }
}

#[derive(Clone)]
struct Worked(Arc<dyn Value>);

impl PartialEq for Worked {
    fn eq(&self, other: &Worked) -> bool {
        self.0.is(&*other.0)
    }
}

#[inline(never)]
fn work_out(work: Box<dyn Fn() -> Worked + Send + Sync>) -> leptos::prelude::Memo<Worked> {
    leptos::prelude::Memo::new(move |_| work())
}

#[inline(never)]
fn worked(memo: leptos::prelude::Memo<Worked>) -> Worked {
    memo.get()
}

/// A value that follows from others. Those who follow it are told only when it is another.
pub struct Memo<T> {
    memo: leptos::prelude::Memo<Worked>,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Memo<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Memo<T> {}

impl<T: PartialEq + Send + Sync + 'static> Memo<T> {
    /// What `work` comes to.
    pub fn new(work: impl Fn() -> T + Send + Sync + 'static) -> Self {
        Memo {
            memo: work_out(Box::new(move || Worked(Arc::new(work())))),
            of: PhantomData,
        }
    }

    fn see<U>(kept: Worked, look: impl FnOnce(&T) -> U) -> U {
        let seen = kept.0.any().downcast_ref().map(look);
        seen.unwrap_or_else(|| gone())
    }

    /// Looks at it, and is told when it changes.
    pub fn with<U>(&self, look: impl FnOnce(&T) -> U) -> U {
        Self::see(worked(self.memo), look)
    }

    /// Looks at it as it is now.
    pub fn with_untracked<U>(&self, look: impl FnOnce(&T) -> U) -> U {
        Self::see(untrack(|| worked(self.memo)), look)
    }
}

impl<T: Clone + PartialEq + Send + Sync + 'static> Memo<T> {
    /// What it is, and is told when it changes.
    #[inline(never)]
    pub fn get(&self) -> T {
        self.with(T::clone)
    }
}

/// A value that nobody follows. It is gone with the screen on which it was made.
pub struct StoredValue<T>(RwSignal<T>);

impl<T> Clone for StoredValue<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for StoredValue<T> {}

impl<T: 'static> StoredValue<T> {
    /// A value.
    pub fn new(value: T) -> Self {
        StoredValue(RwSignal::new(value))
    }

    /// Looks at it.
    pub fn with_value<U>(&self, look: impl FnOnce(&T) -> U) -> U {
        self.0.with_untracked(look)
    }

    /// Looks at it, if it is still there.
    pub fn try_with_value<U>(&self, look: impl FnOnce(&T) -> U) -> Option<U> {
        self.0.try_with_untracked(look)
    }

    /// Changes it.
    pub fn update_value(&self, change: impl FnOnce(&mut T)) {
        self.0.update(change);
    }

    /// Changes it, if it is still there.
    pub fn try_update_value<U>(&self, change: impl FnOnce(&mut T) -> U) -> Option<U> {
        self.0.try_update(change)
    }

    /// Replaces it, if it is still there.
    pub fn set_value(&self, value: T) {
        self.0.set(value);
    }
}

impl<T: Clone + 'static> StoredValue<T> {
    /// What it is.
    pub fn get_value(&self) -> T {
        self.0.get_untracked()
    }

    /// What it is, if it is still there.
    pub fn try_get_value(&self) -> Option<T> {
        self.0.try_get_untracked()
    }
}

#[inline(never)]
fn effect(mut act: Box<dyn FnMut()>) {
    Effect::new(move |_| act());
}

/// Does something now and whenever what it looked at changes, as long as the screen is there.
pub fn follow(act: impl FnMut() + 'static) {
    effect(Box::new(act));
}
