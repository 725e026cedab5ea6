//! Reads scripts in packetdrill's language, by its public documentation (Cardwell et al., USENIX ATC 2013).

mod call;
mod packet;

use super::Problem;
use super::script::{Event, Script, What, When};
use crate::settings::{Nanoseconds, SECOND};

/// Longest script, in bytes.
const LONGEST: usize = 4 << 20;

/// Latest time, in seconds.
const LATEST: u64 = 1 << 32;

/// Reads a script.
///
/// # Errors
/// What is wrong, or not supported, with its line.
pub fn parse(text: &str) -> Result<Script, Problem> {
    if text.len() > LONGEST {
        return Err(Problem::Broken { line: 1, problem: "the script is longer than 4 MiB".into() });
    }
    let mut parser = Parser { bytes: text.as_bytes(), text, at: 0, line: 1 };
    let mut script = Script::default();
    loop {
        parser.skip();
        let Some(next) = parser.peek() else { return Ok(script) };
        if next == b'-' && parser.rest().starts_with("--") {
            let option = parser.option()?;
            if !script.events.is_empty() {
                let problem = format!("option --{} behind the first event", option.1);
                return Err(Problem::Broken { line: option.0, problem });
            }
            script.options.push(option);
        } else {
            script.events.push(parser.event()?);
        }
    }
}

