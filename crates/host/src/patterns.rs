//! What is done with the executor (spec 003 section 2.13): one switch of a path, many switches at once, more hops than
//! a TPP has room for, the first switch only, and writing what is safe to be written twice.

use crate::executor::has_stored;
use crate::guard::{CannotGuard, HopPart, by_hops, targeted};
use crate::reading::Reading;
use crate::udp_executor::{Answer, Executor, NoAnswer, Request};
use std::fmt;
use std::net::Ipv4Addr;
use std::time::Duration;
use ww_tpp::header::{WordSize, flag};
use ww_tpp::instruction::{Instruction, Opcode};
use ww_tpp::packet::Repr;

/// Why a pattern has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// The TPP cannot be made.
    Guard(CannotGuard),
    /// It did not come back.
    NoAnswer(NoAnswer),
    /// It came back, but this switch was not on its way, or lacks what the program reads.
    NotExecuted(u32),
    /// It came back without this word of its packet memory.
    NoWord(usize),
    /// Somebody else has written meanwhile: what is there now.
    Changed(u32),
}

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Guard(reason) => reason.fmt(f),
            Self::NoAnswer(reason) => reason.fmt(f),
            Self::NotExecuted(switch) => {
                write!(f, "the TPP came back, but switch {switch} was not on its way")
            }
            Self::NoWord(number) => {
                write!(f, "the TPP came back without word {number} of its packet memory")
            }
            Self::Changed(found) => {
                write!(f, "somebody else has written meanwhile: the value is {found} now")
            }
        }
    }
}

impl std::error::Error for Unfinished {}

impl From<NoAnswer> for Unfinished {
    fn from(reason: NoAnswer) -> Self {
        Self::NoAnswer(reason)
    }
}

impl From<CannotGuard> for Unfinished {
    fn from(reason: CannotGuard) -> Self {
        Self::Guard(reason)
    }
}

/// A collection of more hops than one TPP has room for, put together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Large {
    /// What was read, hop by hop.
    pub reading: Reading,
    /// TPPs that it took.
    pub parts: usize,
    /// There and back, of the slowest.
    pub round_trip: Duration,
}

/// A switch, and what it has answered.
pub type Gathered = (u32, Result<Answer, Unfinished>);

/// The answer of one switch. `Err`: [`Unfinished::NotExecuted`] if its guard let nothing be pushed; a program without
/// PUSH cannot be judged and counts as executed.
fn judged(answer: Answer, switch: u32) -> Result<Answer, Unfinished> {
    let pushes = |i: &Instruction| matches!(i.opcode(), Some(Opcode::Push | Opcode::Pop));
    let moves = answer.sent.instructions.iter().any(pushes);
    match moves && answer.sent.stack_pointer == answer.tpp.stack_pointer {
        true => Err(Unfinished::NotExecuted(switch)),
        false => Ok(answer),
    }
}

impl Executor {
    /// Has one switch on the way execute a TPP.
    ///
    /// # Errors
    /// It has not, as far as one can tell.
    pub fn targeted(
        &mut self,
        tpp: &Repr,
        to: Ipv4Addr,
        switch: u32,
    ) -> Result<Answer, Unfinished> {
        let tpp = targeted(tpp, switch)?;
        judged(self.reliable(&tpp, to)?, switch)
    }

    /// Has each of these switches execute a TPP, all at once; failures are returned beside answers.
    ///
    /// # Errors
    /// There is no room for a guard.
    pub fn scatter(
        &mut self,
        tpp: &Repr,
        switches: &[(u32, Ipv4Addr)],
    ) -> Result<Vec<Gathered>, CannotGuard> {
        let request =
            |(switch, to): &(u32, Ipv4Addr)| Ok(Request { tpp: targeted(tpp, *switch)?, to: *to });
        let requests = switches.iter().map(request).collect::<Result<Vec<_>, _>>()?;
        let answers = self.all(&requests).into_iter().zip(switches);
        let each = answers.map(|(answer, (switch, _))| {
            (*switch, answer.map_err(Unfinished::from).and_then(|answer| judged(answer, *switch)))
        });
        Ok(each.collect())
    }

