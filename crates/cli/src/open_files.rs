//! The limit of open files. A shell allows 1,024 at first, fewer than the connections of a server, although a process may
//! raise its limit.

/// Allows this process as many open files as the system permits, and warns if they are fewer than the connections.
pub fn allow_for(connections: usize) {
    #[cfg(unix)]
    if let Some(most) = raise()
        && most < connections as u64
    {
        tracing::warn!(
            open_files = most,
            connections,
            "fewer open files than connections are allowed: raise the limit (LimitNOFILE, ulimit -Hn), or lower --connections"
        );
    }
}

/// Raises the limit; returns it, or `None` if there is none.
#[cfg(unix)]
fn raise() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        // Some systems have another bound.
        Err(_) => limit.current,
    }
}
