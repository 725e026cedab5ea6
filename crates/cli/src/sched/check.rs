//! `ww sched check`: judges a policy file.

use crate::Failure;
use crate::output::{counted, print};
use crate::sched_args::SchedCheckArguments;
use ww_runtime::switch_blocks::plan;

/// Prints what the file says, or what is wrong with it.
pub fn check(arguments: &SchedCheckArguments) -> Result<(), Failure> {
    let plan = plan(&arguments.file)?;
    let flows = counted(plan.flows().len() as u64, "flow");
    print(&format!("link: {} b/s, {flows}\n{}", plan.rate, plan.outline()))
}
