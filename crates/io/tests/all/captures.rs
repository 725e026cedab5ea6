//! Capture files, byte by byte from draft-ietf-opsawg-pcap and -pcapng.

use std::io::{Cursor, Read, Write};
use std::path::PathBuf;
use ww_io::capture::{CaptureError, CaptureReader, CaptureWriter, FrameInfo, OrderedReader};
use ww_io::time::{SECOND, UtcTime};

/// Builds files of either byte order.
#[derive(Default)]
struct Bytes {
    big: bool,
    out: Vec<u8>,
}

impl Bytes {
    fn new(big: bool) -> Self {
        Self { big, out: Vec::new() }
    }

    fn u16(&mut self, value: u16) -> &mut Self {
        self.raw(&if self.big { value.to_be_bytes() } else { value.to_le_bytes() })
    }

    fn u32(&mut self, value: u32) -> &mut Self {
        self.raw(&if self.big { value.to_be_bytes() } else { value.to_le_bytes() })
    }

    fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.out.extend_from_slice(bytes);
        self
    }

    fn pcap_header(&mut self, magic: u32, link: u32) -> &mut Self {
        self.u32(magic).u16(2).u16(4).u32(0).u32(0).u32(65535).u32(link)
    }

    fn record(&mut self, seconds: u32, fraction: u32, original: u32, data: &[u8]) -> &mut Self {
        self.u32(seconds).u32(fraction).u32(data.len() as u32).u32(original).raw(data)
    }

    /// A pcapng block around `body`, padded.
    fn block(&mut self, kind: u32, body: impl FnOnce(&mut Self)) -> &mut Self {
        let mut inner = Self::new(self.big);
        body(&mut inner);
        inner.out.resize(inner.out.len().next_multiple_of(4), 0);
        let length = inner.out.len() as u32 + 12;
        self.u32(kind).u32(length).raw(&inner.out).u32(length)
    }

    fn section(&mut self) -> &mut Self {
        self.block(0x0a0d_0d0a, |b| {
            b.u32(0x1a2b_3c4d).u16(1).u16(0).u32(u32::MAX).u32(u32::MAX);
        })
    }

    fn interface(&mut self, snap: u32, options: &[(u16, &[u8])]) -> &mut Self {
        self.block(1, |b| {
            b.u16(1).u16(0).u32(snap);
            for (code, value) in options {
                b.u16(*code).u16(value.len() as u16).raw(value);
                b.out.resize(b.out.len().next_multiple_of(4), 0);
            }
            b.u16(0).u16(0);
        })
    }

    fn enhanced(&mut self, interface: u32, ticks: u64, original: u32, data: &[u8]) -> &mut Self {
        self.block(6, |b| {
            b.u32(interface).u32((ticks >> 32) as u32).u32(ticks as u32);
            b.u32(data.len() as u32).u32(original).raw(data);
        })
    }
}

fn read(bytes: &[u8]) -> Result<Vec<(FrameInfo, Vec<u8>)>, CaptureError> {
    let mut reader = CaptureReader::from_reader("test.pcap", Cursor::new(bytes.to_vec()))?;
    let (mut frames, mut frame) = (Vec::new(), Vec::new());
    while let Some(info) = reader.next_frame(&mut frame)? {
        frames.push((info, frame.clone()));
    }
    Ok(frames)
}

