//! How long a TPP may hold a packet up: bounds for the two pipelines that the paper measured and estimated.

use crate::instruction::Opcode;
use crate::map::Stages;
use crate::packet::Repr;

/// Clock of the NetFPGA prototype, MHz.
pub const NETFPGA_MHZ: u32 = 160;

/// Clock of the ASIC model, MHz.
pub const ASIC_MHZ: u32 = 1000;

/// ASIC model: cycles that a read or a write adds at most (single-port memory, 2 to 5 cycles an access).
pub const ASIC_ACCESS: u32 = 5;

/// ASIC model: cycles that a CSTORE adds at most.
pub const ASIC_CSTORE: u32 = 10;

/// Rate of the ASIC that the paper sizes the buffer for, bits a second.
pub const ASIC_RATE: u64 = 1_000_000_000_000;

/// Cycles that all stages of the prototype take at most, each stage for itself.
///
/// A stage takes 2: one to parse, execute and rewrite, one for its memory. Its single memory port takes one
/// access at a time, so that each further read or write adds 1, and a CSTORE takes 3 in all (read, compare,
/// write). Without an access or with one that is 2 a stage and with one CSTORE 3, as measured.
pub fn netfpga_stages(tpp: &Repr, stages: &Stages) -> Vec<u32> {
    let mut counts = vec![(0u32, 0u32); stages.all().into()];
    for instruction in &tpp.instructions {
        let address = match instruction.opcode() {
            None | Some(Opcode::Nop) => continue,
            // Which address it will be is not known; any stage may have it. The bound is for the first.
            Some(Opcode::Loadi) => 0,
            Some(_) => stages.of(instruction.address()),
        };
        let last = usize::from(stages.all());
        let Some(count) = counts.get_mut(usize::from(address).clamp(1, last.max(1)) - 1) else {
            continue;
        };
        match instruction.opcode() {
            Some(Opcode::Cstore) => count.1 += 1,
            _ => count.0 += 1,
        }
    }
    let cycles = |(accesses, cstores): &(u32, u32)| match cstores {
        0 => 1 + (*accesses).max(1),
        _ => 3 * cstores + accesses,
    };
    counts.iter().map(cycles).collect()
}

/// Cycles that the instructions add at most to an ASIC's pipeline.
pub fn asic(tpp: &Repr) -> u32 {
    let cycles = |instruction: &crate::instruction::Instruction| match instruction.opcode() {
        None | Some(Opcode::Nop) => 0,
        Some(Opcode::Cstore) => ASIC_CSTORE,
        Some(_) => ASIC_ACCESS,
    };
    tpp.instructions.iter().map(cycles).sum()
}

/// Bytes that an ASIC buffers during these cycles at [`ASIC_RATE`].
pub const fn asic_buffer(cycles: u32) -> u64 {
    // bits = rate * cycles / clock
    ASIC_RATE / (ASIC_MHZ as u64 * 1_000_000) * cycles as u64 / 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::Instruction;

    fn tpp(instructions: &[(Opcode, u16)]) -> Repr {
        let word = |&(opcode, address): &(Opcode, u16)| Instruction::new(opcode, address, 0, 0);
        Repr { instructions: instructions.iter().map(word).collect(), ..Repr::default() }
    }

    /// Sections 5 and 6.1 of the paper: 2 cycles a stage, 3 with a CSTORE; five CSTOREs cost 50 ns and a
    /// buffer of 6.25 kB.
    #[test]
    fn published_figures() {
        let stages = Stages::default();
        // A read of a register in each of the stages 1 to 4.
        let reads = tpp(&[1, 2, 3, 4].map(|stage| (Opcode::Push, 0x1040 + 0x100 * stage)));
        assert_eq!(netfpga_stages(&reads, &stages), [2, 2, 2, 2]);
        let one = tpp(&[(Opcode::Cstore, 0x1240)]);
        assert_eq!(netfpga_stages(&one, &stages), [2, 3, 2, 2]);
        assert_eq!(netfpga_stages(&tpp(&[]), &stages), [2, 2, 2, 2]);
        // Five that follow one another: 5 * (read + compare + write).
        let five = tpp(&[(Opcode::Cstore, 0x1340); 5]);
        assert_eq!(netfpga_stages(&five, &stages), [2, 2, 15, 2]);
        assert_eq!((asic(&five), asic_buffer(asic(&five))), (50, 6250));
        assert_eq!(asic(&reads), 20);
    }
}
