//! What is derived here reads what serde writes, and refuses what serde refuses.

use serde::Serialize;
use serde::de::DeserializeOwned;
use wire::{Deserialize, Tree, Wrong};

fn read<T: DeserializeOwned>(text: &str) -> Result<T, Wrong> {
    let tree: Tree = serde_json::from_str(text).unwrap();
    T::deserialize(tree)
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Number(u32);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Plain {
    number: Number,
    #[serde(rename = "type")]
    kind: Kind,
    nothing: Option<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    list: Vec<Kind>,
    #[serde(default, skip_deserializing)]
    own: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    NoValue,
    OneValue(Number),
    Named {
        n: u8,
    },
    #[serde(rename = "x1")]
    Other,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Usual {
    n: u8,
    text: String,
}

impl Default for Usual {
    fn default() -> Usual {
        Usual {
            n: 7,
            text: "usual".into(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Strict {
    n: u8,
}

fn plain() -> Plain {
    Plain {
        number: Number(3),
        kind: Kind::Named { n: 4 },
        nothing: None,
        list: vec![
            Kind::NoValue,
            Kind::OneValue(Number(5)),
            Kind::Named { n: 6 },
            Kind::Other,
        ],
        own: 0,
    }
}

#[test]
fn what_serde_writes_is_read() {
    let text = serde_json::to_string(&plain()).unwrap();
    assert_eq!(read::<Plain>(&text).unwrap(), plain());
    assert_eq!(serde_json::from_str::<Plain>(&text).unwrap(), plain());
    let short = r#"{"type":"x1","other":[1],"number":3,"own":9}"#;
    let expected = Plain {
        kind: Kind::Other,
        list: Vec::new(),
        ..plain()
    };
    assert_eq!(read::<Plain>(short).unwrap(), expected);
}

#[test]
fn what_is_missing_is_as_usual() {
    let usual = Usual::default();
    assert_eq!(read::<Usual>("{}").unwrap(), usual);
    assert_eq!(
        read::<Usual>(r#"{"n":1}"#).unwrap(),
        Usual { n: 1, ..usual }
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    let why = |text: &str| read::<Plain>(text).unwrap_err().to_string();
    assert_eq!(why(r#"{"number":3}"#), "missing field `type`");
    assert!(why(r#"{"number":3,"type":"y"}"#).contains("unknown variant `y`"));
    assert!(why(r#"{"number":3,"type":{"named":{}}}"#).contains("missing field `n`"));
    assert!(why(r#"{"number":"3","type":"x1"}"#).contains("whole number"));
    assert!(why("[]").contains("a map"));
    assert!(read::<Usual>("null").is_err());
    assert!(read::<Kind>(r#"{"named":[4]}"#).is_err());
    assert!(read::<Kind>(r#"{"named":{"n":1},"x1":null}"#).is_err());
}

#[test]
fn strict_types_refuse_what_they_do_not_know() {
    assert_eq!(read::<Strict>(r#"{"n":1}"#).unwrap(), Strict { n: 1 });
    let why = read::<Strict>(r#"{"n":1,"m":2}"#).unwrap_err();
    assert_eq!(why.to_string(), "unknown field `m`");
    assert!(read::<Strict>(r#"{"n":1,"n":2}"#).is_err());
}
