//! Constants of `rtl/` that the models define are written from them: see `ww_blocks::generated`.

use std::path::{Path, PathBuf};
use ww_blocks::generated::hold;
use ww_dtp::port::{BEACONS_TO_MSB, LONGEST_WAIT, PATIENCE};
use ww_p4::architecture::scheduler::CONTROLS;
use ww_rtl::tpp_block::METADATA_ADDRESSES;
use ww_tpp::instruction::Opcode;

fn rtl() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rtl")
}

#[test]
fn opcodes_of_tiny_packet_programs() {
    let facts = Opcode::ALL.map(|opcode| (format!("{opcode:?}").to_uppercase(), opcode as u64));
    let files = ["tpp/ww_tpp_resolve.sv"];
    hold(&rtl(), &files, "opcodes", &facts).unwrap_or_else(|told| panic!("{told}"));
}

#[test]
fn kinds_of_requests_to_policies() {
    let facts: Vec<(String, u64)> =
        CONTROLS.iter().map(|c| (c.parameter.to_uppercase(), c.kind as u64)).collect();
    let files = [
        "scheduler/ww_policy_token_bucket.sv",
        "scheduler/ww_policy_wf2q.sv",
        "scheduler/ww_scheduler_level.sv",
    ];
    hold(&rtl(), &files, "kinds", &facts).unwrap_or_else(|told| panic!("{told}"));
}

#[test]
fn times_of_dtp() {
    let facts = [
        ("LONGEST_WAIT", LONGEST_WAIT),
        ("PATIENCE", PATIENCE),
        ("BEACONS_TO_MSB", BEACONS_TO_MSB),
    ];
    hold(&rtl(), &["dtp/ww_dtp_protocol.sv"], "dtp", &facts)
        .unwrap_or_else(|told| panic!("{told}"));
}

/// The words of metadata that the TCPU has by default, the first in the low bits, are those of the test bench.
#[test]
fn metadata_addresses_of_the_tcpu() {
    let source = ww_blocks::source("ww_tpp").expect("it exists").text;
    let (_, list) = source.split_once("METADATA_ADDRESSES = {").expect("it has them");
    let (list, _) = list.split_once('}').expect("it ends");
    let mut addresses: Vec<u16> = list
        .split(',')
        .map(|word| word.trim().strip_prefix("16'h").expect("16 bits each"))
        .map(|digits| u16::from_str_radix(digits, 16).expect("hexadecimal"))
        .collect();
    addresses.reverse();
    assert_eq!(addresses, METADATA_ADDRESSES);
}
