//! Tasks around the project: `cargo xtask web`, `cargo xtask serve`, `cargo xtask screenshots`.

mod serve;
mod web;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match args.first().map(String::as_str) {
        Some("web") if args.iter().any(|a| a == "--dev") => web::build(web::Kind::Quick),
        Some("web") => web::build(web::Kind::Release),
        Some("serve") => web::serve_dev(),
        Some("screenshots") => web::screenshots(),
        _ => Err("tasks: web [--dev], serve, screenshots".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
