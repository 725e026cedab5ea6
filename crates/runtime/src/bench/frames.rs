//! The frames that a benchmark replays, and the buffers that they are copied into.

use crate::error::Error;
use std::path::PathBuf;
use ww_dataplane::{Frame, PortId};
use ww_io::capture::OrderedReader;
use ww_io::frame_memory::FrameMemory;

/// Bytes between two buffers: whole cache lines, and room for the frame.
const ALIGNMENT: usize = 64;

/// Frames in memory, in the order in which they arrive.
pub struct Frames {
    bytes: Vec<u8>,
    /// Port, start and length of each.
    list: Vec<(PortId, usize, usize)>,
    longest: usize,
}

impl Frames {
    /// Reads captures: all frames by timestamp, then by port, or the first `most`.
    ///
    /// # Errors
    /// A capture cannot be read, has frames that were cut short, or needs more than `memory`; or
    /// there is no frame at all.
    pub fn load(
        captures: &[(PortId, PathBuf)],
        most: usize,
        mut memory: FrameMemory,
    ) -> Result<Self, Error> {
        let mut readers = Vec::new();
        for (port, path) in captures {
            readers.push((*port, path, OrderedReader::open(path).map_err(Error::failed)?));
        }
        readers.sort_by_key(|(port, ..)| *port);
        let mut frames = Self { bytes: Vec::new(), list: Vec::new(), longest: 0 };
        while frames.list.len() < most {
            let mut next = None;
            for (n, (.., reader)) in readers.iter_mut().enumerate() {
                let Some(time) = reader.peek().map_err(Error::failed)? else { continue };
                if next.is_none_or(|(earliest, _)| time < earliest) {
                    next = Some((time, n));
                }
            }
            let Some((port, path, reader)) = next.and_then(|(_, n)| readers.get_mut(n)) else {
                break;
            };
            let Some(taken) = reader.next_frame().map_err(Error::failed)? else {
                continue;
            };
            if taken.truncated {
                let problem = "was cut short when it was captured";
                return Err(Error::failed(reader.packet_error(taken.number, problem)));
            }
            let Self { bytes, list, .. } = &mut frames;
            let room = taken.frame.len().next_multiple_of(ALIGNMENT);
            memory.take(bytes, list, room, (path, taken.number)).map_err(Error::failed)?;
            frames.push(*port, &taken.frame);
            reader.recycle(taken);
        }
        match frames.list.is_empty() {
            true => Err(Error::Failed("there is no frame in the captures".to_owned())),
            false => Ok(frames),
        }
    }

    fn push(&mut self, port: PortId, frame: &[u8]) {
        self.list.push((port, self.bytes.len(), frame.len()));
        self.bytes.extend_from_slice(frame);
        self.bytes.resize(self.bytes.len().next_multiple_of(ALIGNMENT), 0);
        self.longest = self.longest.max(frame.len());
    }

    /// Number of frames.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none: only a share of the frames can be empty.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Bytes of all frames together.
    pub fn bytes(&self) -> u64 {
        self.list.iter().map(|&(_, _, length)| length as u64).sum()
    }

    /// Every frame whose number, divided by `of`, leaves `rest`.
    pub fn share(&self, rest: usize, of: usize) -> Self {
        let mut share = Self { bytes: Vec::new(), list: Vec::new(), longest: 0 };
        let every = self.first(self.len()).skip(rest).step_by(of.max(1));
        every.for_each(|(port, frame)| share.push(port, frame));
        share
    }

    /// The first `count` frames, or all if there are fewer: port and bytes.
    pub fn first(&self, count: usize) -> impl Iterator<Item = (PortId, &[u8])> {
        let frame =
            |&(port, at, length): &(PortId, usize, usize)| (port, &self.bytes[at..][..length]);
        self.list.iter().take(count).map(frame)
    }

    /// Buffers for batches of `batch` frames.
    pub fn buffers(&self, batch: usize) -> Buffers {
        let room = self.longest.next_multiple_of(ALIGNMENT).max(ALIGNMENT);
        Buffers { memory: vec![0; room * batch], room, spare: Vec::with_capacity(batch) }
    }

    /// Hands all frames to `take`, in batches of as many as `buffers` has room for, each batch
    /// copied fresh from the originals.
    pub fn replay(&self, buffers: &mut Buffers, mut take: impl FnMut(&mut [Frame<'_>])) {
        let Buffers { memory, room, spare } = buffers;
        for chunk in self.list.chunks(memory.len() / *room) {
            let mut batch: Vec<Frame<'_>> = reuse(std::mem::take(spare));
            for (&(port, at, length), slot) in chunk.iter().zip(memory.chunks_mut(*room)) {
                let bytes = &mut slot[..length];
                bytes.copy_from_slice(&self.bytes[at..][..length]);
                batch.push(Frame { port, bytes });
            }
            take(&mut batch);
            *spare = reuse(batch);
        }
    }
}

/// Where the copies are.
pub struct Buffers {
    memory: Vec<u8>,
    room: usize,
    /// The list of a batch, kept so that no batch allocates.
    spare: Vec<Frame<'static>>,
}

/// An empty list in the same memory, for frames that live for another time: collecting a list's
/// own iterator keeps the allocation.
fn reuse<'to>(mut list: Vec<Frame<'_>>) -> Vec<Frame<'to>> {
    list.clear();
    list.into_iter().map(|_| unreachable!("the list is empty")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(list: &[(PortId, &[u8])]) -> Frames {
        let mut frames = Frames { bytes: Vec::new(), list: Vec::new(), longest: 0 };
        list.iter().for_each(|(port, frame)| frames.push(*port, frame));
        frames
    }

    #[test]
    fn every_frame_is_fresh_in_every_pass() {
        let list: Vec<(PortId, Vec<u8>)> =
            (0..7u8).map(|n| (u32::from(n % 3), vec![n; 60 + usize::from(n)])).collect();
        let borrowed: Vec<_> = list.iter().map(|(port, frame)| (*port, &frame[..])).collect();
        let frames = frames(&borrowed);
        let mut buffers = frames.buffers(3);
        for _ in 0..2 {
            let (mut seen, mut batches) = (Vec::new(), Vec::new());
            frames.replay(&mut buffers, |batch| {
                batches.push(batch.len());
                for frame in batch {
                    seen.push((frame.port, frame.bytes.to_vec()));
                    // What an engine leaves behind.
                    frame.bytes.fill(0xee);
                }
            });
            assert_eq!(seen, list);
            assert_eq!(batches, [3, 3, 1]);
        }
        assert_eq!(frames.bytes(), (0..7).map(|n| 60 + n).sum::<u64>());
        let lengths =
            |rest| frames.share(rest, 3).first(9).map(|(_, f)| f.len()).collect::<Vec<_>>();
        assert_eq!(
            [lengths(0), lengths(1), lengths(2)],
            [vec![60, 63, 66], vec![61, 64], vec![62, 65]]
        );
    }

    #[test]
    fn a_list_keeps_its_memory() {
        let list: Vec<Frame<'_>> = Vec::with_capacity(64);
        let before = list.as_ptr() as usize;
        let after: Vec<Frame<'_>> = reuse(list);
        assert_eq!((after.as_ptr() as usize, after.capacity()), (before, 64));
    }
}
