//! Where the fields of the intrinsic metadata are in the declaration that the program uses.
//! Declarations differ between versions, so each field may be absent.

use ww_p4::architecture::{Architecture, Meaning};
use ww_p4::ir::StructDef;

macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident: $meaning:ident),* $(,)?) => {
        /// Positions of the fields that switch and program share.
        #[derive(Clone, Debug, Default)]
        pub struct IntrinsicFields {$(
            $(#[$doc])*
            pub $name: Option<usize>,
        )*}

        impl IntrinsicFields {
            /// Finds the fields by what the architecture's description says of them.
            pub fn of(architecture: &Architecture, def: &StructDef) -> Self {
                let find = |meaning| {
                    let name = architecture.named(meaning)?;
                    def.fields.iter().position(|f| &*f.name == name)
                };
                Self {$($name: find(Meaning::$meaning),)*}
            }
        }
    };
}

fields! {
    /// Port on which the packet came in.
    ingress_port: IngressPort,
    /// Where ingress sends the packet.
    egress_spec: OutputPort,
    /// Where egress knows it goes.
    egress_port: EgressPort,
    /// The kind of packet.
    instance_type: InstanceType,
    /// Bytes.
    packet_length: PacketLength,
    /// Microseconds when the packet joined its queue.
    enq_timestamp: EnqueueTime,
    /// Packets in the queue then.
    enq_qdepth: EnqueueDepth,
    /// Microseconds in the queue.
    deq_timedelta: QueueTime,
    /// Packets in the queue when it left.
    deq_qdepth: DequeueDepth,
    /// Microseconds at the start of ingress.
    ingress_global_timestamp: IngressTime,
    /// Microseconds at the start of egress.
    egress_global_timestamp: EgressTime,
    /// Replication id.
    egress_rid: ReplicationId,
    /// 1 after a checksum that does not hold.
    checksum_error: ChecksumError,
    /// How the parser ended.
    parser_error: ParserError,
    /// Queue within the port.
    priority: Queue,
}
