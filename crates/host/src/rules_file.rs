//! Files that say which packets of a host carry which TPPs, in TOML:
//!
//! ```
//! let file = ww_host::rules_file::parse(r#"
//!     mtu = 1500                           # bytes of an IP packet on the wire, with its TPP
//!
//!     [[app]]                              # what applications of this host may access
//!     tag = 3
//!     read = ["Switch:*", "Queue:QueueOccupancy"]
//!
//!     [[rule]]
//!     app = 3
//!     filter = "-p udp --dport 5000:5100"  # as in iptables
//!     program = '''
//!     PUSH [Switch:SwitchID]
//!     PUSH [Queue:QueueOccupancy]
//!     '''
//!     hops = 5
//!     every = 10                           # one packet in this many, at random; 1 by default
//!     priority = 0                         # rules of higher ones are asked first
//! "#).expect("a good file");
//! assert_eq!((file.rules.len(), file.rules[0].every), (1, 10));
//! ```

use crate::filter::Filter;
use crate::shim::Rule;
use serde::Deserialize;
use toml::Spanned;
use ww_tpp::analyse::verify::verify;
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::header::WordSize;
use ww_tpp::policy_file::{App, FileError, located, read, rules};
use ww_tpp::protection::Protection;

/// What a file says.
#[derive(Clone, Debug)]
pub struct RulesFile {
    /// Bytes of an IP packet on the wire.
    pub mtu: usize,
    /// Of sampling.
    pub seed: u64,
    /// What applications may access.
    pub protection: Protection,
    /// Which packets carry what.
    pub rules: Vec<Rule>,
}

/// The MTU of Ethernet.
const MTU: usize = 1500;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    mtu: Option<Spanned<usize>>,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    app: Vec<App>,
    #[serde(default)]
    rule: Vec<FileRule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileRule {
    app: u8,
    filter: Spanned<String>,
    program: Spanned<String>,
    hops: Option<u16>,
    word: Option<Spanned<u8>>,
    every: Option<u32>,
    #[serde(default)]
    priority: i32,
}

/// Reads a file.
///
/// # Errors
/// All mistakes in values and programs, or the first in TOML.
pub fn parse(text: &str) -> Result<RulesFile, Vec<FileError>> {
    let file: File = read(text)?;
    let mut errors = Vec::new();
    let mtu = file.mtu.as_ref().map_or(MTU, |mtu| *mtu.get_ref());
    if let Some(at) = file.mtu.filter(|_| !(68..=65_535).contains(&mtu)) {
        // RFC 791: every host can take 68 bytes.
        let message = format!("an MTU is 68 to 65535 bytes, found {mtu}");
        errors.push(located(text, at.span().start, message));
    }
    let protection = match rules(&file.app, text) {
        Ok(rules) => Protection::new(&rules),
        Err(more) => {
            errors.extend(more);
            Protection::new(&[])
        }
    };
    let is_sound = errors.is_empty();
    let mut made = Vec::new();
    for rule in &file.rule {
        let before = errors.len();
        let filter = match rule.filter.get_ref().parse::<Filter>() {
            Ok(filter) => Some(filter),
            Err(error) => {
                errors.push(located(text, rule.filter.span().start, error.to_string()));
                None
            }
        };
        let word = match rule.word.as_ref().map(|word| (*word.get_ref(), word.span().start)) {
            None => None,
            Some((16, _)) => Some(WordSize::Two),
            Some((32, _)) => Some(WordSize::Four),
            Some((other, at)) => {
                let message = format!("a word has 16 or 32 bits, found {other}");
                errors.push(located(text, at, message));
                None
            }
        };
        let options = Options { word, hops: rule.hops, app_tag: Some(rule.app), mode: None };
        let at = rule.program.span().start;
        let tpp = match assemble(rule.program.get_ref(), &options) {
            Ok(tpp) => {
                // Without sound rules everything would be refused.
                for violation in
                    verify(&tpp, &protection).err().filter(|_| is_sound).into_iter().flatten()
                {
                    errors.push(located(text, at, format!("the program: {violation}")));
                }
                tpp.emit()
            }
            Err(mistakes) => {
                errors.extend(mistakes.iter().map(|mistake| {
                    let help =
                        mistake.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
                    let message = format!(
                        "line {} of the program: {}{help}",
                        mistake.span.line, mistake.message
                    );
                    located(text, at, message)
                }));
                Vec::new()
            }
        };
        if let Some(filter) = filter
            && errors.len() == before
        {
            let (every, priority) = (rule.every.unwrap_or(1), rule.priority);
            made.push(Rule { filter, tpp, every, priority });
        }
    }
    errors.sort_by_key(|error| (error.line, error.column));
    match errors.is_empty() {
        true => Ok(RulesFile { mtu, seed: file.seed, protection, rules: made }),
        false => Err(errors),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_mistakes_are_told() {
        let text = "mtu = 60\n[[rule]]\napp = 1\nfilter = \"-p sctp\"\nprogram = \"PUSH [Switch:SwitchID]\"\n\
                    hops = 1\n[[rule]]\napp = 1\nfilter = \"\"\nprogram = \"PUSH [Swich:ID]\\nPUSH\"\nhops = 1\nword = 8\n";
        let errors = parse(text).expect_err("wrong");
        let lines: Vec<usize> = errors.iter().map(|error| error.line).collect();
        assert_eq!(lines, [1, 4, 10, 10, 12], "{errors:?}");
    }

    #[test]
    fn programs_have_to_be_permitted() {
        let text = "[[app]]\ntag = 1\nread = [\"Link:*\"]\n[[rule]]\napp = 1\nfilter = \"\"\nhops = 2\n\
                    program = \"PUSH [Switch:SwitchID]\\nPUSH [Link:QueueSize]\"\n";
        let errors = parse(text).expect_err("wrong");
        assert_eq!(errors.len(), 1);
        assert!(
            errors[0].line == 8 && errors[0].message.contains("instruction 1: no rule"),
            "{errors:?}"
        );
        assert!(parse(&text.replace("\"Link:*\"", "\"*\"")).is_ok());
    }
}
