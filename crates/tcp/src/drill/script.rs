//! What a script says.

use crate::options::Block;
use crate::settings::Nanoseconds;

/// A whole script.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Options in front of the events: name and value, with their lines.
    pub options: Vec<(usize, String, String)>,
    /// The events, in order.
    pub events: Vec<Event>,
}

/// When something happens, or is to happen, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// At a time since the start.
    At(Nanoseconds),
    /// So long after the event before.
    After(Nanoseconds),
    /// Within two times since the start.
    Within(Nanoseconds, Nanoseconds),
    /// Within two times after the event before.
    WithinAfter(Nanoseconds, Nanoseconds),
    /// At any time.
    Any,
}

/// One event.
#[derive(Clone, Debug)]
pub struct Event {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// When.
    pub when: When,
    /// When a call that waits returns, relative to what `when` is relative to.
    pub ends: Option<When>,
    /// What.
    pub what: What,
}

/// What happens.
#[derive(Clone, Debug)]
pub enum What {
    /// A packet comes in.
    Inbound(Packet),
    /// A packet is to go out.
    Outbound(Packet),
    /// The application calls.
    Call(Call),
    /// A command between backticks.
    Command(String),
    /// Code between `%{` and `}%`.
    Code,
}

/// A packet of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Packet {
    /// TCP.
    Tcp(TcpPacket),
    /// UDP with so many bytes of data.
    Udp(usize),
}

/// Explicit congestion notification in the IP header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EcnField {
    /// Not said.
    Unspecified,
    /// This codepoint.
    Is(u8),
    /// ECT(0) or ECT(1).
    Ect01,
}

/// A TCP segment of a script. Numbers are relative to the initial ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TcpPacket {
    /// In the IP header.
    pub ecn: EcnField,
    /// Control bits.
    pub flags: u8,
    /// First number.
    pub start: u32,
    /// Bytes of data.
    pub length: u32,
    /// What it acknowledges.
    pub ack: Option<u32>,
    /// Window as it stands.
    pub window: Option<u16>,
    /// Urgent pointer.
    pub urgent: Option<u16>,
    /// Options in order; `None`: any.
    pub options: Option<Vec<OptionWord>>,
}

/// An option of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionWord {
    /// `eol`
    End,
    /// `nop`
    Nop,
    /// `mss N`
    Mss(u16),
    /// `wscale N`
    WindowScale(u8),
    /// `sackOK`
    SackPermitted,
    /// `sack L:R ...`
    Sack(Vec<Block>),
    /// `TS val V ecr E`
    Timestamps(u32, u32),
}

/// A system call.
#[derive(Clone, Debug)]
pub struct Call {
    /// Its name.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<Value>,
    /// What it is to return.
    pub result: Expected,
}

/// What a call is to return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Anything.
    Anything,
    /// This number.
    Value(i64),
    /// -1, with this name of an error.
    Error(String),
}

/// An argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `...`
    Ellipsis,
    /// A number, or an expression of names and numbers.
    Number(i64),
    /// A name that is none of ours.
    Name(String),
    /// A string.
    Text(String),
    /// `[a, b]`
    List(Vec<Value>),
    /// `{a, b}`, `{name=a, name=b}`
    Structure(Vec<(Option<String>, Value)>),
}

impl Value {
    /// The number, if it is one; `...` is none.
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// A field of a structure by its name.
    pub fn field(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Structure(fields) => fields
                .iter()
                .find(|(field, _)| field.as_deref() == Some(name))
                .map(|(_, value)| value),
            _ => None,
        }
    }
}
