//! A seed in the address, to reproduce cards and dice for tests and bug reports.

use towers_table::{Hex, Seed};

/// The seed in the query of an address such as `?seed=7`; any text is a seed. It determines the cards and dice of games
/// on this device. Tables on a server use the server's seeds.
pub fn of_query(query: &str) -> Option<Seed> {
    let query = query.strip_prefix('?').unwrap_or(query);
    let name = query
        .split('&')
        .find_map(|part| part.strip_prefix("seed="))?;
    (!name.is_empty()).then(|| of_name(name))
}

/// The seed derived from a name.
pub fn of_name(name: &str) -> Seed {
    Hex::digest(&[b"wandering-towers seed ", name.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_address_gives_the_same_seed() {
        assert_eq!(of_query("?seed=7"), Some(of_name("7")));
        assert_eq!(of_query("a=b&seed=7&c"), of_query("?seed=7"));
        assert_ne!(of_query("?seed=7"), of_query("?seed=8"));
    }

    #[test]
    fn an_address_without_a_seed_leaves_it_to_chance() {
        for query in ["", "?", "?seed", "?seed=", "?reseed=7", "?x=seed=7"] {
            assert_eq!(of_query(query), None, "{query}");
        }
    }
}
