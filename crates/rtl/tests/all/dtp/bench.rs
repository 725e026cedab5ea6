//! The device in hardware.

use std::path::PathBuf;
use ww_rtl::design::SourceFile;
use ww_rtl::runner::cache::Cache;
use ww_rtl::runner::compile::{Effort, Options, build_files};
use ww_rtl::runner::model::{Model, Signal};
use ww_rtl::runner::tools::Tools;

/// A block: header and payload.
pub type Block = (u8, u64);

/// Where the model of a module with this text is.
pub fn build(top: &str, text: String) -> PathBuf {
    let files = [SourceFile { name: format!("{top}.sv"), text }];
    let options = Options { effort: Effort::Fast, waveform: None };
    let tools = Tools::find().expect("Verilator is there");
    let cache = Cache::open().expect("there is room for models");
    build_files(top, &files, options, &tools, &cache).expect("it builds")
}

/// The model, with its ports by name.
pub struct Bench {
    model: Model,
    ports: usize,
}

impl Bench {
    pub fn new(ports: usize) -> Self {
        let text =
            include_str!("device.sv").replace("int PORTS = 4", &format!("int PORTS = {ports}"));
        let mut bench =
            Self { model: Model::load(&build("device", text), 1).expect("it loads"), ports };
        bench.set("rst", 1);
        for _ in 0..4 {
            bench.edge();
        }
        bench.set("rst", 0);
        bench
    }

    fn signal(&self, name: &str) -> Signal {
        self.model.signal(name).unwrap_or_else(|| panic!("no port {name}"))
    }

    pub fn set(&mut self, name: &str, value: u64) {
        let signal = self.signal(name);
        self.model.set(signal, value);
    }

    pub fn set_wide(&mut self, name: &str, value: u128) {
        let signal = self.signal(name);
        self.model.bytes_mut(signal)[..16].copy_from_slice(&value.to_le_bytes());
    }

    pub fn set_words(&mut self, name: &str, values: impl IntoIterator<Item = u64>) {
        let signal = self.signal(name);
        let memory = self.model.bytes_mut(signal);
        for (bytes, value) in memory.chunks_exact_mut(8).zip(values) {
            bytes.copy_from_slice(&value.to_le_bytes());
        }
    }

    pub fn set_blocks(&mut self, side: &str, blocks: &[Block]) {
        self.set_words(&format!("{side}_payload"), blocks.iter().map(|block| block.1));
        let signal = self.signal(&format!("{side}_header"));
        for (byte, block) in self.model.bytes_mut(signal).iter_mut().zip(blocks) {
            *byte = block.0;
        }
    }

    pub fn get(&self, name: &str) -> u64 {
        self.model.get(self.signal(name))
    }

    pub fn get_wide(&self, name: &str) -> u128 {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&self.model.bytes(self.signal(name))[..16]);
        u128::from_le_bytes(bytes)
    }

    /// A number of each port, of so many bytes.
    pub fn get_each(&self, name: &str, bytes: usize) -> Vec<u64> {
        let memory = self.model.bytes(self.signal(name));
        let number = |chunk: &[u8]| chunk.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte));
        memory.chunks(bytes).take(self.ports).map(number).collect()
    }

    pub fn get_blocks(&self, side: &str) -> Vec<Block> {
        let headers = self.get_each(&format!("{side}_header"), 1);
        let payloads = self.get_each(&format!("{side}_payload"), 8);
        headers.into_iter().map(|header| header as u8).zip(payloads).collect()
    }

    pub fn settle(&mut self) {
        self.model.settle().expect("it runs");
    }

    pub fn edge(&mut self) {
        self.settle();
        self.model.edge().expect("it runs");
        self.settle();
    }
}
