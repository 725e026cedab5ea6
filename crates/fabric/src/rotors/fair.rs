//! Fair shares.

/// Divides `total` among `demands` so that the smallest share is as large as possible, then the next, and so on, in whole
/// numbers: nobody gets more than it demands, and all of `total` is given if the demands suffice. What does not divide goes
/// to larger demands, and behind that to later ones.
pub fn max_min(demands: &[u64], total: u64) -> Vec<u64> {
    let mut order: Vec<usize> = (0..demands.len()).collect();
    order.sort_by_key(|&place| demands[place]);
    let mut shares = vec![0; demands.len()];
    let mut left = total;
    for (others, place) in (1..=demands.len() as u64).rev().zip(order) {
        shares[place] = demands[place].min(left / others);
        left -= shares[place];
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::max_min;

    #[test]
    fn shares_are_those_of_water_filling() {
        assert_eq!(max_min(&[5, 1, 9], 9), [4, 1, 4]);
        assert_eq!(max_min(&[5, 1, 9], 15), [5, 1, 9]);
        assert_eq!(max_min(&[5, 1, 9], 100), [5, 1, 9]);
        assert_eq!(max_min(&[7, 7, 7], 8), [2, 3, 3]);
        assert_eq!(max_min(&[], 8), [0; 0]);
    }
}
