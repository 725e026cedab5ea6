//! Metadata that a copy of a packet keeps.

use super::loaded::Loaded;
use super::requests::Preserve;
use super::values::Value;
use ww_p4::architecture::{FieldPath, MetadataRoot};

/// Values on their way from a packet to its copy.
pub type Kept = Vec<(FieldPath, Value)>;

/// Reads what is to be kept.
pub fn keep(loaded: &Loaded, preserve: &Preserve, metadata: &Value, intrinsic: &Value) -> Kept {
    let paths = match preserve {
        Preserve::Nothing => &[],
        Preserve::FieldList(n) => loaded.field_lists.get(n).map(Vec::as_slice).unwrap_or_default(),
        Preserve::Paths(paths) => paths.as_slice(),
    };
    let read = |path: &FieldPath| {
        let root = match path.root {
            MetadataRoot::User => metadata,
            MetadataRoot::Intrinsic => intrinsic,
        };
        let value =
            path.fields.iter().try_fold(root, |value, n| value.parts()?.get(*n as usize))?;
        Some((path.clone(), value.clone()))
    };
    paths.iter().filter_map(read).collect()
}

/// Writes what was kept.
pub fn restore(kept: Kept, metadata: &mut Value, intrinsic: &mut Value) {
    for (path, value) in kept {
        let root = match path.root {
            MetadataRoot::User => &mut *metadata,
            MetadataRoot::Intrinsic => &mut *intrinsic,
        };
        let target = path.fields.iter().try_fold(root, |value, n| match value {
            Value::Struct(parts) => parts.get_mut(*n as usize),
            _ => None,
        });
        if let Some(target) = target {
            *target = value;
        }
    }
}
