//! The v1model architecture, as the BMv2 `simple_switch` implements it.
//!
//! Packet path: parser, checksum verification, ingress; then clone, resubmission, replication,
//! drop or queueing; egress; then clone, drop; checksum update, deparser; then recirculation or
//! transmission.

use super::{
    Access, Architecture, BlockDescription, BlockKind, Effect, ExternFunction, ExternObject,
    IntrinsicField, PacketPath, Role, Trigger, Writer,
};

/// The value of `egress_spec` that drops a packet.
pub const DROP_PORT: u64 = 511;

/// Position of the parser among the blocks.
pub const PARSER: usize = 0;
/// Position of the checksum verification.
pub const VERIFY: usize = 1;
/// Position of ingress.
pub const INGRESS: usize = 2;
/// Position of egress.
pub const EGRESS: usize = 3;
/// Position of the checksum update.
pub const COMPUTE: usize = 4;
/// Position of the deparser.
pub const DEPARSER: usize = 5;

/// Values of `instance_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum InstanceType {
    /// Came in through a port.
    Normal = 0,
    /// Cloned by ingress.
    IngressClone = 1,
    /// Cloned by egress.
    EgressClone = 2,
    /// Recirculated.
    Recirculated = 4,
    /// A replica made for a multicast group.
    Replication = 5,
    /// Resubmitted.
    Resubmitted = 6,
}

/// v1model.
pub const V1MODEL: Architecture = Architecture {
    name: "v1model",
    package: "V1Switch",
    blocks: &[
        BlockDescription {
            parameter: "p",
            position: 0,
            kind: BlockKind::Parser,
            roles: &[Role::Packet, Role::Headers, Role::Metadata, Role::Intrinsic],
        },
        control("vr", 1, &[Role::Headers, Role::Metadata]),
        control("ig", 2, &[Role::Headers, Role::Metadata, Role::Intrinsic]),
        control("eg", 3, &[Role::Headers, Role::Metadata, Role::Intrinsic]),
        control("ck", 4, &[Role::Headers, Role::Metadata]),
        BlockDescription {
            parameter: "dep",
            position: 5,
            kind: BlockKind::Deparser,
            roles: &[Role::Packet, Role::Headers],
        },
    ],
    intrinsic: &[
        switch("ingress_port", "p", "port on which the packet came in"),
        program("egress_spec", "ig", "port to which ingress sends the packet; 511 drops it"),
        switch("egress_port", "eg", "port for which the packet is bound"),
        switch(
            "instance_type",
            "p",
            "0 received, 1 and 2 cloned, 4 recirculated, 5 replica, 6 resubmitted",
        ),
        switch("packet_length", "p", "bytes"),
        switch("enq_timestamp", "eg", "microseconds when the packet joined its queue"),
        switch("enq_qdepth", "eg", "packets in the queue then"),
        switch("deq_timedelta", "eg", "microseconds in the queue"),
        switch("deq_qdepth", "eg", "packets in the queue when it left"),
        switch("ingress_global_timestamp", "p", "microseconds at the start of ingress"),
        switch("egress_global_timestamp", "eg", "microseconds at the start of egress"),
        program("mcast_grp", "ig", "multicast group, 0 for none"),
        switch("egress_rid", "eg", "replication id of a replica"),
        switch("checksum_error", "vr", "1 after a checksum that does not hold"),
        switch("parser_error", "vr", "how the parser ended"),
        program("priority", "ig", "queue within the port"),
    ],
    functions: &[
        function("verify", Effect::Pure),
        function("static_assert", Effect::Pure),
        function("assert", Effect::Assertion),
        function("assume", Effect::Assertion),
        function("log_msg", Effect::Message),
        function("mark_to_drop", Effect::Assigns(&[("egress_spec", DROP_PORT), ("mcast_grp", 0)])),
        function("hash", Effect::Pure),
        function("random", Effect::Random),
        function("digest", Effect::Message),
        function("truncate", Effect::Request),
        function("clone", Effect::Request),
        function("clone3", Effect::Request),
        function("clone_preserving_field_list", Effect::Request),
        function("resubmit", Effect::Request),
        function("resubmit_preserving_field_list", Effect::Request),
        function("recirculate", Effect::Request),
        function("recirculate_preserving_field_list", Effect::Request),
        function("verify_checksum", Effect::Flags("checksum_error")),
        function("verify_checksum_with_payload", Effect::FlagsWithPayload("checksum_error")),
        function("update_checksum", Effect::Pure),
        function("update_checksum_with_payload", Effect::ReadsPayload),
    ],
    objects: &[
        object("counter", &[("count", Access::ReadModifyWrite)], false),
        object("direct_counter", &[("count", Access::None)], true),
        object("meter", &[("execute_meter", Access::ReadModifyWrite)], false),
        object("direct_meter", &[("read", Access::Read)], true),
        object("register", &[("read", Access::Read), ("write", Access::Write)], false),
        object("action_profile", &[], false),
        object("action_selector", &[], false),
        object("Checksum16", &[("get", Access::None)], false),
    ],
    paths: &[
        copy("clone", "ig", Trigger::Called("clone"), "eg", InstanceType::IngressClone),
        PacketPath {
            name: "resubmit",
            from: "ig",
            when: Trigger::Called("resubmit"),
            copies: false,
            to: Some("p"),
            instance_type: Some(InstanceType::Resubmitted as u32),
        },
        PacketPath {
            name: "multicast",
            from: "ig",
            when: Trigger::NotZero("mcast_grp"),
            copies: false,
            to: Some("eg"),
            instance_type: Some(InstanceType::Replication as u32),
        },
        end("drop", "ig", Trigger::Equals("egress_spec", DROP_PORT)),
        PacketPath {
            name: "unicast",
            from: "ig",
            when: Trigger::Otherwise,
            copies: false,
            to: Some("eg"),
            instance_type: None,
        },
        copy("clone", "eg", Trigger::Called("clone"), "eg", InstanceType::EgressClone),
        end("drop", "eg", Trigger::Equals("egress_spec", DROP_PORT)),
        PacketPath {
            name: "recirculate",
            from: "dep",
            when: Trigger::Called("recirculate"),
            copies: false,
            to: Some("p"),
            instance_type: Some(InstanceType::Recirculated as u32),
        },
        end("transmit", "dep", Trigger::Otherwise),
    ],
};

