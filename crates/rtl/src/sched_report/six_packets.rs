//! Six packets through WF2Q+, in the blocks of rtl/pieo.

use crate::ordered_list::{Block, SimulatedList};
use crate::runner::Error;
use ww_plot::report::Section;
use ww_sched::report::six_packets::{self, LIMITS, Run, served};

const BLOCKS: [(&str, Block); 3] = [
    ("ww_pieo (RTL)", Block::Pieo),
    ("ww_pieo_fast (RTL)", Block::PieoFast),
    ("ww_pieo_pipelined (RTL)", Block::PieoPipelined),
];

fn simulated(block: Block) -> Run {
    match SimulatedList::new(block, LIMITS) {
        Ok(mut list) => served(&mut list).map_or_else(Run::Wrong, Run::Served),
        Err(Error::Tools(reason)) => Run::Absent(reason),
        Err(error) => Run::Wrong(error.to_string()),
    }
}

/// The table. With `rtl` the blocks are simulated too.
pub fn section(rtl: bool) -> Section {
    let run = |(name, block)| match rtl {
        true => (name, simulated(block)),
        false => (name, Run::Absent("simulation was not asked for".into())),
    };
    six_packets::section(BLOCKS.map(run))
}
