//! The attributes of serde that are known.

use syn::{Attribute, LitStr, Result};

/// How the names of alternatives are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// As they are in the program.
    #[default]
    Same,
    /// In small letters, with this between the words.
    Small(char),
}

impl Style {
    /// A name in this style.
    pub fn write(self, name: &str) -> String {
        let Style::Small(between) = self else {
            return name.into();
        };
        let mut written = String::new();
        for letter in name.chars() {
            if letter.is_uppercase() && !written.is_empty() {
                written.push(between);
            }
            written.extend(letter.to_lowercase());
        }
        written
    }
}

/// What the attributes of a type, an alternative or a field say.
#[derive(Debug, Default)]
pub struct Attributes {
    pub rename: Option<String>,
    pub style: Style,
    /// What is missing is as usual.
    pub default: bool,
    pub skip: bool,
    /// The entry that says which alternative it is.
    pub tag: Option<String>,
    /// Entries nobody knows are refused.
    pub strict: bool,
}

impl Attributes {
    pub fn of(attributes: &[Attribute]) -> Result<Attributes> {
        let mut found = Attributes::default();
        for attribute in attributes {
            if !attribute.path().is_ident("serde") {
                continue;
            }
            attribute.parse_nested_meta(|meta| {
                let name = meta.path.require_ident()?.to_string();
                let text = || Ok::<_, syn::Error>(meta.value()?.parse::<LitStr>()?.value());
                match name.as_str() {
                    "rename" => found.rename = Some(text()?),
                    "rename_all" => {
                        found.style = match text()?.as_str() {
                            "snake_case" => Style::Small('_'),
                            "kebab-case" => Style::Small('-'),
                            _ => return Err(meta.error("this style is not known")),
                        };
                    }
                    "default" if meta.input.is_empty() || meta.input.peek(syn::Token![,]) => {
                        found.default = true;
                    }
                    "skip_deserializing" => found.skip = true,
                    "tag" => found.tag = Some(text()?),
                    "deny_unknown_fields" => found.strict = true,
                    // Only about writing, or the same in any case.
                    "skip_serializing_if" => drop(text()?),
                    "transparent" => {}
                    _ => return Err(meta.error("this attribute is not known here")),
                }
                Ok(())
            })?;
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_serde_does() {
        assert_eq!(Style::Small('_').write("StartDrawn"), "start_drawn");
        assert_eq!(Style::Small('-').write("Oya"), "oya");
        assert_eq!(Style::Small('_').write("Abacus1"), "abacus1");
        assert_eq!(Style::Same.write("StartDrawn"), "StartDrawn");
    }
}
