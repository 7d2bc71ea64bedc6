//! How people refer to others: by a reference that is different for every viewer, so that ids of people never leave
//! the server and two people cannot compare whom they know.

use towers_table::Hex;

/// The reference to a person for a viewer. Both ids are secret and random, so that the hash says nothing about them.
pub fn reference(viewer: &str, person: &str) -> String {
    let parts = [
        b"towers person ",
        viewer.as_bytes(),
        b" ",
        person.as_bytes(),
    ];
    Hex::<16>::digest(&parts).to_string()
}

/// The person to whom a viewer refers, among those whom the viewer knows.
pub fn resolve<'a>(
    viewer: &str,
    text: &str,
    mut known: impl Iterator<Item = &'a String>,
) -> Option<&'a String> {
    known.find(|person| reference(viewer, person) == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_valid_for_one_viewer() {
        let people = ["a", "b", "c"].map(String::from);
        let of = |viewer| reference(viewer, "b");
        assert_eq!(resolve("a", &of("a"), people.iter()), Some(&people[1]));
        assert_eq!(resolve("c", &of("a"), people.iter()), None);
        assert_ne!(of("a"), of("c"));
    }
}
