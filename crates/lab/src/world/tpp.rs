//! Switches that execute tiny packet programs, and applications of them, in a simulation.

use crate::plan::Plan;
use ww_sched::policy_file;
use ww_sim::forwarder::tcpu::TppForwarder;
use ww_sim::network::Network;
use ww_sim::simulation::Parts;
use ww_tpp::switch::Tcpu;

/// Adds them to the parts of a network.
///
/// # Errors
/// A sentence.
pub(in crate::world) fn install(
    plan: &Plan,
    seed: u64,
    network: &mut Network,
    parts: &mut Parts,
) -> Result<(), String> {
    let Some(tpps) = &plan.tpps else { return Ok(()) };
    for (node, config) in &tpps.switches {
        let rates = crate::plan::rates(network, *node);
        let manager = match (plan.schedulers.get(node), tpps.queues.get(node)) {
            (Some(policy), _) => {
                parts.managers.remove(node);
                policy.traffic_manager_at(&rates)
            }
            (None, Some(text)) => {
                let policy = policy_file::Plan::parse(text).map_err(|error| error.to_string())?;
                policy.traffic_manager_at(&rates)
            }
            // A program.
            (None, None) => continue,
        };
        let switch = (*node, Tcpu::new(config.clone(), 0), manager);
        TppForwarder::install(network, parts, seed, switch);
    }
    for (node, spec) in tpps.hosts(plan, seed) {
        let agent = spec.agent()?;
        parts.agents.insert(node, agent);
    }
    Ok(())
}
