//! `[[tpp.app]]`: applications of TPPs at hosts, of the kinds that [`ww_tpp_apps::KINDS`] lists.

use crate::file::names::Name;
use std::collections::BTreeSet;
use std::sync::Arc;
use ww_config::reader::Reader;
use ww_host::registry::Registry;
use ww_sim::network::NodeId;
use ww_tpp_apps::KINDS;
use ww_tpp_apps::application::{self, Context, Kind, Registration};

/// An application of a lab.
#[derive(Clone, Debug)]
pub struct Application {
    /// Its name.
    pub name: String,
    /// Where it runs.
    pub hosts: Vec<NodeId>,
    /// What kind it is of.
    pub kind: &'static Kind,
    /// What it does.
    pub application: Arc<dyn application::Application>,
}

/// Reads `[[tpp.app]]`. Tables without mistakes are returned, mistakes are noted.
pub(super) fn read(
    tables: Vec<Reader<'_>>,
    registry: &mut Registry,
    context: &Context<'_>,
) -> Vec<Application> {
    let kinds: Vec<(&str, &Kind)> = KINDS.iter().map(|kind| (kind.name, *kind)).collect();
    let mut applications: Vec<Application> = Vec::new();
    let mut busy: BTreeSet<NodeId> = BTreeSet::new();
    for reader in tables {
        let name = reader.need::<Name>("name", "\"bursts\"").map(|name| name.0);
        let place = reader.value("name").map_or(reader.place(), |value| &value.place).clone();
        let id = name.as_deref().and_then(|name| {
            let id = registry.register(name);
            id.map_err(|error| reader.mistakes().add(&place, error.to_string())).ok()
        });
        let kind = reader.needed_choice("kind", &kinds);
        let application =
            kind.and_then(|kind| (kind.read)(&reader, context, &mut Registration { registry, id }));
        let hosts: BTreeSet<NodeId> =
            application.iter().flat_map(|application| application.hosts()).collect();
        if let Some(both) = hosts.iter().find(|host| busy.contains(host)) {
            let host = &context.network.nodes[*both as usize].name;
            let message = format!("'{host}' has an application already; a host has one");
            let advice = Some("say 'hosts' so that none is in two of them".to_owned());
            reader.mistakes().advise(&place, message, advice);
        }
        busy.extend(&hosts);
        if let (Some(name), Some(kind), Some(application)) = (name, kind, application) {
            // All switches are configured for it.
            let alone = application.needs_plain_switches().is_some();
            if alone && applications.iter().any(|other| other.kind.name == kind.name) {
                let message = format!("only one application of a lab can be \"{}\"", kind.name);
                reader.mistakes().add(&place, message);
            }
            let hosts = hosts.into_iter().collect();
            applications.push(Application { name, hosts, kind, application });
        }
        reader.finish();
    }
    applications
}
