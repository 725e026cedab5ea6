//! Code-groups to frames and gaps (IEEE 802.3 figures 36-7a and 36-7b).

use super::aligner::Aligner;
use super::ordered_set::{COMMA, END, Filling, REPEAT, START};
use super::synchronisation::Synchronisation;
use crate::eight_b_ten_b::{Disparity, Invalid, Octet, decode, is_comma};
use crate::stream::{Assembler, Captured};

/// Finds frames in words of ten bits from anywhere in code-groups on.
///
/// A frame that has a code-group that is none, or does not end with /T/ /R/ and then /R/ or a comma, is cut, whatever its bytes
/// say.
#[derive(Debug)]
pub struct Receiver {
    aligner: Aligner,
    disparity: Disparity,
    sync: Synchronisation,
    state: State,
    assembler: Assembler,
    configuration: Option<u16>,
    counts: ReceiverCounts,
}

/// Where the line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Waiting for a comma.
    Lost,
    /// Behind a comma.
    Comma,
    /// Behind an ordered set: a comma or /S/ comes.
    Idle,
    /// Octets of a configuration set received so far: none, or the first with its value.
    Register(Option<u8>),
    Frame,
    /// Behind /T/.
    End,
    /// Behind /T/ /R/: what comes decides.
    EndRepeat,
    /// Behind the end of a frame, up to a comma.
    Tail,
}

/// What a receiver has seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReceiverCounts {
    /// Words that it took: code-groups, since there is one for each.
    pub code_groups: u64,
    /// Code-groups that no octet has, while there was synchronisation.
    pub code_errors: u64,
    /// Those that an octet has at the other running disparity, while there was synchronisation.
    pub disparity_errors: u64,
    /// How often synchronisation was acquired.
    pub synchronisations: u64,
    /// How often it was lost.
    pub synchronisation_losses: u64,
    /// Something between frames that is neither an ordered set nor the start of a frame.
    pub false_carriers: u64,
    /// Ordered sets /I1/, /I2/, and with other data behind the comma.
    pub idles: [u64; 3],
    /// Configuration sets with their register.
    pub configurations: u64,
    /// Frames of any verdict.
    pub frames: u64,
    /// Good ones.
    pub good: u64,
    /// Gaps of fewer than 12 characters.
    pub short_gaps: u64,
}

impl Receiver {
    /// For frames of up to `longest` bytes, their check sequence included.
    pub fn new(longest: usize) -> Self {
        Self {
            aligner: Aligner::default(),
            disparity: Disparity::default(),
            sync: Synchronisation::default(),
            state: State::Lost,
            assembler: Assembler::with_short_preambles(longest),
            configuration: None,
            counts: ReceiverCounts::default(),
        }
    }

    /// Takes ten bits, bit 0 first on the line; `visit` gets the frame that is at its end. Places are in
    /// characters of 8 ns from the first word on.
    #[inline]
    pub fn word(&mut self, word: u16, visit: &mut impl FnMut(Captured<'_>)) {
        let was_acquired = self.sync.acquired();
        let code_group = self.aligner.word(word, !was_acquired);
        let (octet, disparity) = decode(code_group, self.disparity);
        self.disparity = disparity;
        let data = octet.is_ok_and(|octet| !octet.control);
        let acquired = self.sync.code_group(octet.is_ok(), data, is_comma(code_group));
        // A code-group begins in the word before the one that completes it.
        let at = self.counts.code_groups.saturating_sub(1);
        self.counts.code_groups += 1;
        if was_acquired != acquired {
            self.changed(acquired, visit);
        }
        if was_acquired || acquired {
            self.octet(octet, at, visit);
        }
    }

    /// The stream is at its end: as if idle followed.
    pub fn finish_stream(&mut self, visit: &mut impl FnMut(Captured<'_>)) {
        let whole = self.state == State::EndRepeat;
        self.state = State::Lost;
        self.assembler.finish(!whole, visit);
    }

    /// Whether there is synchronisation.
    pub fn synchronised(&self) -> bool {
        self.sync.acquired()
    }

    /// The register of the last configuration set.
    pub fn configuration(&self) -> Option<u16> {
        self.configuration
    }

    /// What it has seen.
    pub fn counts(&self) -> ReceiverCounts {
        ReceiverCounts {
            frames: self.assembler.frames,
            good: self.assembler.good,
            short_gaps: self.assembler.short_gaps,
            ..self.counts
        }
    }

    #[cold]
    fn changed(&mut self, acquired: bool, visit: &mut impl FnMut(Captured<'_>)) {
        if acquired {
            self.counts.synchronisations += 1;
            // The third comma and what is behind it were a set.
            self.state = State::Comma;
        } else {
            self.counts.synchronisation_losses += 1;
            self.state = State::Lost;
            self.assembler.finish(true, visit);
        }
    }

    #[inline]
    fn octet(
        &mut self,
        octet: Result<Octet, Invalid>,
        at: u64,
        visit: &mut impl FnMut(Captured<'_>),
    ) {
        if self.state == State::Frame
            && let Ok(Octet { control: false, value }) = octet
        {
            self.assembler.octet(value, visit);
            return;
        }
        match octet {
            Err(Invalid::Code) => self.counts.code_errors += 1,
            Err(Invalid::Disparity) => self.counts.disparity_errors += 1,
            Ok(_) => {}
        }
        self.state = self.next(octet.ok(), at, visit);
    }

    /// The state behind an octet; `None` is a code-group that is none.
    fn next(
        &mut self,
        octet: Option<Octet>,
        at: u64,
        visit: &mut impl FnMut(Captured<'_>),
    ) -> State {
        let comma = octet == Some(COMMA) && self.sync.even();
        match self.state {
            State::Frame if octet == Some(END) => return State::End,
            State::End if octet == Some(REPEAT) => return State::EndRepeat,
            State::EndRepeat => {
                self.assembler.finish(!(comma || octet == Some(REPEAT)), visit);
            }
            // Neither data nor an end, or an end that is none.
            State::Frame | State::End => self.assembler.finish(true, visit),
            _ => {}
        }
        if comma {
            return State::Comma;
        }
        match (self.state, octet) {
            (State::Idle, Some(START)) if self.sync.even() => {
                self.assembler.start(at, visit);
                State::Frame
            }
            (State::Idle, _) => {
                self.counts.false_carriers += 1;
                State::Lost
            }
            (State::Comma, Some(octet)) => self.second(octet),
            (State::Register(None), Some(Octet { control: false, value })) => {
                State::Register(Some(value))
            }
            (State::Register(Some(low)), Some(Octet { control: false, value })) => {
                self.counts.configurations += 1;
                self.configuration = Some(u16::from_le_bytes([low, value]));
                State::Idle
            }
            (State::Frame | State::End | State::EndRepeat | State::Tail, _) => State::Tail,
            _ => State::Lost,
        }
    }

    /// What is behind a comma.
    fn second(&mut self, octet: Octet) -> State {
        let idle = match Filling::of(octet) {
            Some(Filling::Idle1) => 0,
            Some(Filling::Idle2) => 1,
            Some(Filling::Other) => 2,
            Some(Filling::Configuration1 | Filling::Configuration2) => {
                return State::Register(None);
            }
            None => return State::Lost,
        };
        self.counts.idles[idle] += 1;
        State::Idle
    }
}
