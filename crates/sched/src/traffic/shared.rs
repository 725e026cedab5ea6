//! A traffic manager in an engine whose statistics another component reads.

use super::Manager;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use ww_dataplane::Picoseconds;
use ww_dataplane::traffic::{Arrival, Departure, QueueFull, TrafficManager};

/// A handle; clones are the same queues.
#[derive(Clone, Debug)]
pub struct Shared(Arc<Mutex<Manager>>);

impl Shared {
    /// Takes it in.
    pub fn new(manager: Manager) -> Self {
        Self(Arc::new(Mutex::new(manager)))
    }

    /// Looks at it. The packet path waits meanwhile.
    pub fn lock(&self) -> MutexGuard<'_, Manager> {
        // Its numbers are whole between any two of its steps.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TrafficManager for Shared {
    fn enqueue(&mut self, now: Picoseconds, arrival: Arrival<'_>) -> Result<(), QueueFull> {
        self.lock().enqueue(now, arrival)
    }

    fn dequeue(&mut self, now: Picoseconds) -> Option<Departure> {
        self.lock().dequeue(now)
    }

    fn sent(&mut self, departure: &Departure, bytes: u32) {
        self.lock().sent(departure, bytes);
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.lock().next_event()
    }
}
