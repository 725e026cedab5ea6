//! The shape `switch`: packets of all ports at the same time, against what the frames themselves say.

mod rates;
mod traffic;

use std::path::Path;
use std::sync::Arc;
use ww_p4::frontend::compile_file;
use ww_p4::preprocess;
use ww_rtl::design::Design;
use ww_rtl::emit::{EmitOptions, Shape};
use ww_rtl::runner::cache::Cache;
use ww_rtl::runner::compile::{Effort, Options, build};
use ww_rtl::runner::engine::{Rtl, Settings};
use ww_rtl::runner::load::{Wanted, design};
use ww_rtl::runner::tools::Tools;

/// Bytes of an Ethernet header.
const ETHERNET: usize = 14;
/// Bytes of a beat of 64 bits.
const BEAT: usize = 8;

/// A program of this folder on a switch of 64 bits a port.
fn switch(program: &str, defines: &[(&str, &str)], ports: u32) -> (Rtl, Design) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/switch").join(program);
    let defines = defines.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect();
    let options = preprocess::Options { defines, ..preprocess::Options::default() };
    let compilation = compile_file(&path, &options);
    assert!(!compilation.diagnostics.has_errors(), "{:?}", compilation.diagnostics);
    let program = Arc::new(compilation.program);
    let shape = Shape::Switch { ports };
    let emit = EmitOptions { width: 64, shape, ..EmitOptions::default() };
    let design = design(&program, &Wanted { emit, ..Wanted::quick("steer") });
    let design = design.expect("hardware holds it");
    let tools = Tools::find().expect("scripts/setup.sh installs it");
    let cache = Cache::open().expect("writable");
    let options = Options { effort: Effort::Quick, waveform: None };
    let model = build(&design, options, &tools, &cache).expect("the design is well formed");
    let engine = Rtl::new(program, &design.manifest, &model, None, Settings::default());
    (engine.expect("the model starts"), design)
}

/// A frame to this destination whose other bytes come from `fill`.
fn frame(destination: [u8; 6], size: usize, mut fill: impl FnMut() -> u8) -> Vec<u8> {
    let mut bytes: Vec<u8> = (0..size).map(|_| fill()).collect();
    bytes[..6].copy_from_slice(&destination);
    bytes
}

/// What becomes of a frame that came in at this port.
fn marked(frame: &[u8], port: usize) -> Vec<u8> {
    let mut bytes = frame.to_vec();
    bytes[12..14].copy_from_slice(&(port as u16).to_be_bytes());
    bytes
}

/// To a port.
fn to(port: usize) -> [u8; 6] {
    [2, 0, 0, 0, 0, port as u8]
}

/// To the group.
const TO_ALL: [u8; 6] = [3, 0, 0, 0, 0, 9];

/// Random numbers: xorshift64 (Marsaglia, "Xorshift RNGs", 2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 11) as usize % bound
    }
}
