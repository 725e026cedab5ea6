//! One statistic from switches of several vendors, each of which has it at an address of its own (spec 003, section
//! 2.20): for each hop packet memory says which vendor is expected and which address that has it at.
//!
//! A hop reads the vendor that it meets, goes on if that is the expected one, and reads the address. Who gets the TPP
//! back sees from the vendors where the answer is none, and which device has changed ([`Devices::met`]).

pub mod agent;
pub mod lab;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ww_tpp::header::{Mode, WordSize};
use ww_tpp::instruction::{Instruction, MASK_ALL_ONES, Opcode};
use ww_tpp::map;
use ww_tpp::packet::Repr;

/// Words of a hop: the vendor that is there, the one that is expected, and the address, which the answer overwrites.
const WORDS: usize = 3;

/// What a hop has answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The statistic.
    Value(u32),
    /// Another vendor's device is there: this one's.
    OtherVendor(u32),
}

/// What is known of the devices on a path and of the addresses of vendors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Devices {
    /// Where each vendor has the statistic.
    pub addresses: BTreeMap<u32, u16>,
    /// The vendor at each hop.
    pub path: Vec<u32>,
}

impl Devices {
    /// The TPP that reads the statistic at each hop. `None` if the address of a vendor is not known, or for more than 21
    /// hops, which a TPP has no memory for.
    pub fn program(&self, app_tag: u8) -> Option<Repr> {
        let vendor = map::lookup("Switch:VendorID").ok()?;
        let mut memory = Vec::new();
        for expected in &self.path {
            let address = *self.addresses.get(expected)?;
            let words = [0, *expected, address.into()];
            memory.extend(words.into_iter().flat_map(u32::to_be_bytes));
        }
        let tpp = Repr {
            mode: Mode::Hop,
            word: WordSize::Four,
            hop_length: 4 * WORDS as u8,
            app_tag,
            instructions: vec![
                Instruction::new(Opcode::Load, vendor, 0, 0),
                Instruction::new(Opcode::Cexec, vendor, MASK_ALL_ONES, 1),
                Instruction::new(Opcode::Loadi, 0, 2, 2),
            ],
            memory,
            ..Repr::default()
        };
        tpp.check().is_ok().then_some(tpp)
    }

    /// What the hops of a TPP that has come back have answered: those of the path, or as many as there were.
    pub fn answers(&self, tpp: &Repr) -> Vec<Answer> {
        let words: Vec<u32> = tpp.words().collect();
        let hops = words.chunks_exact(WORDS).take(tpp.hop.into());
        hops.zip(&self.path)
            .map(|(hop, expected)| match hop[0] == *expected {
                true => Answer::Value(hop[2]),
                false => Answer::OtherVendor(hop[0]),
            })
            .collect()
    }

    /// Notes which vendors were met. True if a device has changed, so that the program has to be generated again.
    pub fn met(&mut self, answers: &[Answer]) -> bool {
        let mut changed = false;
        for (expected, answer) in self.path.iter_mut().zip(answers) {
            if let Answer::OtherVendor(vendor) = answer {
                *expected = *vendor;
                changed = true;
            }
        }
        changed
    }
}
