//! Computer players think on a few threads of their own, one decision at a time and at a lower priority than everything else,
//! so that games between people never wait for them.

use std::sync::{Arc, Mutex, mpsc};

use crate::metrics::{Metrics, hold};

type Job = Box<dyn FnOnce() + Send>;

/// The threads.
#[derive(Clone)]
pub(crate) struct Thinkers {
    jobs: mpsc::Sender<Job>,
    metrics: Arc<Metrics>,
}

impl Thinkers {
    /// So many threads; they end when the last handle is gone.
    pub(crate) fn new(n: usize, metrics: Arc<Metrics>) -> Thinkers {
        let (jobs, queue) = mpsc::channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        for i in 0..n.max(1) {
            let queue = queue.clone();
            let thread = std::thread::Builder::new().name(format!("thinker-{i}"));
            let started = thread.spawn(move || {
                lower_priority();
                loop {
                    // A thread that panicked has left the queue as it was.
                    let job = queue
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner)
                        .recv();
                    match job {
                        // A computer player that fails must not take the thread with it.
                        Ok(job) => {
                            let thought =
                                std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
                            if thought.is_err() {
                                tracing::error!("a computer player failed");
                            }
                        }
                        Err(_) => return,
                    }
                }
            });
            if let Err(error) = started {
                tracing::error!(%error, "a thread for computer players cannot be started");
            }
        }
        Thinkers { jobs, metrics }
    }

    /// Thinks when it is this one's turn, in the order of asking.
    pub(crate) fn think(&self, thought: impl FnOnce() + Send + 'static) {
        let metrics = self.metrics.clone();
        metrics
            .computers_waiting
            .fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let job = move || {
            metrics
                .computers_waiting
                .fetch_sub(1, std::sync::atomic::Ordering::Relaxed);
            let _thinking = hold(&metrics.computers_thinking);
            thought();
        };
        let _ = self.jobs.send(Box::new(job));
    }
}

#[cfg(target_os = "linux")]
fn lower_priority() {
    let thread = rustix::thread::gettid();
    if let Err(error) = rustix::process::setpriority_process(Some(thread), 10) {
        tracing::debug!(%error, "the priority of a thread cannot be lowered");
    }
}

#[cfg(not(target_os = "linux"))]
fn lower_priority() {}
