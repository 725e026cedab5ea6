//! Types that pass requests on to a control plane inside of them.

/// Implements [`Control`](crate::control::Control) by a field that does.
#[macro_export]
macro_rules! forward_control {
    ($type:ty, $field:tt) => {
        impl $crate::control::Control for $type {
            fn schema(&self) -> &$crate::control::Schema {
                self.$field.schema()
            }
            fn hold(&mut self) {
                self.$field.hold()
            }
            fn release(&mut self) {
                self.$field.release()
            }
            fn generation(&self) -> u64 {
                self.$field.generation()
            }
            fn table_insert(&mut self, table: $crate::control::TableIndex, entry: $crate::control::NewEntry) -> ::std::result::Result<$crate::control::EntryHandle, $crate::control::RuntimeError> {
                self.$field.table_insert(table, entry)
            }
            fn table_modify(&mut self, table: $crate::control::TableIndex, entry: $crate::control::EntryHandle, to: $crate::control::Target) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.table_modify(table, entry, to)
            }
            fn table_delete(&mut self, table: $crate::control::TableIndex, entry: $crate::control::EntryHandle) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.table_delete(table, entry)
            }
            fn table_clear(&mut self, table: $crate::control::TableIndex) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.table_clear(table)
            }
            fn table_entries(&self, table: $crate::control::TableIndex) -> ::std::result::Result<Vec<$crate::control::EntryView>, $crate::control::RuntimeError> {
                self.$field.table_entries(table)
            }
            fn table_entry(&self, table: $crate::control::TableIndex, entry: $crate::control::EntryHandle) -> ::std::result::Result<Option<$crate::control::EntryView>, $crate::control::RuntimeError> {
                self.$field.table_entry(table, entry)
            }
            fn table_find(&self, table: $crate::control::TableIndex, keys: &[$crate::control::KeyMatch], priority: i64) -> ::std::result::Result<Option<$crate::control::EntryHandle>, $crate::control::RuntimeError> {
                self.$field.table_find(table, keys, priority)
            }
            fn table_set_default(&mut self, table: $crate::control::TableIndex, target: $crate::control::Target) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.table_set_default(table, target)
            }
            fn table_reset_default(&mut self, table: $crate::control::TableIndex) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.table_reset_default(table)
            }
            fn table_default(&self, table: $crate::control::TableIndex) -> ::std::result::Result<$crate::control::Target, $crate::control::RuntimeError> {
                self.$field.table_default(table)
            }
            fn member_add(&mut self, profile: $crate::control::ProfileIndex, data: $crate::control::ActionData) -> ::std::result::Result<u32, $crate::control::RuntimeError> {
                self.$field.member_add(profile, data)
            }
            fn member_modify(&mut self, profile: $crate::control::ProfileIndex, member: u32, to: $crate::control::ActionData) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.member_modify(profile, member, to)
            }
            fn member_delete(&mut self, profile: $crate::control::ProfileIndex, member: u32) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.member_delete(profile, member)
            }
            fn group_create(&mut self, profile: $crate::control::ProfileIndex) -> ::std::result::Result<u32, $crate::control::RuntimeError> {
                self.$field.group_create(profile)
            }
            fn group_delete(&mut self, profile: $crate::control::ProfileIndex, group: u32) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.group_delete(profile, group)
            }
            fn group_add_member(&mut self, profile: $crate::control::ProfileIndex, group: u32, member: u32) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.group_add_member(profile, group, member)
            }
            fn group_remove_member(&mut self, profile: $crate::control::ProfileIndex, group: u32, member: u32) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.group_remove_member(profile, group, member)
            }
            fn register_read(&self, register: $crate::control::RegisterIndex, index: u64) -> ::std::result::Result<$crate::control::BigUint, $crate::control::RuntimeError> {
                self.$field.register_read(register, index)
            }
            fn register_read_all(&self, register: $crate::control::RegisterIndex) -> ::std::result::Result<Vec<$crate::control::BigUint>, $crate::control::RuntimeError> {
                self.$field.register_read_all(register)
            }
            fn register_write(&mut self, register: $crate::control::RegisterIndex, index: Option<u64>, value: &$crate::control::BigUint) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.register_write(register, index, value)
            }
            fn register_reset(&mut self, register: $crate::control::RegisterIndex) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.register_reset(register)
            }
            fn counter_read(&self, counter: $crate::control::CounterIndex, index: u64) -> ::std::result::Result<$crate::control::CounterValue, $crate::control::RuntimeError> {
                self.$field.counter_read(counter, index)
            }
            fn counter_write(&mut self, counter: $crate::control::CounterIndex, index: Option<u64>, value: $crate::control::CounterValue) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.counter_write(counter, index, value)
            }
            fn counter_reset(&mut self, counter: $crate::control::CounterIndex) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.counter_reset(counter)
            }
            fn meter_set_rates(&mut self, meter: $crate::control::MeterIndex, index: Option<u64>, rates: Option<$crate::control::MeterRates>) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.meter_set_rates(meter, index, rates)
            }
            fn meter_rates(&self, meter: $crate::control::MeterIndex, index: u64) -> ::std::result::Result<Option<$crate::control::MeterRates>, $crate::control::RuntimeError> {
                self.$field.meter_rates(meter, index)
            }
            fn value_set_add(&mut self, set: $crate::control::ValueSetIndex, member: Vec<$crate::control::KeyMatch>) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.value_set_add(set, member)
            }
            fn value_set_remove(&mut self, set: $crate::control::ValueSetIndex, member: &[$crate::control::KeyMatch]) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.value_set_remove(set, member)
            }
            fn value_set_clear(&mut self, set: $crate::control::ValueSetIndex) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.value_set_clear(set)
            }
            fn mirror_set(&mut self, session: u32, to: $crate::control::MirrorSession) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.mirror_set(session, to)
            }
            fn mirror_delete(&mut self, session: u32) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.mirror_delete(session)
            }
            fn mirror(&self, session: u32) -> Option<$crate::control::MirrorSession> {
                self.$field.mirror(session)
            }
            fn multicast_group_create(&mut self, group: u16) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.multicast_group_create(group)
            }
            fn multicast_group_destroy(&mut self, group: u16) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.multicast_group_destroy(group)
            }
            fn multicast_node_create(&mut self, replication_id: u16, ports: &[u32]) -> ::std::result::Result<$crate::control::NodeHandle, $crate::control::RuntimeError> {
                self.$field.multicast_node_create(replication_id, ports)
            }
            fn multicast_node_update(&mut self, node: $crate::control::NodeHandle, ports: &[u32]) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.multicast_node_update(node, ports)
            }
            fn multicast_node_associate(&mut self, group: u16, node: $crate::control::NodeHandle) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.multicast_node_associate(group, node)
            }
            fn multicast_node_dissociate(&mut self, group: u16, node: $crate::control::NodeHandle) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.multicast_node_dissociate(group, node)
            }
            fn multicast_node_destroy(&mut self, node: $crate::control::NodeHandle) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.multicast_node_destroy(node)
            }
            fn set_custom_crc(&mut self, which: $crate::control::CustomCrc, parameters: $crate::control::CrcParameters) -> ::std::result::Result<(), $crate::control::RuntimeError> {
                self.$field.set_custom_crc(which, parameters)
            }
            fn take_digests(&mut self) -> Vec<$crate::control::Digest> {
                self.$field.take_digests()
            }
            fn reset_state(&mut self) {
                self.$field.reset_state()
            }
        }
    };
}
