//! What histories say: how many there are, how many break rules, how many a query finds, where packets have gone.

use super::history::History;
use super::lab::Histories;
use super::profile::Profile;
use crate::application::{Findings, Set};
use std::collections::{BTreeMap, BTreeSet};

/// Adds the number of histories and of their hops, of those that break rules (in all, and of each kind of rule or rule with
/// a name), of those that each query finds, and what each direction of a link has carried of them.
pub(super) fn verdicts(histories: &Histories, findings: &Findings<'_>, set: &mut Set<'_>) {
    let records = findings.records();
    let mut profile = Profile::default();
    let (mut hops, mut cut, mut violating) = (0, 0u64, 0u64);
    let mut broken: BTreeMap<String, u64> = BTreeMap::new();
    let mut found = vec![0u64; histories.queries.len()];
    for record in &records {
        let history = History::of(record, &histories.values);
        profile.add(&history);
        hops += history.hops.len();
        cut += u64::from(history.is_cut());
        let violations = histories.rules.judge(&history);
        violating += u64::from(!violations.is_empty());
        // A history that breaks a rule at two hops counts once.
        let rules: BTreeSet<String> = violations.into_iter().map(|one| one.rule).collect();
        rules.into_iter().for_each(|rule| *broken.entry(rule).or_default() += 1);
        for (number, (_, query)) in found.iter_mut().zip(&histories.queries) {
            *number += u64::from(query.fits(&history));
        }
    }
    set(&["histories"], records.len() as f64);
    set(&["mean_hops"], hops as f64 / records.len() as f64);
    set(&["cut"], cut as f64);
    set(&["violating"], violating as f64);
    for (rule, number) in broken {
        set(&["rules", &rule], number as f64);
    }
    for (number, (name, _)) in found.into_iter().zip(&histories.queries) {
        set(&["queries", name], number as f64);
    }
    for ((switch, port), load) in profile.outputs(usize::MAX) {
        let Some(name) = findings.direction(switch, port) else { continue };
        set(&[name, "packets"], load.packets as f64);
        set(&[name, "bytes"], load.bytes as f64);
    }
}
