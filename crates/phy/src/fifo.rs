//! A queue between two threads without a counter that both write (spec 000 section 2.4: chasing pointers).
//!
//! Each place has a flag: full or empty. Who fills and who empties have their own place, look at its flag and at nothing else, so
//! that a cache line goes to and fro for what is handed over, and for nothing besides.

use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A place, on cache lines of its own.
#[repr(align(128))]
#[derive(Debug, Default)]
struct Place<T> {
    full: AtomicBool,
    value: UnsafeCell<T>,
}

/// Places in a ring.
#[derive(Debug)]
struct Places<T>(Box<[Place<T>]>);

// SAFETY: a value is touched by the producer while its flag says empty and by the consumer while it says full; there is one of each, and
// the flag is handed over with release and acquire.
unsafe impl<T: Send> Sync for Places<T> {}

/// Fills places.
#[derive(Debug)]
pub struct Producer<T> {
    places: Arc<Places<T>>,
    at: usize,
}

/// Empties them.
#[derive(Debug)]
pub struct Consumer<T> {
    places: Arc<Places<T>>,
    at: usize,
}

/// A queue of values that are made once and used again and again. There must be one at least.
pub fn fifo<T: Send>(values: Vec<T>) -> (Producer<T>, Consumer<T>) {
    assert!(!values.is_empty(), "a queue without a place");
    let place = |value| Place { full: AtomicBool::new(false), value: UnsafeCell::new(value) };
    let places = Arc::new(Places(values.into_iter().map(place).collect()));
    (Producer { places: places.clone(), at: 0 }, Consumer { places, at: 0 })
}

impl<T> Producer<T> {
    /// Fills the next place; `None` if it is still full.
    pub fn fill<R>(&mut self, fill: impl FnOnce(&mut T) -> R) -> Option<R> {
        let place = &self.places.0[self.at];
        if place.full.load(Ordering::Acquire) {
            return None;
        }
        // SAFETY: the place is empty, so it is the producer's, of which there is one.
        let result = fill(unsafe { &mut *place.value.get() });
        place.full.store(true, Ordering::Release);
        self.at = (self.at + 1) % self.places.0.len();
        Some(result)
    }
}

impl<T> Consumer<T> {
    /// Empties the next place; `None` if nothing is there.
    pub fn take<R>(&mut self, take: impl FnOnce(&mut T) -> R) -> Option<R> {
        let place = &self.places.0[self.at];
        if !place.full.load(Ordering::Acquire) {
            return None;
        }
        // SAFETY: the place is full, so it is the consumer's, of which there is one.
        let result = take(unsafe { &mut *place.value.get() });
        place.full.store(false, Ordering::Release);
        self.at = (self.at + 1) % self.places.0.len();
        Some(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queue_holds_its_capacity() {
        let (mut producer, mut consumer) = fifo(vec![0; 2]);
        assert_eq!(consumer.take(|value| *value), None);
        assert!(producer.fill(|value| *value = 1).is_some());
        assert!(producer.fill(|value| *value = 2).is_some());
        assert!(producer.fill(|value| *value = 3).is_none());
        assert_eq!(consumer.take(|value| *value), Some(1));
        assert!(producer.fill(|value| *value = 3).is_some());
        assert_eq!([(); 3].map(|()| consumer.take(|value| *value)), [Some(2), Some(3), None]);
    }

    /// Nothing is lost, doubled or torn between threads.
    #[test]
    fn between_threads() {
        let (mut producer, mut consumer) = fifo(vec![[0u64; 20]; 3]);
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for number in 0..20_000u64 {
                    while producer.fill(|value| value.fill(number)).is_none() {
                        std::thread::yield_now();
                    }
                }
            });
            for number in 0..20_000u64 {
                let value = loop {
                    match consumer.take(|value| *value) {
                        Some(value) => break value,
                        None => std::thread::yield_now(),
                    }
                };
                assert_eq!(value, [number; 20]);
            }
        });
    }
}
