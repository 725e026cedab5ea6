//! `ww tpp split`: one program, several TPPs.

use super::with_program;
use crate::Failure;
use crate::output::print;
use crate::tpp_args::SplitArguments;
use serde_json::json;
use std::fmt::Write as _;
use ww_host::hex;
use ww_tpp::assemble::Program;
use ww_tpp::disassemble::line;
use ww_tpp::header::Mode;
use ww_tpp::split::{Origin, Part, Split};

/// Prints the parts and which word of the program each of their words is.
pub fn split(arguments: &SplitArguments) -> Result<(), Failure> {
    let options = arguments.program.options();
    let program = with_program(&arguments.program, |text| Program::parse(text, &options))?;
    let split = Split::new(&program, arguments.room, &arguments.pipeline.stages())
        .map_err(|reason| Failure::Rejected(reason.to_string()))?;
    let bytes = |part: &Part| hex::digits(&split.fill(part, &split.image).emit());
    if arguments.json {
        let parts = split.parts.iter().map(|part| {
            let words: Vec<String> =
                part.words.iter().map(|word| name(split.origins[*word], program.mode)).collect();
            json!({ "hex": bytes(part), "words": words, "instructions": part.statements })
        });
        return print(&format!("{:#}\n", json!({ "parts": parts.collect::<Vec<_>>() })));
    }
    let mut text = String::new();
    for (number, part) in split.parts.iter().enumerate() {
        let _ = writeln!(text, "# TPP {} of {}", number + 1, split.parts.len());
        for instruction in &part.instructions {
            let _ = writeln!(text, "#   {}", line(*instruction, Mode::Hop));
        }
        for (at, word) in part.words.iter().enumerate() {
            let name = name(split.origins[*word], program.mode);
            let _ = writeln!(text, "# Packet:Hop[{at}] is {name}");
        }
        let _ = writeln!(text, "{}", bytes(part));
    }
    print(&text)
}

/// What a word is in the program.
fn name(origin: Origin, mode: Mode) -> String {
    match (origin, mode) {
        (Origin::Named(word), Mode::Hop) => format!("Packet:Hop[{word}]"),
        (Origin::Named(word), Mode::Stack) => format!("Packet:Word[{word}]"),
        (Origin::Immediate, _) => "a number of the program".to_owned(),
        (Origin::Stack(depth), _) => format!("push {depth}"),
    }
}
