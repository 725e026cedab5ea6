//! The gallery: what each policy does to three flows. The plots are in docs/images/scheduling, and
//! docs/scheduling.md says how to read them.

mod pieces;
mod traffic;

pub use pieces::{PIECES, Piece};

use super::link::{Departure, Event, serve};
use crate::framework::fixed::Pace;
use crate::framework::scheduler::Scheduler;
use crate::policy_file::Plan;
use serde_json::{Value, json};
use traffic::{FLOWS, LINK, MICROSECOND, WINDOW, arrivals};
use ww_plot::report::Section;
use ww_plot::{Axis, Figure, Panel, Series, Span};

/// A plot of the gallery.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The name of the file, without `.svg`.
    pub name: &'static str,
    /// One sentence: how to read it.
    pub reading: &'static str,
    /// The plot.
    pub figure: Figure,
    /// Bytes that each flow has sent in the whole window.
    pub bytes: [u64; 3],
}

/// All plots.
///
/// # Errors
/// A policy file of the gallery is wrong, or a scheduler does not go on.
pub fn plots() -> Result<Vec<Plot>, String> {
    PIECES.iter().map(plot).collect()
}

fn departures(piece: &Piece) -> Result<Vec<Departure>, String> {
    let text = format!("rate = \"{} Gb/s\"\n{}", LINK / 1_000_000_000, piece.policy);
    let plan = Plan::parse(&text).map_err(|error| format!("{}: {error}", piece.name))?;
    let link = Pace::of_rate(LINK).ok_or("a rate in range")?;
    let mut scheduler = plan.scheduler();
    let mut arrivals = arrivals();
    for arrival in &mut arrivals {
        arrival.flow = piece.flows[arrival.flow];
    }
    let (pause, resume) = piece.pause.unwrap_or_default();
    let (pause, resume) = (pause * MICROSECOND, resume * MICROSECOND);
    // Flow 0 exists, so both say true.
    let stop = |scheduler: &mut Scheduler| {
        scheduler.pause(0);
    };
    let go = |scheduler: &mut Scheduler| {
        scheduler.resume(0, resume);
    };
    let events: [Event; 2] = [(pause, &stop), (resume, &go)];
    let events = if piece.pause.is_some() { &events[..] } else { &[] };
    let mut departures = Vec::new();
    serve(&mut scheduler, link, &arrivals, events, WINDOW, |_, sent| departures.push(*sent))?;
    Ok(departures)
}

fn plot(piece: &Piece) -> Result<Plot, String> {
    let departures = departures(piece)?;
    let us = |time: u64| time as f64 / MICROSECOND as f64;
    let time = || Axis::linear("time, us").from(0.0).to(us(WINDOW));
    let mut link = Panel::new(time(), Axis::categories("", FLOWS)).title("The link");
    let mut sent =
        Panel::new(time(), Axis::linear("kB sent").from(0.0)).title("Bytes that have left");
    let mut bytes = [0; 3];
    for (flow, name) in FLOWS.iter().enumerate() {
        let own = || departures.iter().filter(move |d| d.packet.handle == flow as u64);
        link = link.with(Series::spans(
            *name,
            own().map(|d| {
                let (from, to) = (us(d.begin), us(d.end));
                let waited = us(d.begin - d.packet.arrival);
                let label = format!(
                    "{name}: {} bytes, {from:.1} to {to:.1} us, waited {waited:.1} us",
                    d.packet.bytes
                );
                Span { row: flow, from, to: to.min(us(WINDOW)), label }
            }),
        ));
        let mut points = vec![(0.0, 0.0)];
        for departure in own() {
            bytes[flow] += u64::from(departure.packet.bytes);
            points.push((us(departure.end).min(us(WINDOW)), bytes[flow] as f64 / 1000.0));
        }
        points.push((us(WINDOW), bytes[flow] as f64 / 1000.0));
        sent = sent.with(Series::steps(*name, points));
    }
    if let Some((pause, resume)) = piece.pause {
        sent = sent.moment(pause as f64, "pause a").moment(resume as f64, "resume a");
    } else {
        sent = sent.moment(12.0, "c: 12 packets").moment(32.0, "c: 6 packets");
    }
    let figure = Figure::new(piece.title).panel_size(640.0, 190.0).with(link).with(sent);
    Ok(Plot { name: piece.name, reading: piece.reading, figure, bytes })
}

/// The gallery as a section.
///
/// # Errors
/// As [`plots`].
pub fn section() -> Result<Section, String> {
    let plots = plots()?;
    let mut section = Section::new("gallery", "What each policy does to three flows");
    section.about = vec![format!(
        "A link of {} Gb/s, {} us. a sends 1,500 bytes every 1.5 us (8 Gb/s), b 750 bytes every 1.2 us (5 Gb/s), c a burst of \
         twelve packets of 1,500 bytes from 12 us on and one of six from 32 us on.",
        LINK / 1_000_000_000,
        WINDOW / MICROSECOND
    )];
    section.about.extend(plots.iter().map(|plot| format!("{}: {}", plot.name, plot.reading)));
    let data = |plot: &Plot| {
        (plot.name.to_owned(), json!({ "bytes": plot.bytes, "reading": plot.reading }))
    };
    section.data = Value::Object(plots.iter().map(data).collect());
    section.figures = plots.into_iter().map(|plot| plot.figure).collect();
    Ok(section)
}
