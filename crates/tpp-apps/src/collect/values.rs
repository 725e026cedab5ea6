//! What a program collects at each hop.

use ww_tpp::header::Mode;
use ww_tpp::instruction::Opcode;
use ww_tpp::map;
use ww_tpp::packet::Repr;

/// A value that a program collects at each hop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The address that is read; `None` for a word that is not.
    pub address: Option<u16>,
    /// What results call it: the name of the address without what it belongs to, such as `QueueOccupancy`.
    pub name: String,
}

/// The values of a hop, in their order in packet memory: what is pushed, or in hop mode the words of a block.
pub fn of(tpp: &Repr) -> Vec<Value> {
    let with = |opcode| tpp.instructions.iter().filter(move |one| one.opcode() == Some(opcode));
    let addresses: Vec<Option<u16>> = match tpp.mode {
        Mode::Stack => with(Opcode::Push).map(|one| Some(one.address())).collect(),
        Mode::Hop => {
            let read = |word| {
                let mut loads = with(Opcode::Load);
                loads.find(|one| usize::from(one.first()) == word).map(|one| one.address())
            };
            (0..usize::from(tpp.hop_length) / tpp.word.bytes()).map(read).collect()
        }
    };
    let name = |(place, address): (usize, Option<u16>)| {
        let full = address.and_then(map::name);
        let short = full.as_deref().and_then(|name| name.rsplit(':').next()).map(str::to_owned);
        Value { address, name: short.unwrap_or_else(|| format!("word{place}")) }
    };
    addresses.into_iter().enumerate().map(name).collect()
}
