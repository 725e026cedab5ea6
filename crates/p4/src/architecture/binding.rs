//! From a program's `main` to the blocks of an architecture's description.

use super::{Architecture, BlockDescription, BlockKind};
use crate::diagnostic::Diagnostic;
use crate::ir::{ConstructorValue, InstanceId, InstanceKind, Parameter, Program};
use crate::source::Span;

/// A block of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundBlock {
    /// Its description.
    pub description: &'static BlockDescription,
    /// The parser or control.
    pub instance: InstanceId,
}

/// The architecture that a program is written for, and its blocks in the order of the
/// description. The error is for the program's author.
pub fn bind(program: &Program) -> Result<(&'static Architecture, Vec<BoundBlock>), Diagnostic> {
    let main = program.main.ok_or_else(|| {
        let message = "the program has no `main`: there is nothing that packets could enter";
        Diagnostic::error(Span::NONE, message)
    })?;
    let main = &program[main];
    let InstanceKind::Package(id) = &main.kind else {
        return Err(Diagnostic::error(main.span, "`main` is not a package"));
    };
    let signature = &program.types[*id].signature;
    let known = || program.architectures.iter().chain(super::embedded()).copied();
    let Some(architecture) = known().find(|a| a.package == &*signature.name) else {
        if crate::policy::is_policy(program) {
            let message = "the program is a scheduling policy: it belongs behind the option \
                           `--scheduler` of the program whose packets it orders, or in a policy file";
            return Err(Diagnostic::error(main.span, message));
        }
        let packages: Vec<_> = known().map(|a| a.package).collect();
        let message = format!("package `{}` belongs to no known architecture", signature.name);
        let help = format!(
            "packages that can be executed: {}; option --arch reads the description of another",
            packages.join(", ")
        );
        return Err(Diagnostic::error(main.span, message).help(help));
    };
    let bind = |block: &'static BlockDescription| {
        let by_name = signature.parameters.iter().position(|p| &*p.name == block.parameter);
        let argument = main.arguments.get(by_name.unwrap_or(block.position));
        let Some(ConstructorValue::Instance(instance)) = argument else {
            let message = format!("`main` has no block `{}`", block.parameter);
            return Err(Diagnostic::error(main.span, message));
        };
        let is_parser = matches!(program[*instance].kind, InstanceKind::Parser(_));
        let parameters = parameters(program, *instance);
        if parameters.len() != block.roles.len() || is_parser != (block.kind == BlockKind::Parser) {
            let message = format!(
                "block `{}` of package `{}` has {} parameters; {} are expected",
                block.parameter,
                architecture.package,
                parameters.len(),
                block.roles.len()
            );
            return Err(Diagnostic::error(program[*instance].span, message));
        }
        Ok(BoundBlock { description: block, instance: *instance })
    };
    let blocks = architecture.blocks.iter().map(bind).collect::<Result<_, _>>()?;
    Ok((architecture, blocks))
}

/// The apply parameters of a parser's or control's instance.
pub(crate) fn parameters(program: &Program, instance: InstanceId) -> &[Parameter] {
    match &program[instance].kind {
        InstanceKind::Parser(id) => &program[*id].parameters,
        InstanceKind::Control(id) => &program[*id].parameters,
        _ => &[],
    }
}
