//! Where the fields of v1model's `standard_metadata_t` are in the declaration that the program
//! uses. Declarations differ between versions, so each field may be absent.

use ww_p4::ir::StructDef;

macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// Positions of the fields that switch and program share.
        #[derive(Clone, Debug, Default)]
        pub struct IntrinsicFields {$(
            $(#[$doc])*
            pub $name: Option<usize>,
        )*}

        impl IntrinsicFields {
            /// Finds the fields by name.
            pub fn of(def: &StructDef) -> Self {
                let find = |name: &str| def.fields.iter().position(|f| &*f.name == name);
                Self {$($name: find(stringify!($name)),)*}
            }
        }
    };
}

fields! {
    /// Port on which the packet came in.
    ingress_port,
    /// Where ingress sends the packet.
    egress_spec,
    /// Where egress knows it goes.
    egress_port,
    /// See [`ww_p4::architecture::v1model::InstanceType`].
    instance_type,
    /// Bytes.
    packet_length,
    /// Microseconds when the packet joined its queue.
    enq_timestamp,
    /// Packets in the queue then.
    enq_qdepth,
    /// Microseconds in the queue.
    deq_timedelta,
    /// Packets in the queue when it left.
    deq_qdepth,
    /// Microseconds at the start of ingress.
    ingress_global_timestamp,
    /// Microseconds at the start of egress.
    egress_global_timestamp,
    /// Multicast group.
    mcast_grp,
    /// Replication id.
    egress_rid,
    /// 1 after a checksum that does not hold.
    checksum_error,
    /// How the parser ended.
    parser_error,
    /// Queue within the port.
    priority,
}
