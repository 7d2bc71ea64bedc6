//! Putting short lists in order.

/// The items of a short list, sorted by a key; equal items keep their order.
///
/// The standard sort is made for long lists: each type that is sorted by it adds more than a kilobyte to the client.
pub fn sorted_by_key<T, K: Ord>(
    list: impl IntoIterator<Item = T>,
    key: impl Fn(&T) -> K,
) -> Vec<T> {
    let mut sorted = Vec::new();
    for item in list {
        let place = sorted.partition_point(|before| key(before) <= key(&item));
        sorted.insert(place, item);
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_as_by_the_standard_sort() {
        let list: Vec<(u32, u32)> = (0..60).map(|i| (i * 37 % 11, i)).collect();
        for length in 0..list.len() {
            let mut expected = list[..length].to_vec();
            expected.sort_by_key(|item| item.0);
            assert_eq!(
                sorted_by_key(list[..length].to_vec(), |item| item.0),
                expected
            );
        }
    }
}
