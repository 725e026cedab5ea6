//! Files that say which packets of a host carry which TPPs, in TOML:
//!
//! ```
//! let file = ww_host::rules_file::parse("rules.toml", r#"
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
use ww_config::{Reader, Report};
use ww_tpp::analyse::verify::verify;
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::header::WordSize;
use ww_tpp::policy_file::rules;
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

/// Reads the text of the file called `name`.
///
/// # Errors
/// All mistakes, in programs too.
pub fn parse(name: &str, text: &str) -> Result<RulesFile, Report> {
    ww_config::parse(name, text, |file| {
        // RFC 791: every host can take 68 bytes.
        let mtu = file.within("mtu", 68..=65_535).unwrap_or(MTU);
        let seed = file.get_or("seed", 0);
        let protection = Protection::new(&rules(file));
        // Without sound rules everything would be refused.
        let is_sound = file.mistakes().count() == 0;
        let rules = file.each("rule", |reader| rule(reader, is_sound.then_some(&protection)));
        Some(RulesFile { mtu, seed, protection, rules })
    })
}

/// A rule whose program keeps to the protection, if there is one.
fn rule(reader: &Reader<'_>, protection: Option<&Protection>) -> Option<Rule> {
    let app: Option<u8> = reader.need("app", "3");
    let text: Option<String> = reader.need("filter", "\"-p udp --dport 5000\"");
    let filter = text.and_then(|text| match text.parse::<Filter>() {
        Ok(filter) => Some(filter),
        Err(error) => {
            reader.wrong("filter", error.to_string());
            None
        }
    });
    let program: Option<String> = reader.need("program", "\"PUSH [Switch:SwitchID]\"");
    let hops = reader.get("hops");
    let word = reader.get::<u8>("word").and_then(|bits| match bits {
        16 => Some(WordSize::Two),
        32 => Some(WordSize::Four),
        other => {
            reader.wrong("word", format!("a word has 16 or 32 bits, found {other}"));
            None
        }
    });
    let (every, priority) = (reader.get_or("every", 1), reader.get_or("priority", 0));
    let options = Options { word, hops, app_tag: Some(app?), mode: None };
    let tpp = match assemble(&program?, &options) {
        Ok(tpp) => tpp,
        Err(mistakes) => {
            for mistake in mistakes {
                let help = mistake.help.map_or(String::new(), |help| format!("; {help}"));
                let (line, message) = (mistake.span.line, mistake.message);
                reader.wrong("program", format!("line {line} of the program: {message}{help}"));
            }
            return None;
        }
    };
    for violation in protection.and_then(|rules| verify(&tpp, rules).err()).into_iter().flatten() {
        reader.wrong("program", format!("the program: {violation}"));
    }
    Some(Rule { filter: filter?, tpp: tpp.emit(), every, priority })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_mistakes_are_told() {
        let text = "mtu = 60\n[[rule]]\napp = 1\nfilter = \"-p sctp\"\nprogram = \"PUSH [Switch:SwitchID]\"\n\
                    hops = 1\n[[rule]]\napp = 1\nfilter = \"\"\nprogram = \"PUSH [Swich:ID]\\nPUSH\"\nhops = 1\nword = 8\n";
        let report = parse("", text).expect_err("wrong");
        assert_eq!(report.lines(), [1, 4, 10, 10, 12], "{report}");
    }

    #[test]
    fn programs_have_to_be_permitted() {
        let text = "[[app]]\ntag = 1\nread = [\"Link:*\"]\n[[rule]]\napp = 1\nfilter = \"\"\nhops = 2\n\
                    program = \"PUSH [Switch:SwitchID]\\nPUSH [Link:QueueSize]\"\n";
        let report = parse("", text).expect_err("wrong");
        assert_eq!(report.lines(), [8]);
        assert!(report.to_string().contains("instruction 1: no rule"), "{report}");
        assert!(parse("", &text.replace("\"Link:*\"", "\"*\"")).is_ok());
    }
}
