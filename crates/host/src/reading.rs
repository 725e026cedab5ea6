//! The values of a returned TPP, with the names of the addresses that its program reads.

use ww_tpp::header::Mode;
use ww_tpp::instruction::Opcode;
use ww_tpp::map;
use ww_tpp::packet::Repr;

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Words with a place of their own, whatever the hop: what a LOAD in stack mode, or a CSTORE that reports back,
    /// has put there last.
    pub fixed: Vec<(String, u32)>,
    /// What each column of the rows is.
    pub names: Vec<String>,
    /// What the hops have written, one behind the other.
    pub rows: Vec<Vec<u32>>,
    /// Row n is hop n, from 0. Otherwise a CEXEC has left hops out, and which is not known.
    pub numbered: bool,
    /// Hops that packet memory had no room for.
    pub beyond: u8,
}

impl Reading {
    /// Of a TPP as it was sent and as it came back.
    pub fn new(sent: &Repr, back: &Repr) -> Self {
        match sent.mode {
            Mode::Stack => Self::of_stack(sent, back),
            Mode::Hop => Self::of_blocks(sent, back),
        }
    }

    fn of_stack(sent: &Repr, back: &Repr) -> Self {
        let words: Vec<u32> = back.words().collect();
        let fixed = written(sent)
            .filter_map(|(place, name)| Some((name, *words.get(usize::from(place))?)))
            .collect();
        let mut reading = Self { fixed, numbered: true, ..Self::default() };
        let opcodes = || sent.instructions.iter().filter_map(|instruction| instruction.opcode());
        let guards = opcodes().filter(|opcode| *opcode == Opcode::Cexec).count();
        let in_front = opcodes().take_while(|opcode| *opcode != Opcode::Cexec);
        let is_cut = guards > 0 && in_front.into_iter().any(|opcode| opcode == Opcode::Push);
        reading.names = sent
            .instructions
            .iter()
            .filter(|instruction| instruction.opcode() == Some(Opcode::Push))
            .map(|instruction| shown(instruction.address()))
            .collect();
        // What is pushed is found by position if each hop pushes the same or nothing.
        if opcodes().any(|opcode| opcode == Opcode::Pop) || is_cut || reading.names.is_empty() {
            reading.names.clear();
            return reading;
        }
        let bytes = sent.word.bytes();
        let pushed = usize::from(back.stack_pointer.saturating_sub(sent.stack_pointer)) / bytes;
        let begin = usize::from(sent.stack_pointer) / bytes;
        let stack = words.get(begin..begin + pushed).unwrap_or_default();
        reading.rows = stack.chunks_exact(reading.names.len()).map(<[u32]>::to_vec).collect();
        reading.numbered = guards == 0;
        if reading.numbered {
            reading.beyond = back.hop.saturating_sub(reading.rows.len() as u8);
        }
        reading
    }

    fn of_blocks(sent: &Repr, back: &Repr) -> Self {
        let columns: Vec<(u8, String)> = written(sent).collect();
        let words: Vec<u32> = back.words().collect();
        let each = usize::from(sent.hop_length) / sent.word.bytes();
        let hops = words.len().checked_div(each).unwrap_or(0).min(back.hop.into());
        let row = |hop: usize| {
            let word = |(place, _): &(u8, String)| words.get(hop * each + usize::from(*place));
            columns.iter().map(|column| word(column).copied().unwrap_or(0)).collect()
        };
        Self {
            rows: (0..hops).map(row).collect(),
            names: columns.iter().map(|(_, name)| name.clone()).collect(),
            numbered: true,
            beyond: back.hop.saturating_sub(hops as u8),
            ..Self::default()
        }
    }
}

/// The words of packet memory that operands name and that switches write, with what is written there.
fn written(tpp: &Repr) -> impl Iterator<Item = (u8, String)> + '_ {
    let reports = tpp.marks & ww_tpp::header::flag::REPORT_BACK != 0;
    tpp.instructions.iter().filter_map(move |instruction| match instruction.opcode()? {
        Opcode::Load => Some((instruction.first(), shown(instruction.address()))),
        Opcode::Cstore if reports => Some((instruction.first(), shown(instruction.address()))),
        Opcode::Loadi => {
            Some((instruction.first(), format!("[Packet:Word[{}]]", instruction.second())))
        }
        _ => None,
    })
}

/// The name of an address, or its number.
fn shown(address: u16) -> String {
    map::name(address).unwrap_or_else(|| format!("0x{address:04x}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::targeted;
    use ww_tpp::assemble::{Options, assemble};

    fn program(text: &str) -> Repr {
        let options = Options { hops: Some(3), ..Options::default() };
        assemble(text, &options).expect("a good program")
    }

    /// As it comes back from switches that have put these words there.
    fn back(sent: &Repr, hop: u8, stack_pointer: u8, words: &[u32]) -> Repr {
        let memory = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        Repr { hop, stack_pointer, memory, ..sent.clone() }
    }

    #[test]
    fn pushes_are_rows() {
        let sent = program("PUSH [Switch:SwitchID]\nPUSH [Queue:QueueOccupancy]");
        let read = Reading::new(&sent, &back(&sent, 2, 16, &[7, 100, 8, 200, 0, 0]));
        assert_eq!(read.names, ["Switch:SwitchID", "Queue:QueueOccupancy"]);
        assert_eq!(
            (read.rows, read.numbered, read.beyond),
            (vec![vec![7, 100], vec![8, 200]], true, 0)
        );
        let full = Reading::new(&sent, &back(&sent, 5, 24, &[1, 2, 3, 4, 5, 6]));
        assert_eq!((full.rows.len(), full.beyond), (3, 2));
    }

    #[test]
    fn a_guard_leaves_hops_out() {
        let sent = targeted(&program("PUSH [Queue:QueueOccupancy]"), 8).expect("there is room");
        let read = Reading::new(&sent, &back(&sent, 3, 8, &[8, 55, 0, 0]));
        assert_eq!((read.rows, read.numbered, read.beyond), (vec![vec![55]], false, 0));
        let none = Reading::new(&sent, &back(&sent, 3, 4, &[8, 0, 0, 0]));
        assert!(none.rows.is_empty());
        // Where the first push has happened and the second not, positions say nothing.
        let cut = program("PUSH [Switch:SwitchID]\nCEXEC [Switch:SwitchID], 8\nPUSH [Link:ID]");
        assert!(Reading::new(&cut, &cut).names.is_empty());
    }

    #[test]
    fn words_with_a_place_and_blocks() {
        let sent = program(".memory 0, 0\nLOAD [Link:QueueSize], [Packet:Word[1]]");
        let read = Reading::new(&sent, &back(&sent, 1, 8, &[0, 9]));
        assert_eq!(
            read.fixed,
            [("Link:QueueOccupancy".to_owned(), 9)]
                .map(|(_, word)| { (shown(map::lookup("Link:QueueSize").expect("a name")), word) })
        );
        let sent = program(
            "LOAD [Switch:SwitchID], [Packet:Hop[1]]\nSTORE [Link:AppSpecific_0], [Packet:Hop[0]]",
        );
        let read = Reading::new(&sent, &back(&sent, 2, 0, &[1, 7, 2, 8, 3, 0]));
        assert_eq!(
            (read.names, read.rows),
            (vec!["Switch:SwitchID".to_owned()], vec![vec![7], vec![8]])
        );
    }
}
