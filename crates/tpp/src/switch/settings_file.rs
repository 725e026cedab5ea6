//! Files that say what a switch is to TPPs, in TOML:
//!
//! ```
//! let config = ww_tpp::switch::settings_file::parse(r#"
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
use crate::policy_file::{App, FileError, located, named, read, rules};
use crate::protection::{Operation, Protection, Rule};
use serde::Deserialize;
use std::fmt::Write;
use toml::Spanned;

const fn yes() -> bool {
    true
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    switch_id: u32,
    #[serde(default)]
    vendor_id: u32,
    #[serde(default = "yes")]
    writes: bool,
    #[serde(default)]
    absent_guard: Guard,
    rate: Option<Spanned<u64>>,
    window_us: Option<Spanned<u64>>,
    #[serde(default)]
    protect: bool,
    #[serde(default)]
    port: Vec<FilePort>,
    #[serde(default)]
    platform: Vec<FilePlatform>,
    #[serde(default)]
    app: Vec<App>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FilePlatform {
    address: Spanned<u16>,
    shows: Spanned<String>,
}

#[derive(Deserialize, Clone, Copy, Default)]
#[serde(rename_all = "lowercase")]
enum Guard {
    #[default]
    Fails,
    Skipped,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FilePort {
    number: Spanned<u32>,
    rate: Option<Spanned<u64>>,
    link_id: Option<u32>,
    #[serde(default)]
    outside: bool,
}

/// The fastest port, bits a second.
const MAX_RATE: u64 = 10_000_000_000_000;

/// The longest window: a minute.
const MAX_WINDOW_US: u64 = 60_000_000;

/// The first platform-specific address.
const PLATFORM: u16 = 0xf000;

/// Reads a file.
///
/// # Errors
/// All mistakes in values, or the first in TOML.
pub fn parse(text: &str) -> Result<Config, Vec<FileError>> {
    let file: File = read(text)?;
    let mut errors = Vec::new();
    let mut within = |value: &Option<Spanned<u64>>, what: &str, most: u64| {
        let value = value.as_ref()?;
        let number = *value.get_ref();
        if (1..=most).contains(&number) {
            return Some(number);
        }
        let message = format!("{what} is 1 to {most}, found {number}");
        errors.push(located(text, value.span().start, message));
        None
    };
    let mut config = Config::new(file.switch_id);
    let bits = "a rate in bits a second";
    config.other_ports.rate = within(&file.rate, bits, MAX_RATE).unwrap_or(config.other_ports.rate);
    if let Some(window) = within(&file.window_us, "a window in microseconds", MAX_WINDOW_US) {
        config.window = window * 1_000_000;
    }
    let rates: Vec<_> = file.port.iter().map(|port| within(&port.rate, bits, MAX_RATE)).collect();
    config.identity.vendor_id = file.vendor_id;
    config.writes_enabled = file.writes;
    config.absent_guard = match file.absent_guard {
        Guard::Fails => AbsentGuard::Fails,
        Guard::Skipped => AbsentGuard::Skipped,
    };
    for (port, rate) in file.port.iter().zip(rates) {
        let number = *port.number.get_ref();
        let other = config.other_ports;
        let own = PortConfig {
            link_id: port.link_id.unwrap_or(other.link_id.wrapping_add(number)),
            rate: rate.unwrap_or(other.rate),
            outside: port.outside,
        };
        let message = if number >= MAX_PORTS {
            format!("a port is 0 to {}, found {number}", MAX_PORTS - 1)
        } else if config.ports.insert(number, own).is_some() {
            format!("port {number} is here twice")
        } else {
            continue;
        };
        errors.push(located(text, port.number.span().start, message));
    }
    for place in &file.platform {
        let address = *place.address.get_ref();
        if address < PLATFORM {
            let message =
                format!("platform-specific addresses begin at 0xf000, found {address:#06x}");
            errors.push(located(text, place.address.span().start, message));
        }
        match named(place.shows.get_ref()) {
            Ok(shown) => {
                config.platform.insert(address, shown);
            }
            Err(message) => errors.push(located(text, place.shows.span().start, message)),
        }
    }
    match rules(&file.app, text) {
        Ok(rules) => {
            let is_protected = file.protect || !rules.is_empty();
            config.protection = is_protected.then(|| Protection::new(&rules));
        }
        Err(more) => errors.extend(more),
    }
    errors.sort_by_key(|error| (error.line, error.column));
    if errors.is_empty() { Ok(config) } else { Err(errors) }
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
        assert_eq!(parse(&text(&Config::new(0))), Ok(Config::new(0)));
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
        assert_eq!(parse(&text(&config)), Ok(config.clone()));
        let rule = |operation, first| Rule { app_tag: 255, operation, first, last: 0xffff };
        config.protection = Some(Protection::new(&[
            rule(Operation::Read, 0),
            rule(Operation::Write, 0xd000),
            rule(Operation::Read, 0xffff),
        ]));
        assert_eq!(parse(&text(&config)), Ok(config));
    }

    #[test]
    fn all_mistakes_in_values_are_told() {
        let text = "rate = 0\nwindow_us = 60000001\n[[port]]\nnumber = 4096\n[[port]]\nnumber = 1\nrate = 0\n\
                    [[port]]\nnumber = 1\n[[app]]\ntag = 1\nread = [\"Lnk:*\"]\n";
        let errors = parse(text).expect_err("wrong");
        let lines: Vec<usize> = errors.iter().map(|error| error.line).collect();
        assert_eq!(lines, [1, 2, 4, 7, 9, 12], "{errors:?}");
        assert_eq!(parse("rat = 1\n").expect_err("unknown")[0].line, 1);
    }

    #[test]
    fn platform_specific_addresses() {
        let text = "[[platform]]\naddress = 0xff00\nshows = \"Queue:QueueOccupancy\"\n";
        assert_eq!(parse(text).expect("good").platform, [(0xff00, 0xb000)].into());
        let text = "[[platform]]\naddress = 0xb000\nshows = \"Queue:Occupancy\"\n";
        let lines: Vec<usize> =
            parse(text).expect_err("wrong").iter().map(|error| error.line).collect();
        assert_eq!(lines, [2, 3]);
    }

    #[test]
    fn an_empty_file_permits_everything_and_protect_nothing() {
        assert_eq!(parse("").expect("good"), Config::new(0));
        let config = parse("protect = true").expect("good");
        let table = config.protection.expect("a table");
        assert!(!table.allows(0, Operation::Read, 0));
        let config = parse("switch_id = 2\n[[port]]\nnumber = 5\n").expect("good");
        assert_eq!(config.ports[&5].link_id, 0x205);
    }
}
