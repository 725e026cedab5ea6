//! Tiny packet programs (TPPs): packets that carry up to five instructions and memory of their own,
//! which every capable switch on the way executes while it forwards the packet.
//!
//! The model is that of Jeyakumar et al., "Millions of Little Minions", SIGCOMM 2014. Where the paper
//! says nothing, `docs/tpp.md` has our decision and its reason.
//!
//! - on the wire: [`instruction`], [`header`], [`packet`] (one TPP), [`frame`] (TPPs in Ethernet frames)
//! - in the switch: [`map`] (which address is what), [`switch_memory`], [`protection`], and
//!   [`execute`], the golden model, with which every other implementation must agree bit for bit
//! - a switch's block that does all of that: [`switch`], with the statistics that TPPs read
//! - at the host: [`assemble`], [`disassemble`], [`analyse`], [`policy_file`], [`split`]
//! - for other tools: [`dissect`] (Wireshark, scapy)
//!
//! ```
//! use ww_tpp::assemble::{Options, assemble};
//! let options = Options { word: Some(ww_tpp::header::WordSize::Two), hops: Some(5), ..Options::default() };
//! let program = "PUSH [Switch:SwitchID]\nPUSH [PacketMetadata:OutputPort]\nPUSH [Queue:QueueOccupancy]";
//! let bytes = assemble(program, &options).expect("a good program").emit();
//! assert_eq!(bytes.len(), 12 + 3 * 4 + 5 * 3 * 2);
//! ```

pub mod analyse;
pub mod assemble;
pub mod disassemble;
pub mod dissect;
pub mod execute;
pub mod frame;
pub mod header;
pub mod instruction;
pub mod map;
pub mod packet;
pub mod policy_file;
pub mod protection;
pub mod split;
pub mod switch;
pub mod switch_memory;
