//! `ww phy`: the physical layer.

mod cap;
mod covert;
mod decode;
mod encode;
mod generate;
mod line;
mod pace;
mod profile;
mod replay;
mod times;

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
        PhyCommand::Pace(arguments) => pace::pace(arguments),
        PhyCommand::Profile(arguments) => profile::profile(arguments),
        PhyCommand::Covert(command) => covert::covert(command),
    }
}
