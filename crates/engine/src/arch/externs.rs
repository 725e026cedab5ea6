//! The extern objects and functions that this crate carries out: those of
//! [`ww_p4::architecture::OBJECTS`] and [`ww_p4::architecture::FUNCTIONS`].

use ww_p4::architecture::{Architecture, Effect};

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
    /// Sets these fields of the intrinsic metadata.
    Assigns(&'static [(&'static str, u64)]),
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
    /// What a program's function with this name does in an architecture.
    pub fn of(architecture: &Architecture, name: &str) -> Option<Self> {
        match architecture.function(name) {
            Some(function) => match function.effect {
                Effect::Assigns(fields) => Some(Self::Assigns(fields)),
                _ => Self::by_name(function.primitive),
            },
            // The core library's.
            None if matches!(name, "verify" | "static_assert") => Self::by_name(name),
            None => None,
        }
    }

    /// The function with this name among those that engines carry out.
    pub fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "verify" => Self::Verify,
            "static_assert" => Self::StaticAssert,
            "assert" => Self::Assert,
            "assume" => Self::Assume,
            "log_msg" => Self::LogMsg,
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
    use ww_p4::architecture::{FUNCTIONS, OBJECTS, embedded};

    #[test]
    fn all_that_descriptions_can_offer_is_here() {
        for (name, _) in FUNCTIONS {
            assert!(ExternFunction::by_name(name).is_some(), "{name}");
        }
        for (name, _, _) in OBJECTS {
            assert!(ExternObject::by_name(name).is_some(), "{name}");
        }
        for architecture in embedded() {
            for function in architecture.functions {
                assert!(ExternFunction::of(architecture, function.name).is_some());
            }
        }
    }
}
