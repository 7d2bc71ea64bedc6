//! Golden files: written anew by the tests that compare them.

use crate::run::{Done, cargo, run};

/// Writes the golden playthroughs anew; read the difference before you commit it.
pub fn write() -> Done {
    run(cargo(&["test", "-p", "rules", "--test", "golden"]).env("UPDATE_GOLDEN", "1"))?;
    println!("now read what `git diff` shows");
    Ok(())
}
