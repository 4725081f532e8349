//! The clocks of the machine, for native programs.

use std::time::Instant;

use crate::Clock;

/// The time that passes: what a person who waits for a move sees.
#[derive(Clone, Copy, Debug)]
pub struct Wall(Instant);

impl Wall {
    /// The clock, which begins now.
    pub fn new() -> Wall {
        Wall(Instant::now())
    }
}

impl Default for Wall {
    fn default() -> Wall {
        Wall::new()
    }
}

impl Clock for Wall {
    fn now_ms(&self) -> f64 {
        self.0.elapsed().as_secs_f64() * 1e3
    }
}

/// The time for which the thread that asks has had a processor: a match on a machine that has much else to do then means
/// what it would mean on a quiet one. Only for players that think on one thread. Where the system cannot say, it is the
/// time that passes.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreadTime(#[cfg(not(unix))] Wall);

impl ThreadTime {
    /// The clock.
    pub fn new() -> ThreadTime {
        ThreadTime::default()
    }
}

impl Clock for ThreadTime {
    #[cfg(unix)]
    fn now_ms(&self) -> f64 {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
    }

    #[cfg(not(unix))]
    fn now_ms(&self) -> f64 {
        self.0.now_ms()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_sleeps_uses_no_time() {
        let (wall, thread) = (Wall::new(), ThreadTime::new());
        let began = (wall.now_ms(), thread.now_ms());
        std::thread::sleep(std::time::Duration::from_millis(60));
        assert!(wall.now_ms() - began.0 >= 59.0);
        if cfg!(unix) {
            assert!(thread.now_ms() - began.1 < 30.0);
        }
    }
}
