//! The faults of `silence` in network namespaces that drop packets, so that the operating system's retransmissions and
//! time limits are part of the test.

use std::sync::Arc;

use towers_test_support::{Network as Namespace, Postgres};

use super::silence::{NetworkPath, is_noticed_and_play_goes_on, stops_in_time};

/// A database in a network namespace.
struct DroppingNetwork {
    namespace: Arc<Namespace>,
    postgres: Postgres,
}

impl DroppingNetwork {
    /// `None` if the environment says that there are no namespaces here.
    fn start() -> Option<DroppingNetwork> {
        if std::env::var_os("TOWERS_TEST_NO_NAMESPACES").is_some() {
            eprintln!("left out: TOWERS_TEST_NO_NAMESPACES is set");
            return None;
        }
        let namespace = Arc::new(Namespace::new().unwrap_or_else(|why| panic!("{why}")));
        let postgres = Postgres::start_in(&namespace).unwrap_or_else(|why| panic!("{why}"));
        Some(DroppingNetwork {
            namespace,
            postgres,
        })
    }
}

impl NetworkPath for DroppingNetwork {
    fn url(&self) -> String {
        self.postgres.url_at(&self.namespace.cut_address())
    }

    fn silence(&self) {
        self.namespace.drop_packets().unwrap();
    }

    fn resume(&self) {
        let dropped = self.namespace.dropped().unwrap();
        println!("{dropped} packets were dropped");
        assert!(dropped > 0, "nothing was dropped");
        self.namespace.pass_packets().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropped_packets_are_noticed_and_play_goes_on_when_they_arrive_again() {
    let Some(network) = DroppingNetwork::start() else {
        return;
    };
    let other = network.postgres.url_at(&network.namespace.other_address());
    is_noticed_and_play_goes_on(&network, &other).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_whose_packets_are_dropped_still_stops_in_time() {
    let Some(network) = DroppingNetwork::start() else {
        return;
    };
    stops_in_time(&network).await;
}
