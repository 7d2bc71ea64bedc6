//! Startup errors, worded so that a host knows what to do.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::storage::StorageError;

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Another program listens there.
    #[error(
        "port {} is taken: is towers running already? Choose another one with --listen {}:{}",
        .0.port(), .0.ip(), .0.port().wrapping_add(1)
    )]
    PortTaken(SocketAddr),
    /// The system does not allow it.
    #[error("cannot listen on {address}: {why}")]
    Listen {
        address: SocketAddr,
        why: std::io::Error,
    },
    /// The folder for data cannot be used.
    #[error(
        "cannot write to the data folder {}: {why}. Choose another one with --data FOLDER",
        .folder.display()
    )]
    Data { folder: PathBuf, why: String },
    /// Another server uses the folder for data.
    #[error(
        "another towers uses the data folder {}: stop it, or choose another folder with --data FOLDER",
        .0.display()
    )]
    InUse(PathBuf),
    /// The database cannot be opened.
    #[error("cannot open the database {}: {why}", .file.display())]
    Database { file: PathBuf, why: StorageError },
    /// The database server cannot be used.
    #[error("cannot use the database of --database-url: {0}")]
    DatabaseServer(StorageError),
    /// Bans cannot be read.
    #[error("cannot read the bans: {0}")]
    Admin(StorageError),
    /// The server's keys cannot be read or stored.
    #[error("cannot read the server's keys: {0}")]
    Keys(StorageError),
    /// The key file cannot be used.
    #[error("cannot use the key file {}: {why}", .file.display())]
    KeyFile { file: PathBuf, why: String },
    /// The secrets in the database were encrypted with another key.
    #[error(
        "the secret key is not the one of this database: name its file with --secret-key-file FILE"
    )]
    WrongSecretKey,
    /// Old tables cannot be deleted.
    #[error("cannot delete old tables: {0}")]
    Prune(StorageError),
    /// The certificate or its key cannot be used.
    #[error("cannot use the certificate for TLS: {0}")]
    Tls(String),
}
