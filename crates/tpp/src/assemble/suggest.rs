//! The nearest of known words.

/// The known word that `found` is a slip of: at most a third of its letters differ, case aside.
pub fn nearest<'w>(found: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    // Nobody slips in a word of a hundred letters, and the distance takes the product of lengths.
    if found.len() > 64 {
        return None;
    }
    let letters = |word: &str| word.to_ascii_lowercase().chars().collect::<Vec<_>>();
    let found = letters(found);
    let limit = (found.len() / 3).max(1);
    let known = known.into_iter().map(|word| (distance(&found, &letters(word)), word));
    known
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, w)| w)
}

/// Letters to insert, remove, replace, or exchange with their neighbours (Damerau, restricted).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before = vec![0; b.len() + 1];
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut next = vec![i + 1; b.len() + 1];
        for (j, y) in b.iter().enumerate() {
            let replaced = row[j] + usize::from(x != y);
            next[j + 1] = replaced.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                next[j + 1] = next[j + 1].min(before[j - 1] + 1);
            }
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips() {
        assert_eq!(nearest("PUHS", ["PUSH", "POP"]), Some("PUSH"));
        assert_eq!(nearest("JUMP", ["PUSH", "POP"]), None);
        assert_eq!(nearest("pusk", ["PUSH", "POP"]), Some("PUSH"));
        assert_eq!(nearest("SwitchId2", ["SwitchID", "Version"]), Some("SwitchID"));
        assert_eq!(distance(&['k', 'i', 't'], &['s', 'i', 't', 's']), 2);
    }
}