const fn control(
    parameter: &'static str,
    position: usize,
    roles: &'static [Role],
) -> BlockDescription {
    BlockDescription { parameter, position, kind: BlockKind::Control, roles }
}

const fn switch(name: &'static str, block: &'static str, meaning: &'static str) -> IntrinsicField {
    IntrinsicField { name, writer: Writer::Switch, block, meaning }
}

const fn program(name: &'static str, block: &'static str, meaning: &'static str) -> IntrinsicField {
    IntrinsicField { name, writer: Writer::Program, block, meaning }
}

const fn function(name: &'static str, effect: Effect) -> ExternFunction {
    ExternFunction { name, effect }
}

const fn object(
    name: &'static str,
    methods: &'static [(&'static str, Access)],
    is_direct: bool,
) -> ExternObject {
    ExternObject { name, methods, is_direct }
}

const fn copy(
    name: &'static str,
    from: &'static str,
    when: Trigger,
    to: &'static str,
    instance_type: InstanceType,
) -> PacketPath {
    let instance_type = Some(instance_type as u32);
    PacketPath { name, from, when, copies: true, to: Some(to), instance_type }
}

const fn end(name: &'static str, from: &'static str, when: Trigger) -> PacketPath {
    PacketPath { name, from, when, copies: false, to: None, instance_type: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_fields_name_what_exists() {
        for path in V1MODEL.paths {
            assert!(V1MODEL.block(path.from).is_some(), "{}", path.name);
            assert!(path.to.is_none_or(|to| V1MODEL.block(to).is_some()), "{}", path.name);
            match path.when {
                Trigger::Called(name) => assert!(V1MODEL.function(name).is_some(), "{name}"),
                Trigger::Equals(name, _) | Trigger::NotZero(name) => {
                    assert!(V1MODEL.intrinsic.iter().any(|f| f.name == name), "{name}");
                }
                Trigger::Otherwise => {}
            }
        }
        for (position, parameter) in [
            (PARSER, "p"),
            (VERIFY, "vr"),
            (INGRESS, "ig"),
            (EGRESS, "eg"),
            (COMPUTE, "ck"),
            (DEPARSER, "dep"),
        ] {
            assert_eq!(V1MODEL.block(parameter), Some(position));
        }
        for field in V1MODEL.intrinsic {
            assert!(V1MODEL.block(field.block).is_some(), "{}", field.name);
        }
    }
}
