//! A line: arbitrary bytes as a bitstream file, as blocks and as words of a deserialiser. What takes runs of blocks at once finds
//! the same as what takes them one by one, and what is called good has its own check sequence.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ww_phy::adapt::Adapter;
use ww_phy::bitstream::BitstreamReader;
use ww_phy::block::{Block, DATA};
use ww_phy::block_sync::{BlockSync, Step};
use ww_phy::decoder::Decoder;
use ww_phy::fcs::is_good;
use ww_phy::gearbox::Receive;
use ww_phy::scrambler::Descrambler;
use ww_phy::stream::{Captured, Reader};

const LONGEST: usize = 256;

/// Start, gap, bytes and verdict of each frame.
fn found(feed: impl FnOnce(&mut Reader, &mut dyn FnMut(Captured<'_>))) -> Vec<String> {
    let mut all = Vec::new();
    let mut reader = Reader::new(LONGEST);
    let mut visit = |captured: Captured<'_>| {
        assert!(captured.frame.len() <= LONGEST + 32);
        if captured.verdict == ww_phy::stream::Verdict::Good {
            assert!(is_good(captured.frame));
        }
        all.push(format!("{captured:?}"));
    };
    feed(&mut reader, &mut visit);
    reader.finish_stream(&mut |captured| visit(captured));
    let counts = reader.counts();
    assert_eq!(counts.frames, all.len() as u64);
    all.push(format!("{counts:?}"));
    all
}

fuzz_target!(|data: &[u8]| {
    if let Ok(mut file) = BitstreamReader::new(data) {
        let mut descrambler = Descrambler::default();
        while let Ok(Some(mut page)) = file.page() {
            descrambler.descramble(&mut page.payloads);
        }
    }

    // A byte that chooses header and type, and eight of payload.
    let types = [0x1e, 0x78, 0x33, 0x87, 0x99, 0xaa, 0xb4, 0xcc, 0xd2, 0xe1, 0xff, 0x55];
    let blocks: Vec<Block> = data
        .as_chunks::<9>()
        .0
        .iter()
        .map(|nine| {
            let payload = u64::from_le_bytes(std::array::from_fn(|n| nine[n + 1]));
            match types.get(usize::from(nine[0] >> 4)) {
                Some(t) if nine[0] & 8 == 0 => {
                    // Idle beside what is special, or not.
                    let rest = if nine[0] & 4 == 0 { 0 } else { payload >> 8 << 8 };
                    Block { header: 0b01, payload: rest | *t }
                }
                _ if nine[0] & 7 == 0 => Block { header: nine[0] & 3, payload },
                _ => Block { header: DATA, payload },
            }
        })
        .collect();
    let one_by_one = found(|reader, visit| {
        for block in &blocks {
            reader.block(*block, &mut |captured| visit(captured));
        }
    });
    let headers: Vec<u8> = blocks.iter().map(|block| block.header).collect();
    let payloads: Vec<u64> = blocks.iter().map(|block| block.payload).collect();
    let at_once = found(|reader, visit| reader.blocks(&headers, &payloads, &mut |captured| visit(captured)));
    assert_eq!(one_by_one, at_once);

    // Bits, at any alignment.
    let mut receive = Receive::new(64);
    let (mut sync, mut decoder, mut adapter) =
        (BlockSync::default(), Decoder::default(), Adapter::new(16));
    for eight in data.as_chunks::<8>().0 {
        if let Some(block) = receive.word(u64::from_le_bytes(*eight)) {
            if sync.header(block.header) == Step::Slip {
                receive.slip();
            }
            adapter.push(decoder.decode(block));
            adapter.pop();
        }
    }
});
