//! `ww tpp check`: what a program does, before it is sent.

use super::{read_text, with_program};
use crate::Failure;
use crate::output::{counted, print};
use crate::tpp_args::TppCheckArguments;
use serde_json::{Value, json};
use std::fmt::Write as _;
use ww_tpp::analyse::hazard::{Hazard, hazards};
use ww_tpp::analyse::verify::verify;
use ww_tpp::analyse::{Accesses, latency};
use ww_tpp::assemble::assemble;
use ww_tpp::map::{Range, Stages, describe};
use ww_tpp::packet::Repr;
use ww_tpp::policy_file;
use ww_tpp::protection::{Operation, Protection};

/// Bytes of the packet that the overhead is compared with, as in the paper.
const PACKET: usize = 1000;

/// Prints what was found; fails if rules or hazards refuse the program.
pub fn check(arguments: &TppCheckArguments) -> Result<(), Failure> {
    let options = arguments.program.options();
    let tpp = with_program(&arguments.program, |text| assemble(text, &options))?;
    let rules = arguments.policy.as_deref().map(|path| {
        let text = read_text(path)?;
        policy_file::parse(&path.display().to_string(), &text)
            .map(|rules| Protection::new(&rules))
            .map_err(|report| Failure::Rejected(report.to_string()))
    });
    let rules = rules.transpose()?;
    let stages = arguments.pipeline.stages();
    let accesses = Accesses::of(&tpp);
    let hazards: Vec<Hazard> = hazards(&tpp, &stages).into_iter().collect();
    let violations =
        rules.map_or(Vec::new(), |rules| verify(&tpp, &rules).err().unwrap_or_default());
    let refusals: Vec<String> = violations
        .iter()
        .map(ToString::to_string)
        .chain(hazards.iter().map(|hazard| format!("hazard: {hazard}")))
        .collect();
    match arguments.json {
        true => print(&format!("{:#}\n", report(&tpp, &stages, &accesses, &refusals)))?,
        false => print(&text(&tpp, &stages, &accesses))?,
    }
    match refusals.len() {
        0 => Ok(()),
        // The report has them.
        _ if arguments.json => Err(Failure::Rejected(String::new())),
        _ => Err(Failure::Rejected(format!(
            "refused, for {}:\n{}",
            counted(refusals.len() as u64, "reason"),
            refusals.join("\n")
        ))),
    }
}

/// Bytes of the TPP, and cycles of both pipelines.
fn figures(tpp: &Repr, stages: &Stages) -> (usize, u32, u32) {
    let length = ww_tpp::header::HEADER_LENGTH + 4 * tpp.instructions.len() + tpp.memory.len();
    (length, latency::netfpga_stages(tpp, stages).iter().sum(), latency::asic(tpp))
}

fn text(tpp: &Repr, stages: &Stages, accesses: &Accesses) -> String {
    let (length, netfpga, asic) = figures(tpp, stages);
    let mut text = format!(
        "{}, {}-bit words, {} mode, {} bytes of memory, application {}\n",
        counted(tpp.instructions.len() as u64, "instruction"),
        tpp.word.bits(),
        tpp.mode.word(),
        tpp.memory.len(),
        tpp.app_tag
    );
    for operation in [Operation::Read, Operation::Write] {
        let ranges = accesses.ranges(operation);
        if ranges.is_empty() {
            let _ = writeln!(text, "{operation}s nothing");
        }
        for (first, last) in ranges {
            let _ = match first == last {
                true => writeln!(text, "{operation}s {}", describe(first)),
                false => writeln!(text, "{operation}s {} to {}", describe(first), describe(last)),
            };
        }
    }
    for number in &accesses.outside {
        let what = "does nothing: an operand is outside of packet memory at every hop, or the opcode is reserved";
        let _ = writeln!(text, "instruction {} {what}", number + 1);
    }
    let share = 100.0 * length as f64 / PACKET as f64;
    let _ = writeln!(text, "overhead: {length} bytes, {share:.1} % of a packet of {PACKET} bytes");
    let nanoseconds = f64::from(netfpga) * 1000.0 / f64::from(latency::NETFPGA_MHZ);
    let _ = writeln!(
        text,
        "NetFPGA: at most {netfpga} cycles in {}, {nanoseconds} ns at {} MHz",
        counted(stages.all().into(), "stage"),
        latency::NETFPGA_MHZ
    );
    let _ = writeln!(
        text,
        "ASIC: at most {asic} cycles more, {asic} ns at 1 GHz; {} bytes of buffer at 1 Tb/s",
        latency::asic_buffer(asic)
    );
    text
}

fn report(tpp: &Repr, stages: &Stages, accesses: &Accesses, refusals: &[String]) -> Value {
    let (length, netfpga, asic) = figures(tpp, stages);
    let pairs = |ranges: Vec<Range>| ranges.iter().map(|(a, b)| json!([a, b])).collect::<Vec<_>>();
    json!({
        "accepted": refusals.is_empty(),
        "refusals": refusals,
        "bytes": length,
        "memory_bytes": tpp.memory.len(),
        "instructions": tpp.instructions.len(),
        "app": tpp.app_tag,
        "reads": pairs(accesses.ranges(Operation::Read)),
        "writes": pairs(accesses.ranges(Operation::Write)),
        "netfpga_cycles": netfpga,
        "asic_cycles": asic,
    })
}
