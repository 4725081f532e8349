//! Counting tests in what their runners print.

use std::fmt;
use std::ops::AddAssign;

/// How many tests passed, failed and were skipped. Printed as the last line of `cargo xtask test`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(f, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

impl Counts {
    /// The counts in a line of `cargo test` (`test result: ok. 3 passed; 0 failed; …`) or of `cargo nextest`
    /// (`Summary [ 0.014s] 3 tests run: 2 passed, 1 failed, 0 skipped`); none for any other line, nor for what nextest repeats, indented,
    /// of the output of a test that failed.
    pub(crate) fn in_line(line: &str) -> Option<Counts> {
        let text = match line.strip_prefix("test result: ") {
            Some(rest) => rest.split_once(". ")?.1,
            None => {
                line.trim_start()
                    .strip_prefix("Summary [")?
                    .split_once(':')?
                    .1
            }
        };
        let mut counts = Counts::default();
        for part in text.split([',', ';', '(', ')']) {
            let mut words = part.split_whitespace();
            let Some(number) = words.next().and_then(|n| n.parse::<u64>().ok()) else {
                continue;
            };
            match words.next() {
                Some("passed") => counts.passed += number,
                Some("failed" | "timed" | "exec") => counts.failed += number,
                Some("ignored" | "skipped") => counts.skipped += number,
                _ => {}
            }
        }
        Some(counts)
    }
}

impl Counts {
    /// The counts in a closing line of Node's test runner in TAP (`# pass 3`, `# fail 0`, `# cancelled 0`, `# skipped 0`); none for any
    /// other line.
    pub(crate) fn in_tap(line: &str) -> Option<Counts> {
        let (word, number) = line.strip_prefix("# ")?.split_once(' ')?;
        let number = number.parse::<u64>().ok()?;
        let mut counts = Counts::default();
        match word {
            "pass" => counts.passed = number,
            "fail" | "cancelled" => counts.failed = number,
            "skipped" | "todo" => counts.skipped = number,
            _ => return None,
        }
        Some(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<(u64, u64, u64)>) {
        let expected = expected.map(|(passed, failed, skipped)| Counts {
            passed,
            failed,
            skipped,
        });
        assert_eq!(Counts::in_line(line), expected, "{line}");
    }

    #[test]
    fn lines_of_both_runners_are_counted() {
        check(
            "test result: ok. 9 passed; 0 failed; 2 ignored; 0 measured; 3 filtered out; finished in 0.00s",
            Some((9, 0, 2)),
        );
        check(
            "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
            Some((2, 1, 0)),
        );
        check(
            "     Summary [   0.014s] 3 tests run: 3 passed, 0 skipped",
            Some((3, 0, 0)),
        );
        check(
            "     Summary [  10.014s] 12/20 tests run: 8 passed (1 slow, 1 leaky), 2 failed, 1 timed out, 1 exec failed, 3 skipped",
            Some((8, 4, 3)),
        );
        check(
            "    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 8 filtered out",
            None,
        );
        check("running 9 tests", None);
        check("test a::b ... ok", None);
        check("", None);
    }

    #[test]
    fn lines_of_nodes_runner_are_counted() {
        let lines = "# tests 9\n# suites 1\n# pass 5\n# fail 1\n# cancelled 1\n# skipped 2\n# todo 0\n# duration_ms 12.5\nok 1 - # pass 7";
        let mut sum = Counts::default();
        for counts in lines.lines().filter_map(Counts::in_tap) {
            sum += counts;
        }
        assert_eq!((sum.passed, sum.failed, sum.skipped), (5, 2, 2));
    }

    #[test]
    fn the_closing_line_names_skipped_tests_only_when_there_are_some() {
        let mut counts = Counts {
            passed: 3,
            failed: 0,
            skipped: 0,
        };
        assert_eq!(counts.to_string(), "3 passed, 0 failed");
        counts += Counts {
            passed: 1,
            failed: 2,
            skipped: 4,
        };
        assert_eq!(counts.to_string(), "4 passed, 2 failed, 4 skipped");
    }
}
