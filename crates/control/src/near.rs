//! Suggestions for misspelt names.

/// The name of `known` that a person most likely meant by `wanted`.
pub fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (wanted.chars().count() / 3).clamp(1, 3);
    known
        .into_iter()
        .map(|name| (distance(wanted, name), name))
        .filter(|(d, name)| *d <= limit && *d < name.len())
        .min_by_key(|(d, _)| *d)
        .map(|(_, name)| name)
}

/// Edits (insert, delete, replace, swap of neighbours) from `a` to `b`, without regard to case.
fn distance(a: &str, b: &str) -> usize {
    let fold = |s: &str| s.chars().take(64).map(|c| c.to_ascii_lowercase()).collect::<Vec<_>>();
    let (a, b) = (fold(a), fold(b));
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = replace.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names_only() {
        let known = ["table_add", "table_delete", "mc_mgrp_create"];
        assert_eq!(nearest("tabel_add", known), Some("table_add"));
        assert_eq!(nearest("table_ad", known), Some("table_add"));
        assert_eq!(nearest("mc_mgrp_creat", known), Some("mc_mgrp_create"));
        assert_eq!(nearest("counter_read", known), None);
        assert_eq!(nearest("x", ["y"]), None);
    }
}
