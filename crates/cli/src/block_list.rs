//! `ww blocks`: the hardware blocks.

use crate::Failure;
use crate::args::BlocksArguments;
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
        println!("{text}");
        return Ok(());
    }
    for block in &list {
        match all {
            true => println!("{:<18} {}", block.name, block.summary),
            false => print_block(block),
        }
    }
    Ok(())
}

fn print_block(block: &Block) {
    println!("{}: {}", block.name, block.summary);
    println!("  page    {}", block.page);
    let model = &block.model;
    for (language, model) in [("Rust", &model.rust), ("Python", &model.python)] {
        if let Some(model) = model {
            println!("  model   {model} ({language})");
        }
    }
    for test in &block.tests {
        println!("  test    {test}");
    }
    for test in &block.rust_tests {
        println!("  test    cargo test -p wirewright-rtl --test all {}::", test.test);
    }
    for proof in &block.proofs {
        println!("  proof   {proof}");
    }
    block.modules.iter().for_each(print_module);
}

fn print_module(module: &Module) {
    println!("  module  {} ({})", module.name, module.file);
    for parameter in &module.parameters {
        let about = if parameter.about.is_empty() { "" } else { "  // " };
        println!(
            "    parameter {} {} = {}{about}{}",
            parameter.kind, parameter.name, parameter.default, parameter.about
        );
    }
    for port in &module.ports {
        println!("    {} {} {}", port.direction, port.kind, port.name);
    }
}
