//! A device in hardware with a clock of its own, and one for each link.

use ww_rtl::bench::{Bench, Top};
use ww_rtl::runner::model::Signal;

/// Edges of a recovered clock after which a receive side without messages does not change any more.
const RECEIVE_EDGES: u32 = 8;

/// The model. `clk` is its oscillator; between two of its edges those of the recovered clocks come.
pub struct Node {
    module: Bench,
    rx_clk: Signal,
    received: Signal,
    sent: Signal,
    late: Signal,
    busy: Signal,
    link: Signal,
    counter: Signal,
    state: Signal,
    ports: usize,
    clk_is_high: bool,
    rx_high: u64,
    /// Edges of each recovered clock that still matter.
    awake: Vec<u32>,
    lates: u64,
}

impl Node {
    pub fn new(ports: usize, alpha: u64, interval: u64) -> Self {
        let top = Top::of("network")
            .file("network.sv", include_str!("network.sv"))
            .with("PORTS", ports as u64)
            .with("ALPHA", alpha);
        let mut module = Bench::new(&top).expect("it builds");
        let [rx_clk, received, sent, late, busy, link, counter, state] = module
            .ports(["rx_clk", "received", "sent", "late", "busy", "link", "counter", "state"])
            .expect("they are ports of network.sv");
        module.set("interval", interval);
        for reset in [1, 1, 1, 1, 0] {
            module.set("rst", reset);
            module.set(rx_clk, 0);
            module.settle().expect("it runs");
            // Not the last one: tick 0 is the first edge without reset.
            if reset == 1 {
                module.set(rx_clk, (1 << ports) - 1);
                module.edge().expect("it runs");
            }
        }
        let awake = vec![RECEIVE_EDGES; ports];
        Self {
            module,
            rx_clk,
            received,
            sent,
            late,
            busy,
            link,
            counter,
            state,
            ports,
            clk_is_high: false,
            rx_high: 0,
            awake,
            lates: 0,
        }
    }

    /// All links come up.
    pub fn links_up(&mut self) {
        self.module.set(self.link, (1 << self.ports) - 1);
        self.awake.fill(RECEIVE_EDGES);
    }

    /// A block leaves at each port.
    pub fn tick(&mut self, busy: bool) {
        if self.clk_is_high {
            self.settle();
        }
        self.rx_high = 0;
        self.module.set(self.rx_clk, 0);
        self.module.set(self.busy, u64::from(busy));
        self.module.edge().expect("it runs");
        self.clk_is_high = true;
    }

    /// A block comes at a port.
    pub fn arrives(&mut self, port: usize, bits: u64) {
        if bits != 0 {
            self.awake[port] = RECEIVE_EDGES;
        } else if self.awake[port] == 0 {
            return;
        } else {
            self.awake[port] -= 1;
        }
        if self.rx_high >> port & 1 == 1 {
            self.rx_high &= !(1 << port);
            self.module.set(self.rx_clk, self.rx_high);
            self.settle();
        }
        self.rx_high |= 1 << port;
        self.module.set_bytes(self.received, 8 * port, &bits.to_le_bytes());
        self.module.set(self.rx_clk, self.rx_high);
        self.settle();
    }

    fn settle(&mut self) {
        self.module.settle().expect("it runs");
        self.clk_is_high = false;
    }

    /// Whether messages that come to a port in the next clocks are seen a clock later.
    pub fn set_late(&mut self, port: usize, late: bool) {
        self.lates = self.lates & !(1 << port) | u64::from(late) << port;
        self.module.set(self.late, self.lates);
    }

    /// The bits that leave.
    pub fn sent(&self, port: usize) -> u64 {
        self.module.field(self.sent, 64 * port..64 * port + 64)
    }

    /// The low half of the counter, and more.
    pub fn counter(&self) -> u64 {
        self.module.get(self.counter)
    }

    /// Whether the delay of each of these ports is known.
    pub fn in_step(&self, ports: usize) -> bool {
        self.module.bytes(self.state)[..ports].iter().all(|state| *state == 3)
    }
}