fn message(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn pcap_in_all_four_kinds() {
    for big in [false, true] {
        for (magic, unit) in [(0xa1b2_c3d4, 1_000_000), (0xa1b2_3c4d, 1_000)] {
            let mut file = Bytes::new(big);
            file.pcap_header(magic, 1).record(1, 7, 60, &[1; 60]).record(2, 999_999, 100, &[2; 64]);
            for bytes in [file.out.clone(), gzip(&file.out)] {
                let frames = read(&bytes).unwrap();
                assert_eq!(frames.len(), 2);
                assert_eq!(frames[0].0.timestamp, UtcTime(SECOND + 7 * unit));
                assert_eq!(frames[1].0.timestamp, UtcTime(2 * SECOND + 999_999 * unit));
                assert_eq!((frames[1].0.number, frames[1].0.original_length), (2, 100));
                assert_eq!((frames[0].0.link_type, frames[0].1.len()), (1, 60));
                assert_eq!(frames[1].1, [2; 64]);
            }
        }
    }
}

#[test]
fn truncation_is_counted() {
    let mut file = Bytes::new(false);
    file.pcap_header(0xa1b2_c3d4, 1).record(1, 0, 60, &[1; 60]).record(1, 0, 1500, &[1; 96]);
    let mut reader = CaptureReader::from_reader("x", Cursor::new(file.out)).unwrap();
    let mut frame = Vec::new();
    while reader.next_frame(&mut frame).unwrap().is_some() {}
    assert_eq!(reader.truncated(), 1);
}

#[test]
fn frame_check_sequence_is_taken_off() {
    // Bit 26 set, two 16-bit words of FCS.
    let mut file = Bytes::new(true);
    file.pcap_header(0xa1b2_c3d4, 2 << 28 | 1 << 26 | 1).record(0, 0, 64, &[5; 64]);
    file.record(0, 0, 90, &[5; 64]);
    let frames = read(&file.out).unwrap();
    assert_eq!((frames[0].1.len(), frames[0].0.original_length), (60, 60));
    assert_eq!((frames[1].1.len(), frames[1].0.original_length), (64, 90));
    assert_eq!(frames[0].0.link_type, 1);
}

#[test]
fn pcapng_blocks() {
    for big in [false, true] {
        let mut file = Bytes::new(big);
        let offset = if big { 100i64.to_be_bytes() } else { 100i64.to_le_bytes() };
        file.section();
        file.interface(0, &[(2, b"eth0")]); // microseconds
        file.interface(0, &[(9, &[9]), (14, &offset), (13, &[4])]);
        file.interface(50, &[(9, &[0x80 | 10])]); // 2^-10 s
        file.block(0xbad, |b| {
            b.raw(&[9; 20]);
        });
        file.enhanced(0, 1_500_000, 60, &[1; 60]);
        file.enhanced(1, 2_000_000_001, 61, &[2; 61]);
        file.enhanced(2, 512, 50, &[3; 50]);
        file.block(2, |b| {
            b.u16(0).u16(0xffff).u32(0).u32(3_000_000).u32(5).u32(9).raw(&[4; 5]);
        });
        file.block(3, |b| {
            b.u32(7).raw(&[5; 7]);
        });
        // Another section, in the other byte order, knows none of the interfaces.
        let mut second = Bytes::new(!big);
        second.section().interface(6, &[]).block(3, |b| {
            b.u32(90).raw(&[6; 6]);
        });
        let whole = [file.out, second.out].concat();
        for bytes in [whole.clone(), gzip(&whole)] {
            let frames = read(&bytes).unwrap();
            let seen: Vec<_> = frames
                .iter()
                .map(|(info, data)| {
                    (info.timestamp.0, info.interface, info.original_length, data.len(), data[0])
                })
                .collect();
            let s = SECOND;
            assert_eq!(
                seen,
                [
                    (3 * s / 2, 0, 60, 60, 1),
                    (102 * s + 1_000, 1, 57, 57, 2),
                    (s / 2, 2, 50, 50, 3),
                    (3 * s, 0, 9, 5, 4),
                    (3 * s, 0, 7, 7, 5),
                    (3 * s, 0, 90, 6, 6),
                ]
            );
        }
    }
}

#[test]
fn damaged_files_get_a_place_and_a_reason() {
    assert_eq!(message(&[]), "test.pcap: is empty, expected a pcap or pcapng file");
    assert!(message(b"#!/bin/sh\n").contains("neither pcap nor pcapng"));
    assert!(message(&[0x28, 0xb5, 0x2f, 0xfd, 0]).contains("zstd"));
    let mut file = Bytes::new(false);
    file.pcap_header(0xa1b2_c3d4, 1);
    assert_eq!(
        message(&file.out[..10]),
        "test.pcap: byte offset 0: the file is cut short: the file header takes 24 bytes, found 10"
    );
    assert_eq!(read(&file.out).unwrap(), []);
    file.record(0, 0, 60, &[1; 60]).record(0, 0, 60, &[1; 60]);
    assert_eq!(
        message(&file.out[..file.out.len() - 48]),
        "test.pcap: packet 2 at byte offset 100: the file is cut short: \
         the packet takes 60 bytes, found 12"
    );
    assert_eq!(
        message(&file.out[..100 + 15]),
        "test.pcap: packet 2 at byte offset 100: the file is cut short: \
         the record header takes 16 bytes, found 15"
    );
    let mut huge = Bytes::new(true);
    huge.pcap_header(0xa1b2_c3d4, 1).u32(0).u32(0).u32(262_145).u32(262_145);
    assert_eq!(
        message(&huge.out),
        "test.pcap: packet 1 at byte offset 24: the record claims 262145 bytes; \
         the limit is 262144 bytes"
    );
    let mut old = Bytes::new(true);
    old.u32(0xa1b2_c3d4).u16(1).u16(0).raw(&[0; 16]);
    assert!(message(&old.out).contains("version 1, expected 2"));
    let mut cut = gzip(&file.out);
    cut.truncate(cut.len() - 12);
    assert!(message(&cut).contains("the compressed data ends early"), "{}", message(&cut));
}

#[test]
fn damaged_blocks_get_a_place_and_a_reason() {
    let good = |build: &dyn Fn(&mut Bytes)| {
        let mut file = Bytes::new(false);
        file.section().interface(0, &[]);
        build(&mut file);
        message(&file.out)
    };
    // The section header takes 28 bytes, the interface description 24.
    assert_eq!(
        good(&|f| {
            f.enhanced(1, 0, 4, &[0; 4]);
        }),
        "test.pcap: packet 1 at byte offset 52: names interface 1; the section describes 1"
    );
    assert_eq!(
        good(&|f| {
            f.u32(6).u32(30).raw(&[0; 22]);
        }),
        "test.pcap: packet 1 at byte offset 52: the block claims 30 bytes, expected a multiple of 4"
    );
    assert_eq!(
        good(&|f| {
            f.u32(6).u32(28).raw(&[0; 20]);
        }),
        "test.pcap: packet 1 at byte offset 52: the block claims 28 bytes, expected at least 32"
    );
    assert_eq!(
        good(&|f| {
            f.u32(0xbad).u32(0x0200_0000);
        }),
        "test.pcap: byte offset 52: the block claims 33554432 bytes; the limit is 16777216 bytes"
    );
    assert_eq!(
        good(&|f| {
            f.u32(0xbad).u32(16).u32(0).u32(20);
        }),
        "test.pcap: byte offset 52: the block's two lengths differ: 16 before it, 20 behind it"
    );
    assert_eq!(
        good(&|f| {
            f.block(6, |b| {
                b.u32(0).u32(0).u32(0).u32(9).u32(9).raw(&[0; 8]);
            });
        }),
        "test.pcap: packet 1 at byte offset 52: the block claims a packet of 9 bytes but has \
         room for 8"
    );
    assert_eq!(
        good(&|f| {
            f.enhanced(0, 0, 4, &[0; 4]).u32(6).u32(64).raw(&[0; 8]);
        }),
        "test.pcap: packet 2 at byte offset 88: the file is cut short: the block takes 56 bytes, \
         found 8"
    );
    let no_interface = {
        let mut file = Bytes::new(false);
        file.section().block(3, |b| {
            b.u32(4).u32(0);
        });
        message(&file.out)
    };
    assert!(no_interface.contains("names interface 0; the section describes 0"));
}

#[test]
fn claimed_sizes_cost_no_memory() {
    // 16 MiB claimed, nothing there: found out without asking for them.
    let mut file = Bytes::new(false);
    file.section().u32(0xbad).u32(16 << 20);
    assert!(message(&file.out).contains("cut short"));
}

/// A folder of one test's own, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn list(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn pcap_as_written() {
    let folder = Folder::new("pcap_as_written");
    let path = folder.0.join("out.pcap");
    let mut writer = CaptureWriter::create(&path, &["port0"]).unwrap();
    writer.write(0, UtcTime(5 * SECOND + 123_999), &[7; 14]).unwrap();
    writer.finish().unwrap();
    let mut expected = Bytes::new(false);
    expected.u32(0xa1b2_3c4d).u16(2).u16(4).u32(0).u32(0).u32(262_144).u32(1);
    expected.record(5, 123, 14, &[7; 14]);
    assert_eq!(std::fs::read(&path).unwrap(), expected.out);
}

