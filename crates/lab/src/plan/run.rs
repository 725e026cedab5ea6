//! `[run]`, `[measure]`, and in which worlds a lab makes sense.

use super::names::Names;
use super::{Measure, Run, World, Worlds};
use ww_config::quantity::Span;
use ww_config::reader::Reader;

/// Runs with different seeds that a lab may ask for.
const MAX_SEEDS: u32 = 1000;

/// `[run]` of a fabric or a pair, whose runs end by themselves: seeds alone.
pub(super) fn seeds_alone(reader: Option<Reader<'_>>) -> Run {
    let (mut seed, mut seeds) = (1, 1);
    if let Some(reader) = reader {
        seed = reader.get_or("seed", seed);
        seeds = reader.within("seeds", 1..=MAX_SEEDS).unwrap_or(seeds);
        reader.finish();
    }
    Run { duration: 0, warmup: 0, drain: 0, seed, seeds }
}

/// `[run]`. `None` has been told.
pub(super) fn run(reader: Option<Reader<'_>>, lab: &Reader<'_>) -> Option<Run> {
    let Some(reader) = reader else {
        if lab.value("run").is_none() {
            lab.missing("run", "{ duration = \"100 ms\" }");
        }
        return None;
    };
    let duration = reader.need::<Span>("duration", "\"100 ms\"").map(|span| span.0);
    let warmup = reader.get_or("warmup", Span(0)).0;
    let drain = reader.get_or("drain", Span(0)).0;
    let seed = reader.get_or("seed", 1u64);
    let seeds = reader.within("seeds", 1..=MAX_SEEDS).unwrap_or(1);
    if duration == Some(0)
        && let Some(value) = reader.value("duration")
    {
        reader.mistakes().add(&value.place, "'duration': expected more than 0");
    }
    if let Some(duration) = duration.filter(|duration| warmup >= *duration && warmup > 0)
        && let (Some(short), Some(long)) = (reader.value("duration"), reader.value("warmup"))
    {
        let message = format!(
            "'warmup' ({}) takes all of 'duration' ({}): nothing would be counted",
            super::written(long),
            super::written(short)
        );
        let advice = Some("set both, or the other one".to_owned()).filter(|_| duration > 0);
        // That which was set last, for instance by [quick].
        reader.mistakes().advise((&short.place).max(&long.place), message, advice);
    }
    reader.finish();
    Some(Run { duration: duration?, warmup, drain, seed, seeds })
}

/// `worlds = ["sim", "netns"]`, and `netns = "cannot: delays of 1 us"`.
pub(super) fn worlds(lab: &Reader<'_>) -> Worlds {
    let words = [("sim", World::Sim), ("netns", World::Netns)];
    let mut worlds = Worlds { sim: Err(String::new()), netns: Err(String::new()) };
    match lab.value("worlds") {
        None => worlds.sim = Ok(()),
        Some(value) => {
            for item in value.listed() {
                let word =
                    item.text().and_then(|text| words.iter().find(|(word, _)| *word == text));
                match word {
                    Some((_, World::Sim)) => worlds.sim = Ok(()),
                    Some((_, World::Netns)) => worlds.netns = Ok(()),
                    None => {
                        let found = item.described();
                        lab.mistakes().add(
                            &item.place,
                            format!("'worlds': expected sim, netns, found {found}"),
                        );
                    }
                }
            }
            if value.listed().is_empty() {
                lab.mistakes()
                    .add(&value.place, "'worlds': expected sim, netns or both, found none");
            }
        }
    }
    for (key, world) in [("sim", &mut worlds.sim), ("netns", &mut worlds.netns)] {
        let Some(reason) = lab.get::<String>(key) else { continue };
        match world {
            Ok(()) => {
                if let Some(value) = lab.value(key) {
                    let message = format!(
                        "'{key}' says why that world cannot run the lab, and 'worlds' that it can"
                    );
                    lab.mistakes().add(&value.place, message);
                }
            }
            Err(text) => *text = reason.trim_start_matches("cannot:").trim().to_owned(),
        }
    }
    worlds
}

/// `[measure]`
pub(super) fn measure(reader: Option<Reader<'_>>, names: &Names<'_>) -> Measure {
    let mut measure = Measure { flows: true, ..Measure::default() };
    let Some(reader) = reader else { return measure };
    measure.flows = reader.get_or("flows", true);
    measure.packets = reader.get_or("packets", false);
    if let Some(inner) = reader.inner("queues") {
        let every = inner.need::<Span>("every", "\"100 us\"").map(|span| span.0);
        if every == Some(0)
            && let Some(value) = inner.value("every")
        {
            inner.mistakes().add(&value.place, "'every': expected more than 0");
        }
        measure.every = every.filter(|every| *every > 0);
        let links = inner.needed_value("links", "\"all\", or [\"s0->s1\"]");
        measure.sampled = links.map(|value| names.directions(value)).unwrap_or_default();
        inner.finish();
    }
    if let Some(value) = reader.value("capture") {
        measure.captures = names.captures(value);
    }
    reader.finish();
    measure
}