    /// Has the first switch send the TPP back after executing it.
    ///
    /// # Errors
    /// It did not come back.
    pub fn reflect(&mut self, tpp: &Repr, to: Ipv4Addr) -> Result<Answer, NoAnswer> {
        self.reliable(&Repr { marks: tpp.marks | flag::REFLECT, ..tpp.clone() }, to)
    }

    /// Collects of more hops than one TPP has room for, by blocks of hops. `hops` is how long the path is; if it is not
    /// known the first block finds out.
    ///
    /// # Errors
    /// The program does more than push, has five instructions, or one of its TPPs did not come back.
    pub fn large(
        &mut self,
        tpp: &Repr,
        to: Ipv4Addr,
        hops: Option<u8>,
    ) -> Result<Large, Unfinished> {
        let mut large = Large::default();
        let (known, behind) = match hops {
            Some(hops) => (hops, 0),
            None => {
                // Longer than any path, so that the block is a whole one.
                let mut parts = by_hops(tpp, u8::MAX)?;
                parts.truncate(1);
                let hops = parts.first().map_or(0, |part| part.hops);
                (self.blocks(&parts, to, &mut large)?, hops)
            }
        };
        let parts: Vec<HopPart> =
            by_hops(tpp, known)?.into_iter().filter(|part| part.first >= behind).collect();
        let passed = self.blocks(&parts, to, &mut large)?;
        large.reading.numbered = true;
        large.reading.beyond = passed.saturating_sub(known);
        Ok(large)
    }

    /// Adds what blocks of hops have read. Gives how long the path was.
    fn blocks(
        &mut self,
        parts: &[HopPart],
        to: Ipv4Addr,
        large: &mut Large,
    ) -> Result<u8, NoAnswer> {
        let request = |part: &HopPart| Request { tpp: part.tpp.clone(), to };
        let requests: Vec<Request> = parts.iter().map(request).collect();
        let mut passed = 0;
        for (answer, part) in self.all(&requests).into_iter().zip(parts) {
            let answer = answer?;
            passed = passed.max(answer.tpp.hop);
            large.reading.names = Reading::new(&answer.sent, &answer.tpp).names;
            large.reading.rows.extend(part.values(&answer.tpp));
            large.round_trip = large.round_trip.max(answer.round_trip);
            large.parts += 1;
        }
        Ok(passed)
    }

    /// Writes a 32-bit word of one switch so that a retry does no harm: reads it, and stores only if nobody else has
    /// written meanwhile. Gives what it was before.
    ///
    /// # Errors
    /// The switch was not on the way, or lacks the address, or does not let it be written; or it was written meanwhile.
    pub fn store(
        &mut self,
        to: Ipv4Addr,
        switch: u32,
        address: u16,
        value: u32,
        app_tag: u8,
    ) -> Result<u32, Unfinished> {
        let push = Instruction::new(Opcode::Push, address, 0, 0);
        let base = Repr { word: WordSize::Four, app_tag, ..Repr::default() };
        let read = Repr { instructions: vec![push], memory: vec![0; 4], ..base.clone() };
        let answer = self.targeted(&read, to, switch)?;
        let old = word(&answer.tpp, 1)?;
        // A PUSH shows whether it was executed, and the value afterwards.
        let store = Repr {
            instructions: vec![Instruction::new(Opcode::Cstore, address, 0, 1), push],
            memory: [old, value, !value].iter().flat_map(|word| word.to_be_bytes()).collect(),
            stack_pointer: 8,
            marks: flag::REPORT_BACK,
            ..base
        };
        let answer = self.targeted(&store, to, switch)?;
        let (slot, now) = (word(&answer.tpp, 1)?, word(&answer.tpp, 3)?);
        match has_stored(slot, old, value, WordSize::Four) && now == value {
            true => Ok(old),
            false => Err(Unfinished::Changed(now)),
        }
    }
}

/// A word of packet memory behind the guard's operand, which is word 0.
fn word(answer: &Repr, number: usize) -> Result<u32, Unfinished> {
    answer.words().nth(number).ok_or(Unfinished::NoWord(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_word_of_an_answer_is_an_error() {
        let answer = Repr { word: WordSize::Four, memory: vec![0, 0, 0, 9], ..Repr::default() };
        assert_eq!(word(&answer, 0), Ok(9));
        let error = word(&answer, 1).expect_err("there is one word only");
        assert_eq!(error.to_string(), "the TPP came back without word 1 of its packet memory");
    }
}
