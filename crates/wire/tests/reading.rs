//! What a tree reads is what serde would have read from the text.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use wire::{Tree, Wrong};

fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Wrong> {
    let tree: Tree = serde_json::from_str(text).unwrap();
    T::deserialize(tree)
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct All {
    small: u8,
    signed: i32,
    float: f64,
    text: String,
    letter: char,
    yes: bool,
    nothing: Option<u8>,
    #[serde(default)]
    missing: u8,
    list: Vec<Option<u16>>,
    pair: (String, u16),
    map: BTreeMap<String, Unit>,
    newtype: New,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct New(u32);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Unit {
    One,
    Two(u8),
    Three { n: u8 },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Inner {
    n: u8,
}

wire::tagged! {
    "kind";
    /// Alternatives of every form.
    #[derive(Debug, PartialEq)]
    pub enum Shape1 {
        Empty,
        Full { n: u8, more: Option<u8> },
        Wrapped(Inner),
    }
}

wire::tagged! {
    "kind", strict;
    /// No field more than there are.
    #[derive(Debug, PartialEq)]
    pub enum Shape2 {
        Full { n: u8 },
    }
}

const ALL: &str = r#"{"small":7,"signed":-3,"float":2.5,"text":"a\"b","letter":"x","yes":true,"nothing":null,"unknown":[{}],
    "list":[1,null,300],"pair":["p",9],"map":{"a":"One","b":{"Two":2},"c":{"Three":{"n":3}}},"newtype":5}"#;

#[test]
fn a_tree_reads_what_serde_reads() {
    let expected: All = serde_json::from_str(ALL).unwrap();
    assert_eq!(read::<All>(ALL).unwrap(), expected);
}

#[test]
fn what_does_not_fit_is_refused() {
    for (text, why) in [
        (r#"{"n":256}"#, "invalid value 256, expected u8"),
        (r#"{"n":-1}"#, "expected a whole number"),
        (r#"{"n":1.5}"#, "expected a whole number"),
        (r#"{"n":"1"}"#, "expected a whole number"),
        (r#"{"n":1,"n":2}"#, "duplicate field `n`"),
        ("{}", "missing field `n`"),
        ("[1]", "expected a map"),
        ("null", "expected a map"),
    ] {
        let wrong = read::<Inner>(text).unwrap_err().to_string();
        assert!(wrong.starts_with(why), "{text}: {wrong}");
    }
    assert!(read::<Unit>(r#""Four""#).is_err());
    assert!(read::<Unit>(r#"{"Two":2,"One":null}"#).is_err());
    assert!(read::<Vec<u8>>(r#"{"a":1}"#).is_err());
}

#[test]
fn a_tag_inside_is_written_and_read_anywhere_among_the_fields() {
    for (text, value) in [
        (r#"{"kind":"empty"}"#, Shape1::Empty),
        (
            r#"{"kind":"full","n":1,"more":2}"#,
            Shape1::Full {
                n: 1,
                more: Some(2),
            },
        ),
        (
            r#"{"kind":"wrapped","n":4}"#,
            Shape1::Wrapped(Inner { n: 4 }),
        ),
    ] {
        assert_eq!(serde_json::to_string(&value).unwrap(), text);
        assert_eq!(read::<Shape1>(text).unwrap(), value);
        assert_eq!(serde_json::from_str::<Shape1>(text).unwrap(), value);
    }
    let last = r#"{"n":1,"other":[],"kind":"full"}"#;
    assert_eq!(
        read::<Shape1>(last).unwrap(),
        Shape1::Full { n: 1, more: None }
    );
    assert_eq!(
        read::<Shape1>(r#"{"kind":"empty","other":1}"#).unwrap(),
        Shape1::Empty
    );
}

#[test]
fn a_tag_has_to_be_there_and_to_be_known() {
    for text in [
        "{}",
        "7",
        r#"{"kind":7}"#,
        r#"{"kind":"none"}"#,
        r#"{"kind":"full"}"#,
    ] {
        assert!(read::<Shape1>(text).is_err(), "{text}");
    }
    let more = r#"{"kind":"full","n":1,"more":2}"#;
    assert!(read::<Shape2>(more).is_err());
    assert_eq!(
        read::<Shape2>(r#"{"kind":"full","n":1}"#).unwrap(),
        Shape2::Full { n: 1 }
    );
}

#[test]
fn a_tree_is_a_tree() {
    let tree: Tree = read(ALL).unwrap();
    assert_eq!(tree, read::<Tree>(ALL).unwrap());
    assert_eq!(tree.get("small"), Some(&Tree::Whole(7)));
    let mut tree = tree;
    assert_eq!(tree.field::<i8>("signed"), Ok(-3));
    assert_eq!(tree.take("signed"), None);
    assert_eq!(tree.field::<Option<u8>>("signed"), Ok(None));
    let wrong = tree.field::<u8>("signed").unwrap_err();
    assert_eq!(wrong.to_string(), "missing field `signed`");
}
