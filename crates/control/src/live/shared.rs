//! An engine whose packets and requests take turns, for live control.
//!
//! The engine stands behind a fair lock: whoever waits gets it next, so that neither a stream of
//! packets keeps requests waiting nor the other way round. Packets take it once a batch.

use super::Replaceable;
use num_bigint::BigUint;
use parking_lot::lock_api::ArcMutexGuard;
use parking_lot::{FairMutex, RawFairMutex};
use std::sync::Arc;
use ww_dataplane::control::{
    ActionData, Control, CounterIndex, CounterValue, CustomCrc, Digest, EntryHandle, EntryView,
    KeyMatch, MeterIndex, MeterRates, MirrorSession, NewEntry, NodeHandle, ProfileIndex,
    RegisterIndex, RuntimeError, Schema, TableIndex, Target, ValueSetIndex,
};
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Transmit};
use ww_packet::crc::CrcParameters;

/// The packets' side of a shared engine.
pub struct Shared<E>(Arc<FairMutex<E>>);

impl<E> Clone for Shared<E> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// The requests' side of a shared engine.
pub struct SharedControl<E> {
    engine: Arc<FairMutex<E>>,
    /// A copy, because the schema is lent out without the lock.
    schema: Schema,
    held: Option<ArcMutexGuard<RawFairMutex, E>>,
    retire: Option<Box<dyn FnMut(E) + Send>>,
}

/// Splits an engine into its two sides.
pub fn share<E: Control>(engine: E) -> (Shared<E>, SharedControl<E>) {
    let schema = engine.schema().clone();
    let engine = Arc::new(FairMutex::new(engine));
    let control = SharedControl { engine: Arc::clone(&engine), schema, held: None, retire: None };
    (Shared(engine), control)
}

impl<E> Shared<E> {
    /// Does something with the engine between two batches.
    pub fn with<R>(&self, work: impl FnOnce(&mut E) -> R) -> R {
        work(&mut self.0.lock())
    }
}

impl<E> SharedControl<E> {
    /// Has every engine that was replaced given to `retire`, to read its last counters.
    pub fn on_retire(mut self, retire: impl FnMut(E) + Send + 'static) -> Self {
        self.retire = Some(Box::new(retire));
        self
    }

    fn with<R>(&self, work: impl FnOnce(&E) -> R) -> R {
        match &self.held {
            Some(engine) => work(engine),
            None => work(&self.engine.lock()),
        }
    }

    fn with_mut<R>(&mut self, work: impl FnOnce(&mut E) -> R) -> R {
        match &mut self.held {
            Some(engine) => work(engine),
            None => work(&mut self.engine.lock()),
        }
    }
}

impl<E: Dataplane> Dataplane for Shared<E> {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.0.lock().receive(port, now, frame, out);
    }

    fn receive_batch(&mut self, now: Picoseconds, frames: &mut [Frame<'_>], sink: &mut dyn Sink) {
        self.0.lock().receive_batch(now, frames, sink);
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        self.0.lock().advance(now, out);
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.0.lock().next_event()
    }
}

impl<E: Control + Send> Replaceable for SharedControl<E> {
    fn replace(&mut self, mut new: Self) {
        self.hold();
        self.schema = new.schema.clone();
        new.held = None;
        {
            let mut other = new.engine.lock();
            self.with_mut(|engine| std::mem::swap(engine, &mut *other));
        }
        self.release();
        // Nobody else has it, unless the caller kept its packets' side.
        let old = Arc::into_inner(new.engine).map(FairMutex::into_inner);
        if let (Some(retire), Some(old)) = (&mut self.retire, old) {
            retire(old);
        }
    }
}

type Result<T> = std::result::Result<T, RuntimeError>;

macro_rules! reads {
    ($(fn $name:ident($($argument:ident: $ty:ty),*) -> $result:ty;)*) => {$(
        fn $name(&self, $($argument: $ty),*) -> $result {
            self.with(|engine| engine.$name($($argument),*))
        }
    )*};
}

macro_rules! writes {
    ($(fn $name:ident($($argument:ident: $ty:ty),*) -> $result:ty;)*) => {$(
        fn $name(&mut self, $($argument: $ty),*) -> $result {
            self.with_mut(|engine| engine.$name($($argument),*))
        }
    )*};
}

