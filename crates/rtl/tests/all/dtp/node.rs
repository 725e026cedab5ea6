//! A device in hardware with a clock of its own, and one for each link.

use crate::dtp::bench::build;
use ww_rtl::runner::model::{Model, Signal};

/// Edges of a recovered clock after which a receive side without messages does not change any more.
const RECEIVE_EDGES: u32 = 8;

/// The model. `clk` is its oscillator; between two of its edges those of the recovered clocks come.
pub struct Node {
    model: Model,
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
        let text = include_str!("network.sv")
            .replace("int PORTS = 1", &format!("int PORTS = {ports}"))
            .replace("int ALPHA = 3", &format!("int ALPHA = {alpha}"));
        let mut model = Model::load(&build("network", text), 1).expect("it loads");
        let signal = |name: &str| model.signal(name).unwrap_or_else(|| panic!("no port {name}"));
        let (rst, interval_input) = (signal("rst"), signal("interval"));
        let [rx_clk, received, sent, late, busy, link, counter, state] =
            ["rx_clk", "received", "sent", "late", "busy", "link", "counter", "state"].map(signal);
        for input in [rx_clk, late, busy, link] {
            model.set(input, 0);
        }
        model.bytes_mut(received).fill(0);
        model.set(interval_input, interval);
        for reset in [1, 1, 1, 1, 0] {
            model.set(rst, reset);
            model.set(rx_clk, 0);
            model.settle().expect("it runs");
            // Not the last one: tick 0 is the first edge without reset.
            if reset == 1 {
                model.set(rx_clk, (1 << ports) - 1);
                model.edge().expect("it runs");
            }
        }
        let awake = vec![RECEIVE_EDGES; ports];
        Self {
            model,
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
        self.model.set(self.link, (1 << self.ports) - 1);
        self.awake.fill(RECEIVE_EDGES);
    }

    /// A block leaves at each port.
    pub fn tick(&mut self, busy: bool) {
        if self.clk_is_high {
            self.settle();
        }
        self.rx_high = 0;
        self.model.set(self.rx_clk, 0);
        self.model.set(self.busy, u64::from(busy));
        self.model.edge().expect("it runs");
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
            self.model.set(self.rx_clk, self.rx_high);
            self.settle();
        }
        self.rx_high |= 1 << port;
        self.model.bytes_mut(self.received)[8 * port..8 * port + 8]
            .copy_from_slice(&bits.to_le_bytes());
        self.model.set(self.rx_clk, self.rx_high);
        self.settle();
    }

    fn settle(&mut self) {
        self.model.settle().expect("it runs");
        self.clk_is_high = false;
    }

    /// Whether messages that come to a port in the next clocks are seen a clock later.
    pub fn set_late(&mut self, port: usize, late: bool) {
        self.lates = self.lates & !(1 << port) | u64::from(late) << port;
        self.model.set(self.late, self.lates);
    }

    /// The bits that leave.
    pub fn sent(&self, port: usize) -> u64 {
        let bytes = &self.model.bytes(self.sent)[8 * port..8 * port + 8];
        bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte))
    }

    /// The low half of the counter, and more.
    pub fn counter(&self) -> u64 {
        self.model.get(self.counter)
    }

    /// Whether the delay of each of these ports is known.
    pub fn in_step(&self, ports: usize) -> bool {
        self.model.bytes(self.state)[..ports].iter().all(|state| *state == 3)
    }
}
