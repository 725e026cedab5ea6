//! Labs that have no network of packets: what else they cannot have.

use super::{World, Worlds};
use ww_config::reader::Reader;

/// Tables that are of a network of packets.
const OF_NETWORKS: [&str; 11] = [
    "topology",
    "node",
    "link",
    "routing",
    "queueing",
    "change",
    "transport",
    "traffic",
    "measure",
    "tpp",
    "clocks",
];

/// A lab with `table` (`fabric`, `pair`) has no network, nor one of `others`, and no world but virtual time.
pub(super) fn check(lab: &Reader<'_>, worlds: &Worlds, table: &str, others: &[&'static str]) {
    let told = OF_NETWORKS.iter().map(|key| (*key, "of a network of packets"));
    for (key, of) in told.chain(others.iter().map(|key| (*key, "of another kind of lab"))) {
        if let Some(value) = lab.value(key) {
            let message =
                format!("'{key}' is {of}, and the lab has [{table}]: leave out one of them");
            lab.mistakes().add(&value.place, message);
        }
    }
    if let (Ok(()), Some(value)) = (worlds.possible(World::Netns), lab.value("worlds")) {
        let message = format!("'worlds': a lab with [{table}] runs in sim alone; leave out netns");
        lab.mistakes().add(&value.place, message);
    }
}