impl<E: Control> Control for SharedControl<E> {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn hold(&mut self) {
        if self.held.is_none() {
            let mut engine = FairMutex::lock_arc(&self.engine);
            engine.hold();
            self.held = Some(engine);
        }
    }

    fn release(&mut self) {
        if let Some(mut engine) = self.held.take() {
            engine.release();
        }
    }

    reads! {
        fn generation() -> u64;
        fn table_entries(table: TableIndex) -> Result<Vec<EntryView>>;
        fn table_entry(table: TableIndex, entry: EntryHandle) -> Result<Option<EntryView>>;
        fn table_find(table: TableIndex, keys: &[KeyMatch], priority: i64)
            -> Result<Option<EntryHandle>>;
        fn table_default(table: TableIndex) -> Result<Target>;
        fn register_read(register: RegisterIndex, index: u64) -> Result<BigUint>;
        fn register_read_all(register: RegisterIndex) -> Result<Vec<BigUint>>;
        fn counter_read(counter: CounterIndex, index: u64) -> Result<CounterValue>;
        fn meter_rates(meter: MeterIndex, index: u64) -> Result<Option<MeterRates>>;
        fn mirror(session: u32) -> Option<MirrorSession>;
    }

    writes! {
        fn table_insert(table: TableIndex, entry: NewEntry) -> Result<EntryHandle>;
        fn table_modify(table: TableIndex, entry: EntryHandle, to: Target) -> Result<()>;
        fn table_delete(table: TableIndex, entry: EntryHandle) -> Result<()>;
        fn table_clear(table: TableIndex) -> Result<()>;
        fn table_set_default(table: TableIndex, target: Target) -> Result<()>;
        fn table_reset_default(table: TableIndex) -> Result<()>;
        fn member_add(profile: ProfileIndex, data: ActionData) -> Result<u32>;
        fn member_modify(profile: ProfileIndex, member: u32, to: ActionData) -> Result<()>;
        fn member_delete(profile: ProfileIndex, member: u32) -> Result<()>;
        fn group_create(profile: ProfileIndex) -> Result<u32>;
        fn group_delete(profile: ProfileIndex, group: u32) -> Result<()>;
        fn group_add_member(profile: ProfileIndex, group: u32, member: u32) -> Result<()>;
        fn group_remove_member(profile: ProfileIndex, group: u32, member: u32) -> Result<()>;
        fn register_write(register: RegisterIndex, index: Option<u64>, value: &BigUint)
            -> Result<()>;
        fn register_reset(register: RegisterIndex) -> Result<()>;
        fn counter_write(counter: CounterIndex, index: Option<u64>, value: CounterValue)
            -> Result<()>;
        fn counter_reset(counter: CounterIndex) -> Result<()>;
        fn meter_set_rates(meter: MeterIndex, index: Option<u64>, rates: Option<MeterRates>)
            -> Result<()>;
        fn value_set_add(set: ValueSetIndex, member: Vec<KeyMatch>) -> Result<()>;
        fn value_set_remove(set: ValueSetIndex, member: &[KeyMatch]) -> Result<()>;
        fn value_set_clear(set: ValueSetIndex) -> Result<()>;
        fn mirror_set(session: u32, to: MirrorSession) -> Result<()>;
        fn mirror_delete(session: u32) -> Result<()>;
        fn multicast_group_create(group: u16) -> Result<()>;
        fn multicast_group_destroy(group: u16) -> Result<()>;
        fn multicast_node_create(replication_id: u16, ports: &[u32]) -> Result<NodeHandle>;
        fn multicast_node_update(node: NodeHandle, ports: &[u32]) -> Result<()>;
        fn multicast_node_associate(group: u16, node: NodeHandle) -> Result<()>;
        fn multicast_node_dissociate(group: u16, node: NodeHandle) -> Result<()>;
        fn multicast_node_destroy(node: NodeHandle) -> Result<()>;
        fn set_custom_crc(which: CustomCrc, parameters: CrcParameters) -> Result<()>;
        fn take_digests() -> Vec<Digest>;
        fn reset_state() -> ();
    }
}
