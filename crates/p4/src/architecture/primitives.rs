//! What the engines carry out: the functions and objects that a description can offer to programs.

use super::{Access, Effect, Request};

/// Functions by name. [`Effect::Flags`] and [`Effect::FlagsWithPayload`] get their field from the
/// description.
pub const FUNCTIONS: &[(&str, Effect)] = &[
    ("verify", Effect::Pure),
    ("static_assert", Effect::Pure),
    ("assert", Effect::Assertion),
    ("assume", Effect::Assertion),
    ("log_msg", Effect::Message),
    ("hash", Effect::Pure),
    ("random", Effect::Random),
    ("digest", Effect::Message),
    ("truncate", Effect::Request(Request::Truncate)),
    ("clone", Effect::Request(Request::Clone)),
    ("clone3", Effect::Request(Request::Clone)),
    ("clone_preserving_field_list", Effect::Request(Request::Clone)),
    ("resubmit", Effect::Request(Request::Resubmit)),
    ("resubmit_preserving_field_list", Effect::Request(Request::Resubmit)),
    ("recirculate", Effect::Request(Request::Recirculate)),
    ("recirculate_preserving_field_list", Effect::Request(Request::Recirculate)),
    ("verify_checksum", Effect::Flags("")),
    ("verify_checksum_with_payload", Effect::FlagsWithPayload("")),
    ("update_checksum", Effect::Pure),
    ("update_checksum_with_payload", Effect::ReadsPayload),
];

/// A type of objects: its name, its methods with what they do to its state, and whether there is
/// one cell per table entry.
pub type ObjectPrimitive = (&'static str, &'static [(&'static str, Access)], bool);

/// Types of objects.
pub const OBJECTS: &[ObjectPrimitive] = &[
    ("counter", &[("count", Access::ReadModifyWrite)], false),
    ("direct_counter", &[("count", Access::None)], true),
    ("meter", &[("execute_meter", Access::ReadModifyWrite)], false),
    ("direct_meter", &[("read", Access::Read)], true),
    ("register", &[("read", Access::Read), ("write", Access::Write)], false),
    ("action_profile", &[], false),
    ("action_selector", &[], false),
    ("Checksum16", &[("get", Access::None)], false),
];
