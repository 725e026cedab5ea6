//! Hosts whose clocks packets keep, in a simulation.

use crate::plan::Plan;
use crate::plan::clocks::{Keeping, Protocol};
use std::net::Ipv4Addr;
use ww_clocks::keeper::Keeper;
use ww_clocks::{ntp, ptp};
use ww_sim::network::NodeId;
use ww_sim::simulation::Parts;

/// The domain of PTP.
const DOMAIN: u8 = 0;

/// Adds them to the parts of a network.
pub(in crate::world) fn install(plan: &Plan, parts: &mut Parts) {
    let (Some(Keeping { protocol, master, slaves }), Some(kept)) =
        (&plan.keeping, plan.network.clocks.kept)
    else {
        return;
    };
    let address =
        |node: &NodeId| plan.network.host(*node).map_or(Ipv4Addr::UNSPECIFIED, |host| host.ip);
    let server = address(master);
    let keepers = slaves.iter().map(|node| {
        let keeper: Box<dyn Keeper> = match *protocol {
            Protocol::Ptp { sync, delay } => {
                let settings = ptp::slave::Settings {
                    clock: identity(*node),
                    domain: DOMAIN,
                    master: server,
                    sync_interval: sync,
                    delay_interval: delay,
                    stamps: kept.stamps,
                    free_running: false,
                };
                Box::new(ptp::slave::Slave::new(settings))
            }
            Protocol::Ntp { poll } => Box::new(ntp::client::Client::new(server, poll, kept.stamps)),
        };
        (*node, keeper)
    });
    parts.keepers.extend(keepers);
    let teller: Box<dyn Keeper> = match *protocol {
        Protocol::Ptp { sync, .. } => {
            let all = slaves.iter().map(address).collect();
            Box::new(ptp::master::Master::new(identity(*master), DOMAIN, all, sync))
        }
        Protocol::Ntp { .. } => Box::new(ntp::server::Server::default()),
    };
    parts.keepers.insert(*master, teller);
}

/// A clock's EUI-64, of the node's number.
fn identity(node: NodeId) -> [u8; 8] {
    let [a, b, c, d] = node.to_be_bytes();
    [2, 0, a, 0xff, 0xfe, b, c, d]
}
