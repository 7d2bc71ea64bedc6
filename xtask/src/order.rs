//! The functions of the client in an order in which those that are alike are neighbours: compressed, that is smaller.

use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{CodeSectionReader, FunctionSectionReader, Parser, Payload, TypeRef};

use crate::run::Done;

/// Another order of the functions of a file.
struct Order {
    /// How many functions come from outside; they keep their numbers.
    outside: u32,
    /// The old places in their new order.
    places: Vec<usize>,
    /// The new place of each old one.
    moved: Vec<u32>,
}

impl Order {
    /// Those that have the same variables and the same type, and begin alike, come together.
    fn of(wasm: &[u8]) -> Done<Order> {
        let (mut outside, mut types, mut bodies) = (0, Vec::<u32>::new(), Vec::new());
        for part in Parser::new(0).parse_all(wasm) {
            match part.map_err(|e| e.to_string())? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let import = import.map_err(|e| e.to_string())?;
                        outside += u32::from(matches!(import.ty, TypeRef::Func(_)));
                    }
                }
                Payload::FunctionSection(all) => {
                    types = all
                        .into_iter()
                        .collect::<Result<_, _>>()
                        .map_err(|e| e.to_string())?;
                }
                Payload::CodeSectionEntry(body) => {
                    let code = body.get_operators_reader().map_err(|e| e.to_string())?;
                    let (range, middle) = (body.range(), code.original_position());
                    bodies.push((&wasm[range.start..middle], &wasm[middle..range.end]));
                }
                _ => {}
            }
        }
        let mut places: Vec<usize> = (0..bodies.len()).collect();
        places.sort_by_key(|place| (bodies[*place].0, types.get(*place), bodies[*place].1));
        let mut moved = vec![0; places.len()];
        for (new, old) in places.iter().enumerate() {
            moved[*old] = new as u32;
        }
        Ok(Order {
            outside,
            places,
            moved,
        })
    }
}

impl Reencode for Order {
    type Error = Infallible;

    fn function_index(&mut self, number: u32) -> Result<u32, Error<Infallible>> {
        let Some(place) = number.checked_sub(self.outside) else {
            return Ok(number);
        };
        Ok(self.outside + self.moved[place as usize])
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let types = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for place in &self.places {
            functions.function(types[*place]);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for place in self.places.clone() {
            self.parse_function_body(code, bodies[place].clone())?;
        }
        Ok(())
    }
}

/// The same program with its functions in a better order.
pub fn order(wasm: &[u8]) -> Done<Vec<u8>> {
    let mut order = Order::of(wasm)?;
    let mut module = Module::new();
    order
        .parse_core_module(&mut module, Parser::new(0), wasm)
        .map_err(|e| e.to_string())?;
    Ok(module.finish())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use wasm_encoder::{
        EntityType, ExportKind, ExportSection, Function, ImportSection, Instruction, TypeSection,
        ValType,
    };
    use wasmparser::Operator;

    use super::*;

    /// A program with one function from outside and three of its own: two numbers, and one that calls the first of them.
    fn program() -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], [ValType::I32]);
        let mut imports = ImportSection::new();
        imports.import("outside", "it", EntityType::Function(0));
        let (mut functions, mut exports, mut code) = (
            FunctionSection::new(),
            ExportSection::new(),
            CodeSection::new(),
        );
        for (n, name) in ["two", "one", "calls two"].into_iter().enumerate() {
            functions.function(0);
            exports.export(name, ExportKind::Func, n as u32 + 1);
            let mut body = Function::new([]);
            let first = match name {
                "two" => Instruction::I32Const(2),
                "one" => Instruction::I32Const(1),
                _ => Instruction::Call(1),
            };
            body.instruction(&first).instruction(&Instruction::End);
            code.function(&body);
        }
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions);
        module.section(&exports).section(&code);
        module.finish()
    }

    /// What each function that has a name does first, and the names in the order of the functions.
    fn deeds(wasm: &[u8]) -> (BTreeMap<String, String>, Vec<String>) {
        let (mut names, mut firsts) = (Vec::new(), Vec::new());
        for part in Parser::new(0).parse_all(wasm) {
            match part.expect("well formed") {
                Payload::ExportSection(all) => {
                    for export in all {
                        let export = export.expect("well formed");
                        names.push((export.index as usize - 1, export.name.to_string()));
                    }
                }
                Payload::CodeSectionEntry(body) => {
                    let mut reader = body.get_operators_reader().expect("well formed");
                    firsts.push(reader.read().expect("not empty"));
                }
                _ => {}
            }
        }
        names.sort();
        let called = |first: &Operator| match first {
            Operator::Call { function_index } => {
                format!("calls {}", names[*function_index as usize - 1].1)
            }
            Operator::I32Const { value: 1 } => "one".into(),
            _ => "two".into(),
        };
        let deeds = names
            .iter()
            .map(|(n, name)| (name.clone(), called(&firsts[*n])))
            .collect();
        (deeds, names.into_iter().map(|(_, name)| name).collect())
    }

    #[test]
    fn everybody_still_does_what_their_name_says() {
        let (before, order_before) = deeds(&program());
        let (after, order_after) = deeds(&order(&program()).expect("well formed"));
        assert!(before.iter().all(|(name, deed)| name == deed), "{before:?}");
        assert_eq!(before, after);
        assert_ne!(order_before, order_after);
    }

    #[test]
    fn half_a_program_is_no_program() {
        let whole = program();
        assert!(order(&whole[..whole.len() - 1]).is_err());
    }
}
