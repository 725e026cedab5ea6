//! Reads scripts in packetdrill's language, by its public documentation (Cardwell et al., USENIX ATC 2013).

use super::Problem;
use super::script::{
    Call, EcnField, Event, Expected, OptionWord, Packet, Script, TcpPacket, Value, What, When,
};
use super::symbols;
use crate::options::Block;
use crate::sequence::Sequence;
use crate::settings::{Nanoseconds, SECOND};
use ww_packet::tcp::flags;

/// Arguments may be nested so deep.
const DEEPEST: usize = 16;

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
        let found = if found.is_empty() { "the end of the line".into() } else { format!("`{found}`") };
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

    // ---- packets

    fn packet(&mut self) -> Result<Packet, Problem> {
        self.skip();
        let lower = self.rest().to_ascii_lowercase();
        for word in ["icmp", "ipv4", "ipv6", "gre", "mpls", "udplite", "sctp"] {
            if lower.starts_with(word) {
                return self.unsupported(format!("packets of `{word}`"));
            }
        }
        if lower.starts_with("udp") {
            self.word();
            self.expect("(")?;
            let length = self.unsigned()?;
            self.expect(")")?;
            return match usize::try_from(length) {
                Ok(length) if length <= 65_507 => Ok(Packet::Udp(length)),
                _ => self.broken("at most 65507 bytes of data"),
            };
        }
        let ecn = self.ecn()?;
        let flags = self.flags()?;
        let (mut start, mut length) = (0, 0);
        self.skip();
        if self.peek().is_some_and(|next| next.is_ascii_digit()) {
            start = self.sequence()?;
            self.expect(":")?;
            let end = self.sequence()?;
            self.expect("(")?;
            length = self.sequence()?;
            self.expect(")")?;
            if end.wrapping_sub(start) != length {
                return self.broken(&format!(
                    "a length that fits the numbers {start}:{end}, and not {length}, in front of this"
                ));
            }
            if length > 65_495 {
                return self.broken("at most 65495 bytes of data");
            }
        }
        let (mut ack, mut window, mut urgent) = (None, None, None);
        loop {
            self.skip();
            let rest = self.rest();
            if rest.starts_with("ack ") {
                self.word();
                ack = Some(self.sequence()?);
            } else if rest.starts_with("win ") {
                self.word();
                window = Some(self.short()?);
            } else if rest.starts_with("urg ") {
                self.word();
                urgent = Some(self.short()?);
            } else {
                break;
            }
        }
        let options = if self.peek() == Some(b'<') && self.is_options() {
            self.options()?
        } else {
            Some(Vec::new())
        };
        Ok(Packet::Tcp(TcpPacket { ecn, flags, start, length, ack, window, urgent, options }))
    }

    /// Whether `<` begins options, and not what comes behind a time that is missing: they close on their line.
    fn is_options(&self) -> bool {
        self.rest().lines().next().is_some_and(|line| line.contains('>'))
    }

    fn ecn(&mut self) -> Result<EcnField, Problem> {
        if !self.eat("[") {
            return Ok(EcnField::Unspecified);
        }
        let word = self.word();
        let field = match word.as_str() {
            "noecn" => EcnField::Is(0),
            "ect1" => EcnField::Is(1),
            "ect0" => EcnField::Is(2),
            "ce" => EcnField::Is(3),
            "ect01" => EcnField::Ect01,
            _ => return self.unsupported(format!("`[{word}`: only noecn, ect0, ect1, ect01, ce")),
        };
        self.expect("]")?;
        Ok(field)
    }

    fn flags(&mut self) -> Result<u8, Problem> {
        self.skip();
        let mut bits = 0;
        let begin = self.at;
        while let Some(next) = self.peek().filter(|next| !next.is_ascii_whitespace()) {
            bits |= match next {
                b'S' => flags::SYN,
                b'F' => flags::FIN,
                b'R' => flags::RST,
                b'P' => flags::PSH,
                b'.' => flags::ACK,
                b'U' => flags::URG,
                b'E' => flags::ECE,
                b'W' | b'C' => flags::CWR,
                b'-' => 0,
                b'A' => return self.unsupported("accurate ECN"),
                _ => return self.broken("flags: S F R P . U E W, or -"),
            };
            self.bump();
        }
        if begin == self.at {
            return self.broken("flags: S F R P . U E W, or -");
        }
        Ok(bits)
    }

    fn unsigned(&mut self) -> Result<u64, Problem> {
        self.skip();
        let begin = self.at;
        while self.peek().is_some_and(|next| next.is_ascii_digit()) {
            self.bump();
        }
        match self.text[begin..self.at].parse() {
            Ok(number) => Ok(number),
            Err(_) => self.broken("a number"),
        }
    }

    fn sequence(&mut self) -> Result<u32, Problem> {
        let number = self.unsigned()?;
        u32::try_from(number).or_else(|_| self.broken("a number below 2^32 in front of this"))
    }

    fn short(&mut self) -> Result<u16, Problem> {
        let number = self.unsigned()?;
        u16::try_from(number).or_else(|_| self.broken("a number below 65536 in front of this"))
    }

    fn options(&mut self) -> Result<Option<Vec<OptionWord>>, Problem> {
        self.expect("<")?;
        if self.eat("...") {
            self.expect(">")?;
            return Ok(None);
        }
        let mut options = Vec::new();
        loop {
            self.skip();
            let word = self.word();
            let option = match word.as_str() {
                "nop" => OptionWord::Nop,
                "eol" => OptionWord::End,
                "mss" => OptionWord::Mss(self.short()?),
                "wscale" => {
                    let shift = self.unsigned()?;
                    match u8::try_from(shift) {
                        Ok(shift) => OptionWord::WindowScale(shift),
                        Err(_) => return self.broken("a shift below 256 in front of this"),
                    }
                }
                "sackOK" => OptionWord::SackPermitted,
                "sack" => {
                    let mut blocks = Vec::new();
                    self.skip();
                    while self.peek().is_some_and(|next| next.is_ascii_digit()) {
                        let start = Sequence(self.sequence()?);
                        self.expect(":")?;
                        blocks.push(Block { start, end: Sequence(self.sequence()?) });
                        self.skip();
                    }
                    OptionWord::Sack(blocks)
                }
                "TS" => {
                    self.skip();
                    if self.word() != "val" {
                        return self.broken("`TS val N ecr N`");
                    }
                    let value = self.sequence()?;
                    self.skip();
                    if self.word() != "ecr" {
                        return self.broken("`TS val N ecr N`");
                    }
                    OptionWord::Timestamps(value, self.sequence()?)
                }
                "FO" | "FOEXP" | "md5" | "ao" | "exp" | "mptcp" | "ECN" | "AccECN" => {
                    return self.unsupported(format!("option `{word}`"));
                }
                _ => return self.broken("an option: mss, nop, eol, wscale, sackOK, sack, TS"),
            };
            options.push(option);
            if self.eat(">") {
                return Ok(Some(options));
            }
            self.expect(",")?;
        }
    }

    // ---- calls

    fn call(&mut self) -> Result<Call, Problem> {
        let name = self.word();
        self.expect("(")?;
        let mut arguments = Vec::new();
        if !self.eat(")") {
            loop {
                arguments.push(self.value(0)?);
                if self.eat(")") {
                    break;
                }
                self.expect(",")?;
            }
        }
        let mut result = Expected::Anything;
        if self.eat("=") {
            result = self.result()?;
        }
        Ok(Call { name, arguments, result })
    }

    fn result(&mut self) -> Result<Expected, Problem> {
        if self.eat("?") {
            return Ok(Expected::Anything);
        }
        let Some(number) = self.value(0)?.number() else {
            return self.broken("a number that the call returns, in front of this");
        };
        // The error stands on the same line.
        while self.peek().is_some_and(|next| next == b' ' || next == b'\t') {
            self.bump();
        }
        if number != -1 || self.peek() != Some(b'E') {
            return Ok(Expected::Value(number));
        }
        let name = self.word();
        if symbols::error(&name).is_none() {
            return self.unsupported(format!("error `{name}`"));
        }
        while self.peek().is_some_and(|next| next == b' ' || next == b'\t') {
            self.bump();
        }
        if self.peek() == Some(b'(') {
            while self.peek().is_some_and(|next| next != b')' && next != b'\n') {
                self.bump();
            }
            self.expect(")")?;
        }
        Ok(Expected::Error(if name == "EWOULDBLOCK" { "EAGAIN".into() } else { name }))
    }

    fn value(&mut self, depth: usize) -> Result<Value, Problem> {
        if depth > DEEPEST {
            return self.broken("arguments that are nested less deeply");
        }
        let first = self.operand(depth)?;
        let Value::Number(mut number) = first else { return Ok(first) };
        while self.eat("|") {
            match self.operand(depth)? {
                Value::Number(more) => number |= more,
                _ => return self.broken("a number or a name of one in front of this"),
            }
        }
        Ok(Value::Number(number))
    }

    fn operand(&mut self, depth: usize) -> Result<Value, Problem> {
        self.skip();
        if self.eat("...") {
            return Ok(Value::Ellipsis);
        }
        match self.peek() {
            Some(b'"') => {
                self.bump();
                let begin = self.at;
                while self.peek().is_some_and(|next| next != b'"' && next != b'\n') {
                    self.bump();
                }
                let text = self.text[begin..self.at].to_owned();
                if self.peek() != Some(b'"') {
                    return self.broken("the end of the string");
                }
                self.bump();
                Ok(Value::Text(text))
            }
            Some(b'[') => {
                self.bump();
                let mut list = Vec::new();
                if self.eat("]") {
                    return Ok(Value::List(list));
                }
                loop {
                    list.push(self.value(depth + 1)?);
                    if self.eat("]") {
                        return Ok(Value::List(list));
                    }
                    self.expect(",")?;
                }
            }
            Some(b'{') => self.structure(depth),
            Some(b'-') => {
                self.bump();
                let number = self.integer()?;
                Ok(Value::Number(-number))
            }
            Some(next) if next.is_ascii_digit() => Ok(Value::Number(self.integer()?)),
            Some(next) if next.is_ascii_alphabetic() || next == b'_' => {
                let name = self.word();
                if self.peek() == Some(b'(') {
                    self.bump();
                    let inner = self.value(depth + 1)?;
                    self.expect(")")?;
                    return Ok(match (name.as_str(), inner) {
                        ("htons" | "htonl", Value::Number(number)) => Value::Number(number),
                        (_, inner) => inner,
                    });
                }
                Ok(symbols::value(&name).map_or(Value::Name(name), Value::Number))
            }
            _ => self.broken("an argument"),
        }
    }

    fn integer(&mut self) -> Result<i64, Problem> {
        let begin = self.at;
        while self.peek().is_some_and(|next| next.is_ascii_alphanumeric()) {
            self.bump();
        }
        let text = &self.text[begin..self.at];
        let parsed = match text.strip_prefix("0x") {
            Some(digits) => i64::from_str_radix(digits, 16),
            None => text.parse(),
        };
        parsed.or_else(|_| self.broken("a number below 2^63 in front of this"))
    }

    fn structure(&mut self, depth: usize) -> Result<Value, Problem> {
        self.expect("{")?;
        let mut fields = Vec::new();
        if self.eat("}") {
            return Ok(Value::Structure(fields));
        }
        loop {
            self.skip();
            let (at, line) = (self.at, self.line);
            let name = self.word();
            // `msg_iov(2)=`: the count says nothing new.
            if self.peek() == Some(b'(') && !matches!(name.as_str(), "htons" | "htonl" | "inet_addr") {
                while self.peek().is_some_and(|next| next != b')' && next != b'\n') {
                    self.bump();
                }
                self.expect(")")?;
            }
            if !name.is_empty() && self.eat("=") {
                let value = self.value(depth + 1)?;
                fields.push((Some(name), value));
            } else {
                (self.at, self.line) = (at, line);
                fields.push((None, self.value(depth + 1)?));
            }
            if self.eat("}") {
                return Ok(Value::Structure(fields));
            }
            self.expect(",")?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Vec<Event> {
        parse(text).unwrap().events
    }

    #[test]
    fn times() {
        let all: Vec<When> = events("0 `a`\n+.1 `a`\n1.25~1.5 `a`\n+.28~+.33 `a`\n* `a`\n")
            .iter()
            .map(|event| event.when)
            .collect();
        assert_eq!(all, [
            When::At(0),
            When::After(100_000_000),
            When::Within(1_250_000_000, 1_500_000_000),
            When::WithinAfter(280_000_000, 330_000_000),
            When::Any,
        ]);
        let waiting = &events("0.1...0.25 accept(3, ..., ...) = 4\n")[0];
        assert_eq!((waiting.when, waiting.ends), (When::At(100_000_000), Some(When::At(250_000_000))));
    }

    #[test]
    fn a_syn() {
        let all = events("0 < S 0:0(0) win 32792 <mss 1000,sackOK,TS val 5 ecr 0,nop,wscale 7>\n");
        let What::Inbound(Packet::Tcp(packet)) = &all[0].what else { panic!() };
        assert_eq!((packet.flags, packet.window, packet.ack), (flags::SYN, Some(32_792), None));
        assert_eq!(packet.options.as_deref(), Some(&[
            OptionWord::Mss(1000),
            OptionWord::SackPermitted,
            OptionWord::Timestamps(5, 0),
            OptionWord::Nop,
            OptionWord::WindowScale(7),
        ][..]));
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
