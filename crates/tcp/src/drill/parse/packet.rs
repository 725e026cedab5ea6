//! Packets in a script.

use super::{Parser, Problem};
use crate::drill::script::{EcnField, OptionWord, Packet, TcpPacket};
use crate::options::Block;
use crate::sequence::Sequence;
use ww_packet::tcp::flags;

impl Parser<'_> {
    pub(super) fn packet(&mut self) -> Result<Packet, Problem> {
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
}