#[test]
fn written_and_read_again() {
    let folder = Folder::new("written_and_read_again");
    let times = [UtcTime(0), UtcTime::from_seconds(1_700_000_000, 999_999_999)];
    for name in ["a.pcap", "a.pcap.gz", "a.pcapng", "a.pcapng.gz"] {
        let path = folder.0.join(name);
        let mut writer = CaptureWriter::create(&path, &["left", "right"]).unwrap();
        for (interface, time) in times.iter().enumerate() {
            writer.write(interface, *time, &vec![interface as u8; 61 + interface]).unwrap();
        }
        assert!(!path.exists(), "not before it is whole");
        writer.finish().unwrap();
        let mut reader = CaptureReader::open(&path).unwrap();
        let mut frame = Vec::new();
        for (index, time) in times.iter().enumerate() {
            let info = reader.next_frame(&mut frame).unwrap().unwrap();
            assert_eq!(info.timestamp, *time, "{name}");
            assert_eq!(frame, vec![index as u8; 61 + index]);
            let interface = if name.contains("pcapng") { index as u32 } else { 0 };
            assert_eq!(info.interface, interface);
        }
        assert!(reader.next_frame(&mut frame).unwrap().is_none());
        let mut start = [0; 2];
        std::fs::File::open(&path).unwrap().read_exact(&mut start).unwrap();
        assert_eq!(start == [0x1f, 0x8b], name.ends_with(".gz"));
        if name == "a.pcapng" {
            let bytes = std::fs::read(&path).unwrap();
            assert!(bytes.windows(8).any(|w| w == b"left\x09\x00\x01\x00"));
        }
    }
}

