//! The extern objects and functions of v1model that this crate carries out.

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

#[cfg(test)]
mod tests {
    use super::{ExternFunction, ExternObject};
    use ww_p4::architecture::v1model::V1MODEL;

    #[test]
    fn all_of_the_architecture_is_here() {
        for function in V1MODEL.functions {
            assert!(ExternFunction::by_name(function.name).is_some(), "{}", function.name);
        }
        for object in V1MODEL.objects {
            assert!(ExternObject::by_name(object.name).is_some(), "{}", object.name);
        }
    }
}
