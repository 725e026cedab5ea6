//! What was published of the hardware, beside what ours is.

use super::data::{Kind, Points};
use serde_json::{Value, json};
use ww_plot::report::{Outcome, Table, Verdict};

/// The clock that the dissertation counts with, MHz (section 2.6.2).
const PUBLISHED_MHZ: f64 = 80.0;
/// Its PIFO on the same device.
const PUBLISHED_PIFO_MHZ: f64 = 57.0;
/// Elements of the published design, and bits of rank and time together.
const PUBLISHED_N: u64 = 30_000;
const FIELD_BITS: u64 = 32;
/// Bits of a packet of 1,500 bytes.
const MTU_BITS: f64 = 12_000.0;

/// Numbers of elements that growth is fitted over: check 9 says from 256 on.
const FIT_FROM: f64 = 256.0;

/// How something grows with the number of elements.
struct Growth {
    exponent: f64,
    factor: f64,
    /// The sizes that it is fitted over: least and largest.
    sizes: (f64, f64),
}

impl Growth {
    /// Over the sizes from [`FIT_FROM`] on; over all of them if these are not two.
    fn of(points: &Points, module: &str, key: &str) -> Option<Self> {
        let all = points.series(Kind::Cells, module, key);
        let from = |least: f64| {
            let (exponent, factor) = points.growth(Kind::Cells, module, key, least)?;
            let within = all.iter().map(|p| p.0).filter(|&n| n >= least);
            let sizes = within.fold((f64::MAX, 0.0), |(a, b), n| (n.min(a), n.max(b)));
            Some(Self { exponent, factor, sizes })
        };
        from(FIT_FROM).or_else(|| from(0.0))
    }

    fn at(&self, n: u64) -> f64 {
        self.factor * (n as f64).powf(self.exponent)
    }
}

/// Exponents of gates and flip-flops, by module.
pub fn exponents(points: &Points) -> Value {
    let of = |module: &&str| {
        let exponent = |key| Growth::of(points, module, key).map(|growth| growth.exponent);
        (
            (*module).to_owned(),
            json!({ "gates": exponent("gates"), "flipflops": exponent("flipflops") }),
        )
    };
    Value::Object(points.modules().iter().map(of).collect())
}

/// Bits of RAM: 2 B B elements {id, rank, time} and once more the time, with B = ceil(sqrt N) (section 2.5); and
/// for each flow whether it is in the list, and the number of its sublist of 2 B.
fn ram_bits(n: u64) -> (u64, u64) {
    let b = (1..).find(|b| b * b >= n).unwrap_or(1);
    let bits = |count: u64| u64::from(u64::BITS - (count - 1).leading_zeros());
    (2 * b * b * (bits(n) + FIELD_BITS + FIELD_BITS / 2), n * (1 + bits(2 * b)))
}

/// All verdicts.
pub fn verdicts(points: &Points) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    for module in points.modules() {
        let (least, most) = if module.starts_with("ww_pifo") { (0.9, 1.1) } else { (0.4, 0.65) };
        let published = format!("N to the power {least} to {most}, from 256 elements on (check 9)");
        let what = format!("{module}: growth of gates");
        verdicts.push(match Growth::of(points, module, "gates") {
            Some(Growth { exponent, sizes: (from, to), .. }) => Verdict::new(
                what,
                published,
                format!("{exponent:.2}, from {from} to {to} elements"),
                Outcome::of(exponent <= most),
            )
            .because(match (exponent > most, from < FIT_FROM) {
                (true, _) => "the depth of the trees that choose grows as well; fitted over the sizes measured",
                (false, true) => "fitted over smaller sizes too, for want of larger ones",
                _ => "",
            }),
            None => Verdict::new(what, published, "", Outcome::Absent).because("fewer than two sizes"),
        });
    }
    verdicts.extend(
        points
            .modules()
            .into_iter()
            .filter(|m| !m.starts_with("ww_pifo"))
            .map(|m| scale(points, m)),
    );
    verdicts.push(memory(points));
    verdicts.extend(faster(points));
    verdicts.extend(clocks(points));
    verdicts
}

/// "30 K elements fit where a PIFO of 2 K does not": gates of ours with 30,000 and of the PIFO with 2,048.
fn scale(points: &Points, module: &str) -> Verdict {
    let gates = |module: &str, n: u64| match points.value(Kind::Cells, module, n, "gates") {
        Some(gates) => Some((gates, "measured")),
        None => Growth::of(points, module, "gates").map(|growth| (growth.at(n), "fitted")),
    };
    let what = format!("gates of {module} with 30,000 elements beside a PIFO with 2,048");
    let published =
        "30 K fit where a PIFO of 2 K does not: more than 30 times the elements (check 9)";
    match (gates(module, PUBLISHED_N), gates("ww_pifo:0", 2048).or_else(|| gates("ww_pifo", 2048)))
    {
        (Some((ours, how)), Some((pifo, pifo_how))) => Verdict::new(
            what,
            published,
            format!("{:.0} ({how}) beside {:.0} ({pifo_how}): {:.2}", ours, pifo, ours / pifo),
            Outcome::of(ours < pifo),
        ),
        _ => Verdict::new(what, published, "", Outcome::Absent).because("too few sizes"),
    }
}

