//! The native engine's control plane against the reference engine's, and beside readers.

mod agreement;
mod beside_readers;
mod driver;
mod packets;

use super::{JitControl, Objects, Reader};
use crate::interp::{Interp, Options};
use std::path::Path;
use std::sync::Arc;
use ww_p4::frontend;
use ww_p4::ir::Program;
use ww_p4::pipeline::{self, Pipeline};

/// A program with both control planes.
struct Loaded {
    reference: Interp,
    control: JitControl,
    readers: Vec<Reader>,
    objects: Arc<Objects>,
    pipeline: Arc<Pipeline>,
}

fn load(workers: usize) -> Loaded {
    load_text(include_str!("all_kinds.p4"), workers)
}

fn program(text: &str) -> Program {
    let path = Path::new("all_kinds.p4");
    let compiled = frontend::compile_text(path, text.to_owned(), &Default::default());
    let errors = compiled.diagnostics.render(&compiled.sources, false);
    assert!(!compiled.diagnostics.has_errors(), "{errors}");
    compiled.program
}

fn load_text(text: &str, workers: usize) -> Loaded {
    let program = Arc::new(program(text));
    let pipeline = Arc::new(pipeline::lower(&program).expect("it can be lowered"));
    let schema = crate::schema::of(&program).expect("supported");
    let (control, readers, objects) =
        JitControl::new(&program, &pipeline, schema, workers, false).expect("supported");
    let reference = Interp::new(program, Options::default()).expect("supported");
    Loaded { reference, control, readers, objects, pipeline }
}

/// A xorshift generator: the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 8
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}
