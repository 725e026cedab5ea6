//! Files that say what a switch is to TPPs, in TOML:
//!
//! ```
//! let config = ww_tpp::switch::settings_file::parse("switch.toml", r#"
//!     switch_id = 7
//!     vendor_id = 1            # 0 by default
//!     writes = true            # whether STORE, POP and CSTORE do anything
//!     absent_guard = "fails"   # or "skipped": a CEXEC on what does not exist
//!     rate = 100_000_000       # of ports, bits a second
//!     window_us = 1000         # utilisation and rates are those of the last window
//!     protect = true           # what no [[app]] permits is denied
//!
//!     [[port]]
//!     number = 3
//!     rate = 1_000_000_000
//!     link_id = 21             # switch_id * 256 + number by default
//!     outside = true           # TPPs that come in here are dropped
//!
//!     [[platform]]             # an address of the vendor's own, and what it shows
//!     address = 0xff00
//!     shows = "Queue:QueueOccupancy"
//!
//!     [[app]]
//!     tag = 7
//!     read = ["Switch:*", "Link:*"]
//!     write = ["Link:AppSpecific_0"]
//! "#).expect("a good file");
//! assert_eq!((config.identity.switch_id, config.ports[&3].link_id), (7, 21));
//! ```

use super::Config;
use super::ports::{MAX_PORTS, PortConfig};
use crate::execute::AbsentGuard;
use crate::map;
use crate::policy_file::{named, rules};
use crate::protection::{Operation, Protection, Rule};
use std::fmt::Write;
use ww_config::quantity::Quantity;
use ww_config::{Reader, Report, Value};

/// The fastest port, bits a second.
const MAX_RATE: u64 = 10_000_000_000_000;

/// The longest window: a minute.
const MAX_WINDOW_US: u64 = 60_000_000;

/// The first platform-specific address.
const PLATFORM: u16 = 0xf000;

/// Reads the text of the file called `name`.
///
/// # Errors
/// All mistakes.
pub fn parse(name: &str, text: &str) -> Result<Config, Report> {
    ww_config::parse(name, text, |file| Some(settings(file)))
}

/// The settings of a file; what is wrong is as if nothing was said.
fn settings(file: &Reader<'_>) -> Config {
    let mut config = Config::new(file.get_or("switch_id", 0));
    config.identity.vendor_id = file.get_or("vendor_id", 0);
    config.writes_enabled = file.get_or("writes", true);
    let guards = [("fails", AbsentGuard::Fails), ("skipped", AbsentGuard::Skipped)];
    config.absent_guard = file.choice("absent_guard", &guards).unwrap_or(AbsentGuard::Fails);
    let rate = |reader: &Reader<'_>| reader.within("rate", 1..=MAX_RATE);
    config.other_ports.rate = rate(file).unwrap_or(config.other_ports.rate);
    if let Some(window) = file.within("window_us", 1..=MAX_WINDOW_US) {
        config.window = window * 1_000_000;
    }
    let other = config.other_ports;
    file.each("port", |port| {
        let number = port.needed_within("number", 0..=MAX_PORTS - 1, "3");
        let link_id: Option<u32> = port.get("link_id");
        let rate = rate(port).unwrap_or(other.rate);
        let outside = port.get_or("outside", false);
        let number = number?;
        let link_id = link_id.unwrap_or(other.link_id.wrapping_add(number));
        if config.ports.insert(number, PortConfig { link_id, rate, outside }).is_some() {
            port.wrong("number", format!("port {number} is here twice"));
        }
        Some(())
    });
    file.each("platform", |platform| {
        let address = platform.needed_within("address", PLATFORM..=u16::MAX, "0xff00");
        let shown = platform.need("shows", "\"Queue:QueueOccupancy\"");
        let (address, Shown(shown)) = (address?, shown?);
        config.platform.insert(address, shown);
        Some(())
    });
    let rules = rules(file);
    let is_protected = file.get_or("protect", false) || !rules.is_empty();
    config.protection = is_protected.then(|| Protection::new(&rules));
    config
}

/// An address by its name.
struct Shown(u16);

impl Quantity for Shown {
    fn read(value: &Value) -> Result<Self, String> {
        String::read(value).and_then(|word| named(&word)).map(Self)
    }
}

