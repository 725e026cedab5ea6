//! `ww tcp report`: what the blocks of a TCP/IP host cost, beside what was published of Limago.
//!
//! Published: M. Ruiz Noguera, PhD thesis, Universidad Autónoma de Madrid 2020, Tables 6.1 and 7.1 (spec 2.15, 2.17). The
//! figures are measured by scripts/limago_figures.py, which takes long; here they are read.

use serde::Deserialize;
use serde_json::{Value, json};
use ww_plot::report::{Outcome, Report, Section, Table, Verdict};

/// The figures that come with the program.
const DATA: &str = include_str!("../data/limago.json");

/// Block RAMs of 36 Kbit have so many bits.
const RAMB36_BITS: f64 = 36_864.0;

/// Bits of block RAM for a connection: 247.5 block RAMs for 10,000 of them (Table 7.1).
const PUBLISHED_BITS: f64 = 247.5 * RAMB36_BITS / 10_000.0;

/// What was published: Tables 6.1 and 7.1. `scripts/checksum_figures.py` reads it too.
const PUBLISHED: &str = include_str!("../data/limago_published.json");

#[derive(Debug, Deserialize)]
struct Published {
    blocks: Vec<PublishedBlock>,
    toe: PublishedBlock,
    adders: Vec<PublishedAdder>,
}

/// A block on UltraScale+: its module here, LUTs, flip-flops, block RAMs of 36 Kbit.
#[derive(Debug, Deserialize)]
struct PublishedBlock {
    module: String,
    luts: u64,
    flipflops: u64,
    ramb36: f64,
}

impl PublishedBlock {
    fn text(&self) -> String {
        format!("{} LUT, {} FF, {} RAMB36", self.luts, self.flipflops, self.ramb36)
    }
}

/// An adder of 33 words of 16 bits.
#[derive(Debug, Deserialize)]
struct PublishedAdder {
    name: String,
    levels: u64,
    luts: u64,
}

#[derive(Debug, Deserialize)]
struct File {
    points: Vec<Point>,
}

/// A block that was mapped, or why it was not.
#[derive(Debug, Deserialize)]
struct Point {
    part: String,
    module: String,
    parameters: Vec<String>,
    #[serde(default)]
    failed: Option<String>,
    #[serde(default)]
    luts: u64,
    /// LUTs that serve as memory, beside `luts`.
    #[serde(default)]
    lut_ram: u64,
    #[serde(default)]
    flipflops: u64,
    #[serde(default)]
    ramb36: f64,
    #[serde(default)]
    depth: u64,
    day: String,
    tools: String,
}

impl Point {
    /// A parameter's value.
    fn parameter(&self, name: &str) -> Option<u64> {
        let value =
            self.parameters.iter().find_map(|given| given.strip_prefix(name)?.strip_prefix('='))?;
        value.parse().ok()
    }

    /// All LUTs.
    fn all_luts(&self) -> u64 {
        self.luts + self.lut_ram
    }

    fn cells(&self) -> [String; 4] {
        match &self.failed {
            Some(why) => {
                [format!("not mapped: {why}"), String::new(), String::new(), String::new()]
            }
            None => [
                self.all_luts().to_string(),
                self.flipflops.to_string(),
                self.ramb36.to_string(),
                self.depth.to_string(),
            ],
        }
    }
}

/// The report.
///
/// # Errors
/// The figures that come with the program cannot be read.
pub fn report() -> Result<Report, String> {
    let wrong = |error: serde_json::Error| format!("crates/rtl/data/limago.json: {error}");
    let points = serde_json::from_str::<File>(DATA).map_err(wrong)?.points;
    let data: Value = serde_json::from_str(DATA).map_err(wrong)?;
    let how = points.first().map_or(String::new(), |point| {
        format!("Measured by scripts/limago_figures.py on {}, with {}.", point.day, point.tools)
    });
    let published: Published = serde_json::from_str(PUBLISHED)
        .map_err(|error| format!("crates/rtl/data/limago_published.json: {error}"))?;
    let mut blocks = blocks(&points, &published);
    blocks.data = data["points"].clone();
    Ok(Report {
        title: "A TCP/IP host in hardware: ours beside what was published".into(),
        notes: vec![how, format!("Made by Wirewright {}.", env!("CARGO_PKG_VERSION"))],
        sections: vec![blocks, memory(&points), adders(&points, &published.adders)],
    })
}

/// Table 7.1.
fn blocks(points: &[Point], published: &Published) -> Section {
    let mut section = Section::new("blocks", "Logic and memory of the blocks");
    section.about = vec![
        "Each block alone, as Yosys maps it to Xilinx 7-series: LUTs with up to six inputs, flip-flops, block RAMs of 36 Kbit, and \
         the LUTs on the longest path. Published are placed and routed on UltraScale+ at 322 MHz, which has wider carry chains; ours \
         are not placed, and have few registers in their paths yet."
            .into(),
    ];
    for block in &published.blocks {
        let module = block.module.as_str();
        let point = points.iter().find(|point| point.module == module);
        section.verdicts.push(match point {
            Some(own) if own.failed.is_none() => Verdict::new(
                own.part.as_str(),
                block.text(),
                format!("{} LUT, {} FF, {} RAMB36", own.all_luts(), own.flipflops, own.ramb36),
                Outcome::of(own.all_luts() <= block.luts && own.ramb36 <= block.ramb36),
            )
            .because(reason(module)),
            _ => Verdict::new(
                point.map_or(module, |point| point.part.as_str()),
                block.text(),
                "",
                Outcome::Absent,
            )
            .because(point.and_then(|point| point.failed.clone()).unwrap_or_default()),
        });
    }
    section.verdicts.push(
        Verdict::new("the TCP engine as a whole", published.toe.text(), "", Outcome::Absent)
            .because(
            "Yosys does not end on the session processor, which has no registers between its steps; its parts are below",
        ),
    );
    let head = ["block", "module", "parameters", "LUT", "FF", "RAMB36", "depth"];
    let mut table = Table::new("Measured:", head);
    for point in points.iter().filter(|point| point.module != "ww_ones_add") {
        let names = [&point.part, &point.module, &point.parameters.join(" ")].map(String::clone);
        table.rows.push(names.into_iter().chain(point.cells()).collect());
    }
    section.tables.push(table);
    section
}

