//! The device in hardware.

use ww_rtl::bench::{Bench as Module, Top};

/// A block: header and payload.
pub type Block = (u8, u64);

/// A device whose ports' parts are whole bytes.
pub struct Bench {
    module: Module,
    ports: usize,
}

impl Bench {
    pub fn new(ports: usize) -> Self {
        let top = Top::of("device")
            .file("device.sv", include_str!("device.sv"))
            .with("PORTS", ports as u64);
        let mut module = Module::new(&top).expect("it builds");
        module.reset(4).expect("it runs");
        Self { module, ports }
    }

    pub fn set(&mut self, name: &str, value: u64) {
        self.module.set(name, value);
    }

    pub fn set_wide(&mut self, name: &str, value: u128) {
        self.module.set_bytes(name, 0, &value.to_le_bytes());
    }

    pub fn set_words(&mut self, name: &str, values: impl IntoIterator<Item = u64>) {
        for (port, value) in values.into_iter().enumerate() {
            self.module.set_bytes(name, 8 * port, &value.to_le_bytes());
        }
    }

    pub fn set_blocks(&mut self, side: &str, blocks: &[Block]) {
        self.set_words(&format!("{side}_payload"), blocks.iter().map(|block| block.1));
        let headers: Vec<u8> = blocks.iter().map(|block| block.0).collect();
        self.module.set_bytes(format!("{side}_header"), 0, &headers);
    }

    pub fn get(&self, name: &str) -> u64 {
        self.module.get(name)
    }

    pub fn get_wide(&self, name: &str) -> u128 {
        u128::from(self.module.field(name, 64..128)) << 64 | u128::from(self.module.get(name))
    }

    /// A number of each port, of so many bytes.
    pub fn get_each(&self, name: &str, bytes: usize) -> Vec<u64> {
        let number = |port| self.module.field(name, 8 * bytes * port..8 * bytes * (port + 1));
        (0..self.ports).map(number).collect()
    }

    pub fn get_blocks(&self, side: &str) -> Vec<Block> {
        let headers = self.get_each(&format!("{side}_header"), 1);
        let payloads = self.get_each(&format!("{side}_payload"), 8);
        headers.into_iter().map(|header| header as u8).zip(payloads).collect()
    }

    pub fn settle(&mut self) {
        self.module.settle().expect("it runs");
    }

    pub fn edge(&mut self) {
        self.module.cycle().expect("it runs");
    }
}
