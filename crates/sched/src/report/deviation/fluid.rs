//! The fluid server that fair queueing imitates: all flows that have bytes are served at once, each by its
//! weight (generalised processor sharing).

/// A flow: its weight, and when how many bytes come, in order of time. The unit of time is that in which
/// the link sends a byte.
#[derive(Clone, Debug)]
pub struct Flow {
    pub weight: f64,
    pub arrivals: Vec<(f64, f64)>,
}

/// Less than this is nothing: sums of many parts are not exact.
const NOTHING: f64 = 1e-6;

/// What the server has given one flow by one time, for each question (time, flow); times do not go back.
pub fn served(flows: &[Flow], questions: &[(f64, usize)]) -> Vec<f64> {
    let mut left = vec![0.0; flows.len()];
    let mut given = vec![0.0; flows.len()];
    let mut next = vec![0; flows.len()];
    let mut now = 0.0;
    let mut answers = Vec::with_capacity(questions.len());
    for &(time, asked) in questions {
        loop {
            for (flow, Flow { arrivals, .. }) in flows.iter().enumerate() {
                while let Some(&(_, bytes)) = arrivals.get(next[flow]).filter(|a| a.0 <= now) {
                    left[flow] += bytes;
                    next[flow] += 1;
                }
            }
            if now >= time {
                break;
            }
            let weight = |flow: usize| if left[flow] > NOTHING { flows[flow].weight } else { 0.0 };
            let weights: Vec<f64> = (0..flows.len()).map(weight).collect();
            let busy: f64 = weights.iter().sum();
            // Until the question, the next arrival, or the next flow without bytes.
            let arrival = flows.iter().zip(&next).filter_map(|(f, &n)| Some(f.arrivals.get(n)?.0));
            let mut until = arrival.fold(time, f64::min);
            for (left, weight) in left.iter().zip(&weights).filter(|(_, weight)| **weight > 0.0) {
                until = until.min(now + left * busy / weight);
            }
            for (flow, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
                let part = (until - now) * weight / busy;
                left[flow] = (left[flow] - part).max(0.0);
                given[flow] += part;
            }
            // Rounding must not keep time from going on.
            now = if until > now { until } else { now + NOTHING };
        }
        answers.push(given[asked]);
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two flows of weight 1 and 3 with 100 bytes each, a third of weight 4 with 40 bytes from 80 on. By
    /// hand: until 80 the first two get 20 and 60. Then an eighth, three eighths, half: at 160 the third
    /// has its 40, the first 30, the second 90. Then a quarter and three quarters: the second is done
    /// 40/3 later, the first has 100/3 by then and all the link from there on.
    #[test]
    fn shares_by_hand() {
        let flow = |weight, arrivals: &[(f64, f64)]| Flow { weight, arrivals: arrivals.to_vec() };
        let flows =
            [flow(1.0, &[(0.0, 100.0)]), flow(3.0, &[(0.0, 100.0)]), flow(4.0, &[(80.0, 40.0)])];
        let done = 160.0 + 40.0 / 3.0;
        let questions = [
            (40.0, 0),
            (80.0, 0),
            (80.0, 1),
            (80.0, 2),
            (120.0, 2),
            (160.0, 0),
            (160.0, 1),
            (160.0, 2),
            (done, 0),
            (done, 1),
            (200.0, 0),
            (240.0, 0),
            (500.0, 0),
        ];
        let expected =
            [10.0, 20.0, 60.0, 0.0, 20.0, 30.0, 90.0, 40.0, 100.0 / 3.0, 100.0, 60.0, 100.0, 100.0];
        for (found, wanted) in served(&flows, &questions).iter().zip(expected) {
            assert!((found - wanted).abs() < 1e-4, "{found} of {wanted}");
        }
    }

    /// A server without bytes waits.
    #[test]
    fn idle_time_is_lost() {
        let flows = [Flow { weight: 2.0, arrivals: vec![(10.0, 5.0), (100.0, 7.0)] }];
        let found = served(&flows, &[(5.0, 0), (12.0, 0), (50.0, 0), (103.0, 0), (200.0, 0)]);
        for (found, wanted) in found.iter().zip([0.0, 2.0, 5.0, 8.0, 12.0]) {
            assert!((found - wanted).abs() < 1e-4, "{found} of {wanted}");
        }
    }
}