struct Parser<'t> {
    bytes: &'t [u8],
    text: &'t str,
    at: usize,
    line: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn rest(&self) -> &str {
        // `at` only ever stands on the beginning of a character: what is not ASCII is passed over as a whole.
        self.text.get(self.at..).unwrap_or("")
    }

    fn bump(&mut self) {
        if self.peek() == Some(b'\n') {
            self.line += 1;
        }
        self.at += 1;
        while self.at < self.bytes.len() && !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
    }

    /// Passes over blanks and comments.
    fn skip(&mut self) {
        while let Some(next) = self.peek() {
            if next.is_ascii_whitespace() {
                self.bump();
            } else if next == b'#' || self.rest().starts_with("//") {
                while self.peek().is_some_and(|next| next != b'\n') {
                    self.bump();
                }
            } else if self.rest().starts_with("/*") {
                let end = self.rest().find("*/").map_or(self.bytes.len(), |end| self.at + end + 2);
                while self.at < end.min(self.bytes.len()) {
                    self.bump();
                }
            } else {
                return;
            }
        }
    }

    fn broken<T>(&self, expected: &str) -> Result<T, Problem> {
        let found: String = self.rest().lines().next().unwrap_or("").chars().take(30).collect();
        let found =
            if found.is_empty() { "the end of the line".into() } else { format!("`{found}`") };
        Err(Problem::Broken {
            line: self.line,
            problem: format!("expected {expected}, found {found}"),
        })
    }

    fn unsupported<T>(&self, what: impl Into<String>) -> Result<T, Problem> {
        Err(Problem::Unsupported { line: self.line, what: what.into() })
    }

    fn eat(&mut self, mark: &str) -> bool {
        self.skip();
        let there = self.rest().starts_with(mark);
        if there {
            (0..mark.len()).for_each(|_| self.bump());
        }
        there
    }

    fn expect(&mut self, mark: &str) -> Result<(), Problem> {
        if self.eat(mark) { Ok(()) } else { self.broken(&format!("`{mark}`")) }
    }

    fn word(&mut self) -> String {
        let begin = self.at;
        while self.peek().is_some_and(|next| next.is_ascii_alphanumeric() || next == b'_') {
            self.bump();
        }
        self.text[begin..self.at].to_owned()
    }

    fn option(&mut self) -> Result<(usize, String, String), Problem> {
        let line = self.line;
        self.expect("--")?;
        let name = self.word();
        let mut value = String::new();
        if self.peek() == Some(b'=') {
            self.bump();
            let begin = self.at;
            while self.peek().is_some_and(|next| !next.is_ascii_whitespace()) {
                self.bump();
            }
            value = self.text[begin..self.at].to_owned();
        }
        Ok((line, name, value))
    }

    fn event(&mut self) -> Result<Event, Problem> {
        let line = self.line;
        // A command alone runs before the first event.
        if self.peek() == Some(b'`') {
            let what = What::Command(self.command()?);
            return Ok(Event { line, when: When::After(0), ends: None, what });
        }
        if self.rest().starts_with("%{") {
            self.code()?;
            return Ok(Event { line, when: When::After(0), ends: None, what: What::Code });
        }
        let when = self.when()?;
        let mut ends = None;
        if self.eat("...") {
            self.skip();
            ends = Some(self.when()?);
        }
        self.skip();
        let line = self.line;
        let what = match self.peek() {
            Some(b'<') => {
                self.bump();
                What::Inbound(self.packet()?)
            }
            Some(b'>') => {
                self.bump();
                What::Outbound(self.packet()?)
            }
            Some(b'`') => What::Command(self.command()?),
            Some(b'%') => {
                self.code()?;
                What::Code
            }
            Some(next) if next.is_ascii_alphabetic() => What::Call(self.call()?),
            _ => return self.broken("`<`, `>`, a call or a command behind the time"),
        };
        Ok(Event { line, when, ends, what })
    }

    fn command(&mut self) -> Result<String, Problem> {
        let line = self.line;
        self.bump();
        let begin = self.at;
        while self.peek().is_some_and(|next| next != b'`') {
            self.bump();
        }
        let command = self.text[begin..self.at].to_owned();
        if self.peek().is_none() {
            let problem = "the command has no closing backtick".to_owned();
            return Err(Problem::Broken { line, problem });
        }
        self.bump();
        Ok(command)
    }

    fn code(&mut self) -> Result<(), Problem> {
        let line = self.line;
        let Some(end) = self.rest().find("}%") else {
            let problem = "the code has no closing `}%`".to_owned();
            return Err(Problem::Broken { line, problem });
        };
        let end = self.at + end + 2;
        while self.at < end {
            self.bump();
        }
        Ok(())
    }

    /// A time: `0`, `+.1`, `.1~.2`, `+.1~+.2`, `*`.
    fn when(&mut self) -> Result<When, Problem> {
        if self.eat("*") {
            return Ok(When::Any);
        }
        let relative = self.eat("+");
        let first = self.seconds()?;
        if self.eat("~") {
            let also = self.eat("+");
            let last = self.seconds()?;
            if last < first || also != relative {
                return self.broken("a range of times of one kind that ends after its beginning");
            }
            return Ok(if relative {
                When::WithinAfter(first, last)
            } else {
                When::Within(first, last)
            });
        }
        Ok(if relative { When::After(first) } else { When::At(first) })
    }

    /// Seconds with up to nine digits behind the point.
    fn seconds(&mut self) -> Result<Nanoseconds, Problem> {
        self.skip();
        let begin = self.at;
        while self.peek().is_some_and(|next| next.is_ascii_digit()) {
            self.bump();
        }
        let whole = &self.text[begin..self.at];
        let mut fraction = "";
        let point = self.peek() == Some(b'.')
            && self.bytes.get(self.at + 1).is_some_and(u8::is_ascii_digit);
        if point {
            self.bump();
            let begin = self.at;
            while self.peek().is_some_and(|next| next.is_ascii_digit()) {
                self.bump();
            }
            fraction = &self.text[begin..self.at];
        }
        if whole.is_empty() && fraction.is_empty() {
            return self.broken("a time in seconds");
        }
        let seconds = if whole.is_empty() { Some(0) } else { whole.parse::<u64>().ok() };
        let Some(seconds) = seconds.filter(|seconds| *seconds < LATEST) else {
            return self.broken("a time below 2^32 seconds");
        };
        let mut digits = fraction.to_owned();
        digits.truncate(9);
        while digits.len() < 9 {
            digits.push('0');
        }
        Ok(seconds * SECOND + digits.parse::<u64>().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drill::script::{Expected, OptionWord, Packet, Value};
    use ww_packet::tcp::flags;

    fn events(text: &str) -> Vec<Event> {
        parse(text).unwrap().events
    }

    #[test]
    fn times() {
        let all: Vec<When> = events("0 `a`\n+.1 `a`\n1.25~1.5 `a`\n+.28~+.33 `a`\n* `a`\n")
            .iter()
            .map(|event| event.when)
            .collect();
        assert_eq!(
            all,
            [
                When::At(0),
                When::After(100_000_000),
                When::Within(1_250_000_000, 1_500_000_000),
                When::WithinAfter(280_000_000, 330_000_000),
                When::Any,
            ]
        );
        let waiting = &events("0.1...0.25 accept(3, ..., ...) = 4\n")[0];
        assert_eq!(
            (waiting.when, waiting.ends),
            (When::At(100_000_000), Some(When::At(250_000_000)))
        );
    }

    #[test]
    fn a_syn() {
        let all = events("0 < S 0:0(0) win 32792 <mss 1000,sackOK,TS val 5 ecr 0,nop,wscale 7>\n");
        let What::Inbound(Packet::Tcp(packet)) = &all[0].what else { panic!() };
        assert_eq!((packet.flags, packet.window, packet.ack), (flags::SYN, Some(32_792), None));
        assert_eq!(
            packet.options.as_deref(),
            Some(
                &[
                    OptionWord::Mss(1000),
                    OptionWord::SackPermitted,
                    OptionWord::Timestamps(5, 0),
                    OptionWord::Nop,
                    OptionWord::WindowScale(7),
                ][..]
            )
        );
    }

    #[test]
    fn calls() {
        let all = events(
            "0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3\n\
             +0 fcntl(3, F_SETFL, O_RDWR|O_NONBLOCK) = 0\n\
             +0 connect(3, ..., ...) = -1 EINPROGRESS (Operation now in progress)\n\
             +0 writev(3, [{..., 1000}, {..., 20}], 2) = 1020\n\
             +0 sendmsg(3, {msg_name(...)=..., msg_iov(1)=[{..., 10}], msg_flags=0}, 0) = 10\n",
        );
        let call = |n: usize| match &all[n].what {
            What::Call(call) => call.clone(),
            _ => panic!(),
        };
        assert_eq!(call(1).arguments[2], Value::Number(0o4002));
        assert_eq!(call(2).result, Expected::Error("EINPROGRESS".into()));
        let Value::List(pieces) = &call(3).arguments[1] else { panic!() };
        assert_eq!(pieces.len(), 2);
        assert!(call(4).arguments[1].field("msg_iov").is_some());
    }

    #[test]
    fn what_is_wrong_has_a_line() {
        for (text, line) in [
            ("0 socket(", 1),
            ("\n0 < Q 0:0(0)", 2),
            ("0 < S 0:1(0)", 1),
            ("0 < S 0:0(0) <mss>", 1),
            ("0 `never ends", 1),
            ("+", 1),
            ("\n\n0 < S 0:0(0) win 70000", 3),
        ] {
            match parse(text) {
                Err(Problem::Broken { line: found, .. }) => assert_eq!(found, line, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(matches!(parse("0 < icmp unreachable"), Err(Problem::Unsupported { line: 1, .. })));
    }
}
