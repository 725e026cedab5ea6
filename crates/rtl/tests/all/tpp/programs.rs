//! Random TPPs in random frames.

use ww_rtl::tpp_block::METADATA_ADDRESSES;
use ww_tpp::analyse::hazard::hazards;
use ww_tpp::frame::{insert, insert_standalone};
use ww_tpp::header::{Mode, WordSize, flag};
use ww_tpp::instruction::{Instruction, Opcode};
use ww_tpp::map::Stages;
use ww_tpp::packet::Repr;

/// Numbers that look random (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// An address, mostly one that exists; few of each kind, so that instructions meet.
pub fn address(random: &mut Random) -> u16 {
    let stage = 1 + random.below(4) as u16;
    match random.below(20) {
        0..=6 => 0x1040 + 0x100 * stage + random.below(3) as u16,
        7..=11 => 0xe000 + 0x40 * stage + random.pick(&[0, 1, 2, 5, 63]),
        12..=14 => random.pick(&METADATA_ADDRESSES),
        15 => 0xc240 + random.below(9) as u16,
        16 => 0x1002 + 0x100 * stage,
        17 => 0x1040 + 0x100 * stage + 7,
        18 => random.pick(&[
            0x0003,
            0x1140 + 8,
            0x1540,
            0xe140,
            0xe000,
            0xc249,
            0xffff,
            0x2fff,
            0xec00,
        ]),
        _ => random.next() as u16,
    }
}

/// A word that is likely to be equal to another one.
pub fn word(random: &mut Random) -> u32 {
    match random.below(4) {
        0..=1 => random.below(3) as u32,
        2 => random.pick(&[0xffff_ffff, 0xffff, 0x1_0000, 0x8000_0001]),
        _ => random.next() as u32,
    }
}

/// A TPP without regard to hazards.
fn any(random: &mut Random) -> Repr {
    let word_size = random.pick(&[WordSize::Two, WordSize::Four]);
    let size = word_size.bytes() as u64;
    let mode = random.pick(&[Mode::Stack, Mode::Stack, Mode::Hop]);
    let words = match random.below(8) {
        0 => random.below(4),
        1 => 254 / size,
        _ => 1 + random.below(12),
    };
    let count = random.below(6) as usize;
    let mut addresses: Vec<u16> = (0..count).map(|_| address(random)).collect();
    if !random.one_in(4) {
        addresses.sort_by_key(|address| Stages::default().of(*address));
    }
    let reach = if random.one_in(6) { 64 } else { words.clamp(1, 64) };
    let instructions = addresses.iter().map(|address| {
        let opcode = random.pick(&[
            Opcode::Load,
            Opcode::Load,
            Opcode::Store,
            Opcode::Store,
            Opcode::Push,
            Opcode::Push,
            Opcode::Pop,
            Opcode::Cstore,
            Opcode::Cstore,
            Opcode::Cstore,
            Opcode::Cexec,
            Opcode::Loadi,
            Opcode::Nop,
        ]);
        let (mut first, second) = (random.below(reach) as u8, random.below(reach) as u8);
        if opcode == Opcode::Cexec && random.one_in(3) {
            first = 63;
        }
        let word = Instruction::new(opcode, *address, first, second).0;
        // Reserved opcodes are instructions, too.
        Instruction(if random.one_in(40) { word | 1 << 31 } else { word })
    });
    let instructions: Vec<Instruction> = instructions.collect();
    let mut memory = Vec::new();
    for _ in 0..words {
        let is_address = random.one_in(4);
        let value = if is_address { address(random).into() } else { word(random) };
        memory.extend_from_slice(&value.to_be_bytes()[4 - size as usize..]);
    }
    let hop_length = size * random.below(4);
    let hop = match random.below(6) {
        0 => random.pick(&[254, 255]),
        _ if hop_length == 0 => random.below(6),
        _ => random.below(words * size / hop_length + 2),
    };
    let mut marks = 0;
    if random.one_in(2) {
        marks |= flag::REPORT_BACK;
    }
    if random.one_in(8) {
        marks |= flag::REFLECT;
    }
    if random.one_in(30) {
        marks |= flag::DONE;
    }
    Repr {
        mode,
        word: word_size,
        marks,
        hop: hop.min(255) as u8,
        stack_pointer: (size * random.below(words + 1)) as u8,
        hop_length: hop_length as u8,
        app_tag: random.below(4) as u8,
        protocol: 0x0800,
        instructions,
        memory,
    }
}

/// A TPP without hazards in a pipeline of four stages.
pub fn hazard_free(random: &mut Random) -> Repr {
    loop {
        let tpp = any(random);
        if hazards(&tpp, &Stages::default()).is_empty() {
            return tpp;
        }
    }
}

/// A frame without a TPP: `payload` bytes behind Ethernet, up to two VLAN tags, and IPv4 with UDP if
/// `port` is given.
pub fn plain(random: &mut Random, tags: u64, port: Option<u16>, payload: usize) -> Vec<u8> {
    let mut frame = vec![2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2];
    for _ in 0..tags {
        let tpid: u16 = random.pick(&[0x8100, 0x88a8]);
        frame.extend_from_slice(&tpid.to_be_bytes());
        frame.extend_from_slice(&[0, random.below(256) as u8]);
    }
    frame.extend_from_slice(&[0x08, 0x00]);
    let lengths = [28 + payload, 8 + payload].map(|length| (length as u16).to_be_bytes());
    frame.extend_from_slice(&[0x45, 0, lengths[0][0], lengths[0][1], 0, 0, 0x40, 0, 64, 17, 0, 0]);
    frame.extend_from_slice(&[10, 0, 0, 1, 10, 0, 0, 2]);
    let ports = [random.pick(&[0x6666, 4000, 53]), port.unwrap_or(5000)].map(u16::to_be_bytes);
    frame.extend_from_slice(&[ports[0][0], ports[0][1], ports[1][0], ports[1][1]]);
    frame.extend_from_slice(&[lengths[1][0], lengths[1][1], 0, 0]);
    frame.extend((0..payload).map(|_| random.next() as u8));
    frame
}

/// A frame that carries a TPP in one of the two ways, of at least 60 bytes.
pub fn carried(random: &mut Random, tpp: &Repr) -> Vec<u8> {
    let tags = random.pick(&[0, 0, 0, 1, 2]);
    let payload = random.pick(&[0, 0, 3, 18, 40, 300]);
    let bytes = tpp.emit();
    let mut frame = if random.one_in(2) {
        let mut frame = plain(random, tags, None, payload);
        // A datagram from port 0x6666 would be an echo.
        frame[34 + 4 * tags as usize] = 0;
        // Without a payload of its own at times.
        if random.one_in(3) {
            frame.truncate(14 + 4 * tags as usize);
        }
        insert(&mut frame, &bytes).expect("a frame without TPP");
        frame
    } else {
        let mut frame = plain(random, tags, Some(0x6666), 0);
        insert_standalone(&mut frame, &bytes).expect("an empty datagram");
        frame
    };
    if frame.len() < 60 {
        frame.resize(60, 0);
    }
    frame
}
