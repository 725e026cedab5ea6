//! The front end on any text: it ends, without panic; what it accepts can be printed, described
//! to a controller, and executed on a packet.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use std::sync::Arc;
use ww_dataplane::Dataplane;
use ww_engine::interp::{Interp, Options};
use ww_p4::frontend::{Compilation, compile_text};

/// What a program may include and use, so that short inputs reach the engine.
const ARCHITECTURE: &str = "#include <core.p4>\n#include <v1model.p4>\n";

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data).into_owned();
    let text = if data.first() == Some(&b'!') { format!("{ARCHITECTURE}{text}") } else { text };
    let compilation = compile_text(Path::new("fuzz.p4"), text, &Default::default());
    let Compilation { sources, mut diagnostics, ast, program } = compilation;
    let _ = diagnostics.render(&sources, false);
    let _ = ww_control::diagnostics::to_json(&diagnostics, &sources);
    let _ = ww_p4::print_ast::print(&ast);
    if diagnostics.has_errors() {
        return;
    }
    let _ = ww_p4::print_ir::print(&program);
    let info = ww_control::p4info::p4info(&program, &mut diagnostics);
    for format in [ww_control::p4info::Format::Text, ww_control::p4info::Format::Json] {
        ww_control::p4info::encode(&info, format).expect("every P4Info has a text form");
    }
    let options = Options { max_steps: 1 << 10, max_passes: 16, ..Options::default() };
    if let Ok(mut interp) = Interp::new(Arc::new(program), options) {
        let mut out = Vec::new();
        interp.receive(1, 0, data, &mut out);
        interp.receive(2, 1, &[], &mut out);
    }
});
