//! `ww check`

use crate::Failure;
use crate::args::{CheckArguments, Form};
use crate::output::{print, print_diagnostics, write_file};
use crate::terminal::Compiling;
use ww_control::diagnostics::to_json;
use ww_control::p4info::{Format, encode, p4info};
use ww_p4::frontend::compile_file;
use ww_runtime::error::rejection;
use ww_runtime::program::files;
use ww_runtime::signals::Ending;

/// Checks a program, prints its diagnostics and what else was asked for.
pub fn check(arguments: &CheckArguments) -> Result<(), Failure> {
    let path = &arguments.program.program;
    let target = match &arguments.p4info {
        Some(file) => match Format::of_path(file) {
            Some(format) => Some((file, format)),
            None => {
                let problem = "expected a name that ends in .txt, .txtpb, .json, .bin or .pb";
                let message = format!("--p4info '{}': {problem}", file.display());
                return Err(Failure::Usage(message));
            }
        },
        None => None,
    };
    let _ending = Ending::new()?;
    let compiling = Compiling::new(path);
    let mut compilation = compile_file(path, &arguments.program.options());
    drop(compiling);
    if let Some((file, _)) = target {
        files(&compilation.sources).writes("--p4info", file)?;
    }
    let mut info = None;
    if let Some(target) = target.filter(|_| !compilation.diagnostics.has_errors()) {
        info = Some((target, p4info(&compilation.program, &mut compilation.diagnostics)));
    }
    let (diagnostics, sources) = (&compilation.diagnostics, &compilation.sources);
    let accepted = !diagnostics.has_errors();
    if arguments.json {
        let mut report = to_json(diagnostics, sources);
        report["program"] = path.display().to_string().into();
        report["accepted"] = accepted.into();
        print(&format!("{report:#}\n"))?;
    } else {
        print_diagnostics(diagnostics, sources);
    }
    if !accepted {
        return Err(match arguments.json {
            true => Failure::Rejected(String::new()),
            // They have been printed.
            false => Failure::Rejected(rejection(path, diagnostics)),
        });
    }
    let emitted = match arguments.emit {
        None => String::new(),
        Some(Form::Ast) => ww_p4::print_ast::print(&compilation.ast),
        Some(Form::Ir) => ww_p4::print_ir::print(&compilation.program),
        Some(Form::Pipeline) => match ww_p4::pipeline::lower(&compilation.program) {
            Ok(pipeline) => pipeline.text(),
            Err(refusals) => {
                print_diagnostics(&refusals, sources);
                let message = format!("{} has no pipeline form", path.display());
                return Err(Failure::Rejected(message));
            }
        },
    };
    print(&emitted)?;
    if let Some(((file, format), info)) = info {
        let bytes = encode(&info, format).map_err(Failure::Rejected)?;
        write_file(file, &bytes)?;
    }
    Ok(())
}
