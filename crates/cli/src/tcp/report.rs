//! `ww tcp report`: what the blocks cost.

use crate::Failure;
use crate::output::print;
use crate::tcp_args::TcpReportArguments;
use ww_rtl::tcp_report;

/// Prints the report.
pub fn report(arguments: &TcpReportArguments) -> Result<(), Failure> {
    let made = tcp_report::report().map_err(Failure::Rejected)?;
    print(&if arguments.json { format!("{}\n", made.json()) } else { made.text() })
}
