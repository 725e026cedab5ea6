//! How often tables hit, from what the reference engine tells an observer.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use ww_dataplane::trace::{Observer, PacketTag, TraceEvent};
use ww_engine::interp::Interp;

/// Lookups and hits by table.
#[derive(Default)]
pub struct Hits {
    tables: BTreeMap<String, (u64, u64)>,
}

/// Counts for as long as it lives in an engine.
pub struct Watch(Arc<Mutex<Hits>>);

impl Watch {
    /// Watches an engine from now on.
    pub fn start(engine: &mut Interp) -> Self {
        let hits = Arc::new(Mutex::new(Hits::default()));
        engine.set_observer(Some(Box::new(Counter(Arc::clone(&hits)))));
        Self(hits)
    }

    /// Stops watching.
    pub fn stop(self, engine: &mut Interp) -> Hits {
        engine.set_observer(None);
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The observer.
struct Counter(Arc<Mutex<Hits>>);

impl Observer for Counter {
    fn event(&mut self, _packet: PacketTag, event: TraceEvent) {
        if let TraceEvent::Table { table, hit, .. } = event {
            let mut hits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let (lookups, found) = hits.tables.entry(table).or_default();
            *lookups += 1;
            *found += u64::from(hit);
        }
    }
}

impl Hits {
    /// A line for each table.
    pub fn text(&self) -> String {
        let line = |(table, (lookups, found)): (&String, &(u64, u64))| {
            format!("  {table}: {found} hits in {lookups} lookups\n")
        };
        self.tables.iter().map(line).collect()
    }

    /// For `--json`.
    pub fn json(&self) -> Value {
        let table = |(table, (lookups, found)): (&String, &(u64, u64))| {
            let rate = *found as f64 / (*lookups).max(1) as f64;
            (table.clone(), json!({ "lookups": lookups, "hits": found, "hit_rate": rate }))
        };
        Value::Object(self.tables.iter().map(table).collect())
    }
}
