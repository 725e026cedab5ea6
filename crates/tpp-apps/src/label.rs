//! A word of packet memory that the sender fills in when it stamps a packet: the number of the packet in its flow, or the
//! time that it belongs to. Receivers have it without looking into the packet, so that it works for any traffic, TCP and
//! what is encrypted included; and it counts what was sent, a retransmission of TCP as a packet of its own.
//!
//! The word is the first four bytes of packet memory, whatever the word size of the program: [`RESERVE`] has the program's
//! stack begin behind it.

use std::ops::Range;
use ww_tpp::frame;
use ww_tpp::packet::{Repr, Tpp, fill_checksum};

/// Bytes of the word.
const BYTES: usize = 4;

/// For the assembler, in front of a program that pushes.
pub const RESERVE: &str = ".sp 4\n";

/// Where the word is in a TPP, if it has room for it.
fn place<T: AsRef<[u8]>>(tpp: &Tpp<T>) -> Option<Range<usize>> {
    let begin = tpp.length().checked_sub(tpp.memory_length())?;
    (tpp.memory_length() >= BYTES).then_some(begin..begin + BYTES)
}

/// Fills in the word of a frame's TPP. False if the frame has no TPP with room for it.
pub fn write(frame: &mut [u8], label: u32) -> bool {
    let Some(carried) = frame::find(frame) else { return false };
    let bytes = &mut frame[carried.bytes];
    let Some((at, length)) =
        Tpp::new(&*bytes).ok().and_then(|tpp| Some((place(&tpp)?, tpp.length())))
    else {
        return false;
    };
    bytes[at].copy_from_slice(&label.to_be_bytes());
    fill_checksum(&mut bytes[..length]);
    true
}

/// The word of a TPP, and what hops have pushed behind it, word by word. `None` if there is none.
pub fn read(tpp: &Repr) -> Option<(u32, Vec<u32>)> {
    let label = tpp.memory.first_chunk().map(|bytes| u32::from_be_bytes(*bytes))?;
    Some((label, tpp.words().skip(BYTES / tpp.word.bytes()).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ww_packet::udp_frame::{End, datagram};
    use ww_tpp::assemble::{Options, assemble};

    fn end(n: u8) -> End {
        End { mac: [n; 6], ip: [10, 0, 0, n].into(), port: 7 }
    }

    /// Two hops of one word, with both word sizes: 4 bytes and two words, of which the sender sets the first four bytes.
    #[test]
    fn a_word_in_front_of_what_hops_push() {
        for (word, bytes) in [("16", 2), ("32", 4)] {
            let program = format!("{RESERVE}.word {word}\nPUSH [Switch:SwitchID]\n");
            let options = Options { hops: Some(2), ..Options::default() };
            let tpp = assemble(&program, &options).expect("a good program");
            assert_eq!((tpp.memory.len(), tpp.stack_pointer), (4 + 2 * bytes, 4));
            let mut frame = datagram(end(1), end(2), &[0; 40]);
            assert!(!write(&mut frame, 1), "no TPP");
            frame::insert(&mut frame, &tpp.emit()).expect("it fits");
            assert!(write(&mut frame, 0x0102_0304));
            let mut wanted = tpp.clone();
            wanted.memory[..4].copy_from_slice(&[1, 2, 3, 4]);
            wanted.protocol = 0x0800;
            // Also its checksum is right, or it would be none.
            let bytes = frame::strip(&mut frame).expect("a TPP");
            let found = Repr::parse(&Tpp::new(bytes).expect("a good TPP"));
            assert_eq!(found, wanted);
            assert_eq!(read(&found), Some((0x0102_0304, vec![0, 0])));
        }
        assert_eq!(read(&Repr { memory: vec![1, 2], ..Repr::default() }), None);
    }
}
