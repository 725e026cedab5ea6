//! `ww blocks`: the hardware blocks.

use crate::Failure;
use crate::args::BlocksArguments;
use crate::output::print;
use std::fmt::Write;
use ww_blocks::{Block, Module, blocks};

/// Prints all blocks, or those that are named with all that is known of them.
pub fn block_list(arguments: &BlocksArguments) -> Result<(), Failure> {
    let mut list = blocks().map_err(|report| Failure::Rejected(report.to_string()))?;
    for name in &arguments.blocks {
        if !list.iter().any(|block| block.name == *name) {
            let known: Vec<&str> = list.iter().map(|block| block.name.as_str()).collect();
            return Err(Failure::Rejected(format!(
                "unknown block `{name}`; there are {}",
                known.join(", ")
            )));
        }
    }
    let all = arguments.blocks.is_empty();
    list.retain(|block| all || arguments.blocks.contains(&block.name));
    if arguments.json {
        let text = serde_json::to_string_pretty(&list)
            .map_err(|error| Failure::Rejected(error.to_string()))?;
        return print(&format!("{text}\n"));
    }
    let one = |block: &Block| match all {
        true => format!("{:<18} {}\n", block.name, block.summary),
        false => block_text(block),
    };
    print(&list.iter().map(one).collect::<String>())
}

fn block_text(block: &Block) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}: {}", block.name, block.summary);
    let _ = writeln!(out, "  page    {}", block.page);
    let model = &block.model;
    for (language, model) in [("Rust", &model.rust), ("Python", &model.python)] {
        if let Some(model) = model {
            let _ = writeln!(out, "  model   {model} ({language})");
        }
    }
    for test in &block.tests {
        let _ = writeln!(out, "  test    {test}");
    }
    for test in &block.rust_tests {
        let _ = writeln!(out, "  test    cargo test -p wirewright-rtl --test all {}::", test.test);
    }
    for proof in &block.proofs {
        let _ = writeln!(out, "  proof   {proof}");
    }
    block.modules.iter().for_each(|module| add_module(&mut out, module));
    out
}

fn add_module(out: &mut String, module: &Module) {
    let _ = writeln!(out, "  module  {} ({})", module.name, module.file);
    for parameter in &module.parameters {
        let about = if parameter.about.is_empty() { "" } else { "  // " };
        let _ = writeln!(
            out,
            "    parameter {} {} = {}{about}{}",
            parameter.kind, parameter.name, parameter.default, parameter.about
        );
    }
    for port in &module.ports {
        let _ = writeln!(out, "    {} {} {}", port.direction, port.kind, port.name);
    }
}
