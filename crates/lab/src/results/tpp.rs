//! What applications of tiny packet programs have found out, as numbers.

use super::numbers::Numbers;
use crate::plan::Plan;
use std::collections::BTreeMap;
use ww_host::agent::Report;
use ww_sim::network::NodeId;
use ww_tpp_apps::application::{Findings, Witness};

/// What hosts have reported, in the order of nodes.
pub type Reports = Vec<(NodeId, Report)>;

/// The witnesses of applications, each with the application's name.
pub type Witnesses = Vec<(String, Box<dyn Witness>)>;

/// What applications want to know of links, to compare their results with.
pub fn witnesses(plan: &Plan) -> Witnesses {
    let all =
        plan.tpps.iter().flat_map(|tpps| tpps.applications.iter().map(move |one| (tpps, one)));
    all.filter_map(|(tpps, one)| {
        Some((one.name.clone(), one.application.witness(&plan.network, &tpps.switches)?))
    })
    .collect()
}

/// Adds numbers under `tpp.NAME`.
///
/// # Errors
/// A host's report lacks something, or cannot be read.
pub fn numbers(
    plan: &Plan,
    reports: &Reports,
    witnesses: &Witnesses,
    numbers: &mut Numbers,
) -> Result<(), String> {
    for installed in plan.tpps.iter().flat_map(|tpps| &tpps.applications) {
        let own = reports.iter().filter(|(node, _)| installed.hosts.contains(node));
        let findings = Findings {
            network: &plan.network,
            directions: &plan.directions,
            warmup: plan.run.warmup,
            duration: plan.run.duration,
            reports: own.map(|(_, report)| report).collect(),
        };
        let mut set = |path: &[&str], value: f64| {
            let path: Vec<&str> =
                ["tpp", &installed.name].into_iter().chain(path.iter().copied()).collect();
            numbers.set(&path, value);
        };
        let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
        for (name, value) in findings.reports.iter().flat_map(|report| &report.figures) {
            *sums.entry(name).or_default() += value;
        }
        for (name, value) in sums {
            set(&[name], value);
        }
        let wrong = |error| format!("application '{}': {error}", installed.name);
        installed.application.results(&findings, &mut set).map_err(wrong)?;
        for (_, witness) in witnesses.iter().filter(|(name, _)| *name == installed.name) {
            witness.results(&findings, &mut set).map_err(wrong)?;
        }
    }
    Ok(())
}
