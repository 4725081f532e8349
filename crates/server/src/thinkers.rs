//! Computer players think on a few threads of their own, one decision at a time and at a lower priority than everything else,
//! so that games between people never wait for them. Games where a person waits come before games of computer players alone.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::metrics::{Metrics, hold};

type Job = Box<dyn FnOnce() + Send>;

/// So many decisions that a person waits for are made before one that nobody waits for, so that those are made, too.
const BEFORE_OTHERS: u8 = 4;

/// Decisions to be made.
#[derive(Default)]
struct Queue {
    waited_for: VecDeque<Job>,
    others: VecDeque<Job>,
    /// How many that a person waited for were made since the last of the others.
    since: u8,
    closed: bool,
}

impl Queue {
    fn add(&mut self, waited_for: bool, job: Job) {
        let queue = if waited_for {
            &mut self.waited_for
        } else {
            &mut self.others
        };
        queue.push_back(job);
    }

    fn next(&mut self) -> Option<Job> {
        let turn_of_others = self.since >= BEFORE_OTHERS || self.waited_for.is_empty();
        if turn_of_others && let Some(job) = self.others.pop_front() {
            self.since = 0;
            return Some(job);
        }
        self.since = self.since.saturating_add(1);
        self.waited_for.pop_front()
    }
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    more: Condvar,
}

impl Shared {
    /// The queue. A thread that panicked has left it as it was.
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next decision; none when no more will come.
    fn next(&self) -> Option<Job> {
        let mut queue = self.queue();
        loop {
            if queue.closed {
                return None;
            }
            if let Some(job) = queue.next() {
                return Some(job);
            }
            queue = self
                .more
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The last handle ends the threads.
struct Handle(Arc<Shared>);

impl Drop for Handle {
    fn drop(&mut self) {
        self.0.queue().closed = true;
        self.0.more.notify_all();
    }
}

/// The threads.
#[derive(Clone)]
pub(crate) struct Thinkers {
    handle: Arc<Handle>,
    metrics: Arc<Metrics>,
}

impl Thinkers {
    /// So many threads; they end when the last handle is gone.
    pub(crate) fn new(n: usize, metrics: Arc<Metrics>) -> Thinkers {
        let shared = Arc::new(Shared::default());
        for i in 0..n.max(1) {
            let shared = shared.clone();
            let thread = std::thread::Builder::new().name(format!("thinker-{i}"));
            let started = thread.spawn(move || {
                lower_priority();
                while let Some(job) = shared.next() {
                    // A computer player that fails must not take the thread with it.
                    let thought = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
                    if thought.is_err() {
                        tracing::error!("a computer player failed");
                    }
                }
            });
            if let Err(error) = started {
                tracing::error!(%error, "a thread for computer players cannot be started");
            }
        }
        Thinkers {
            handle: Arc::new(Handle(shared)),
            metrics,
        }
    }

    /// Thinks when it is this one's turn: in the order of asking, but first where a person waits for it.
    pub(crate) fn think(&self, waited_for: bool, thought: impl FnOnce() + Send + 'static) {
        let metrics = self.metrics.clone();
        metrics.computers_waiting.fetch_add(1, Ordering::Relaxed);
        let job = move || {
            metrics.computers_waiting.fetch_sub(1, Ordering::Relaxed);
            let _thinking = hold(&metrics.computers_thinking);
            thought();
        };
        self.handle.0.queue().add(waited_for, Box::new(job));
        self.handle.0.more.notify_one();
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    #[test]
    fn people_wait_for_no_more_than_the_decision_under_way() {
        let thinkers = Thinkers::new(1, Arc::default());
        let (begin, begun) = mpsc::channel::<()>();
        let (told, order) = mpsc::channel();
        let (thinks, thinking) = mpsc::channel();
        thinkers.think(false, move || {
            thinks.send(()).unwrap();
            begun.recv_timeout(PATIENCE).unwrap();
        });
        thinking.recv_timeout(PATIENCE).unwrap();
        for (waited_for, name) in (0..12).map(|i| (i >= 6, i)) {
            let told = told.clone();
            thinkers.think(waited_for, move || told.send(name).unwrap());
        }
        begin.send(()).unwrap();
        let order: Vec<i32> = (0..12)
            .map(|_| order.recv_timeout(PATIENCE).unwrap())
            .collect();
        // Six that people wait for came last, and are served first; the others are not forgotten.
        assert_eq!(order, [6, 7, 8, 9, 0, 10, 11, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn there_are_never_more_than_so_many_and_a_failure_takes_none_away() {
        let metrics: Arc<Metrics> = Arc::default();
        let thinkers = Thinkers::new(2, metrics.clone());
        let (told, heard) = mpsc::channel();
        for i in 0..40 {
            let (told, metrics) = (told.clone(), metrics.clone());
            thinkers.think(i % 2 == 0, move || {
                std::thread::sleep(Duration::from_millis(2));
                told.send(metrics.computers_thinking.load(Ordering::Relaxed))
                    .unwrap();
                assert!(i >= 10, "this one fails");
            });
        }
        let thinking: Vec<i64> = (0..40)
            .map(|_| heard.recv_timeout(PATIENCE).unwrap())
            .collect();
        assert!(thinking.iter().all(|n| (1..=2).contains(n)), "{thinking:?}");
        assert_eq!(metrics.computers_waiting.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn the_threads_end_with_the_last_handle() {
        let thinkers = Thinkers::new(1, Arc::default());
        let shared = Arc::downgrade(&thinkers.handle.0);
        drop(thinkers);
        for _ in 0..2000 {
            if shared.upgrade().is_none() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("a thread goes on");
    }
}
