//! Pairs of dequeue and enqueue a second, one core: the software list beside what one would use without
//! it, and beside what was published of hardware.

use crate::rate::{Eligibility, Load, Rate, measure};
use serde_json::json;
use std::time::Duration;
use ww_plot::report::{Outcome, Section, Table, Verdict};
use ww_plot::{Axis, Bar, Figure, Panel, Series};

/// Nanoseconds for a packet of 1,500 bytes at 10 Gb/s: the rate of one core that the published design
/// is compared with (section 2.6.2, after Eiffel).
const PUBLISHED_CORE: f64 = 1200.0;

/// Rates. `clock` is time that has passed.
pub fn section(quick: bool, clock: &dyn Fn() -> Duration) -> Section {
    let (flows, time) = match quick {
        true => ([1 << 10, 1 << 15], Duration::from_millis(20)),
        false => ([1 << 15, 1 << 20], Duration::from_millis(500)),
    };
    let mut rates: Vec<Rate> = Vec::new();
    for rank_bits in [16, 64] {
        for flows in flows {
            for eligibility in [Eligibility::All, Eligibility::Rising, Eligibility::Random] {
                rates.extend(measure(Load { flows, rank_bits, eligibility }, time, clock));
            }
        }
    }
    let rate = |name: &str, rank_bits: u32, flows: u32, eligibility: Eligibility| {
        let of = |rate: &&Rate| {
            let Load { flows: f, rank_bits: r, eligibility: e } = rate.load;
            rate.name == name && (r, f, e) == (rank_bits, flows, eligibility)
        };
        rates.iter().find(of).map_or(0.0, |rate| rate.pairs_per_second)
    };
    let mut section = Section::new("rate", "Scheduling rate of one core");
    section.about = vec![
        "Pairs of dequeue and enqueue a second of the fast list, a pair of ordered maps (who waits by time, who is ready by \
         rank), a binary heap and a queue of find-first-set bitmaps in the same run, one thread. The heap and the bitmaps know \
         neither eligibility nor ids. The machine may be busy with other things: compare within a load."
            .into(),
    ];
    if cfg!(debug_assertions) {
        section.about.push(
            "This program was built for development: a release build is several times faster."
                .into(),
        );
    }
    let core = rate("fast", 16, flows[0], Eligibility::Random);
    let nanoseconds = 1e9 / core;
    section.verdicts.push(Verdict::new(
        "one core: a packet (dequeue and enqueue), 16-bit ranks, random eligibility",
        format!("{PUBLISHED_CORE} ns: 1,500 bytes at 10 Gb/s (section 2.6.2)"),
        format!("{nanoseconds:.0} ns, {} flows", flows[0]),
        Outcome::of(nanoseconds <= PUBLISHED_CORE),
    ));
    let busy = "built for development, or a busy machine; docs/scheduling.md has the figures";
    for (what, ours, peer, name) in [
        (
            "16-bit ranks, all eligible, beside the maps",
            (16, Eligibility::All),
            "btreemaps",
            "the maps",
        ),
        (
            "16-bit ranks, rising clock, beside the maps",
            (16, Eligibility::Rising),
            "btreemaps",
            "the maps",
        ),
        (
            "64-bit ranks, rising clock, beside the maps",
            (64, Eligibility::Rising),
            "btreemaps",
            "the maps",
        ),
        ("64-bit ranks, all eligible, beside the heap", (64, Eligibility::All), "heap", "the heap"),
    ] {
        for flows in flows {
            let (bits, eligibility) = ours;
            let ratio =
                rate("fast", bits, flows, eligibility) / rate(peer, bits, flows, eligibility);
            let verdict = Verdict::new(
                format!("{what}, {flows} flows"),
                format!("at least the rate of {name}"),
                format!("{ratio:.2} of it"),
                Outcome::of(ratio >= 1.0),
            );
            let reason = match (ratio >= 1.0, peer) {
                (true, _) => String::new(),
                (false, "heap") => {
                    format!("the heap keeps neither eligible times nor ids; also: {busy}")
                }
                (false, _) => busy.into(),
            };
            section.verdicts.push(verdict.because(reason));
        }
    }
    section.tables = vec![table(&rates)];
    section.figures = vec![figure(&rates, flows)];
    let rows: Vec<_> = rates
        .iter()
        .map(|rate| {
            json!({ "list": rate.name, "rank_bits": rate.load.rank_bits, "flows": rate.load.flows,
                    "eligible": rate.load.eligibility.word(), "mpairs": rate.pairs_per_second / 1e6, "empty": rate.empty })
        })
        .collect();
    section.data = json!({ "seconds": time.as_secs_f64(), "rates": rows, "published_core_ns": PUBLISHED_CORE });
    section
}

fn table(rates: &[Rate]) -> Table {
    let mut table =
        Table::new("", ["rank bits", "flows", "eligible", "list", "million pairs/s", "ns a pair"]);
    for rate in rates {
        let Load { flows, rank_bits, eligibility } = rate.load;
        table.rows.push(vec![
            rank_bits.to_string(),
            flows.to_string(),
            eligibility.word().into(),
            rate.name.into(),
            format!("{:.2}", rate.pairs_per_second / 1e6),
            format!("{:.1}", 1e9 / rate.pairs_per_second),
        ]);
    }
    table
}

fn figure(rates: &[Rate], flows: [u32; 2]) -> Figure {
    let mut figure = Figure::new("Pairs of dequeue and enqueue a second, one core")
        .columns(2)
        .panel_size(480.0, 320.0);
    for rank_bits in [16, 64] {
        let loads: Vec<(u32, Eligibility)> = flows
            .into_iter()
            .flat_map(|f| {
                [Eligibility::All, Eligibility::Rising, Eligibility::Random].map(|e| (f, e))
            })
            .collect();
        let words = loads.iter().map(|(flows, e)| format!("{} {}", kibi(*flows), e.word()));
        let mut panel = Panel::new(
            Axis::categories("flows, and who is eligible", words),
            Axis::linear("million pairs/s"),
        )
        .title(format!("{rank_bits}-bit ranks"));
        for name in ["fast", "btreemaps", "heap", "bitmap"] {
            let of =
                rates.iter().filter(|rate| rate.name == name && rate.load.rank_bits == rank_bits);
            let bars = of.filter_map(|rate| {
                let slot =
                    loads.iter().position(|l| *l == (rate.load.flows, rate.load.eligibility))?;
                Some(Bar { slot, value: rate.pairs_per_second / 1e6, whisker: None })
            });
            panel = panel.with(Series::bars(name, bars));
        }
        figure = figure.with(panel);
    }
    figure
}

fn kibi(flows: u32) -> String {
    match flows {
        f if f >= 1 << 20 => format!("{}M", f >> 20),
        f => format!("{}K", f >> 10),
    }
}
