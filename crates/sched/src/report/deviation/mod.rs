//! How far policies are from what they imitate: service beside a fluid server's, packets beside where
//! WF2Q+ has them.

mod fluid;
mod load;
mod tags;

use crate::report::statistics::{Mean, Random, mean};
use load::{Contender, LONGEST, Load, Measured, measure};
use serde_json::{Value, json};
use ww_plot::report::{Outcome, Section, Table, Verdict};
use ww_plot::{Axis, Figure, Panel, Series};

/// Flows of the tables.
const FLOWS: usize = 10;

/// Figures of one policy over all seeds of a load.
struct Row {
    contender: Contender,
    /// Of each seed: most ahead, most behind, places from WF2Q+ at most and on average.
    ahead: Vec<f64>,
    behind: Vec<f64>,
    places: Vec<f64>,
    places_mean: Vec<f64>,
    bounds: (Option<f64>, Option<f64>),
    /// The largest of all seeds; positive if a bound does not hold.
    beyond: Option<f64>,
}

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::MIN, f64::max)
}

fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    a.into_iter().chain(b).reduce(f64::max)
}

/// All policies under loads of so many seeds.
fn rows(seeds: u64, load: impl Fn(u64) -> Load) -> Result<Vec<Row>, String> {
    let new = |contender| Row {
        contender,
        ahead: Vec::new(),
        behind: Vec::new(),
        places: Vec::new(),
        places_mean: Vec::new(),
        bounds: (None, None),
        beyond: None,
    };
    let mut rows: Vec<Row> = Contender::ALL.into_iter().map(new).collect();
    for seed in 0..seeds {
        let load = load(seed);
        let mut ideal: Option<Measured> = None;
        for row in &mut rows {
            let found = measure(row.contender, &load, seed)?;
            let (most, average) = found.displaced(ideal.as_ref().unwrap_or(&found));
            row.ahead.push(found.ahead);
            row.behind.push(found.behind);
            row.places.push(most);
            row.places_mean.push(average);
            row.bounds.0 = larger(row.bounds.0, found.bounds.0);
            row.bounds.1 = larger(row.bounds.1, found.bounds.1);
            row.beyond = larger(row.beyond, found.beyond);
            ideal = ideal.or(Some(found));
        }
    }
    Ok(rows)
}

fn interval(samples: &[f64]) -> String {
    let Mean { value, half } = mean(samples);
    if samples.len() < 2 { format!("{value:.1}") } else { format!("{value:.1} ± {half:.1}") }
}

fn table(title: &str, rows: &[Row]) -> Table {
    let head = [
        "policy",
        "ahead, worst",
        "ahead, mean",
        "bound",
        "behind, worst",
        "behind, mean",
        "bound",
        "places, worst",
        "places, mean",
    ];
    let mut table = Table::new(title, head);
    let bound = |bound: Option<f64>| bound.map_or("none".into(), |b| format!("{b:.0}"));
    for row in rows {
        table.rows.push(vec![
            row.contender.word().into(),
            format!("{:.0}", largest(&row.ahead)),
            interval(&row.ahead),
            bound(row.bounds.0),
            format!("{:.0}", largest(&row.behind)),
            interval(&row.behind),
            bound(row.bounds.1),
            format!("{:.0}", largest(&row.places)),
            interval(&row.places_mean),
        ]);
    }
    table
}

fn data(rows: &[Row]) -> Value {
    let of = |samples: &[f64]| {
        let Mean { value, half } = mean(samples);
        json!({ "worst": largest(samples), "mean": value, "half_interval": half })
    };
    let row = |row: &Row| {
        json!({
            "policy": row.contender.word(), "seeds": row.ahead.len(), "ahead_bytes": of(&row.ahead),
            "behind_bytes": of(&row.behind), "places_worst": of(&row.places), "places_mean": of(&row.places_mean),
            "ahead_bound": row.bounds.0, "behind_bound": row.bounds.1, "beyond_bound": row.beyond,
        })
    };
    rows.iter().map(row).collect()
}

