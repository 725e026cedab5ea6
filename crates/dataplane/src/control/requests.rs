//! The requests that a control plane may make.

use super::{
    ActionData, CounterIndex, CounterValue, CustomCrc, Digest, EntryHandle, EntryView, KeyMatch,
    MeterIndex, MeterRates, MirrorSession, NewEntry, NodeHandle, ProfileIndex, RegisterIndex,
    RuntimeError, Schema, TableIndex, Target, ValueSetIndex,
};
use num_bigint::BigUint;
use ww_packet::crc::CrcParameters;

type Result<T> = std::result::Result<T, RuntimeError>;

/// The control plane's side of a dataplane.
///
/// Every request is carried out at once, between two packets; one that fails changes nothing.
/// Between [`hold`](Control::hold) and [`release`](Control::release) packets see none of the
/// changes, and after it all of them.
pub trait Control {
    /// What the program offers.
    fn schema(&self) -> &Schema;

    /// Changes to tables, defaults, profiles, value sets, groups and sessions that follow are
    /// kept from packets until [`release`](Control::release). Engines whose packets and requests
    /// take turns have nothing to do: their caller makes all requests in one turn.
    fn hold(&mut self) {}
    /// Packets see all changes since [`hold`](Control::hold), at once.
    fn release(&mut self) {}
    /// How many times what packets see has changed: packets processed at one number have seen
    /// one and the same state of tables. 0 for engines that do not count.
    fn generation(&self) -> u64 {
        0
    }

    /// Adds an entry.
    fn table_insert(&mut self, table: TableIndex, entry: NewEntry) -> Result<EntryHandle>;
    /// Gives an entry another target; its counter and meter stay.
    fn table_modify(&mut self, table: TableIndex, entry: EntryHandle, to: Target) -> Result<()>;
    /// Removes an entry.
    fn table_delete(&mut self, table: TableIndex, entry: EntryHandle) -> Result<()>;
    /// Removes all entries that are not constant.
    fn table_clear(&mut self, table: TableIndex) -> Result<()>;
    /// All entries in the order of their handles.
    fn table_entries(&self, table: TableIndex) -> Result<Vec<EntryView>>;
    /// One entry; `None` if there is no such. Engines that can do it without going through all
    /// entries do so.
    fn table_entry(&self, table: TableIndex, entry: EntryHandle) -> Result<Option<EntryView>> {
        Ok(self.table_entries(table)?.into_iter().find(|view| view.handle == entry))
    }
    /// The entry with these keys; `priority` counts only where it decides matches.
    fn table_find(
        &self,
        table: TableIndex,
        keys: &[KeyMatch],
        priority: i64,
    ) -> Result<Option<EntryHandle>>;
    /// What the table does on a miss.
    fn table_set_default(&mut self, table: TableIndex, target: Target) -> Result<()>;
    /// Back to the default action of the program.
    fn table_reset_default(&mut self, table: TableIndex) -> Result<()>;
    /// What the table does on a miss now.
    fn table_default(&self, table: TableIndex) -> Result<Target>;

    /// Adds a member to an action profile or selector. Handles count from 0.
    fn member_add(&mut self, profile: ProfileIndex, data: ActionData) -> Result<u32>;
    /// Changes a member.
    fn member_modify(&mut self, profile: ProfileIndex, member: u32, to: ActionData) -> Result<()>;
    /// Removes a member that no group and no entry uses.
    fn member_delete(&mut self, profile: ProfileIndex, member: u32) -> Result<()>;
    /// Makes an empty group. Handles count from 0.
    fn group_create(&mut self, profile: ProfileIndex) -> Result<u32>;
    /// Removes a group that no entry uses.
    fn group_delete(&mut self, profile: ProfileIndex, group: u32) -> Result<()>;
    /// Puts a member into a group.
    fn group_add_member(&mut self, profile: ProfileIndex, group: u32, member: u32) -> Result<()>;
    /// Takes a member out of a group.
    fn group_remove_member(&mut self, profile: ProfileIndex, group: u32, member: u32)
    -> Result<()>;

