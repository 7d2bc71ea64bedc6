//! Archiving the log of a database, and going back to an earlier moment.

use std::path::PathBuf;
use std::process::Command;

use super::{Postgres, run};

impl Postgres {
    /// The folder for archived log files.
    pub fn archive(&self) -> PathBuf {
        self.folder.path().join("archive")
    }

    fn base(&self) -> PathBuf {
        self.folder.path().join("base")
    }

    /// Restarts with these lines in its configuration.
    pub fn restart_with(&mut self, settings: &str) -> Result<(), String> {
        self.make_folder(&self.archive())?;
        self.configure(settings)?;
        self.end()?;
        self.run()
    }

    /// Makes a base backup with a command line that writes to the folder `--pgdata`.
    pub fn back_up(&self, arguments: &[&str]) -> Result<(), String> {
        let mut backup = self.program("pg_basebackup");
        let port = self.port.to_string();
        backup.args(["--host=127.0.0.1", "--username=towers", "--port", &port]);
        run(backup.arg("--pgdata").arg(self.base()).args(arguments))
    }

    /// Stops in an orderly way, puts the base backup in place of the data, and starts with these lines in the
    /// configuration.
    pub fn recover(&mut self, settings: &str) -> Result<(), String> {
        self.end()?;
        std::fs::remove_dir_all(self.data()).map_err(|e| e.to_string())?;
        std::fs::rename(self.base(), self.data()).map_err(|e| e.to_string())?;
        self.configure(settings)?;
        let signal = self.data().join("recovery.signal");
        std::fs::write(&signal, "").map_err(|e| e.to_string())?;
        self.own(&signal)?;
        self.run()
    }

    fn configure(&self, settings: &str) -> Result<(), String> {
        let file = self.data().join("postgresql.conf");
        let text = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
        std::fs::write(&file, format!("{text}\n{settings}\n")).map_err(|e| e.to_string())
    }

    fn make_folder(&self, folder: &PathBuf) -> Result<(), String> {
        std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
        self.own(folder)
    }

    /// Gives a file to the user who runs the server.
    fn own(&self, file: &PathBuf) -> Result<(), String> {
        match &self.user {
            None => Ok(()),
            Some(user) => run(Command::new("chown").arg(user).arg(file)),
        }
    }

    /// Stops the server in an orderly way: it archives the rest of its log.
    fn end(&mut self) -> Result<(), String> {
        let Some(mut server) = self.server.take() else {
            return Ok(());
        };
        let id = server.id().to_string();
        run(Command::new("kill").args(["-INT", &id]))?;
        server.wait().map(drop).map_err(|e| e.to_string())
    }
}