/// Check 10.
fn memory(points: &Points) -> Verdict {
    let measured = points.series(Kind::Cells, "ww_pieo", "ram_bits");
    let as_computed = measured.iter().all(|&(n, bits)| {
        let (list, map) = ram_bits(n as u64);
        bits == (list + map) as f64
    });
    let (list, map) = ram_bits(PUBLISHED_N);
    let what = "RAM for 30,000 elements of ww_pieo";
    let published = "3.81 Mbit for the list: 2 B B elements of id + 48 bits (check 10)";
    if measured.is_empty() {
        return Verdict::new(what, published, "", Outcome::Absent).because("no size measured");
    }
    let ours = format!(
        "{:.2} Mbit for the list and {:.2} for the map of flows: computed, and {} of the sizes measured",
        list as f64 / 1e6,
        map as f64 / 1e6,
        if as_computed { "exactly that at all" } else { "not that at some" }
    );
    Verdict::new(
        what,
        published,
        ours,
        Outcome::of(as_computed && list.abs_diff(3_814_776) < 10_000),
    )
}

/// Ours beside our own build of the published design, at the same size through the same flow.
fn faster(points: &Points) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    for module in points.modules().into_iter().filter(|m| m.starts_with("ww_pieo_")) {
        let rates = points.series(Kind::Clock, module, "mops");
        for (n, rate) in rates {
            let Some(other) = points.value(Kind::Clock, "ww_pieo", n as u64, "mops") else {
                continue;
            };
            let (ours, theirs) = (
                points.value(Kind::Clock, module, n as u64, "mhz").unwrap_or(0.0),
                points.value(Kind::Clock, "ww_pieo", n as u64, "mhz").unwrap_or(0.0),
            );
            let ratio = rate / other;
            let verdict = Verdict::new(
                format!("operations a second of {module} beside ww_pieo, N = {n}, ECP5"),
                "at least 2 times (our aim)",
                format!("{ratio:.2} times: {rate} beside {other} million/s"),
                Outcome::of(ratio >= 2.0),
            );
            let why = format!(
                "the clock is {ours} beside {theirs} MHz: a choice among more candidates in a clock"
            );
            verdicts.push(verdict.because(if ratio < 2.0 { why } else { String::new() }));
        }
        let gates = |module| Growth::of(points, module, "gates").map(|growth| growth.exponent);
        if let (Some(ours), Some(theirs)) = (gates(module), gates("ww_pieo")) {
            verdicts.push(Verdict::new(
                format!("growth of gates of {module} beside ww_pieo"),
                "no faster (our aim)",
                format!("{ours:.2} beside {theirs:.2}"),
                Outcome::of(ours <= theirs + 0.02),
            ));
        }
    }
    verdicts
}

/// Published clocks are of another device; ours stand beside them.
fn clocks(points: &Points) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    for (module, published) in [
        ("ww_pieo", PUBLISHED_MHZ),
        ("ww_pifo:0", PUBLISHED_PIFO_MHZ),
        ("ww_pifo", PUBLISHED_PIFO_MHZ),
    ] {
        if !points.modules().contains(&module) {
            continue;
        }
        let device = format!("{published} MHz, Stratix V (section 2.6.2)");
        let Some(&(n, mhz)) = points.series(Kind::Clock, module, "mhz").last() else {
            let verdict = Verdict::new(format!("clock of {module}"), device, "", Outcome::Absent);
            verdicts.push(verdict.because(
                "no size has been placed and routed: see the table of what was not measured",
            ));
            continue;
        };
        let verdict = Verdict::new(
            format!("clock of {module}, the largest size placed: N = {n}"),
            device,
            format!("{mhz} MHz, ECP5-85"),
            Outcome::of(mhz >= published),
        );
        let why = "the ECP5 is a slower, low-cost device, placed once without effort; ours also answers errors, ranges of ids and all-ones ranks";
        verdicts.push(verdict.because(if mhz < published { why } else { "" }));
    }
    verdicts
}

/// Check 11: what a rate of operations means for packets.
pub fn accounting(points: &Points) -> Table {
    let head = [
        "module",
        "clocks",
        "ns at 80 MHz",
        "Gb/s, one operation",
        "Gb/s, dequeue and enqueue",
        "N placed",
        "ns on ECP5",
        "Gb/s, both",
    ];
    let title = "Rates for packets of 1,500 bytes. A backlogged flow needs a dequeue and an enqueue for each packet; the \
                 published 200 Gb/s counts one operation (and is 240 at 50 ns).";
    let mut table = Table::new(title, head);
    for module in points.modules() {
        let clocks = points.series(Kind::Clock, module, "clocks");
        let Some(&(_, clocks)) = clocks.first() else { continue };
        let at = |mhz: f64| {
            let operation = clocks * 1000.0 / mhz;
            (operation, MTU_BITS / operation)
        };
        let (time, rate) = at(PUBLISHED_MHZ);
        let placed = points.series(Kind::Clock, module, "mhz");
        for (n, mhz) in placed {
            let (here, gigabits) = at(mhz);
            table.rows.push(vec![
                module.into(),
                clocks.to_string(),
                format!("{time:.1}"),
                format!("{rate:.0}"),
                format!("{:.0}", rate / 2.0),
                n.to_string(),
                format!("{here:.1}"),
                format!("{:.0}", gigabits / 2.0),
            ]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the specification, section 2.5, for 16-bit ranks and times; the map by hand: 1,024
    /// flows with 64 sublists take 6 bits each, and one.
    #[test]
    fn memory_as_published() {
        let list = |n| ram_bits(n).0;
        assert_eq!(list(1024), 118_784); // 119 K
        assert_eq!(list(4096), 491_520); // 492 K
        assert_eq!(list(16_384), 2_031_616); // 2.03 M
        assert_eq!(list(30_000), 3_814_776); // 3.81 M
        assert_eq!(list(32_768), 4_173_624); // 4.17 M
        assert_eq!(ram_bits(1024).1, 1024 * 7);
    }
}
