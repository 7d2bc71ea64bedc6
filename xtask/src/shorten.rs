//! Short names between the client and its glue: the long ones of the tool that binds them are for people, and no two are alike.

use crate::run::Done;

/// The number of the section of a WebAssembly file that says what it needs.
const IMPORTS: u8 = 2;
/// Where the first section begins.
const HEAD: usize = 8;

/// Reads a WebAssembly file.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Done<&'a [u8]> {
        let end = self.at + length;
        let taken = self.bytes.get(self.at..end).ok_or("the file ends early")?;
        self.at = end;
        Ok(taken)
    }

    fn byte(&mut self) -> Done<u8> {
        Ok(self.take(1)?[0])
    }

    /// A number in seven bits each.
    fn number(&mut self) -> Done<usize> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            number |= usize::from(byte & 127) << shift;
            shift += 7;
            if byte < 128 {
                return Ok(number);
            }
        }
    }

    fn name(&mut self) -> Done<&'a str> {
        let length = self.number()?;
        std::str::from_utf8(self.take(length)?).map_err(|e| e.to_string())
    }
}

fn put_number(out: &mut Vec<u8>, mut number: usize) {
    while number > 127 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_name(out: &mut Vec<u8>, name: &str) {
    put_number(out, name.len());
    out.extend(name.as_bytes());
}

/// The name with this number: a letter, or several.
fn short(mut number: usize) -> String {
    let mut name = String::new();
    loop {
        name.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
        if number == 0 {
            return name;
        }
    }
}

/// The names of what a WebAssembly file needs, and the file with short ones in their place.
fn rename(wasm: &[u8]) -> Done<(Vec<String>, Vec<u8>)> {
    let mut reader = Reader { bytes: wasm, at: 0 };
    let mut out = reader.take(HEAD)?.to_vec();
    let mut names = Vec::new();
    while reader.at < wasm.len() {
        let (kind, length) = (reader.byte()?, reader.number()?);
        let mut inside = reader.take(length)?.to_vec();
        if kind == IMPORTS {
            (names, inside) = rename_imports(&inside)?;
        }
        out.push(kind);
        put_number(&mut out, inside.len());
        out.append(&mut inside);
    }
    Ok((names, out))
}

fn rename_imports(section: &[u8]) -> Done<(Vec<String>, Vec<u8>)> {
    let mut reader = Reader {
        bytes: section,
        at: 0,
    };
    let (mut names, mut out) = (Vec::new(), Vec::new());
    let count = reader.number()?;
    put_number(&mut out, count);
    for _ in 0..count {
        put_name(&mut out, reader.name()?);
        put_name(&mut out, &short(names.len()));
        names.push(reader.name()?.to_string());
        match reader.byte()? {
            0 => {
                out.push(0);
                put_number(&mut out, reader.number()?);
            }
            other => return Err(format!("the client needs something of kind {other}")),
        }
    }
    Ok((names, out))
}

/// The client and its glue, with short names between them.
pub fn shorten(wasm: &[u8], glue: &str) -> Done<(Vec<u8>, String)> {
    let (names, wasm) = rename(wasm)?;
    let mut glue = glue.to_string();
    for (number, name) in names.iter().enumerate() {
        let (long, short) = (format!(" {name}: "), format!(" {}: ", short(number)));
        if glue.matches(&long).count() != 1 {
            return Err(format!("{name} is not in the glue once"));
        }
        glue = glue.replace(&long, &short);
    }
    let lines = glue.lines().map(str::trim_start);
    let comment = |line: &str| ["//", "/*", "*"].iter().any(|sign| line.starts_with(sign));
    let lines = lines.filter(|line| !line.is_empty() && !comment(line));
    Ok((wasm, lines.collect::<Vec<_>>().join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that needs two functions, and has a section after that.
    fn file(names: [&str; 2]) -> Vec<u8> {
        let mut imports = vec![2];
        for name in names {
            put_name(&mut imports, "./web_bg.js");
            put_name(&mut imports, name);
            imports.extend([0, 7]);
        }
        let mut file = b"\0asm\x01\0\0\0".to_vec();
        file.push(IMPORTS);
        put_number(&mut file, imports.len());
        file.extend(imports);
        file.extend([3, 1, 0]);
        file
    }

    #[test]
    fn both_sides_agree_on_the_short_names() {
        let long = "__wbg_addEventListener_847fd86b8c33ec43_and_much_more_of_it_so_that_the_section_is_longer_than_one_seven_bit_number_can_say";
        let glue =
            format!("const imports = {{\n    {long}: function() {{}},\n\n    __wbg_b: 1,\n}};");
        let (wasm, glue) = shorten(&file([long, "__wbg_b"]), &glue).expect("well formed");
        assert_eq!(wasm, file(["a", "b"]));
        assert_eq!(glue, "const imports = {\na: function() {},\nb: 1,\n};");
    }

    #[test]
    fn a_name_the_glue_does_not_have_is_told() {
        let told = shorten(&file(["one", "other"]), " one: 1,").expect_err("one is missing");
        assert!(told.contains("other"), "{told}");
    }

    #[test]
    fn numbers_have_names_of_their_own() {
        let mut names: Vec<String> = (0..1000).map(short).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 1000);
    }

    #[test]
    fn half_a_file_is_no_file() {
        let whole = file(["a", "b"]);
        assert!(rename(&whole[..whole.len() - 1]).is_err());
    }
}
