//! Digests for subscribers: each gets all, in order, as long as it keeps up.

use super::Replaceable;
use super::connection::Common;
use super::values::digest_json;
use crate::line_server::Writer;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use ww_dataplane::control::Control;

/// Digests that wait for one subscriber; what comes when so many wait is lost, and counted.
const WAITING: usize = 65536;

/// How often the dataplane is asked while there are subscribers.
const INTERVAL: Duration = Duration::from_millis(2);

/// Those who want digests.
#[derive(Default)]
pub(super) struct Hub {
    subscribers: Mutex<Vec<Arc<Queue>>>,
    /// Wakes the thread that fetches digests.
    news: Condvar,
    closed: AtomicBool,
}

/// What waits for one subscriber.
#[derive(Default)]
struct Queue {
    state: Mutex<Waiting>,
    news: Condvar,
}

#[derive(Default)]
struct Waiting {
    /// Digests without their closing brace, each with how many were lost before it.
    lines: VecDeque<(Arc<str>, u64)>,
    lost: u64,
    closed: bool,
}

/// Ends when dropped.
pub(super) struct Subscription {
    queue: Arc<Queue>,
    hub: Arc<Hub>,
    thread: Option<JoinHandle<()>>,
}

impl Hub {
    /// Has all digests from now on (and those that nobody has fetched) written to `writer`.
    pub fn subscribe(self: &Arc<Self>, writer: Writer) -> Subscription {
        let queue = Arc::new(Queue::default());
        let work = Arc::clone(&queue);
        let deliver = move || work.deliver(&writer);
        // Without a thread the subscriber gets nothing, which is all that can be done.
        let thread = thread::Builder::new().name("ww digests".into()).spawn(deliver).ok();
        self.subscribers.lock().push(Arc::clone(&queue));
        self.news.notify_all();
        Subscription { queue, hub: Arc::clone(self), thread }
    }

    /// Fetches digests until the hub is closed; the work of one thread.
    pub fn fetch<C: Replaceable>(&self, common: &Common<C>) {
        loop {
            {
                let mut subscribers = self.subscribers.lock();
                while subscribers.is_empty() && !self.closed.load(Ordering::SeqCst) {
                    self.news.wait(&mut subscribers);
                }
            }
            if self.closed.load(Ordering::SeqCst) {
                return;
            }
            let digests = match common.plane.ledger().take_digests() {
                Ok(digests) => digests,
                Err(error) => return common.plane.log(&format!("no digests: {error}")),
            };
            for digest in &digests {
                let mut text = serde_json::Value::Object(digest_json(digest)).to_string();
                text.pop();
                self.publish(text.into());
            }
            thread::sleep(INTERVAL);
        }
    }

    fn publish(&self, text: Arc<str>) {
        for queue in self.subscribers.lock().iter() {
            let mut state = queue.state.lock();
            if state.lines.len() >= WAITING {
                state.lost += 1;
            } else {
                let lost = std::mem::take(&mut state.lost);
                state.lines.push_back((Arc::clone(&text), lost));
                queue.news.notify_one();
            }
        }
    }

    /// Ends [`Hub::fetch`].
    pub fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        // Under the lock, so that the thread is either before its test or waits already.
        let _subscribers = self.subscribers.lock();
        self.news.notify_all();
    }
}

impl Queue {
    fn deliver(&self, writer: &Writer) {
        loop {
            let (text, lost) = {
                let mut state = self.state.lock();
                loop {
                    if state.closed {
                        return;
                    }
                    match state.lines.pop_front() {
                        Some(line) => break line,
                        None => self.news.wait(&mut state),
                    }
                }
            };
            if writer.line(format!("{text},\"lost\":{lost}}}")).is_err() {
                // The stream is shut; the thread that reads from it ends the connection.
                return;
            }
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.hub.subscribers.lock().retain(|queue| !Arc::ptr_eq(queue, &self.queue));
        self.queue.state.lock().closed = true;
        self.queue.news.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
