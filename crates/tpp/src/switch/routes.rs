//! Routes that TPPs write into the registers of a stage, and that go before those of the switch (spec 003, section 2.20,
//! fast update). Each is four registers from `Reg{4 n}` on: address, mask, and what it leads to; the fourth is not used.

use super::stages::Stage;

/// Routes of a stage.
pub const ROUTES: u16 = 16;

/// Registers of a route.
pub const STRIDE: u16 = 4;

/// The port of a route that leads nowhere else: the switch's own routes count.
pub const NO_PORT: u16 = 0xffff;

/// The third register of a route: the version in the upper half, 0 if nobody has written it, and the port.
pub const fn target(version: u16, port: u16) -> u32 {
    (version as u32) << 16 | port as u32
}

/// The port for a destination: of the routes that fit, the one with the most bits in its mask, the first of these.
pub(super) fn lookup(stage: &Stage, destination: u32) -> Option<u32> {
    let mut best: Option<(u32, u16)> = None;
    for route in stage.registers().chunks_exact(STRIDE.into()) {
        let (address, mask, target) = (route[0], route[1], route[2]);
        let (version, port) = ((target >> 16) as u16, target as u16);
        let fits = version != 0 && destination & mask == address & mask;
        if fits && best.is_none_or(|(bits, _)| mask.count_ones() > bits) {
            best = Some((mask.count_ones(), port));
        }
    }
    best.filter(|(_, port)| *port != NO_PORT).map(|(_, port)| port.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_prefix_wins() {
        let mut stage = Stage::default();
        assert_eq!(lookup(&stage, 0), None, "registers of 0 are no routes");
        let routes = [
            (0x0a00_0000, 0xff00_0000, target(1, 1)),
            (0x0a01_0000, 0xffff_0000, target(7, 2)),
            (0x0a01_0200, 0xffff_ff00, target(1, NO_PORT)),
            (0x0b00_0000, 0xff00_0000, target(0, 9)),
        ];
        for (n, (address, mask, target)) in (0u16..).zip(routes) {
            for (k, word) in (0u16..).zip([address, mask, target]) {
                *stage.register(STRIDE * n + k).expect("a register") = word;
            }
        }
        assert_eq!(lookup(&stage, 0x0a02_0001), Some(1));
        assert_eq!(lookup(&stage, 0x0a01_0301), Some(2));
        assert_eq!(lookup(&stage, 0x0a01_0201), None, "withdrawn");
        assert_eq!(lookup(&stage, 0x0b00_0001), None, "never written");
    }
}