/// Deviations.
///
/// # Errors
/// A scheduler does not go on.
pub fn section(quick: bool) -> Result<Section, String> {
    let seeds = if quick { 5 } else { 40 };
    let backlogged = rows(seeds, |seed| Load::backlogged(FLOWS, &mut Random::new(seed)))?;
    let bursty = rows(seeds, |seed| Load::bursty(FLOWS, &mut Random::new(seed)))?;
    let burst = rows(1, |_| Load::burst(FLOWS))?;
    let sizes: &[usize] = if quick { &[4, 16] } else { &[2, 4, 8, 16, 32, 64] };
    let mut by_flows = Vec::new();
    for &flows in sizes {
        let few = seeds.min(10);
        let waiting = rows(few, |seed| Load::backlogged(flows, &mut Random::new(1000 + seed)))?;
        by_flows.push((flows, waiting, rows(1, |_| Load::burst(flows))?));
    }
    let tagged = Tagged::measured(quick);
    let mut section = Section::new("deviation", "Deviation from the fluid server and from WF2Q+");
    section.about = vec![
        format!(
            "Service: bytes that a flow is ahead of a fluid server (generalised processor sharing), or behind it, at any \
             moment, the worst of all flows; over {seeds} seeds the worst, and the mean with its interval of confidence at \
             95 %. Packets of 64 to {LONGEST} bytes, random weights from 1 to 9. Places: how far a packet is from where \
             WF2Q+ sends it. Bounds are those of theory for flows that are all backlogged; 'none' where a flow may be ahead \
             without a constant bound, or where flows share a queue (SFQ, which knows no weights: it is compared with a fluid \
             server without weights)."
        ),
        "Packets with given start and finish times, one of each flow, through the emulations of WF2Q+ on queues that know \
         only rank: places from where WF2Q+ has them. N - 1 is the most that there is."
            .into(),
    ];
    section.verdicts = verdicts(&backlogged, &burst, &tagged);
    section.tables = vec![
        table(&format!("{FLOWS} flows, all backlogged (bytes):"), &backlogged),
        table(
            &format!(
                "{FLOWS} flows with bursts, 90 % of the link (bytes; no bound of theory applies):"
            ),
            &bursty,
        ),
        table(
            &format!("One flow with half of the link, {FLOWS} with a packet each (bytes):"),
            &burst,
        ),
        tagged.table(),
    ];
    for table in &mut section.tables[1..3] {
        // These loads are not those that the bounds are about.
        for column in [6, 3] {
            table.head.remove(column);
            table.rows.iter_mut().for_each(|row| drop(row.remove(column)));
        }
    }
    section.figures = vec![service(&by_flows), tagged.figure()];
    let sizes: Vec<Value> = by_flows
        .iter()
        .map(|(flows, waiting, burst)| json!({ "flows": flows, "backlogged": data(waiting), "burst": data(burst) }))
        .collect();
    section.data = json!({
        "backlogged": data(&backlogged), "bursty": data(&bursty), "burst": data(&burst), "by_flows": sizes,
        "tags": tagged.data(),
    });
    Ok(section)
}

fn verdicts(backlogged: &[Row], burst: &[Row], tagged: &Tagged) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    for row in backlogged {
        let bounds = match (row.bounds, row.contender) {
            (_, Contender::Wf2q) => "ahead less than a packet, behind at most a packet (check 15)",
            (_, Contender::Wfq) => "behind at most a packet; ahead without a bound",
            ((Some(_), Some(_)), _) => "theory's bounds, for each flow",
            _ => continue,
        };
        let (ahead, behind) = (largest(&row.ahead), largest(&row.behind));
        let measured = format!("at most {ahead:.0} bytes ahead, {behind:.0} behind");
        // Tags are rounded to 2^-8 ps, a part of a byte.
        let holds = row.beyond.is_some_and(|beyond| beyond <= 1.0);
        let what = format!("{}, all backlogged", row.contender.word());
        verdicts.push(Verdict::new(what, bounds, measured, Outcome::of(holds)).required());
    }
    let packets = |contender| {
        let row = burst.iter().find(|row| row.contender == contender);
        row.map_or(0.0, |row| largest(&row.ahead) / f64::from(LONGEST))
    };
    let (wf2q, wfq) = (packets(Contender::Wf2q), packets(Contender::Wfq));
    verdicts.push(
        Verdict::new(
            "the classical burst",
            "WF2Q+ stays within a packet, WFQ does not (check 15)",
            format!("WF2Q+ {wf2q:.2} packets ahead, WFQ {wfq:.2}"),
            Outcome::of(wf2q <= 1.0 && wfq > 2.0),
        )
        .required(),
    );
    let all = tagged.points.iter().all(|point| point.worst <= (point.count - 1) as f64);
    let reached = tagged.built.iter().all(|&(_, count, places)| places >= (count - 2) as f64);
    verdicts.push(
        Verdict::new(
            "emulations of WF2Q+ with rank alone",
            "\"up to O(N) positions wrong\" (section 2.1)",
            "N - 2 or more places with packets made for it, by each of the three",
            Outcome::of(all && reached),
        )
        .required(),
    );
    verdicts
}

