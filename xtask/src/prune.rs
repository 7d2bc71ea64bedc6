//! What the client does not offer to the page: libraries offer classes of their own to it, and with them all that they do.

use walrus::{ModuleConfig, passes};

use crate::run::Done;

/// The client and its glue without classes, and without what only those needed.
pub fn prune(wasm: &[u8], glue: &str) -> Done<(Vec<u8>, String)> {
    let classes = classes(glue);
    let mut module = ModuleConfig::new()
        .generate_name_section(false)
        .generate_producers_section(false)
        .parse(wasm)
        .map_err(|e| format!("the client cannot be read: {e}"))?;
    let of_class = |name: &str| {
        classes.iter().any(|class| {
            let class = class.to_lowercase();
            name.starts_with(&format!("{class}_")) || name == format!("__wbg_{class}_free")
        })
    };
    let unwanted: Vec<_> = module
        .exports
        .iter()
        .filter(|export| of_class(&export.name))
        .map(walrus::Export::id)
        .collect();
    for export in unwanted {
        module.exports.delete(export);
    }
    passes::gc::run(&mut module);
    let needed: Vec<&str> = module.imports.iter().map(|i| i.name.as_str()).collect();
    let glue = without_unneeded(&without_classes(glue, &classes), &needed);
    Ok((module.emit_wasm(), glue))
}

/// The names of the classes that the glue offers.
fn classes(glue: &str) -> Vec<String> {
    let lines = glue
        .lines()
        .filter_map(|line| line.strip_prefix("export class "));
    lines
        .filter_map(|rest| rest.split(' ').next().map(str::to_string))
        .collect()
}

/// Leaves out the classes, how they are disposed of, and how they are taken away.
fn without_classes(glue: &str, classes: &[String]) -> String {
    let of_class = |line: &str, before: &str, after: &str| {
        let rest = line.strip_prefix(before).unwrap_or_default();
        classes.iter().any(|class| {
            let rest = rest.strip_prefix(class.as_str());
            rest.is_some_and(|rest| rest.starts_with(after))
        })
    };
    left_out(glue, |line| {
        if of_class(line, "export class ", " ") {
            Some(|line| line == "}")
        } else if of_class(line, "const ", "Finalization ")
            || of_class(line, "if (Symbol.dispose) ", ".")
        {
            Some(|line| line.ends_with(';'))
        } else {
            None
        }
    })
}

/// Leaves out what the client does not ask of the page.
fn without_unneeded(glue: &str, needed: &[&str]) -> String {
    const INDENT: &str = "        ";
    left_out(glue, |line| {
        let (name, _) = line.strip_prefix(INDENT)?.split_once(": function")?;
        let is_name = name.starts_with("__wb") && !name.contains(' ');
        (is_name && !needed.contains(&name)).then_some(|line| {
            line.strip_prefix(INDENT)
                .is_some_and(|l| l.starts_with('}'))
        })
    })
}

/// Leaves out lines: what begins with one that is unwanted, up to one that ends it.
fn left_out(text: &str, begins: impl Fn(&str) -> Option<fn(&str) -> bool>) -> String {
    let mut out = String::new();
    let mut ends: Option<fn(&str) -> bool> = None;
    for line in text.lines() {
        ends = ends.or_else(|| begins(line));
        match ends {
            Some(is_end) if is_end(line) => ends = None,
            Some(_) => {}
            None => {
                out += line;
                out.push('\n');
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use walrus::FunctionBuilder;

    const GLUE: &str = "export class Sink {
    free() {
        wasm.__wbg_sink_free(this, 0);
    }
}
if (Symbol.dispose) Sink.prototype[Symbol.dispose] = Sink.prototype.free;
export function mount() {
    wasm.mount();
}
    const import0 = {
        __wbg_kept: function(arg0) {
            return arg0;
        },
        __wbg_gone: function() { return handleError(function (arg0) {
            arg0.respond();
        }, arguments); },
    };
const SinkFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_sink_free(ptr, 1));
";

    #[test]
    fn classes_go_and_what_only_they_needed() {
        // A function that is offered to the page and calls the first import, and two of a class.
        let mut module = walrus::Module::default();
        let simple = module.types.add(&[], &[]);
        let (kept, _) = module.add_import_func("x", "__wbg_kept", simple);
        let (gone, _) = module.add_import_func("x", "__wbg_gone", simple);
        for (name, calls) in [
            ("mount", Some(kept)),
            ("sink_write", Some(gone)),
            ("__wbg_sink_free", None),
        ] {
            let mut function = FunctionBuilder::new(&mut module.types, &[], &[]);
            if let Some(other) = calls {
                function.func_body().call(other);
            }
            let function = function.finish(Vec::new(), &mut module.funcs);
            module.exports.add(name, function);
        }
        let wasm = module.emit_wasm();
        let (wasm, glue) = prune(&wasm, GLUE).expect("well formed");
        let module = walrus::Module::from_buffer(&wasm).expect("well formed");
        let exports: Vec<_> = module.exports.iter().map(|e| e.name.as_str()).collect();
        assert_eq!(exports, ["mount"]);
        assert_eq!(
            (module.imports.iter().count(), module.funcs.iter().count()),
            (1, 2)
        );
        assert_eq!(
            glue,
            "export function mount() {
    wasm.mount();
}
    const import0 = {
        __wbg_kept: function(arg0) {
            return arg0;
        },
    };
"
        );
    }
}
