//! `ww phy decode`: the blocks of a bitstream as text.

use super::line::{Pages, name};
use crate::Failure;
use crate::output::print;
use crate::phy_args::DecodeArguments;
use ww_phy::block::{Block, CONTROL, DATA};
use ww_phy::character::{ERROR, IDLE, START, TERMINATE};

/// Prints a line for each block: its number, its time, its name, its lanes.
pub fn decode(arguments: &DecodeArguments) -> Result<(), Failure> {
    let mut input = Pages::open(&arguments.input)?;
    let end = arguments.skip.saturating_add(arguments.count);
    let mut number = 0;
    let mut text = String::from("   block       time  name  header  lanes 0 to 7\n");
    while number < end {
        let Some(page) = input.page()? else { break };
        for n in 0..page.payloads.len() {
            if (arguments.skip..end).contains(&number) {
                text.push_str(&line(number, page.block(n)));
            }
            number += 1;
        }
        if text.len() > 1 << 16 {
            print(&std::mem::take(&mut text))?;
        }
    }
    print(&text)
}

fn line(number: u64, block: Block) -> String {
    let (_, word) = block.to_word();
    let name = match block.header {
        DATA => "D",
        CONTROL if word == ww_phy::xgmii::Word::ERROR => "bad",
        CONTROL => name(block.payload as u8),
        _ => "bad",
    };
    let lanes: Vec<String> = word
        .lanes()
        .iter()
        .map(|lane| match lane {
            (false, octet) => format!("{octet:02x}"),
            (true, IDLE) => "/I".to_owned(),
            (true, START) => "/S".to_owned(),
            (true, TERMINATE) => "/T".to_owned(),
            (true, ERROR) => "/E".to_owned(),
            (true, octet) => format!("/{octet:02x}"),
        })
        .collect();
    // The sync header in the order of the line.
    let header = format!("{}{}", block.header & 1, block.header >> 1);
    format!(
        "{number:8} {:7}.{} ns  {name:4}  {header:6}  {}\n",
        number * 64 / 10,
        number * 64 % 10,
        lanes.join(" ")
    )
}