/// A file that [`parse`] reads as these settings. A window is one of whole microseconds; files do not have `routes`,
/// `drops`, `overhead` and IDs of links of ports that they do not name.
pub fn text(config: &Config) -> String {
    let Config { identity, writes_enabled, absent_guard, protection, other_ports, .. } = config;
    let guard = match absent_guard {
        AbsentGuard::Fails => "fails",
        AbsentGuard::Skipped => "skipped",
    };
    let mut text = format!(
        "switch_id = {}\nvendor_id = {}\nwrites = {writes_enabled}\nabsent_guard = \"{guard}\"\nrate = {}\nwindow_us = {}\nprotect = {}\n",
        identity.switch_id,
        identity.vendor_id,
        other_ports.rate,
        config.window / 1_000_000,
        protection.is_some(),
    );
    // Nothing that is written to a string fails.
    for (number, PortConfig { link_id, rate, outside }) in &config.ports {
        let _ = write!(
            text,
            "[[port]]\nnumber = {number}\nrate = {rate}\nlink_id = {link_id}\noutside = {outside}\n"
        );
    }
    for (address, shown) in &config.platform {
        let shown = map::name(*shown).unwrap_or_default();
        let _ = write!(text, "[[platform]]\naddress = {address}\nshows = \"{shown}\"\n");
    }
    for Rule { app_tag, operation, first, last } in protection.iter().flat_map(Protection::rules) {
        let key = match operation {
            Operation::Read => "read",
            Operation::Write => "write",
        };
        let range = format!("{first:#06x}-{last:#06x}");
        let _ = write!(text, "[[app]]\ntag = {app_tag}\n{key} = [\"{range}\"]\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_as_the_same() {
        assert_eq!(parse("", &text(&Config::new(0))), Ok(Config::new(0)));
        let mut config = Config::new(7);
        config.identity.vendor_id = 3;
        config.writes_enabled = false;
        config.absent_guard = AbsentGuard::Skipped;
        config.other_ports.rate = 5;
        config.window = 60_000_000;
        config.ports.insert(2, PortConfig { link_id: 9, rate: 8, outside: true });
        config.ports.insert(4, PortConfig { link_id: 1, rate: 2, outside: false });
        config.platform.insert(0xf001, 0xb000);
        config.protection = Some(Protection::new(&[]));
        assert_eq!(parse("", &text(&config)), Ok(config.clone()));
        let rule = |operation, first| Rule { app_tag: 255, operation, first, last: 0xffff };
        config.protection = Some(Protection::new(&[
            rule(Operation::Read, 0),
            rule(Operation::Write, 0xd000),
            rule(Operation::Read, 0xffff),
        ]));
        assert_eq!(parse("", &text(&config)), Ok(config));
    }

    #[test]
    fn all_mistakes_in_values_are_told() {
        let text = "rate = 0\nwindow_us = 60000001\n[[port]]\nnumber = 4096\n[[port]]\nnumber = 1\nrate = 0\n\
                    [[port]]\nnumber = 1\n[[app]]\ntag = 1\nread = [\"Lnk:*\"]\n";
        let report = parse("", text).expect_err("wrong");
        assert_eq!(report.lines(), [1, 2, 4, 7, 9, 12], "{report}");
        assert_eq!(parse("", "rat = 1\n").expect_err("unknown").lines(), [1]);
    }

    #[test]
    fn platform_specific_addresses() {
        let text = "[[platform]]\naddress = 0xff00\nshows = \"Queue:QueueOccupancy\"\n";
        assert_eq!(parse("", text).expect("good").platform, [(0xff00, 0xb000)].into());
        let text = "[[platform]]\naddress = 0xb000\nshows = \"Queue:Occupancy\"\n";
        assert_eq!(parse("", text).expect_err("wrong").lines(), [2, 3]);
    }

    #[test]
    fn an_empty_file_permits_everything_and_protect_nothing() {
        assert_eq!(parse("", "").expect("good"), Config::new(0));
        let config = parse("", "protect = true").expect("good");
        let table = config.protection.expect("a table");
        assert!(!table.allows(0, Operation::Read, 0));
        let config = parse("", "switch_id = 2\n[[port]]\nnumber = 5\n").expect("good");
        assert_eq!(config.ports[&5].link_id, 0x205);
    }
}