/// Why a block of ours is larger.
fn reason(module: &str) -> &'static str {
    match module {
        "ww_icmp" => "ours answers unreachable ports too, and quotes what was sent to them",
        "ww_inbound" => "ours checks lengths, checksums and fragments, and counts each reason",
        "ww_arp" => "ours ages its entries, and compares whole addresses",
        "ww_cuckoo" => "published was a compiled core: how it is made is not known",
        _ => "",
    }
}

/// Figure 7.12: memory grows with the number of connections.
fn memory(points: &[Point]) -> Section {
    let mut section = Section::new("memory", "Block RAM and the number of connections");
    section.about = vec![format!(
        "What the engine remembers of a connection beside its bytes. Published: 247.5 block RAMs for 10,000 connections, \
         {PUBLISHED_BITS:.0} bits each. Ours keeps each segment that is on its way and each range that came out of order, for SACK and RACK: 1,024 \
         records and 64 ranges a connection in the usual build, which are parameters."
    )];
    let mut data = Vec::new();
    let mut table = Table::new("", ["block", "connections", "RAMB36", "bits a connection"]);
    for point in points.iter().filter(|point| point.failed.is_none()) {
        let Some(count) = point.parameter("SESSIONS").or_else(|| point.parameter("PLACES")) else {
            continue;
        };
        let bits = point.ramb36 * RAMB36_BITS / count as f64;
        data.push(json!({
            "block": point.part,
            "connections": count,
            "ramb36": point.ramb36,
            "bits_a_connection": bits,
            "published_bits_a_connection": PUBLISHED_BITS,
        }));
        table.rows.push(vec![
            point.part.clone(),
            count.to_string(),
            point.ramb36.to_string(),
            format!("{bits:.0}"),
        ]);
    }
    section.data = data.into();
    section.tables.push(table);
    section
}

/// Table 6.1.
fn adders(points: &[Point], published: &[PublishedAdder]) -> Section {
    let mut section = Section::new("adders", "One's complement sums of 33 words of 16 bits");
    section.about = vec![
        "Here with the carry chains of 7-series; rtl/checksum/README.md has the depths without them, in the published order.".into(),
    ];
    let head = ["adder", "LUT", "depth", "published LUT", "published levels"];
    let mut table = Table::new("Measured:", head);
    let own = |name: &str| {
        points.iter().find(|point| point.part.ends_with(name) && point.failed.is_none())
    };
    let mut data = Vec::new();
    for PublishedAdder { name, levels, luts } in published {
        let cells = own(name).map_or([String::new(), String::new()], |point| {
            [point.all_luts().to_string(), point.depth.to_string()]
        });
        let published = [luts.to_string(), levels.to_string()];
        data.push(json!({
            "adder": name,
            "luts": own(name).map(Point::all_luts),
            "depth": own(name).map(|point| point.depth),
            "published_luts": luts,
            "published_levels": levels,
        }));
        table.rows.push([name.clone()].into_iter().chain(cells).chain(published).collect());
    }
    section.data = data.into();
    section.tables.push(table);
    if let (Some(red), Some(binary)) = (own("ArchRed3"), own("ArchBin16")) {
        let ratio = red.all_luts() as f64 / binary.all_luts() as f64;
        section.verdicts.push(Verdict::new(
            "LUTs of ArchRed3, for each one of ArchBin16",
            "1.36",
            format!("{ratio:.2}"),
            Outcome::of(ratio <= 1.36),
        ));
    }
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_published_figure_stands_beside_ours() {
        let report = report().expect("the data are there");
        let json = report.json().to_string();
        for figure in
            ["1260 LUT", "2056 LUT", "1816 LUT", "2680 LUT", "2095 LUT", "36469 LUT", "748"]
        {
            assert!(json.contains(figure), "{figure}");
        }
        assert!(report.broken().is_empty());
    }

    #[test]
    fn what_was_not_mapped_says_why() {
        let point = Point {
            part: "TOE: sessions".into(),
            module: "ww_toe_session".into(),
            parameters: vec!["SESSIONS=64".into()],
            failed: Some("more than 600 s".into()),
            luts: 0,
            lut_ram: 0,
            flipflops: 0,
            ramb36: 0.0,
            depth: 0,
            day: "2026-11-28".into(),
            tools: String::new(),
        };
        assert_eq!(point.cells()[0], "not mapped: more than 600 s");
        assert_eq!(point.parameter("SESSIONS"), Some(64));
        assert_eq!(point.parameter("PLACES"), None);
    }
}
