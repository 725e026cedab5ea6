//! An architecture that a file describes runs on both engines.

use crate::stf_files::{program_of, tests};
use std::path::Path;
use std::sync::Arc;
use ww_control::{Switch, stf};
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::Jit;
use ww_p4::diagnostic::Diagnostics;
use ww_p4::frontend::compile_file;
use ww_p4::preprocess;
use ww_p4::source::SourceMap;

#[test]
fn described_architectures_pass_their_tests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/arch");
    let mut found = Vec::new();
    tests(&folder, &mut found);
    assert!(found.len() >= 3, "tests of described architectures");
    for test in found {
        let program = program_of(&test).expect("a program");
        let beside = program.parent().expect("a folder").read_dir().expect("a folder");
        let architectures = beside
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.to_string_lossy().ends_with(".arch.toml"))
            .collect();
        let options = preprocess::Options { architectures, ..Default::default() };
        let compilation = compile_file(&program, &options);
        let rendered = compilation.diagnostics.render(&compilation.sources, false);
        assert!(!compilation.diagnostics.has_errors(), "{rendered}");
        let program = Arc::new(compilation.program);
        let text = std::fs::read_to_string(&test).expect("the test");
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let file = sources.add(&test, text, false);
        let script = stf::parse(file, &sources, &mut diagnostics);
        assert!(!diagnostics.has_errors(), "{}", diagnostics.render(&sources, false));
        let options = Options::default();
        let mut interp = Interp::new(program.clone(), options).expect("the reference engine");
        let mut jit = Jit::new(program, options).expect("the native engine");
        let engines: [(&str, &mut dyn Switch); 2] = [("interp", &mut interp), ("jit", &mut jit)];
        for (name, engine) in engines {
            if let Some(failure) = stf::run(&script, engine).failure {
                let at = sources.describe(failure.span);
                panic!("{name}: {at}: {}", failure.message);
            }
        }
    }
}
