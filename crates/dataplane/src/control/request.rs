//! The requests of a control plane as data, and what carries them out.

use super::{
    ActionData, Answer, CellArray, CounterIndex, CounterValue, CustomCrc, Digest, EntryHandle,
    EntryView, Error, KeyMatch, MeterIndex, MeterRates, MirrorSession, MulticastView, NewEntry,
    NodeHandle, ProfileIndex, ProfileView, RegisterIndex, Schema, TableIndex, Target,
    ValueSetIndex,
};
use crate::Statistics;
use crate::queues::QueueStatistics;
use num_bigint::BigUint;
use std::sync::Arc;
use ww_packet::crc::CrcParameters;

type Result<T> = std::result::Result<T, Error>;

/// One line for each request, by subject: its name as data, its name as a method of [`Control`],
/// what it takes, and what answers it.
macro_rules! requests {
    ($(
        $(#[$about:meta])*
        $subject:ident {
            $(
                $(#[$doc:meta])*
                $variant:ident = $method:ident($($field:ident: $type:ty),*) -> $answer:ty;
            )*
        }
    )*) => {
        /// What a [`Request`] is about. A component may pass on all requests of a subject to a part
        /// of it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Subject {
            $(
                $(#[$about])*
                $subject,
            )*
        }

        /// What may be asked of a dataplane while it runs. The method of [`Control`] with the same
        /// name makes the request and unwraps its answer.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Request {
            $($(
                $(#[$doc])*
                #[allow(missing_docs)]
                $variant { $($field: $type),* },
            )*)*
        }

        impl Request {
            /// Its name in messages: `table_insert`.
            pub fn name(&self) -> &'static str {
                match self {
                    $($(Self::$variant { .. } => stringify!($method),)*)*
                }
            }

            /// What it is about.
            pub fn subject(&self) -> Subject {
                match self {
                    $($(Self::$variant { .. } => Subject::$subject,)*)*
                }
            }

            /// Has a component carry it out.
            ///
            /// # Errors
            /// As [`Control::handle`].
            pub fn carry_out<H: Handler + ?Sized>(self, handler: &mut H) -> Result<Answer> {
                match self {
                    $($(Self::$variant { $($field),* } => {
                        handler.$method($($field),*).map(Answer::from)
                    })*)*
                }
            }

            /// The error of a `component` that does not handle it, such as `engine rtl`.
            pub fn refused_by(&self, component: &str) -> Error {
                Error::Refused { request: self.name(), component: component.to_owned() }
            }
        }

        /// A component that carries out requests: one method for each that it knows. Those that
        /// it leaves out go [on](Handler::otherwise), or are refused.
        pub trait Handler {
            /// Its name in messages: `engine rtl`.
            fn component(&self) -> &'static str;

            /// Answers the requests that have no method here: a wrapper passes them on.
            ///
            /// # Errors
            /// As [`Control::handle`].
            fn otherwise(&mut self, request: Request) -> Result<Answer> {
                Err(request.refused_by(self.component()))
            }

            $($(
                $(#[$doc])*
                fn $method(&mut self, $($field: $type),*) -> Result<$answer> {
                    self.otherwise(Request::$variant { $($field),* })?.try_into()
                }
            )*)*
        }

        /// The control plane's side of a dataplane.
        ///
        /// A request is carried out at once, between two packets; one that fails changes nothing.
        /// Between [`hold`](Control::hold) and [`release`](Control::release) packets see none of
        /// the changes, and after it all of them.
        ///
        /// Implementations have [`schema`](Control::schema) and [`handle`](Control::handle), which
        /// an engine writes as [`request.carry_out(self)`](Request::carry_out) beside its
        /// [`Handler`]. The other methods are for callers: each makes one request.
        pub trait Control {
            /// What the program offers. It stays as it is until another program is loaded.
            fn schema(&self) -> Arc<Schema>;

            /// Carries out a request. A wrapper passes on what it does not handle.
            ///
            /// # Errors
            /// [`Error::Refused`] if nobody here handles such requests; any other error means that
            /// the request was understood and is wrong.
            fn handle(&mut self, request: Request) -> Result<Answer>;

            $($(
                $(#[$doc])*
                fn $method(&mut self, $($field: $type),*) -> Result<$answer> {
                    self.handle(Request::$variant { $($field),* })?.try_into()
                }
            )*)*
        }
    };
}

requests! {
    /// Which changes packets see.
    Visibility {
        /// Changes to tables, defaults, profiles, value sets, groups and sessions that follow are
        /// kept from packets until [`release`](Control::release). Engines whose packets and
        /// requests take turns have nothing to do ([`InTurns`]): their caller makes all requests
        /// in one turn.
        Hold = hold() -> ();
        /// Packets see all changes since [`hold`](Control::hold), at once.
        Release = release() -> ();
        /// How many times what packets see has changed: packets processed at one number have seen
        /// one and the same state of tables. 0 from engines whose packets and requests take turns.
        Generation = generation() -> u64;
    }

    /// Entries and default actions.
    Tables {
        /// Adds an entry.
        TableInsert = table_insert(table: TableIndex, entry: NewEntry) -> EntryHandle;
        /// Gives an entry another target; its counter and meter stay.
        TableModify = table_modify(table: TableIndex, entry: EntryHandle, to: Target) -> ();
        /// Removes an entry.
        TableDelete = table_delete(table: TableIndex, entry: EntryHandle) -> ();
        /// Removes all entries that are not constant.
        TableClear = table_clear(table: TableIndex) -> ();
        /// All entries in the order of their handles.
        TableEntries = table_entries(table: TableIndex) -> Vec<EntryView>;
        /// One entry, without going through all of them; `None` if there is no such.
        TableEntry = table_entry(table: TableIndex, entry: EntryHandle) -> Option<EntryView>;
        /// The entry with these keys; `priority` counts only where it decides matches.
        TableFind = table_find(table: TableIndex, keys: Vec<KeyMatch>, priority: i64)
            -> Option<EntryHandle>;
        /// Sets what the table does on a miss.
        TableSetDefault = table_set_default(table: TableIndex, target: Target) -> ();
        /// Back to the default action of the program.
        TableResetDefault = table_reset_default(table: TableIndex) -> ();
        /// What the table does on a miss now.
        TableDefault = table_default(table: TableIndex) -> Target;
    }

    /// Members and groups of action profiles and selectors.
    Profiles {
        /// Adds a member to an action profile or selector. Handles count from 0.
        MemberAdd = member_add(profile: ProfileIndex, data: ActionData) -> u32;
        /// Changes a member.
        MemberModify = member_modify(profile: ProfileIndex, member: u32, to: ActionData) -> ();
        /// Removes a member that no group and no entry uses.
        MemberDelete = member_delete(profile: ProfileIndex, member: u32) -> ();
        /// Makes an empty group. Handles count from 0.
        GroupCreate = group_create(profile: ProfileIndex) -> u32;
        /// Removes a group that no entry uses.
        GroupDelete = group_delete(profile: ProfileIndex, group: u32) -> ();
        /// Puts a member into a group.
        GroupAddMember = group_add_member(profile: ProfileIndex, group: u32, member: u32) -> ();
        /// Takes a member out of a group.
        GroupRemoveMember = group_remove_member(profile: ProfileIndex, group: u32, member: u32)
            -> ();
        /// Members and groups of an action profile or selector, in the order of their handles.
        Profile = profile(profile: ProfileIndex) -> ProfileView;
    }

    /// Registers, counters and meters.
    Objects {
        /// One cell of a register.
        RegisterRead = register_read(register: RegisterIndex, index: u64) -> BigUint;
        /// All cells of a register.
        RegisterReadAll = register_read_all(register: RegisterIndex) -> Vec<BigUint>;
        /// Writes one cell, or with `None` all.
        RegisterWrite = register_write(register: RegisterIndex, index: Option<u64>, value: BigUint)
            -> ();
        /// Sets all cells to zero.
        RegisterReset = register_reset(register: RegisterIndex) -> ();

        /// One counter; of a direct counter `index` is the handle of the entry.
        CounterRead = counter_read(counter: CounterIndex, index: u64) -> CounterValue;
        /// Sets one counter, or with `None` all.
        CounterWrite = counter_write(counter: CounterIndex, index: Option<u64>, value: CounterValue)
            -> ();
        /// Sets all counters of an array, or all entries' counters of a direct one, to zero.
        CounterReset = counter_reset(counter: CounterIndex) -> ();

        /// The next cells of an array, from index `from` on, that may be other than zero (of meters:
        /// have rates): the first, and the one behind the last. With it a list of what a large array
        /// holds takes as long as there are cells in use. `None` if there are no more, and for
        /// direct objects.
        NextUsed = next_used(array: CellArray, from: u64) -> Option<(u64, u64)>;

        /// Sets the rates of one meter or, with `None`, of all; of a direct meter `index` is the
        /// handle of the entry. `None` for the rates makes it green for ever again.
        MeterSetRates = meter_set_rates(
            meter: MeterIndex, index: Option<u64>, rates: Option<MeterRates>
        ) -> ();
        /// The rates of one meter; `None` if never set.
        MeterReadRates = meter_rates(meter: MeterIndex, index: u64) -> Option<MeterRates>;
    }

    /// Members of value sets.
    ValueSets {
        /// Adds a member to a value set: one key, or one per field of its element type.
        ValueSetAdd = value_set_add(set: ValueSetIndex, member: Vec<KeyMatch>) -> ();
        /// Removes a member of a value set.
        ValueSetRemove = value_set_remove(set: ValueSetIndex, member: Vec<KeyMatch>) -> ();
        /// Empties a value set.
        ValueSetClear = value_set_clear(set: ValueSetIndex) -> ();
        /// The members of a value set, in the order in which they came.
        ValueSetMembers = value_set_members(set: ValueSetIndex) -> Vec<Vec<KeyMatch>>;
    }

    /// Mirroring sessions, and multicast groups with their nodes.
    Replication {
        /// Makes or replaces a mirroring session, the target of `clone`.
        MirrorSet = mirror_set(session: u32, to: MirrorSession) -> ();
        /// Removes a mirroring session.
        MirrorDelete = mirror_delete(session: u32) -> ();
        /// A mirroring session.
        Mirror = mirror(session: u32) -> Option<MirrorSession>;

        /// Makes an empty multicast group, 1 to 65535.
        MulticastGroupCreate = multicast_group_create(group: u16) -> ();
        /// Removes a group; its nodes stay.
        MulticastGroupDestroy = multicast_group_destroy(group: u16) -> ();
        /// Makes a node: replicas with this id to these ports. Handles count from 0.
        MulticastNodeCreate = multicast_node_create(replication_id: u16, ports: Vec<u32>)
            -> NodeHandle;
        /// Gives a node other ports.
        MulticastNodeUpdate = multicast_node_update(node: NodeHandle, ports: Vec<u32>) -> ();
        /// Puts a node into a group. A node is in one group at a time.
        MulticastNodeAssociate = multicast_node_associate(group: u16, node: NodeHandle) -> ();
        /// Takes a node out of a group.
        MulticastNodeDissociate = multicast_node_dissociate(group: u16, node: NodeHandle) -> ();
        /// Removes a node, also from its group.
        MulticastNodeDestroy = multicast_node_destroy(node: NodeHandle) -> ();
        /// All groups and nodes.
        Multicast = multicast() -> MulticastView;
    }

    /// The program as a whole: parameters of hash functions, digests, statistics, reset.
    Program {
        /// Sets the parameters of a configurable CRC, everywhere it is used.
        SetCustomCrc = set_custom_crc(which: CustomCrc, parameters: CrcParameters) -> ();

        /// The digests since the last call, oldest first. The oldest are dropped (and counted) when
        /// more than 65536 wait.
        TakeDigests = take_digests() -> Vec<Digest>;
        /// What became of packets so far.
        Statistics = statistics() -> Statistics;

        /// Back to the state after loading: entries, defaults, registers, counters, meters,
        /// profiles, value sets, groups and sessions.
        ResetState = reset_state() -> ();
    }

    /// Output queues with a scheduler.
    Queues {
        /// What the queues have seen so far.
        QueueStatistics = queue_statistics() -> QueueStatistics;
    }

    /// The address space of TPPs (docs/tpp.md), without the addresses that depend on a packet.
    TppMemory {
        /// Words, all as of the last packet.
        TppRead = tpp_read(addresses: Vec<u16>) -> Vec<u32>;
        /// Writes a register or a word of a stage's memory, whatever the rules for TPPs say.
        TppWrite = tpp_write(address: u16, value: u32) -> ();
    }
}

/// Carries out the requests about [visibility](Subject::Visibility) where packets and requests take
/// turns, as in most engines: no packet sees a part of what one turn asks for.
#[derive(Clone, Copy, Debug)]
pub struct InTurns;

impl Handler for InTurns {
    fn component(&self) -> &'static str {
        "an engine whose packets and requests take turns"
    }

    fn hold(&mut self) -> Result<()> {
        Ok(())
    }

    fn release(&mut self) -> Result<()> {
        Ok(())
    }

    fn generation(&mut self) -> Result<u64> {
        Ok(0)
    }
}
