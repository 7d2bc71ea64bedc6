//! A TCP proxy that can go silent: it discards received data and closes nothing, like a network that drops packets.

use std::cell::Cell;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How often a connection checks whether it is silent or the proxy was dropped.
const POLL: Duration = Duration::from_millis(20);
/// The header that identifies a WebSocket.
const SOCKET: &[u8] = b"Sec-WebSocket-Key";
/// The statement that identifies a connection waiting for notifications.
const LISTEN: &[u8] = b"LISTEN ";

/// A TCP proxy on a separate loopback port. All connections end when it is dropped.
pub struct Proxy {
    port: u16,
    state: Arc<ProxyState>,
}

#[derive(Default)]
struct ProxyState {
    silent: AtomicBool,
    /// Whether connections go silent when they begin to listen.
    deaf: AtomicBool,
    gone: AtomicBool,
    bytes: AtomicU64,
    connections: Mutex<Vec<Arc<ProxiedConnection>>>,
}

/// A forwarded connection. Once silenced, it stays silent, as if the network had lost its state.
#[derive(Default)]
struct ProxiedConnection {
    silent: AtomicBool,
    cut: AtomicBool,
    is_socket: AtomicBool,
    listens: AtomicBool,
}

impl Proxy {
    /// Forwards connections to a loopback port.
    pub fn start(to: u16) -> Result<Proxy, String> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|e| e.to_string())?;
        let port = listener.local_addr().map_err(|e| e.to_string())?.port();
        let state = Arc::new(ProxyState::default());
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if shared.gone.load(Ordering::SeqCst) {
                    return;
                }
                if let Ok(stream) = stream {
                    let state = Arc::clone(&shared);
                    thread::spawn(move || state.carry(stream, to));
                }
            }
        });
        Ok(Proxy { port, state })
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Stops forwarding, on existing and on new connections.
    pub fn silence(&self) {
        self.state.silent.store(true, Ordering::SeqCst);
        self.each(|connection| connection.silent.store(true, Ordering::SeqCst));
    }

    /// Silences only the connections that wait for `PostgreSQL`'s notifications.
    pub fn silence_listeners(&self) {
        self.each(|connection| {
            if connection.listens.load(Ordering::SeqCst) {
                connection.silent.store(true, Ordering::SeqCst);
            }
        });
    }

    /// The same, also for connections that begin to wait for them until [`Proxy::resume`].
    pub fn silence_all_listeners(&self) {
        self.state.deaf.store(true, Ordering::SeqCst);
        self.silence_listeners();
    }

    /// Ends the open `WebSockets`; returns how many there were.
    pub fn cut_sockets(&self) -> usize {
        let count = Cell::new(0);
        self.each(|connection| {
            let is_open = connection.is_socket.swap(false, Ordering::SeqCst);
            if is_open {
                connection.cut.store(true, Ordering::SeqCst);
                count.set(count.get() + 1);
            }
        });
        count.get()
    }

    /// Forwards new connections again; silenced ones stay silent.
    pub fn resume(&self) {
        self.state.silent.store(false, Ordering::SeqCst);
        self.state.deaf.store(false, Ordering::SeqCst);
    }

    /// The number of bytes discarded.
    pub fn swallowed(&self) -> u64 {
        self.state.bytes.load(Ordering::SeqCst)
    }

    fn each(&self, change: impl Fn(&ProxiedConnection)) {
        let connections = self.state.connections.lock();
        for connection in connections.unwrap_or_else(PoisonError::into_inner).iter() {
            change(connection);
        }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.state.gone.store(true, Ordering::SeqCst);
        // A last connection wakes the accepting thread.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

impl ProxyState {
    fn carry(self: Arc<Self>, client: TcpStream, to: u16) {
        let connection = Arc::new(ProxiedConnection::default());
        {
            let connections = self.connections.lock();
            let mut connections = connections.unwrap_or_else(PoisonError::into_inner);
            connection
                .silent
                .store(self.silent.load(Ordering::SeqCst), Ordering::SeqCst);
            connections.push(Arc::clone(&connection));
        }
        let Ok(server) = TcpStream::connect(("127.0.0.1", to)) else {
            return;
        };
        let (Ok(client_too), Ok(server_too)) = (client.try_clone(), server.try_clone()) else {
            return;
        };
        let (state, other) = (Arc::clone(&self), Arc::clone(&connection));
        thread::spawn(move || state.copy(server_too, client_too, &other, false));
        self.copy(client, server, &connection, true);
    }

    /// Copies one direction until it ends. While the connection is silent, its end is not forwarded either.
    fn copy(
        &self,
        mut from: TcpStream,
        mut to: TcpStream,
        connection: &ProxiedConnection,
        up: bool,
    ) {
        let _ = from.set_read_timeout(Some(POLL));
        let _ = to.set_nodelay(true);
        let mut buffer = [0; 16 * 1024];
        let is_cut = || connection.cut.load(Ordering::SeqCst);
        while !self.gone.load(Ordering::SeqCst) && !is_cut() {
            match from.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => {
                    let bytes = &buffer[..count];
                    if up && bytes.windows(LISTEN.len()).any(|part| part == LISTEN) {
                        connection.listens.store(true, Ordering::SeqCst);
                        if self.deaf.load(Ordering::SeqCst) {
                            connection.silent.store(true, Ordering::SeqCst);
                        }
                    }
                    if connection.silent.load(Ordering::SeqCst) {
                        self.bytes.fetch_add(count as u64, Ordering::SeqCst);
                        continue;
                    }
                    if up && bytes.windows(SOCKET.len()).any(|part| part == SOCKET) {
                        connection.is_socket.store(true, Ordering::SeqCst);
                    }
                    if to.write_all(bytes).is_err() {
                        break;
                    }
                }
                Err(why) if matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(_) => break,
            }
        }
        while connection.silent.load(Ordering::SeqCst) && !self.gone.load(Ordering::SeqCst) {
            thread::sleep(POLL);
        }
        connection.is_socket.store(false, Ordering::SeqCst);
        let _ = to.shutdown(Shutdown::Both);
        let _ = from.shutdown(Shutdown::Both);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_proxy_swallows_and_closes_nothing_and_new_connections_work_afterwards() {
        let echo = TcpListener::bind("127.0.0.1:0").unwrap();
        let to = echo.local_addr().unwrap().port();
        thread::spawn(move || {
            for stream in echo.incoming().take(3).flatten() {
                thread::spawn(move || {
                    let mut stream = stream;
                    let mut buffer = [0; 64];
                    while let Ok(count @ 1..) = stream.read(&mut buffer) {
                        let _ = stream.write_all(&buffer[..count]);
                    }
                });
            }
        });
        let proxy = Proxy::start(to).unwrap();
        let connect = || {
            let stream = TcpStream::connect(("127.0.0.1", proxy.port())).unwrap();
            let limit = Some(Duration::from_millis(300));
            stream.set_read_timeout(limit).unwrap();
            stream
        };
        let says = |stream: &mut TcpStream| {
            stream.write_all(b"word").unwrap();
            let mut heard = [0; 4];
            stream.read_exact(&mut heard).map_err(|why| why.kind())
        };
        let mut old = connect();
        assert_eq!(says(&mut old), Ok(()));
        proxy.silence();
        let mut during = connect();
        for stream in [&mut old, &mut during] {
            assert_eq!(
                says(stream),
                Err(ErrorKind::WouldBlock),
                "neither data nor an end of the connection"
            );
        }
        proxy.resume();
        assert_eq!(says(&mut old), Err(ErrorKind::WouldBlock));
        assert_eq!(says(&mut connect()), Ok(()));
        assert_eq!(proxy.swallowed(), 12);
    }
}
