//! Network namespaces with interfaces, addresses and settings of the kernel, made for a run and always removed.
//!
//! A [`Namespaces`] is a guard: what it has made goes when it is dropped, also after a panic, and so does whatever runs inside.
//! A process that handles SIGINT and SIGTERM by returning from `main` drops its guards. What a killed process leaves behind is in
//! its [`Record`], which is on the disk before the first namespace; [`clean`] removes it.
//!
//! ```no_run
//! use ww_netns::{Namespaces, Owner, link};
//!
//! const OWNER: Owner = Owner { prefix: "my-", folder: "/run/wirewright/my" };
//! let made = Namespaces::make(&OWNER, &["-a", "-b"])?;
//! let (a, b) = (made.name("-a"), made.name("-b"));
//! link(a, "eth0", b, "eth0")?;
//! ww_netns::ip(a, "addr add 10.0.0.1/24 dev eth0\nlink set dev eth0 up\n")?;
//! ww_netns::sysctl(a, "net.ipv6.conf.all.disable_ipv6", "1")?;
//! let addresses = ww_netns::within(a, || std::fs::read_to_string("/proc/net/fib_trie"));
//! # Ok::<(), String>(())
//! ```
//!
//! Everything needs root and the command `ip` (iproute2): see [`available`].

mod command;
mod namespaces;
pub mod testing;

pub use command::{batch, command, enter, ip, link, output, spawn, sysctl, within};
pub use namespaces::{Namespaces, Owner, Record, clean};

use std::process::{Command, Stdio};

/// Where named namespaces are.
pub const FOLDER: &str = "/run/netns";

/// Whether namespaces can be made here; if not, why.
///
/// # Errors
/// A sentence.
pub fn available() -> Result<(), String> {
    // SAFETY: the call has no arguments.
    if unsafe { libc::geteuid() } != 0 {
        return Err("network namespaces need root: run it with sudo".into());
    }
    match Command::new("ip").arg("-V").stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(_) | Err(_) => {
            Err("network namespaces need the command ip (Debian's package iproute2)".into())
        }
    }
}
