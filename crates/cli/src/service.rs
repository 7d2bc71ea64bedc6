//! Notifications to systemd: ready, stopping, alive. Without systemd they do nothing.

#[cfg(target_os = "linux")]
use sd_notify::{NotifyState, notify};

/// Reports that the server accepts requests.
pub fn ready() {
    #[cfg(target_os = "linux")]
    report(&[NotifyState::Ready]);
}

/// Reports that the server is stopping.
pub fn stopping() {
    #[cfg(target_os = "linux")]
    report(&[NotifyState::Stopping]);
}

/// Feeds the watchdog, if there is one; never returns. It shares the threads of the server: when they hang, it hangs,
/// and the service manager restarts the process. An unreachable database does not cause a restart.
pub async fn feed_watchdog() {
    #[cfg(target_os = "linux")]
    if let Some(limit) = sd_notify::watchdog_enabled() {
        let mut tick = tokio::time::interval(limit / 3);
        loop {
            tick.tick().await;
            report(&[NotifyState::Watchdog]);
        }
    }
    std::future::pending::<()>().await;
}

#[cfg(target_os = "linux")]
fn report(state: &[NotifyState]) {
    if let Err(why) = notify(state) {
        tracing::warn!(%why, "cannot notify the service manager");
    }
}
