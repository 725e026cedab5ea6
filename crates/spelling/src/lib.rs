//! Spelling suggestions: the known words closest to a misspelt one, for "did you mean ...?" in every message.

/// Longer words are not compared: the cost grows with the product of the two lengths.
const LONGEST: usize = 80;

/// How far two words are apart: case aside, then case included.
type Distance = (usize, usize);

/// The word of `known` that `found` most likely is a misspelling of.
///
/// The distance counts inserted, missing, replaced and transposed letters, one each (optimal string alignment), without regard to
/// ASCII case. A suggestion differs in at most a third of the longer word's letters (at least one is allowed), and shares at least
/// one letter. Among words equally close the one closest with case regarded wins, then the first in alphabetical order.
/// `found` itself is no suggestion, and words of more than 80 letters are not compared.
pub fn suggestion<'w>(found: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    ranked(found, known).first().map(|(_, word)| *word)
}

/// All words of `known` that `found` may be a misspelling of, each once, the closest first. The rules are those of [`suggestion`].
pub fn suggestions<'w>(found: &str, known: impl IntoIterator<Item = &'w str>) -> Vec<&'w str> {
    ranked(found, known).into_iter().map(|(_, word)| word).collect()
}

/// The possible corrections with their distances, the closest first.
fn ranked<'w>(found: &str, known: impl IntoIterator<Item = &'w str>) -> Vec<(Distance, &'w str)> {
    let length = found.chars().take(LONGEST + 1).count();
    if length > LONGEST {
        return Vec::new();
    }
    let folded = found.to_ascii_lowercase();
    let correction = |word: &'w str| {
        let letters = word.chars().take(LONGEST + 1).count();
        let limit = (letters.max(length) / 3).max(1);
        if letters > LONGEST || letters.abs_diff(length) > limit || word == found {
            return None;
        }
        let distance = strsim::osa_distance(&folded, &word.to_ascii_lowercase());
        let is_close = distance <= limit && distance < letters.min(length);
        is_close.then(|| ((distance, strsim::osa_distance(found, word)), word))
    };
    let mut list: Vec<_> = known.into_iter().filter_map(correction).collect();
    list.sort_unstable();
    list.dedup();
    list
}

#[cfg(test)]
mod tests {
    use super::{suggestion, suggestions};

    /// By hand: a letter left out, one too many, one replaced, two exchanged.
    #[test]
    fn misspellings() {
        let keys = ["delay", "rate", "queue", "drain", "duration"];
        for (found, meant) in [
            ("dely", "delay"),
            ("rtae", "rate"),
            ("rates", "rate"),
            ("quere", "queue"),
            ("duraton", "duration"),
        ] {
            assert_eq!(suggestion(found, keys), Some(meant), "{found}");
        }
        let commands = ["table_add", "table_delete", "mc_mgrp_create"];
        assert_eq!(suggestion("tabel_add", commands), Some("table_add"));
        assert_eq!(suggestion("table_ad", commands), Some("table_add"));
        assert_eq!(suggestion("mc_mgrp_creat", commands), Some("mc_mgrp_create"));
        assert_eq!(suggestion("PUHS", ["PUSH", "POP"]), Some("PUSH"));
    }

    #[test]
    fn words_too_far_apart() {
        for (found, known) in [
            ("colour", &["delay", "rate", "queue"][..]),
            ("", &["delay", "a"]),
            ("counter_read", &["table_add", "table_delete", "mc_mgrp_create"]),
            ("JUMP", &["PUSH", "POP"]),
            // Words of one letter share none.
            ("x", &["y"]),
            ("same", &["same"]),
        ] {
            assert_eq!(suggestion(found, known.iter().copied()), None, "{found}");
        }
        let long = "a".repeat(81);
        assert_eq!(suggestion(&long, [&long[1..]]), None);
        assert_eq!(suggestion(&long[1..], [&long[2..]]), Some(&long[2..]));
    }

    /// The longer word has nine letters, so three may differ; four are too many.
    #[test]
    fn a_third_of_the_letters() {
        assert_eq!(suggestion("abcdef", ["abcdefxyz"]), Some("abcdefxyz"));
        assert_eq!(suggestion("abcde", ["abcdewxyz"]), None);
    }

    #[test]
    fn case_and_ties() {
        assert_eq!(suggestion("pusk", ["PUSH", "POP"]), Some("PUSH"));
        assert_eq!(suggestion("SwitchId2", ["SwitchID", "Version"]), Some("SwitchID"));
        assert_eq!(suggestion("Bit", ["BIT", "bit"]), Some("bit"), "two letters differ, and one");
        assert_eq!(suggestion("h9", ["h2", "h1", "s9"]), Some("h1"));
    }

    #[test]
    fn all_suggestions_the_closest_first() {
        let known = ["queue10", "queue1", "queues", "rate", "queue1"];
        assert_eq!(suggestions("queue", known), ["queue1", "queues", "queue10"]);
        assert!(suggestions("colour", known).is_empty());
    }
}
