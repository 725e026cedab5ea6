//! `ww phy`: the physical layer.

mod cap;
mod decode;
mod encode;
mod generate;
mod line;
mod replay;

use crate::Failure;
use crate::phy_args::{PhyArguments, PhyCommand};

/// Does what the arguments say.
pub fn phy(arguments: &PhyArguments) -> Result<(), Failure> {
    match &arguments.command {
        PhyCommand::Gen(arguments) => generate::generate(arguments),
        PhyCommand::Cap(arguments) => cap::cap(arguments),
        PhyCommand::Replay(arguments) => replay::replay(arguments),
        PhyCommand::Encode(arguments) => encode::encode(arguments),
        PhyCommand::Decode(arguments) => decode::decode(arguments),
    }
}
