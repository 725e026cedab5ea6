//! The IR as text.

mod graphs;
mod items;
mod operations;

use super::Pipeline;
use super::blocks::Body;
use std::fmt::Write as _;

/// Text under construction.
pub(super) struct Printer<'p> {
    pipeline: &'p Pipeline,
    out: String,
    indent: usize,
}

/// The whole pipeline.
pub(super) fn print(pipeline: &Pipeline) -> String {
    let mut printer = Printer { pipeline, out: String::new(), indent: 0 };
    printer.line(&format!("pipeline {}", pipeline.architecture.name));
    printer.items();
    for block in &pipeline.blocks {
        printer.blank();
        let kind = match block.description.kind {
            crate::architecture::BlockKind::Parser => "parser",
            crate::architecture::BlockKind::Control => "control",
            crate::architecture::BlockKind::Deparser => "deparser",
        };
        printer.line(&format!("{kind} {} = {} {{", block.description.parameter, block.name));
        printer.indent += 1;
        match &block.body {
            Body::Parser(graph) => printer.parse_graph(graph),
            Body::Control(graph) => printer.control_graph(graph),
        }
        printer.indent -= 1;
        printer.line("}");
    }
    printer.out
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{text}");
    }

    fn blank(&mut self) {
        self.out.push('\n');
    }
}
