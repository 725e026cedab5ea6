//! How much memory the frames of captures may take together, for whoever holds all of them.
//!
//! A small compressed capture may unpack to any size, so bytes are counted as they are read, and
//! reading ends at the limit.

use crate::capture::CaptureError;
use std::path::Path;

/// The limit unless somebody says otherwise, in bytes: 1 GiB, which is seconds of traffic at 1 Gb/s
/// and far beyond every cache, and leaves a machine of 2 GiB to its other work.
pub const DEFAULT_MEMORY: u64 = 1 << 30;

/// What frames in memory have taken of a limit.
#[derive(Debug)]
pub struct FrameMemory {
    limit: u64,
    /// How often each frame is held.
    copies: u64,
    taken: u64,
}

impl FrameMemory {
    /// None of `limit` bytes, for frames that are held `copies` times.
    pub fn new(limit: u64, copies: u64) -> Self {
        Self { limit, copies, taken: 0 }
    }

    /// Makes room for a frame of `bytes` at the end of `frames` and for its entry in `list`: packet
    /// `number` of the capture at `path`.
    ///
    /// # Errors
    /// They are beyond the limit, or the system has no memory for them; what the capture needs, as
    /// far as it is known.
    pub fn take<T>(
        &mut self,
        frames: &mut Vec<u8>,
        list: &mut Vec<T>,
        bytes: usize,
        (path, number): (&Path, u64),
    ) -> Result<(), CaptureError> {
        // Frames without bytes take memory as well.
        let each = (bytes as u64).saturating_add(size_of::<T>() as u64);
        let needed = self.taken.saturating_add(each.saturating_mul(self.copies));
        let why = if needed > self.limit {
            let limit = size(self.limit);
            format!("the limit is {limit}; `--memory SIZE` sets another, such as `--memory 4GiB`")
        } else if frames.try_reserve(bytes).is_err() || list.try_reserve(1).is_err() {
            "the system has no memory for more; take a shorter capture".to_owned()
        } else {
            self.taken = needed;
            return Ok(());
        };
        let file = std::fs::metadata(path)
            .map_or(String::new(), |file| format!(" (the file has {} on disk)", size(file.len())));
        let problem = format!(
            "the frames that the command holds in memory need more than {}, which those in front of \
             it take{file}: {why}",
            size(self.taken)
        );
        let (file, packet) = (path.display().to_string(), Some(number));
        Err(CaptureError { file, packet, offset: None, problem })
    }
}

/// Bytes in the largest unit of 1024 in which they have a digit in front of the point.
fn size(bytes: u64) -> String {
    const UNITS: [(&str, u32); 3] = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    match UNITS.into_iter().find(|(_, bits)| bytes >> bits > 0) {
        Some((unit, bits)) => {
            let tenths = (u128::from(bytes) * 10) >> bits;
            let (whole, tenth) = (tenths / 10, tenths % 10);
            if tenth == 0 { format!("{whole} {unit}") } else { format!("{whole}.{tenth} {unit}") }
        }
        None => format!("{bytes} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_over_all_captures() {
        let mut memory = FrameMemory::new(2048, 2);
        let (mut one, mut two, mut list) = (Vec::new(), Vec::new(), Vec::<u64>::new());
        let at = |number| (Path::new("no/such.pcap"), number);
        memory.take(&mut one, &mut list, 492, at(1)).expect("room");
        memory.take(&mut two, &mut list, 500, at(1)).expect("room");
        assert!(one.capacity() >= 492 && two.capacity() >= 500);
        memory.take(&mut two, &mut list, 0, at(2)).expect("room for an entry alone");
        let error = memory.take(&mut one, &mut list, 1, at(3)).expect_err("full");
        assert_eq!(
            error.to_string(),
            "no/such.pcap: packet 3: the frames that the command holds in memory need more than \
             1.9 KiB, which those in front of it take: the limit is 2 KiB; `--memory SIZE` sets \
             another, such as `--memory 4GiB`"
        );
        let mut all = FrameMemory::new(u64::MAX, 1);
        let error = all.take(&mut one, &mut list, usize::MAX - 8, at(9)).expect_err("too many");
        assert!(error.to_string().contains("the system has no memory for more"), "{error}");
    }

    #[test]
    fn sizes_have_a_unit() {
        let shown = [0, 1023, 1024, 1536, (1 << 20) - 1, 1 << 30, 5 << 29].map(size);
        assert_eq!(shown, ["0 B", "1023 B", "1 KiB", "1.5 KiB", "1023.9 KiB", "1 GiB", "2.5 GiB"]);
    }
}
