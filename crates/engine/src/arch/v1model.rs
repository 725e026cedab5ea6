//! The v1model architecture, as the BMv2 `simple_switch` implements it.
//!
//! Packet path: parser, checksum verification, ingress; then clone, resubmission, replication,
//! drop or queueing; egress; then clone, drop; checksum update, deparser; then recirculation or
//! transmission.

use super::{BlockDescription, Role};

/// Name of the package.
pub const PACKAGE: &str = "V1Switch";

/// The parser.
pub const PARSER: usize = 0;
/// Checksum verification.
pub const VERIFY: usize = 1;
/// Ingress.
pub const INGRESS: usize = 2;
/// Egress.
pub const EGRESS: usize = 3;
/// Checksum update.
pub const COMPUTE: usize = 4;
/// The deparser.
pub const DEPARSER: usize = 5;

/// The blocks in the order of the packet path.
pub const BLOCKS: [BlockDescription; 6] = [
    BlockDescription {
        parameter: "p",
        position: 0,
        roles: &[Role::Packet, Role::Headers, Role::Metadata, Role::Intrinsic],
        is_parser: true,
    },
    control("vr", 1, &[Role::Headers, Role::Metadata]),
    control("ig", 2, &[Role::Headers, Role::Metadata, Role::Intrinsic]),
    control("eg", 3, &[Role::Headers, Role::Metadata, Role::Intrinsic]),
    control("ck", 4, &[Role::Headers, Role::Metadata]),
    control("dep", 5, &[Role::Packet, Role::Headers]),
];

const fn control(
    parameter: &'static str,
    position: usize,
    roles: &'static [Role],
) -> BlockDescription {
    BlockDescription { parameter, position, roles, is_parser: false }
}

/// The value of `egress_spec` that drops a packet.
pub const DROP_PORT: u32 = 511;

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

/// Extern objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExternObject {
    /// `counter`
    Counter,
    /// `direct_counter`
    DirectCounter,
    /// `meter`
    Meter,
    /// `direct_meter`
    DirectMeter,
    /// `register`
    Register,
    /// `action_profile`
    ActionProfile,
    /// `action_selector`
    ActionSelector,
    /// `Checksum16`
    Checksum16,
}

impl ExternObject {
    /// The object type with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "counter" => Self::Counter,
            "direct_counter" => Self::DirectCounter,
            "meter" => Self::Meter,
            "direct_meter" => Self::DirectMeter,
            "register" => Self::Register,
            "action_profile" => Self::ActionProfile,
            "action_selector" => Self::ActionSelector,
            "Checksum16" => Self::Checksum16,
            _ => return None,
        })
    }
}

/// Functions of the architecture and of the core library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExternFunction {
    /// `verify`
    Verify,
    /// `static_assert`
    StaticAssert,
    /// `assert`
    Assert,
    /// `assume`
    Assume,
    /// `log_msg`
    LogMsg,
    /// `mark_to_drop`
    MarkToDrop,
    /// `hash`
    Hash,
    /// `random`
    Random,
    /// `digest`
    Digest,
    /// `truncate`
    Truncate,
    /// `clone`
    Clone,
    /// `clone3`
    Clone3,
    /// `clone_preserving_field_list`
    ClonePreserving,
    /// `resubmit`
    Resubmit,
    /// `resubmit_preserving_field_list`
    ResubmitPreserving,
    /// `recirculate`
    Recirculate,
    /// `recirculate_preserving_field_list`
    RecirculatePreserving,
    /// `verify_checksum`
    VerifyChecksum,
    /// `verify_checksum_with_payload`
    VerifyChecksumWithPayload,
    /// `update_checksum`
    UpdateChecksum,
    /// `update_checksum_with_payload`
    UpdateChecksumWithPayload,
}

impl ExternFunction {
    /// The function with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "verify" => Self::Verify,
            "static_assert" => Self::StaticAssert,
            "assert" => Self::Assert,
            "assume" => Self::Assume,
            "log_msg" => Self::LogMsg,
            "mark_to_drop" => Self::MarkToDrop,
            "hash" => Self::Hash,
            "random" => Self::Random,
            "digest" => Self::Digest,
            "truncate" => Self::Truncate,
            "clone" => Self::Clone,
            "clone3" => Self::Clone3,
            "clone_preserving_field_list" => Self::ClonePreserving,
            "resubmit" => Self::Resubmit,
            "resubmit_preserving_field_list" => Self::ResubmitPreserving,
            "recirculate" => Self::Recirculate,
            "recirculate_preserving_field_list" => Self::RecirculatePreserving,
            "verify_checksum" => Self::VerifyChecksum,
            "verify_checksum_with_payload" => Self::VerifyChecksumWithPayload,
            "update_checksum" => Self::UpdateChecksum,
            "update_checksum_with_payload" => Self::UpdateChecksumWithPayload,
            _ => return None,
        })
    }
}