#[test]
fn no_half_written_output() {
    let folder = Folder::new("no_half_written_output");
    let path = folder.0.join("out.pcap");
    std::fs::write(&path, "before").unwrap();
    let mut writer = CaptureWriter::create(&path, &[]).unwrap();
    writer.write(0, UtcTime(0), &[0; 60]).unwrap();
    assert_eq!(folder.list().len(), 2);
    drop(writer);
    assert_eq!(folder.list(), ["out.pcap"]);
    assert_eq!(std::fs::read(&path).unwrap(), b"before");
    // A link stays a link, and a device stays a device.
    let link = folder.0.join("link.pcap");
    std::os::unix::fs::symlink("out.pcap", &link).unwrap();
    CaptureWriter::create(&link, &[]).unwrap().finish().unwrap();
    assert!(link.is_symlink());
    assert_eq!(std::fs::read(&path).unwrap().len(), 24);
    let null = PathBuf::from("/dev/null");
    CaptureWriter::create(&null, &[]).unwrap().finish().unwrap();
    assert!(!null.metadata().unwrap().is_file());
}

#[test]
fn output_that_cannot_be() {
    let folder = Folder::new("output_that_cannot_be");
    let error = |path: PathBuf| CaptureWriter::create(&path, &[]).err().unwrap().to_string();
    assert!(error(folder.0.join("no/out.pcap")).ends_with("cannot write: no such folder"));
    assert!(error(folder.0.clone()).ends_with("cannot write: it is a directory"));
    let mut writer = CaptureWriter::create(&folder.0.join("a.pcap"), &[]).unwrap();
    for time in [UtcTime(-1), UtcTime::from_seconds(1 << 32, 0)] {
        let message = writer.write(0, time, &[]).unwrap_err().to_string();
        assert!(message.contains("outside what pcap holds"), "{message}");
    }
}

#[test]
fn missing_input() {
    let error = |path: &str| CaptureReader::open(path.as_ref()).err().unwrap().to_string();
    assert_eq!(error("/no/such.pcap"), "/no/such.pcap: no such file");
    assert_eq!(error("/tmp"), "/tmp: is a directory, expected a capture file");
}

fn ordered(bytes: Vec<u8>) -> OrderedReader {
    OrderedReader::new(CaptureReader::from_reader("test.pcap", Cursor::new(bytes)).unwrap())
}

#[test]
fn frames_are_put_in_order() {
    let mut file = Bytes::new(false);
    file.pcap_header(0xa1b2_c3d4, 1);
    for (number, second) in [5, 3, 9, 3, 5, 1].into_iter().enumerate() {
        file.record(second, 0, 1, &[number as u8]);
    }
    let mut reader = ordered(file.out);
    assert_eq!(reader.peek().unwrap(), Some(UtcTime(SECOND)));
    let mut order = Vec::new();
    while let Some(frame) = reader.next_frame().unwrap() {
        order.push((frame.number, frame.frame[0]));
    }
    assert_eq!(order, [(6, 5), (2, 1), (4, 3), (1, 0), (5, 4), (3, 2)]);
}

#[test]
fn too_much_disorder_is_refused() {
    let mut file = Bytes::new(false);
    file.pcap_header(0xa1b2_c3d4, 1);
    for second in 10..10_000 {
        file.record(second, 0, 1, &[0]);
    }
    file.record(1, 0, 1, &[0]);
    let mut reader = ordered(file.out);
    let error = loop {
        match reader.next_frame() {
            Ok(frame) => assert!(frame.is_some()),
            Err(error) => break error.to_string(),
        }
    };
    assert!(error.starts_with("test.pcap: packet 9991: is older than packet"), "{error}");
}

#[test]
fn other_link_types_are_refused() {
    let mut file = Bytes::new(false);
    file.pcap_header(0xa1b2_c3d4, 113).record(0, 0, 1, &[0]);
    assert_eq!(
        ordered(file.out).next_frame().unwrap_err().to_string(),
        "test.pcap: packet 1: has link type 113, expected 1 (Ethernet)"
    );
}
