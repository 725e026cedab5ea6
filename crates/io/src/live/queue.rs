//! Frames side by side in one buffer: those that wait for the next system call, or for the
//! next batch.

use super::device::BATCH;

/// Frames that are sent or delivered with one call.
const LIMIT: usize = BATCH;

/// A queue of copies that keeps its memory.
#[derive(Default)]
pub(super) struct FrameQueue {
    bytes: Vec<u8>,
    /// Where each frame ends.
    ends: Vec<usize>,
}

impl FrameQueue {
    /// Appends a frame; whether the queue is full now.
    pub fn push(&mut self, frame: &[u8]) -> bool {
        self.bytes.extend_from_slice(frame);
        self.ends.push(self.bytes.len());
        self.ends.len() >= LIMIT
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Frame number `index`.
    pub fn frame(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[index]]
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// All frames, to be changed.
    pub fn frames_mut(&mut self) -> impl Iterator<Item = &mut [u8]> {
        let (mut rest, mut start) = (&mut self.bytes[..], 0);
        self.ends.iter().map(move |&end| {
            let (frame, tail) = std::mem::take(&mut rest).split_at_mut(end - start);
            (rest, start) = (tail, end);
            frame
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_keep_their_borders() {
        let mut queue = FrameQueue::default();
        for length in 0..LIMIT {
            assert_eq!(queue.push(&vec![length as u8; length]), length == LIMIT - 1);
        }
        for index in 0..LIMIT {
            assert_eq!(queue.frame(index), vec![index as u8; index]);
        }
        let lengths: Vec<_> = queue.frames_mut().map(|frame| frame.len()).collect();
        assert_eq!(lengths, (0..LIMIT).collect::<Vec<_>>());
        queue.clear();
        assert_eq!(queue.len(), 0);
    }
}