    /// One cell of a register.
    fn register_read(&self, register: RegisterIndex, index: u64) -> Result<BigUint>;
    /// All cells of a register.
    fn register_read_all(&self, register: RegisterIndex) -> Result<Vec<BigUint>>;
    /// Writes one cell, or with `None` all.
    fn register_write(
        &mut self,
        register: RegisterIndex,
        index: Option<u64>,
        value: &BigUint,
    ) -> Result<()>;
    /// Sets all cells to zero.
    fn register_reset(&mut self, register: RegisterIndex) -> Result<()>;

    /// One counter; of a direct counter `index` is the handle of the entry.
    fn counter_read(&self, counter: CounterIndex, index: u64) -> Result<CounterValue>;
    /// Sets one counter, or with `None` all.
    fn counter_write(
        &mut self,
        counter: CounterIndex,
        index: Option<u64>,
        value: CounterValue,
    ) -> Result<()>;
    /// Sets all counters of an array, or all entries' counters of a direct one, to zero.
    fn counter_reset(&mut self, counter: CounterIndex) -> Result<()>;

    /// Sets the rates of one meter or, with `None`, of all; of a direct meter `index` is the
    /// handle of the entry. `None` for the rates makes it green for ever again.
    fn meter_set_rates(
        &mut self,
        meter: MeterIndex,
        index: Option<u64>,
        rates: Option<MeterRates>,
    ) -> Result<()>;
    /// The rates of one meter; `None` if never set.
    fn meter_rates(&self, meter: MeterIndex, index: u64) -> Result<Option<MeterRates>>;

    /// Adds a member to a value set: one key, or one per field of its element type.
    fn value_set_add(&mut self, set: ValueSetIndex, member: Vec<KeyMatch>) -> Result<()>;
    /// Removes a member of a value set.
    fn value_set_remove(&mut self, set: ValueSetIndex, member: &[KeyMatch]) -> Result<()>;
    /// Empties a value set.
    fn value_set_clear(&mut self, set: ValueSetIndex) -> Result<()>;

    /// Makes or replaces a mirroring session, the target of `clone`.
    fn mirror_set(&mut self, session: u32, to: MirrorSession) -> Result<()>;
    /// Removes a mirroring session.
    fn mirror_delete(&mut self, session: u32) -> Result<()>;
    /// A mirroring session.
    fn mirror(&self, session: u32) -> Option<MirrorSession>;

    /// Makes an empty multicast group, 1 to 65535.
    fn multicast_group_create(&mut self, group: u16) -> Result<()>;
    /// Removes a group; its nodes stay.
    fn multicast_group_destroy(&mut self, group: u16) -> Result<()>;
    /// Makes a node: replicas with this id to these ports. Handles count from 0.
    fn multicast_node_create(&mut self, replication_id: u16, ports: &[u32]) -> Result<NodeHandle>;
    /// Gives a node other ports.
    fn multicast_node_update(&mut self, node: NodeHandle, ports: &[u32]) -> Result<()>;
    /// Puts a node into a group. A node is in one group at a time.
    fn multicast_node_associate(&mut self, group: u16, node: NodeHandle) -> Result<()>;
    /// Takes a node out of a group.
    fn multicast_node_dissociate(&mut self, group: u16, node: NodeHandle) -> Result<()>;
    /// Removes a node, also from its group.
    fn multicast_node_destroy(&mut self, node: NodeHandle) -> Result<()>;

    /// Sets the parameters of a configurable CRC, everywhere it is used.
    fn set_custom_crc(&mut self, which: CustomCrc, parameters: CrcParameters) -> Result<()>;

    /// The digests since the last call, oldest first. The oldest are dropped (and counted) when
    /// more than 65536 wait.
    fn take_digests(&mut self) -> Vec<Digest>;

    /// Back to the state after loading: entries, defaults, registers, counters, meters,
    /// profiles, value sets, groups and sessions.
    fn reset_state(&mut self);
}
