//! Constants of `rtl/` that the models define are written from them: see `ww_blocks::generated`.

use std::path::{Path, PathBuf};
use ww_blocks::generated::hold;
use ww_dtp::message::code;
use ww_dtp::port::{BEACONS_TO_MSB, LONGEST_WAIT, PATIENCE};
use ww_p4::architecture::scheduler::CONTROLS;
use ww_phy::{block, character};
use ww_rtl::manifest::{DEFAULT_MEMORY, GROUP_MEMORY, MEMBER_MEMORY};
use ww_rtl::tpp_block::METADATA_ADDRESSES;
use ww_tpp::header;
use ww_tpp::instruction::{INSTRUCTION_LENGTH, MAX_INSTRUCTIONS, Opcode};
use ww_tpp::packet::Malformed;

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
fn times_and_messages_of_dtp() {
    let facts = [
        ("LONGEST_WAIT", LONGEST_WAIT),
        ("PATIENCE", PATIENCE),
        ("BEACONS_TO_MSB", BEACONS_TO_MSB),
        ("NONE", code::NONE),
        ("INIT", code::INIT),
        ("ACK", code::ACK),
        ("BEACON", code::BEACON),
        ("ODD_BEACON", code::ODD_BEACON),
        ("LOG", code::LOG),
        ("JOIN", code::JOIN),
        ("MSB", code::MSB),
    ];
    let files =
        ["dtp/ww_dtp_protocol.sv", "dtp/ww_dtp_transmit.sv", "dtp/tests/test_ww_dtp_device.py"];
    hold(&rtl(), &files, "dtp", &facts).unwrap_or_else(|told| panic!("{told}"));
}

/// Sync headers, types of blocks, characters of XGMII and their codes in blocks.
#[test]
fn blocks_and_characters_of_the_phy() {
    let characters = [
        ("IDLE", character::IDLE),
        ("LOW_POWER_IDLE", character::LOW_POWER_IDLE),
        ("ERROR", character::ERROR),
    ];
    let reserved = character::CODES.iter().skip(characters.len()).enumerate();
    let coded = characters
        .map(|(name, octet)| (name.to_owned(), octet))
        .into_iter()
        .chain(reserved.map(|(n, (octet, _))| (format!("RESERVED_{n}"), *octet)));
    let mut facts: Vec<(String, u64)> = Vec::new();
    for (name, octet) in coded {
        let code = character::code(octet).expect("it has one");
        facts.push((format!("{name}_CODE"), code.into()));
        facts.push((name, octet.into()));
    }
    let ends = block::TYPES_TERMINATE.iter().enumerate();
    facts.extend(ends.map(|(n, kind)| (format!("TYPE_TERMINATE_{n}"), (*kind).into())));
    let others = [
        ("DATA", block::DATA),
        ("CONTROL", block::CONTROL),
        ("START", character::START),
        ("TERMINATE", character::TERMINATE),
        ("SEQUENCE", character::SEQUENCE),
        ("SIGNAL", character::SIGNAL),
        ("TYPE_CONTROL", block::TYPE_CONTROL),
        ("TYPE_CONTROL_ORDERED", block::TYPE_CONTROL_ORDERED),
        ("TYPE_CONTROL_START", block::TYPE_START_4),
        ("TYPE_ORDERED_CONTROL", block::TYPE_ORDERED_CONTROL),
        ("TYPE_ORDERED_ORDERED", block::TYPE_ORDERED_ORDERED),
        ("TYPE_ORDERED_START", block::TYPE_ORDERED_START),
        ("TYPE_START", block::TYPE_START_0),
    ];
    facts.extend(others.map(|(name, value)| (name.to_owned(), value.into())));
    let files = [
        "phy/ww_pcs_encode.sv",
        "phy/ww_pcs_decode.sv",
        "phy/ww_mac_frame.sv",
        "phy/ww_mac_receive.sv",
        "phy/ww_page_read.sv",
        "dtp/ww_dtp_receive.sv",
        "dtp/ww_dtp_reserved.sv",
        "dtp/ww_dtp_transmit.sv",
    ];
    hold(&rtl(), &files, "phy", &facts).unwrap_or_else(|told| panic!("{told}"));
}

/// The memories of a table's row port that the emitted hardware has beside those of the block.
#[test]
fn memories_of_tables() {
    let facts = [
        ("WW_DEFAULT_MEMORY", DEFAULT_MEMORY.into()),
        ("WW_GROUP_MEMORY", GROUP_MEMORY.into()),
        ("WW_MEMBER_MEMORY", MEMBER_MEMORY.into()),
    ];
    let files = ["driver/ww_driver.h", "../crates/rtl/src/api/runtime/ww_control.py"];
    hold(&rtl(), &files, "memories", &facts).unwrap_or_else(|told| panic!("{told}"));
}

/// Where the fields of a TPP's header are, its flags, and what is wrong with a malformed one.
#[test]
fn header_of_tiny_packet_programs() {
    let offsets = [
        ("TOTAL_LENGTH", header::TOTAL_LENGTH),
        ("MEMORY_LENGTH", header::MEMORY_LENGTH),
        ("FLAGS", header::FLAGS_FIELD),
        ("HOP", header::HOP),
        ("STACK_POINTER", header::STACK_POINTER),
        ("HOP_LENGTH", header::HOP_LENGTH),
        ("APP_TAG", header::APP_TAG),
        ("CHECKSUM", header::CHECKSUM),
    ];
    let mut facts: Vec<(String, u64)> =
        offsets.iter().map(|(name, field)| (format!("{name}_AT"), field.offset as u64)).collect();
    let flags = [
        ("HOP_MODE", header::flag::HOP_MODE),
        ("WIDE", header::flag::WIDE),
        ("REFLECT", header::flag::REFLECT),
        ("DONE", header::flag::DONE),
        ("REPORT_BACK", header::flag::REPORT_BACK),
        ("STANDALONE", header::flag::STANDALONE),
    ];
    // Bits in a header whose first byte is in the high bits.
    let flags_end = 8 * (header::HEADER_LENGTH - header::FLAGS_FIELD.offset - 1) as u64;
    facts.extend(
        flags.map(|(name, flag)| {
            (format!("{name}_BIT"), flags_end + u64::from(flag.trailing_zeros()))
        }),
    );
    let sizes = [
        ("HEADER_BYTES", header::HEADER_LENGTH),
        ("INSTRUCTION_BYTES", INSTRUCTION_LENGTH),
        ("MOST_INSTRUCTIONS", MAX_INSTRUCTIONS),
        ("MOST_MEMORY", header::MAX_MEMORY),
        ("TPP_NUMBER", header::TPP_NUMBER.into()),
    ];
    facts.extend(sizes.map(|(name, size)| (name.to_owned(), size as u64)));
    let faults = Malformed::ALL.iter().enumerate();
    facts.extend(faults.map(|(n, fault)| (fault.word().to_uppercase(), 1 + n as u64)));
    let files = ["tpp/ww_tpp_front.sv", "tpp/ww_tpp_resolve.sv", "tpp/ww_tpp_finish.sv"];
    hold(&rtl(), &files, "tpp_header", &facts).unwrap_or_else(|told| panic!("{told}"));
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
