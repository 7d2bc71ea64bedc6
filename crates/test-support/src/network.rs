//! A network namespace behind a virtual cable in which packets can be dropped: no reset, no ICMP, like a broken switch
//! or a firewall.
//!
//! The namespace has two addresses. Packets of the first can be dropped while the second one keeps working, so that one
//! server loses its database and another one does not.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::run;

/// The error if namespaces cannot be created.
const NEEDS: &str = "network namespaces need root and the programs ip and nft: on Debian \
     `apt-get install iproute2 nftables`, then run the tests as root (in a container: with \
     --privileged); TOWERS_TEST_NO_NAMESPACES=1 leaves these tests out";

/// A network namespace connected to that of the tests by a pair of virtual interfaces. Both are removed on drop.
pub struct Network {
    name: String,
    subnet: u8,
}

impl Network {
    /// Creates the namespace, the cable and the addresses.
    pub fn new() -> Result<Network, String> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        remove_leftovers();
        let id = std::process::id();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("tw{id}n{count}");
        run(Command::new("ip").args(["netns", "add", &name]))
            .map_err(|why| format!("{NEEDS} ({why})"))?;
        let mut network = Network { name, subnet: 0 };
        // Another test process may use the same subnet of 198.18.0.0/15 (for benchmarks, RFC 2544).
        let first = (id % 250) as u8;
        let free = (0..250).map(|i| (first + i) % 250);
        let mut why = String::new();
        for subnet in free.take(20) {
            network.subnet = subnet;
            match network.connect() {
                Ok(()) => return Ok(network),
                Err(failed) => why = failed,
            }
        }
        Err(format!("{NEEDS} ({why})"))
    }

    fn connect(&self) -> Result<(), String> {
        let outside = &self.name;
        let inside = self.interface();
        let _ = Command::new("ip")
            .args(["link", "del", outside])
            .stderr(std::process::Stdio::null())
            .status();
        let ip = |args: &[&str]| run(Command::new("ip").args(args));
        if crate::output(Command::new("ip").args(["-4", "addr"]))?.contains(&self.host()) {
            return Err(format!("{} is taken", self.host()));
        }
        ip(&[
            "link", "add", outside, "type", "veth", "peer", "name", &inside, "netns", &self.name,
        ])?;
        ip(&[
            "addr",
            "add",
            &format!("{}/24", self.host()),
            "dev",
            outside,
        ])?;
        ip(&["link", "set", outside, "up"])?;
        for args in [
            &[
                "addr",
                "add",
                &format!("{}/24", self.cut_address()),
                "dev",
                &inside,
            ][..],
            &[
                "addr",
                "add",
                &format!("{}/24", self.other_address()),
                "dev",
                &inside,
            ],
            &["link", "set", &inside, "up"],
            &["link", "set", "lo", "up"],
        ] {
            run(self.command("ip").args(args))?;
        }
        // Set up the rules once; a chain without rules lets everything pass.
        for (chain, hook) in [("arriving", "input"), ("leaving", "output")] {
            run(self.command("nft").args(["add", "table", "ip", "towers"]))?;
            let hook = format!("{{ type filter hook {hook} priority 0; policy accept; }}");
            run(self
                .command("nft")
                .args(["add", "chain", "ip", "towers", chain, &hook]))?;
        }
        Ok(())
    }

    fn interface(&self) -> String {
        format!("{}i", self.name)
    }

    fn host(&self) -> String {
        format!("198.18.{}.1", self.subnet)
    }

    /// The address to and from which packets can be dropped.
    pub fn cut_address(&self) -> String {
        format!("198.18.{}.2", self.subnet)
    }

    /// An address of the same namespace whose packets are never dropped.
    pub fn other_address(&self) -> String {
        format!("198.18.{}.3", self.subnet)
    }

    /// The addresses from which connections come in.
    pub fn range(&self) -> String {
        format!("198.18.{}.0/24", self.subnet)
    }

    /// A command that runs in the namespace.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.name]);
        command.arg(program.as_ref());
        command
    }

    /// Starts dropping all packets to and from [`Network::cut_address`].
    pub fn drop_packets(&self) -> Result<(), String> {
        for (chain, end) in [("arriving", "daddr"), ("leaving", "saddr")] {
            let mut nft = self.command("nft");
            nft.args(["add", "rule", "ip", "towers", chain, "ip", end]);
            run(nft.args([&self.cut_address(), "counter", "drop"]))?;
        }
        Ok(())
    }

    /// Stops dropping packets; connections that both sides still hold continue.
    pub fn pass_packets(&self) -> Result<(), String> {
        run(self.command("nft").args(["flush", "table", "ip", "towers"]))
    }

    /// The number of packets dropped so far.
    pub fn dropped(&self) -> Result<u64, String> {
        let rules = crate::output(self.command("nft").args(["list", "table", "ip", "towers"]))?;
        let counts = rules.split("counter packets ").skip(1);
        let numbers = counts.filter_map(|rest| rest.split(' ').next()?.parse::<u64>().ok());
        Ok(numbers.sum())
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        // Removing the namespace removes its end of the cable and with it the other end.
        let _ = run(Command::new("ip").args(["netns", "del", &self.name]));
        let _ = Command::new("ip")
            .args(["link", "del", &self.name])
            .stderr(std::process::Stdio::null())
            .status();
    }
}

/// Removes namespaces of test processes that were killed.
fn remove_leftovers() {
    let Ok(folder) = std::fs::read_dir("/run/netns") else {
        return;
    };
    for entry in folder.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name
            .strip_prefix("tw")
            .and_then(|rest| rest.split('n').next());
        let Some(process) = process.and_then(|id| id.parse::<u32>().ok()) else {
            continue;
        };
        if !Path::new(&format!("/proc/{process}")).exists() {
            let _ = run(Command::new("ip").args(["netns", "del", &name]));
        }
    }
}
