//! What applications over a stack send: bytes that are a function of the flow and of their place in it, so that the
//! receiver knows each of them.

use ww_dataplane::random::threefry;

/// The bytes of a flow from `position` on. Eight at a time are one number of a counter-based generator, so bytes that
/// are missing, doubled or exchanged do not go unnoticed.
pub fn fill(flow: u64, position: u64, bytes: &mut [u8]) {
    walk(flow, position, bytes.len(), |at, byte| bytes[at] = byte);
}

/// How many of these bytes are not those of the flow from `position` on.
pub fn wrong(flow: u64, position: u64, bytes: &[u8]) -> u64 {
    let mut wrong = 0;
    walk(flow, position, bytes.len(), |at, byte| wrong += u64::from(bytes[at] != byte));
    wrong
}

fn walk(flow: u64, position: u64, length: usize, mut each: impl FnMut(usize, u8)) {
    let mut word = [0; 8];
    for at in 0..length {
        let place = position + at as u64;
        if at == 0 || place.is_multiple_of(8) {
            word = threefry(flow, place / 8).to_le_bytes();
        }
        each(at, word[(place % 8) as usize]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces are as the whole, wherever they begin; a byte that is changed or moved is found.
    #[test]
    fn pattern_pieces_match_the_whole() {
        let mut whole = [0; 100];
        fill(7, 1000, &mut whole);
        for begin in 0..20 {
            for end in begin..100 {
                let mut piece = vec![0; end - begin];
                fill(7, 1000 + begin as u64, &mut piece);
                assert_eq!(piece, whole[begin..end]);
                assert_eq!(wrong(7, 1000 + begin as u64, &piece), 0);
            }
        }
        let mut broken = whole;
        broken[50] ^= 1;
        assert_eq!(wrong(7, 1000, &broken), 1);
        // Of 99 bytes that are moved by one, or belong to another flow, one in 256 is right by chance.
        assert!(wrong(7, 1000, &whole[1..]) > 90 && wrong(8, 1000, &whole) > 90);
    }
}
