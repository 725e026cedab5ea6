//! The rate of a flow: cut by notifications, raised by time and by bytes (Zhu and others, SIGCOMM 2015, section 3.1, equations 1 to 4).

use super::Settings;
use crate::pending::Time;

/// See the module.
#[derive(Clone, Debug)]
pub struct Rate {
    settings: Settings,
    /// Bits a second of the host's line.
    line: f64,
    current: f64,
    target: f64,
    alpha: f64,
    /// Steps by time and by bytes since the last notification.
    by_time: u32,
    by_bytes: u32,
    bytes: u64,
    alpha_at: Time,
    increase_at: Time,
}

impl Rate {
    /// That of the line, of so many bits a second, until there are notifications.
    pub fn new(settings: &Settings, line: u64, now: Time) -> Self {
        let line = line as f64;
        Self {
            settings: *settings,
            line,
            current: line,
            target: line,
            alpha: 1.0,
            by_time: 0,
            by_bytes: 0,
            bytes: 0,
            alpha_at: now.saturating_add(settings.alpha_interval),
            increase_at: now.saturating_add(settings.increase_interval),
        }
    }

    /// Bits a second of frames.
    pub fn current(&self) -> f64 {
        self.current
    }

    /// A notification has come.
    pub fn cut(&mut self, now: Time) {
        self.decay(now);
        let Settings { gain, least, alpha_interval, increase_interval, .. } = self.settings;
        self.target = self.current;
        self.current = (self.current * (1.0 - self.alpha / 2.0)).max(least as f64);
        self.alpha = (1.0 - gain) * self.alpha + gain;
        (self.by_time, self.by_bytes, self.bytes) = (0, 0, 0);
        self.alpha_at = now.saturating_add(alpha_interval);
        self.increase_at = now.saturating_add(increase_interval);
    }

    /// Alpha falls once in each interval without a notification.
    fn decay(&mut self, now: Time) {
        let Settings { gain, alpha_interval, .. } = self.settings;
        if now >= self.alpha_at {
            let times = (now - self.alpha_at) / alpha_interval + 1;
            self.alpha *= libm::pow(1.0 - gain, times as f64);
            self.alpha_at = self.alpha_at.saturating_add(times.saturating_mul(alpha_interval));
        }
    }

    /// A frame of so many bytes was sent.
    pub fn sent(&mut self, bytes: u32) {
        self.bytes += u64::from(bytes);
        while self.bytes >= self.settings.increase_bytes {
            self.bytes -= self.settings.increase_bytes;
            self.by_bytes += 1;
            self.increase();
        }
    }

    /// When [`expire`](Self::expire) wants to be called: not at the rate of the line.
    pub fn timer(&self) -> Option<Time> {
        (self.current < self.line).then_some(self.increase_at)
    }

    /// Time has passed.
    pub fn expire(&mut self, now: Time) {
        while self.increase_at <= now {
            self.increase_at = self.increase_at.saturating_add(self.settings.increase_interval);
            // At the rate of the line steps change nothing, and are too many to be counted.
            if self.current >= self.line {
                let interval = self.settings.increase_interval;
                self.increase_at += (now - self.increase_at.min(now)) / interval * interval;
                continue;
            }
            self.by_time += 1;
            self.increase();
        }
    }

    /// A step: half of the way back to the target at first; then the target grows too, and faster when both time and bytes have made many steps.
    fn increase(&mut self) {
        let Settings { recovery_steps, additive, hyper, .. } = self.settings;
        let (least, most) = (self.by_time.min(self.by_bytes), self.by_time.max(self.by_bytes));
        if least > recovery_steps {
            self.target += f64::from(least - recovery_steps) * hyper as f64;
        } else if most >= recovery_steps {
            self.target += additive as f64;
        }
        self.target = self.target.min(self.line);
        self.current = (self.target + self.current) / 2.0;
        // The half of the way would never end.
        if self.line - self.current < 1.0 {
            self.current = self.line;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings = Settings {
        bytes: 1_500,
        window: 35,
        gain: 1.0 / 16.0,
        alpha_interval: 10,
        increase_interval: 100,
        increase_bytes: 1_000_000,
        recovery_steps: 3,
        additive: 10,
        hyper: 100,
        least: 1,
        notify_interval: 5,
        timeout: 1_000,
    };

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found} {expected}");
    }

    /// The first notification finds alpha 1 and halves the rate. The next one comes when alpha has fallen for 5 intervals.
    #[test]
    fn notifications_cut_by_half_of_alpha() {
        let mut rate = Rate::new(&SETTINGS, 1_000_000, 0);
        rate.cut(0);
        near(rate.current(), 500_000.0);
        rate.cut(59);
        // Alpha was 1 x 15/16 + 1/16 = 1, and fell at 10, 20, 30, 40 and 50.
        let alpha = (15.0_f64 / 16.0).powi(5);
        near(rate.current(), 500_000.0 * (1.0 - alpha / 2.0));
        rate.cut(59);
        let next = alpha * 15.0 / 16.0 + 1.0 / 16.0;
        near(rate.current(), 500_000.0 * (1.0 - alpha / 2.0) * (1.0 - next / 2.0));
    }

    /// Two steps half the way to the rate before the cut; from the third on the target grows by 10, and by 100, 200, ... when bytes have made more than three steps, too.
    #[test]
    fn rates_recover_then_grow_then_grow_faster() {
        let mut rate = Rate::new(&SETTINGS, 1_000_000, 0);
        rate.cut(0);
        assert_eq!(rate.timer(), Some(100));
        rate.expire(200);
        near(rate.current(), 875_000.0);
        rate.cut(200);
        let before = rate.current();
        // Alpha was 1 and fell for 20 intervals.
        near(before, 875_000.0 * (1.0 - (15.0_f64 / 16.0).powi(20) / 2.0));
        let (mut target, mut current) = (875_000.0, before);
        let mut step = |rate: &mut Rate, more: f64| {
            target += more;
            current = (target + current) / 2.0;
            near(rate.current(), current);
        };
        for (n, more) in [0.0, 0.0, 10.0, 10.0, 10.0].into_iter().enumerate() {
            rate.expire(300 + 100 * n as u64);
            step(&mut rate, more);
        }
        for more in [10.0, 10.0, 10.0, 100.0, 200.0, 200.0] {
            rate.sent(1_000_000);
            step(&mut rate, more);
        }
    }

    #[test]
    fn no_rate_leaves_its_bounds() {
        let mut rate = Rate::new(&SETTINGS, 1_000, 0);
        (0..100).for_each(|_| rate.cut(0));
        near(rate.current(), 1.0);
        rate.expire(1_000_000_000);
        near(rate.current(), 1_000.0);
        assert_eq!(rate.timer(), None);
        rate.sent(u32::MAX);
        near(rate.current(), 1_000.0);
    }
}
