//! `ww tpp deploy`: an application at many hosts (spec 003, section 2.14).

use super::control::{Shim, tpp_of};
use crate::Failure;
use crate::output::print;
use crate::tpp_args::DeployArguments;
use std::fmt::Write as _;
use std::path::Path;

/// Registers an application and adds its rule at all shims. If one of them refuses, or gives another tag than the first
/// one, by which hosts could not tell whose TPPs come, it is at none of them afterwards.
pub fn deploy(arguments: &DeployArguments) -> Result<(), Failure> {
    let tpp = tpp_of(&arguments.rule)?;
    // No shim is told anything before all are there.
    let shims: Result<Vec<(&Path, Shim)>, Failure> =
        arguments.control.iter().map(|at| Ok((at.as_path(), Shim::connect(at)?))).collect();
    let mut shims = shims?;
    let mut text = String::new();
    let (mut tag, name) = (None, &arguments.rule.name);
    for number in 0..shims.len() {
        let (at, shim) = &mut shims[number];
        let made = shim.register(name, &arguments.grants);
        let there = number + usize::from(made.is_ok());
        let done = made.and_then(|made| {
            let tag = *tag.get_or_insert(made.tag);
            if made.tag != tag {
                return Err(Failure::Rejected(format!(
                    "it gives tag {}, the first one {tag}: register the same applications in the same order at all shims, or begin with new ones",
                    made.tag
                )));
            }
            shim.add(&arguments.rule, &tpp)
        });
        match done {
            Ok(rule) => {
                let _ = writeln!(text, "{}: tag {}, rule {rule}", at.display(), tag.unwrap_or(0));
            }
            Err(failure) => {
                let message = format!("'{}': {}", at.display(), failure.message());
                return Err(undone(&mut shims[..there], name, message));
            }
        }
    }
    print(&text)
}

/// Removes the application where it is, and says so, or where that cannot be done.
fn undone(shims: &mut [(&Path, Shim)], name: &str, mut message: String) -> Failure {
    for (at, shim) in shims {
        if let Err(failure) = shim.unregister(name) {
            let _ = write!(
                message,
                "\n'{}' still has the application: {}; `ww tpp unregister` removes it",
                at.display(),
                failure.message()
            );
        }
    }
    Failure::Rejected(message)
}
