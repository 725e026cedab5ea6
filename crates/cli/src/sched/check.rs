//! `ww sched check`: judges a policy file.

use crate::Failure;
use crate::output::{counted, print};
use crate::sched_args::SchedCheckArguments;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use ww_engine::policy::PolicyCompiler;
use ww_sched::policy_file::Plan;

/// Bytes of the largest policy file.
const MAX_FILE: u64 = 1 << 20;

/// Prints what the file says, or what is wrong with it.
pub fn check(arguments: &SchedCheckArguments) -> Result<(), Failure> {
    let plan = plan(&arguments.file)?;
    let flows = counted(plan.flows().len() as u64, "flow");
    print(&format!("link: {} b/s, {flows}\n{}", plan.rate, plan.outline()))
}

/// Reads a policy file, or a policy in P4.
pub fn plan(file: &Path) -> Result<Plan, Failure> {
    if file.extension().is_some_and(|extension| extension == "p4") {
        return Plan::of_policy(file, &PolicyCompiler).map_err(Failure::Rejected);
    }
    let path = file.display();
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut bytes))
        .map_err(|error| Failure::Rejected(format!("cannot read '{path}': {error}")))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(Failure::Rejected(format!("'{path}' has more than {MAX_FILE} bytes")));
    }
    let text = String::from_utf8(bytes)
        .map_err(|error| Failure::Rejected(format!("'{path}' is not UTF-8: {error}")))?;
    let folder = file.parent().unwrap_or(Path::new(""));
    Plan::parse_in(&text, folder, &PolicyCompiler)
        .map_err(|error| Failure::Rejected(format!("{path}:{error}")))
}
