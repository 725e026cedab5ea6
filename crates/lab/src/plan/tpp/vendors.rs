//! `[[tpp.vendor]]`: switches of a vendor, and where it has a statistic.

use ww_config::reader::Reader;
use ww_sim::network::Network;
use ww_tpp::map;
use ww_tpp_apps::application::Vendor;

/// Platform-specific addresses.
const PLATFORM: std::ops::RangeInclusive<u32> = 0xf000..=0xffff;

/// Reads `[[tpp.vendor]]`. Tables without mistakes are returned, mistakes are noted.
pub(super) fn read(tables: Vec<Reader<'_>>, network: &Network) -> Vec<Vendor> {
    let mut vendors: Vec<Vendor> = Vec::new();
    for reader in tables {
        let id = reader.needed_within("id", 1..=u32::MAX, "1");
        let address = reader.needed_within("address", PLATFORM, "0xf000");
        let shows = reader.need::<String>("shows", "\"Queue:QueueOccupancy\"");
        let place = reader.value("shows").map_or(reader.place(), |value| &value.place);
        let shows = shows.and_then(|name| {
            let found = map::lookup(&name).ok();
            if found.is_none() {
                let message = format!("'shows': there is no address '{name}'");
                let advice = Some("ww tpp map --names has all".to_owned());
                reader.mistakes().advise(place, message, advice);
            }
            found
        });
        let switches = super::switches(&reader, network);
        let other = vendors.iter().find_map(|other| {
            let both = other.switches.intersection(&switches).next();
            both.map(|both| (other.id, network.nodes[*both as usize].name.clone()))
        });
        if let Some((other, name)) = other {
            let message = format!("'{name}' is of vendor {other} already");
            let advice = Some("say 'switches' so that each is in one of them".to_owned());
            reader.mistakes().advise(reader.place(), message, advice);
        }
        if let Some(id) = id.filter(|id| vendors.iter().any(|other| other.id == *id)) {
            reader.mistakes().add(reader.place(), format!("there is a vendor {id} already"));
        }
        reader.finish();
        if let (Some(id), Some(address), Some(shows)) = (id, address, shows) {
            vendors.push(Vendor { id, switches, address: address as u16, shows });
        }
    }
    vendors
}
