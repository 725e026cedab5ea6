//! TPPs that are executed at some switches only: a CEXEC in front, with its operands in front of packet memory.
//!
//! A guard takes one of the five instructions and 4 bytes of memory, 8 with a mask (spec 003 section 2.13).

use std::fmt;
use ww_tpp::header::{MAX_MEMORY, Mode};
use ww_tpp::instruction::{Instruction, MASK_ALL_ONES, MAX_INSTRUCTIONS, Opcode};
use ww_tpp::map;
use ww_tpp::packet::Repr;

/// Why a TPP cannot have a guard, or cannot be cut into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CannotGuard {
    /// It has five instructions already.
    Instructions,
    /// Its memory would be longer than 255 bytes, or operands would be beyond word 62.
    Memory,
    /// In hop mode operands count from the hop's own block, so that there is no word for all hops.
    HopMode,
    /// It does more than push: what it does at a hop may depend on the hops before.
    NotOnlyPushes,
}

impl fmt::Display for CannotGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Instructions => "the program has five instructions, so there is none for a guard",
            Self::Memory => "packet memory has no room for the guard's operands",
            Self::HopMode => "programs in hop mode have no word that is the same at all hops",
            Self::NotOnlyPushes => "only programs that do nothing but push can be cut by hops",
        })
    }
}

impl std::error::Error for CannotGuard {}

/// The TPP, which switches execute if the bits of `mask` at an address are as in `value`.
///
/// # Errors
/// There is no room, or it is in hop mode.
pub fn guarded(tpp: &Repr, address: u16, mask: u32, value: u32) -> Result<Repr, CannotGuard> {
    if tpp.mode == Mode::Hop {
        return Err(CannotGuard::HopMode);
    }
    if tpp.instructions.len() >= MAX_INSTRUCTIONS {
        return Err(CannotGuard::Instructions);
    }
    let longs = if mask == u32::MAX { vec![value] } else { vec![mask, value] };
    let bytes = 4 * longs.len();
    let words = (bytes / tpp.word.bytes()) as u8;
    if tpp.memory.len() + bytes > MAX_MEMORY {
        return Err(CannotGuard::Memory);
    }
    let moved = |operand: u8| match operand + words {
        moved if moved < MASK_ALL_ONES => Ok(moved),
        _ => Err(CannotGuard::Memory),
    };
    let second = if longs.len() == 2 { words / 2 } else { 0 };
    let first = if longs.len() == 2 { 0 } else { MASK_ALL_ONES };
    let mut instructions = vec![Instruction::new(Opcode::Cexec, address, first, second)];
    for instruction in &tpp.instructions {
        let (first, second) = (instruction.first(), instruction.second());
        let with = |first, second| match instruction.opcode() {
            Some(opcode) => Instruction::new(opcode, instruction.address(), first, second),
            None => *instruction,
        };
        instructions.push(match instruction.opcode() {
            None | Some(Opcode::Nop | Opcode::Push | Opcode::Pop) => *instruction,
            Some(Opcode::Load | Opcode::Store) => with(moved(first)?, second),
            Some(Opcode::Cexec) if first == MASK_ALL_ONES => with(first, moved(second)?),
            Some(Opcode::Cstore | Opcode::Cexec | Opcode::Loadi) => {
                with(moved(first)?, moved(second)?)
            }
        });
    }
    let mut memory: Vec<u8> = longs.iter().flat_map(|long| long.to_be_bytes()).collect();
    memory.extend(&tpp.memory);
    let stack_pointer = tpp.stack_pointer + bytes as u8;
    Ok(Repr { instructions, memory, stack_pointer, ..tpp.clone() })
}

/// The TPP, which only this switch executes.
///
/// # Errors
/// As for [`guarded`].
pub fn targeted(tpp: &Repr, switch_id: u32) -> Result<Repr, CannotGuard> {
    guarded(tpp, address("Switch:SwitchID"), u32::MAX, switch_id)
}

/// A part of a collection: the TPP for some of the hops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HopPart {
    /// The TPP.
    pub tpp: Repr,
    /// The first hop.
    pub first: u8,
    /// How many.
    pub hops: u8,
    /// Words a hop.
    values: usize,
    /// Words in front of the first hop's.
    begin: usize,
}

/// Cuts a program that only pushes into TPPs for a path of `hops` hops, each with memory for some of them: a power of
/// two, as a guard compares bits of the hop number.
///
/// # Errors
/// It does more than push, or has five instructions.
pub fn by_hops(tpp: &Repr, hops: u8) -> Result<Vec<HopPart>, CannotGuard> {
    if tpp.mode == Mode::Hop {
        return Err(CannotGuard::HopMode);
    }
    if tpp.instructions.iter().any(|instruction| instruction.opcode() != Some(Opcode::Push)) {
        return Err(CannotGuard::NotOnlyPushes);
    }
    let values = tpp.instructions.len();
    let each = (values * tpp.word.bytes()).max(1);
    let room = (MAX_MEMORY - 8) / each;
    let most = 1usize << room.min(128).ilog2();
    let mut parts = Vec::new();
    for first in (0..usize::from(hops)).step_by(most) {
        let here = most.min(usize::from(hops) - first);
        let memory = vec![0; here * each];
        let plain = Repr { memory, stack_pointer: 0, ..tpp.clone() };
        let mask = !(most as u32 - 1);
        let tpp = guarded(&plain, address("PacketMetadata:HopNumber"), mask, first as u32)?;
        let begin = usize::from(tpp.stack_pointer) / tpp.word.bytes();
        let (first, hops) = (first as u8, here as u8);
        parts.push(HopPart { tpp, first, hops, values, begin });
    }
    Ok(parts)
}

impl HopPart {
    /// What the hops have pushed, from the returned TPP: one row for each hop that executed it.
    pub fn values(&self, tpp: &Repr) -> Vec<Vec<u32>> {
        let passed = tpp.hop.saturating_sub(self.first).min(self.hops);
        let words: Vec<u32> = tpp.words().skip(self.begin).collect();
        let hops = words.chunks(self.values.max(1)).take(passed.into());
        hops.map(<[u32]>::to_vec).collect()
    }
}

/// An address that the map has.
fn address(name: &str) -> u16 {
    map::lookup(name).unwrap_or_else(|_| unreachable!("{name} is in the map"))
}