/// How far flows are ahead, against their number.
fn service(by_flows: &[(usize, Vec<Row>, Vec<Row>)]) -> Figure {
    let flows = || Axis::log2("flows");
    let mut waiting = Panel::new(flows(), Axis::linear("bytes ahead of fluid").from(0.0))
        .title("All backlogged, random weights and sizes: mean of the worst");
    let mut burst =
        Panel::new(flows(), Axis::log10("bytes ahead of fluid")).title("The classical burst");
    for (n, contender) in Contender::ALL.into_iter().enumerate() {
        let word = contender.word();
        let at = |rows: &[Row]| largest(&rows[n].ahead).max(1.0);
        waiting = waiting.with(Series::line(
            word,
            by_flows.iter().map(|(f, rows, _)| (*f as f64, mean(&rows[n].ahead).value)),
        ));
        burst = burst
            .with(Series::line(word, by_flows.iter().map(|(f, _, rows)| (*f as f64, at(rows)))));
    }
    let packet = f64::from(LONGEST);
    Figure::new("Service ahead of the fluid server")
        .columns(2)
        .panel_size(480.0, 320.0)
        .with(waiting.level(packet, "one packet"))
        .with(burst.level(packet, "one packet"))
}

/// Emulations on given tags.
struct Tagged {
    points: Vec<Point>,
    /// Emulation, packets, places with packets that are made for it.
    built: Vec<(&'static str, usize, f64)>,
}

struct Point {
    emulation: &'static str,
    bunches: bool,
    count: usize,
    worst: f64,
    /// Of the worst of each seed.
    worst_mean: Mean,
    mean: Mean,
}

impl Tagged {
    fn measured(quick: bool) -> Self {
        let counts: &[usize] = if quick { &[8, 64] } else { &[8, 16, 32, 64, 128, 256, 512] };
        let seeds = if quick { 20 } else { 100 };
        let (mut points, mut built) = (Vec::new(), Vec::new());
        for (emulation, function) in tags::EMULATIONS {
            for &count in counts {
                let packets = tags::worst(emulation, count);
                built.push((emulation, count, tags::displaced(&packets, function).0));
                for bunches in [false, true] {
                    let places = |seed| {
                        let packets = tags::random(count, bunches, &mut Random::new(seed));
                        tags::displaced(&packets, function)
                    };
                    let (most, average): (Vec<f64>, Vec<f64>) = (0..seeds).map(places).unzip();
                    let (worst, worst_mean, mean) = (largest(&most), mean(&most), mean(&average));
                    points.push(Point { emulation, bunches, count, worst, worst_mean, mean });
                }
            }
        }
        Self { points, built }
    }

    fn table(&self) -> Table {
        let head = [
            "emulation",
            "starts",
            "packets",
            "places, worst",
            "worst, mean of seeds",
            "places, mean",
            "bound",
        ];
        let mut table = Table::new("Emulations of WF2Q+ with rank alone, random packets:", head);
        let interval = |mean: &Mean| format!("{:.1} ± {:.1}", mean.value, mean.half);
        for point in &self.points {
            table.rows.push(vec![
                point.emulation.into(),
                starts(point.bunches).into(),
                point.count.to_string(),
                format!("{:.0}", point.worst),
                interval(&point.worst_mean),
                interval(&point.mean),
                (point.count - 1).to_string(),
            ]);
        }
        table
    }

    fn figure(&self) -> Figure {
        let panel = |bunches: bool| {
            let mut panel = Panel::new(
                Axis::log2("packets (one of each flow)"),
                Axis::log10("places from WF2Q+"),
            )
            .title(format!("Worst packet, mean of the seeds: starts {}", starts(bunches)));
            for (emulation, _) in tags::EMULATIONS {
                let points =
                    self.points.iter().filter(|p| p.emulation == emulation && p.bunches == bunches);
                panel = panel.with(Series::line(
                    emulation,
                    points.map(|p| (p.count as f64, p.worst_mean.value)),
                ));
            }
            let name = tags::EMULATIONS[0].0;
            let own = self.points.iter().filter(|p| p.emulation == name && p.bunches == bunches);
            let most = own.map(|p| (p.count as f64, p.count as f64 - 1.0));
            panel.with(Series::curve("the most there is: N - 1", most).dashed())
        };
        Figure::new("Emulations of WF2Q+ with rank alone")
            .columns(2)
            .panel_size(480.0, 320.0)
            .with(panel(false))
            .with(panel(true))
    }

    fn data(&self) -> Value {
        let of = |mean: &Mean| json!({ "mean": mean.value, "half_interval": mean.half });
        let point = |p: &Point| {
            json!({ "emulation": p.emulation, "starts": starts(p.bunches), "packets": p.count, "places_worst": p.worst,
                    "places_worst_by_seed": of(&p.worst_mean), "places_mean": of(&p.mean) })
        };
        let built = |&(emulation, count, places): &(&str, usize, f64)| json!({ "emulation": emulation, "packets": count, "places_worst": places });
        json!({ "random": self.points.iter().map(point).collect::<Vec<_>>(),
                "made_for_it": self.built.iter().map(built).collect::<Vec<_>>() })
    }
}

fn starts(bunches: bool) -> &'static str {
    if bunches { "in bunches" } else { "spread" }
}
