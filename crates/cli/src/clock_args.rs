//! The arguments of `ww clock`.

use clap::{Args, Subcommand};
use std::net::Ipv4Addr;

/// `ww clock`
#[derive(Args)]
pub struct ClockArguments {
    /// What to do.
    #[command(subcommand)]
    pub command: ClockCommand,
}

/// What can be done with clocks.
#[derive(Subcommand)]
pub enum ClockCommand {
    /// Compare this host's clock with a PTP master's, by the kernel's stamps; nothing is set
    Ptp(PtpArguments),
}

/// `ww clock ptp`
#[derive(Args)]
pub struct PtpArguments {
    /// This host's address on the network of the master
    #[arg(value_name = "ADDRESS")]
    pub own: Ipv4Addr,
    /// Domain
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub domain: u8,
    /// How long
    #[arg(long, value_name = "S", default_value_t = 10,
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub seconds: u64,
    /// Seconds from Delay_Req to Delay_Req, in the mean
    #[arg(long, value_name = "S", default_value_t = 0.75)]
    pub delay: f64,
    /// Print figures as JSON
    #[arg(long)]
    pub json: bool,
}
