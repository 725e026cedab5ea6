//! Frames of any size, made of frames that mean something to the program.

use ww_packet::checksum::internet_checksum;

/// Bytes of an Ethernet header.
const ETHERNET: usize = 14;
/// Bytes of an IPv4 header without options, and of a UDP header.
const IPV4: usize = 20;
const UDP: usize = 8;

/// A frame and the port that it comes in at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The port.
    pub port: u32,
    /// The bytes, without FCS.
    pub bytes: Vec<u8>,
}

/// A number in the frame that every packet has anew: programs that drop repetitions need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Varied {
    /// Offset of its first byte.
    pub at: usize,
    /// Its bytes, 1 to 8; the first is the most significant.
    pub bytes: usize,
}

impl std::str::FromStr for Varied {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once(':').and_then(|(at, bytes)| {
            Some((at.parse::<u16>().ok()?, bytes.parse().ok().filter(|n| (1..=8).contains(n))?))
        });
        match parts {
            Some((at, bytes)) => Ok(Self { at: at.into(), bytes }),
            None => Err("expected OFFSET:BYTES with 1 to 8 bytes, as 42:4".to_owned()),
        }
    }
}

impl Varied {
    /// Adds `number` to the number in a frame; nothing where the frame does not reach.
    pub fn apply(self, frame: &mut [u8], number: u64) {
        let Some(field) = frame.get_mut(self.at..self.at + self.bytes) else { return };
        let value = field.iter().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
        let bytes = value.wrapping_add(number).to_be_bytes();
        field.copy_from_slice(&bytes[8 - self.bytes..]);
    }
}

/// The frame that stands for all when nobody gives any: UDP over IPv4.
pub fn plain() -> Template {
    let mut bytes = vec![2, 0, 0, 0, 2, 2, 2, 0, 0, 0, 1, 1, 8, 0];
    bytes.extend([0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0]);
    bytes.extend([192, 0, 2, 10, 198, 51, 100, 5]);
    bytes.extend([0x9c, 0x41, 0, 53, 0, 8, 0, 0]);
    mend(&mut bytes);
    Template { port: 0, bytes }
}

/// A frame of `size` bytes: the longest template that is not longer, with zeros behind it, and
/// with the lengths and the checksum of an IPv4 header and of UDP behind that in order. `None` if
/// all templates are longer.
pub fn of_size(templates: &[Template], size: usize) -> Option<Template> {
    let fits = templates.iter().filter(|template| template.bytes.len() <= size);
    // Of several of the same length the first.
    let longest = fits.reduce(|best, next| match next.bytes.len() > best.bytes.len() {
        true => next,
        false => best,
    })?;
    let mut frame = longest.clone();
    if frame.bytes.len() < size {
        frame.bytes.resize(size, 0);
        mend(&mut frame.bytes);
    }
    Some(frame)
}

/// Makes the lengths of IPv4 and UDP fit the frame, where it has them; without a UDP checksum.
fn mend(frame: &mut [u8]) {
    let total = frame.len().saturating_sub(ETHERNET);
    let is_ipv4 = frame.len() >= ETHERNET + IPV4
        && frame[12..15] == [8, 0, 0x45]
        && total <= usize::from(u16::MAX);
    if !is_ipv4 {
        return;
    }
    let is_udp = frame[ETHERNET + 9] == 17 && total >= IPV4 + UDP;
    let header = &mut frame[ETHERNET..ETHERNET + IPV4];
    header[2..4].copy_from_slice(&(total as u16).to_be_bytes());
    header[10..12].fill(0);
    let sum = internet_checksum(header);
    header[10..12].copy_from_slice(&sum.to_be_bytes());
    if is_udp {
        let udp = &mut frame[ETHERNET + IPV4..][..UDP];
        udp[4..6].copy_from_slice(&((total - IPV4) as u16).to_be_bytes());
        udp[6..8].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let frame = of_size(&[plain()], 64).expect("it fits").bytes;
        assert_eq!(frame.len(), 64);
        assert_eq!((&frame[16..18], &frame[38..40]), (&[0, 50][..], &[0, 30][..]));
        // RFC 1071: the sum over a header with its checksum is all ones.
        let words = frame[14..34].chunks(2).map(|w| u32::from(w[0]) << 8 | u32::from(w[1]));
        let sum: u32 = words.sum();
        assert_eq!((sum & 0xffff) + (sum >> 16), 0xffff);
        assert_eq!(of_size(&[plain()], 41), None);
        let other = Template { port: 3, bytes: vec![1; 100] };
        let list = [plain(), other.clone(), Template { port: 4, bytes: vec![2; 100] }];
        assert_eq!(of_size(&list, 99).map(|t| t.port), Some(0));
        assert_eq!(of_size(&list, 100), Some(other));
        assert_eq!(of_size(&list, 102).map(|t| t.bytes[100..].to_vec()), Some(vec![0, 0]));
    }

    #[test]
    fn numbers() {
        let varied: Varied = "1:2".parse().expect("well formed");
        let mut frame = [9, 0, 0xff, 9];
        varied.apply(&mut frame, 2);
        assert_eq!(frame, [9, 1, 1, 9]);
        varied.apply(&mut frame[..2], 1);
        assert_eq!(frame, [9, 1, 1, 9]);
        for wrong in ["", "1", "1:0", "1:9", ":1", "99999:1"] {
            assert!(wrong.parse::<Varied>().is_err(), "{wrong}");
        }
    }
}
