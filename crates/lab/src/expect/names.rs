//! Whether the figures that expectations name can be there: a wrong name is told before a run, not after it.

use super::{Expectation, FILE};
use crate::file::mistakes::suggestion;
use crate::lab::Planned;
use crate::plan::Plan;
use std::collections::BTreeSet;

/// What results begin with.
const PARTS: [&str; 6] = ["traffic", "links", "queues", "network", "commands", "machine"];

/// What is wrong with the names in figures, a sentence each.
pub fn unknown(expectations: &[Expectation], planned: &Planned) -> Vec<String> {
    let mut wrong = Vec::new();
    for expectation in expectations {
        for path in expectation.expression.paths() {
            if let Err(message) = check(path, planned) {
                let name = &expectation.name;
                wrong.push(format!("{FILE}: 'measure' of '{name}', {}: {message}", path.join(".")));
            }
        }
    }
    wrong
}

fn check(path: &[String], planned: &Planned) -> Result<(), String> {
    let variants = || planned.variants.iter().map(|variant| variant.name.as_str());
    let (plan, rest) = match &planned.variants[..] {
        [only] if only.name.is_empty() => (&only.plan, path),
        several => {
            let name = path.first().map_or("", String::as_str);
            match several.iter().find(|variant| variant.name == name) {
                Some(variant) => (&variant.plan, &path[1..]),
                None => return Err(none("variant", name, variants())),
            }
        }
    };
    let Some(part) = rest.first() else { return Ok(()) };
    if !PARTS.contains(&part.as_str()) {
        return Err(none("part of results", part, PARTS));
    }
    let Some(name) = rest.get(1) else { return Ok(()) };
    let (what, known) = match part.as_str() {
        "traffic" => ("traffic", plan.network.traffic.iter().map(|t| t.name.clone()).collect()),
        "links" | "queues" => ("direction of a link", directions(plan)),
        "commands" => ("command", plan.commands.iter().map(|c| c.name.clone()).collect()),
        _ => return Ok(()),
    };
    match known.contains(name) {
        true => Ok(()),
        false => Err(none(what, name, known.iter().map(String::as_str))),
    }
}

fn directions(plan: &Plan) -> BTreeSet<String> {
    let links = 0..plan.network.links.len() as u32;
    let both = links.flat_map(|link| [(link, false), (link, true)]);
    both.map(|(link, reverse)| plan.network.direction_name(link, reverse)).collect()
}

/// There is no such thing, and what may be meant.
fn none<'w>(what: &str, name: &str, known: impl IntoIterator<Item = &'w str> + Clone) -> String {
    let advice = suggestion(name, known.clone()).unwrap_or_else(|| {
        let few: Vec<&str> = known.into_iter().take(8).collect();
        format!("there is {}", few.join(", "))
    });
    format!("there is no {what} '{name}'; {advice}")
}

#[cfg(test)]
mod tests {
    use super::unknown;
    use crate::expect;
    use crate::lab::{Lab, Request};

    const LAB: &str = "
title = 't'
[run]
duration = '1 ms'
[topology]
kind = 'star'
hosts = 2
edge = { rate = '1 Gb/s', delay = '1 us' }
[[traffic]]
name = 'long'
kind = 'stream'
from = 'h0'
to = 'h1'
bytes = '100 B'
rate = '1 Mb/s'
";

    #[test]
    fn names_of_a_lab() {
        let planned = Lab::of_text("t", LAB).plan(&Request::default()).expect("a good lab");
        let wrong = |measure: &str| {
            let text = format!(
                "[[expect]]\nname = 'x'\nmeasure = '{measure}'\npublished = 1\nsource = 's'\ntolerance = 1\n"
            );
            let list = expect::parse(&text, "expected.toml").expect("good");
            unknown(&list, &planned)
        };
        for good in [
            "traffic.long.goodput_bps",
            "links.h0->s0.utilisation + links.s0->h1.dropped",
            "queues.s0->h1.p99_bytes / network.measured_us",
            "sqrt(machine.frames_lost_by_element)",
        ] {
            assert_eq!(wrong(good), [""; 0], "{good}");
        }
        for (bad, words) in [
            ("trafic.long.goodput_bps", "no part of results 'trafic'; did you mean 'traffic'?"),
            ("1 + traffic.lng.goodput_bps", "no traffic 'lng'; did you mean 'long'?"),
            ("links.h0->h1.dropped", "no direction of a link 'h0->h1'"),
            ("sqrt(commands.ping.exit_status)", "no command 'ping'"),
        ] {
            let found = wrong(bad);
            assert!(found.len() == 1 && found[0].contains(words), "{bad}: {found:?}");
        }
    }
}
