//! The known word that a wrong one was meant to be: for "did you mean ...?" in all messages.

/// Nobody slips in longer words, and the distance takes the product of two lengths.
const LONGEST: usize = 80;

/// The word of `known` that `found` is a slip of.
///
/// Letters inserted, left out, replaced, or exchanged with their neighbour count one each (Damerau and Levenshtein, no part edited
/// twice), ASCII case aside. A slip has at most a third of the longer word's letters, and one at least; a word of which no letter
/// is left is none. Of words that are equally near that in the same case is taken, then the first in the order of the alphabet.
/// `found` itself is not a slip, and words of more than 80 letters are none.
pub fn nearest<'w>(found: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let length = found.chars().take(LONGEST + 1).count();
    if length > LONGEST {
        return None;
    }
    let folded = found.to_ascii_lowercase();
    let near = |word: &'w str| {
        let letters = word.chars().take(LONGEST + 1).count();
        let limit = (letters.max(length) / 3).max(1);
        if letters > LONGEST || letters.abs_diff(length) > limit || word == found {
            return None;
        }
        let distance = strsim::osa_distance(&folded, &word.to_ascii_lowercase());
        let is_slip = distance <= limit && distance < letters.min(length);
        is_slip.then(|| (distance, strsim::osa_distance(found, word), word))
    };
    known.into_iter().filter_map(near).min().map(|(_, _, word)| word)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    /// By hand: a letter left out, one too many, one replaced, two exchanged.
    #[test]
    fn slips() {
        let keys = ["delay", "rate", "queue", "drain", "duration"];
        for (found, meant) in [
            ("dely", "delay"),
            ("rtae", "rate"),
            ("rates", "rate"),
            ("quere", "queue"),
            ("duraton", "duration"),
        ] {
            assert_eq!(nearest(found, keys), Some(meant), "{found}");
        }
        let commands = ["table_add", "table_delete", "mc_mgrp_create"];
        assert_eq!(nearest("tabel_add", commands), Some("table_add"));
        assert_eq!(nearest("table_ad", commands), Some("table_add"));
        assert_eq!(nearest("mc_mgrp_creat", commands), Some("mc_mgrp_create"));
        assert_eq!(nearest("PUHS", ["PUSH", "POP"]), Some("PUSH"));
    }

    #[test]
    fn words_that_are_none() {
        for (found, known) in [
            ("colour", &["delay", "rate", "queue"][..]),
            ("", &["delay", "a"]),
            ("counter_read", &["table_add", "table_delete", "mc_mgrp_create"]),
            ("JUMP", &["PUSH", "POP"]),
            // One letter for another is another word.
            ("x", &["y"]),
            ("same", &["same"]),
        ] {
            assert_eq!(nearest(found, known.iter().copied()), None, "{found}");
        }
        let long = "a".repeat(81);
        assert_eq!(nearest(&long, [&long[1..]]), None);
        assert_eq!(nearest(&long[1..], [&long[2..]]), Some(&long[2..]));
    }

    /// A third of nine letters, of the longer word, are three; four are too many.
    #[test]
    fn a_third_of_the_letters() {
        assert_eq!(nearest("abcdef", ["abcdefxyz"]), Some("abcdefxyz"));
        assert_eq!(nearest("abcde", ["abcdewxyz"]), None);
    }

    #[test]
    fn case_and_ties() {
        assert_eq!(nearest("pusk", ["PUSH", "POP"]), Some("PUSH"));
        assert_eq!(nearest("SwitchId2", ["SwitchID", "Version"]), Some("SwitchID"));
        assert_eq!(nearest("Bit", ["BIT", "bit"]), Some("bit"), "two letters differ, and one");
        assert_eq!(nearest("h9", ["h2", "h1", "s9"]), Some("h1"));
    }
}
