//! Whether the figures that expectations name can be there: a wrong name is told before a run, not after it.

use super::expression::Expression;
use crate::plan::Named;
use ww_config::mistakes::{Mistakes, Place, did_you_mean};

/// What results begin with.
const PARTS: [&str; 10] = [
    "traffic", "links", "queues", "network", "commands", "machine", "tpp", "clocks", "fabric",
    "pair",
];

/// Says which names in figures are of nothing, at the places of the measures. `variants` are the lab's, one without a name if it has
/// none.
pub fn check(measures: &[(Expression, Place)], variants: &[(&str, &Named)], mistakes: &Mistakes) {
    for (expression, place) in measures {
        for path in expression.paths() {
            if let Err((message, advice)) = find(path, variants) {
                let message = format!("'measure': {}: {message}", path.join("."));
                mistakes.advise(place, message, Some(advice));
            }
        }
    }
}

/// What is wrong, and what may be meant.
type Wrong = (String, String);

fn find(path: &[String], variants: &[(&str, &Named)]) -> Result<(), Wrong> {
    let (named, rest) = match variants {
        [("", only)] => (*only, path),
        several => {
            let name = path.first().map_or("", String::as_str);
            match several.iter().find(|(variant, _)| *variant == name) {
                Some((_, named)) => (*named, &path[1..]),
                None => return Err(none("variant", name, several.iter().map(|(name, _)| *name))),
            }
        }
    };
    let Some(part) = rest.first() else { return Ok(()) };
    if !PARTS.contains(&part.as_str()) {
        return Err(none("part of results", part, PARTS));
    }
    let Some(name) = rest.get(1) else { return Ok(()) };
    let (what, known) = match part.as_str() {
        "traffic" => ("traffic", &named.traffic),
        "links" | "queues" => ("direction of a link", &named.directions),
        "commands" => ("command", &named.commands),
        "tpp" => ("application of TPPs", &named.applications),
        _ => return Ok(()),
    };
    match known {
        Some(known) if !known.contains(name) => {
            Err(none(what, name, known.iter().map(String::as_str)))
        }
        _ => Ok(()),
    }
}

/// There is no such thing, and what may be meant.
fn none<'w>(what: &str, name: &str, known: impl IntoIterator<Item = &'w str> + Clone) -> Wrong {
    let advice = did_you_mean(name, known.clone()).unwrap_or_else(|| {
        let few: Vec<&str> = known.into_iter().take(8).collect();
        match few.is_empty() {
            true => format!("the lab has no {what}"),
            false => format!("there is {}", few.join(", ")),
        }
    });
    (format!("there is no {what} '{name}'"), advice)
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::expect;
    use crate::lab::{Lab, Request};
    use ww_config::mistakes::{Mistakes, Sources};

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
        let wrong = |measure: &str| {
            let (mut sources, mistakes) = (Sources::default(), Mistakes::default());
            let file = sources.file("lab.toml", LAB);
            let lab = Lab::of_text("t", LAB);
            let reading = lab.read(&Request::default(), file, &mut sources, &mistakes);
            assert_eq!(mistakes.count(), 0, "a good lab");
            let text = format!(
                "[[expect]]\nname = 'x'\nmeasure = '{measure}'\npublished = 1\nsource = 's'\ntolerance = 1\n"
            );
            let source = sources.file("expected.toml", &text);
            let expected = expect::read(&text, source, &mistakes);
            check(&expected.measures, &[("", &reading.variants[0].1.named)], &mistakes);
            let report = mistakes.report(&sources).unwrap_or_default();
            report.mistakes.iter().map(ToString::to_string).collect::<Vec<_>>()
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
