//! Packets that say how long each part of their way took.

use super::Context;
use super::collect::Collect;
use super::keys::stamped;
use crate::file::reader::Reader;
use ww_host::registry::Registry;
use ww_tpp_apps::paths;

/// Packets carry [`paths::DISCOVER`], receivers keep what it has read.
pub(super) fn read(
    reader: &Reader<'_>,
    context: &Context<'_>,
    registry: &mut Registry,
    id: Option<u64>,
) -> Option<Collect> {
    // Whether something is wrong is found out of all keys.
    reader.value("hosts");
    let (rule, mtu) = stamped(reader, context, registry, id, paths::DISCOVER)?;
    Some(Collect { rule, mtu, values: Vec::new(), others: 0 })
}
