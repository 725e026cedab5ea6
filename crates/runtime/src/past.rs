//! What became of the packets of dataplanes that are not there any more.

use parking_lot::Mutex;
use ww_dataplane::control::{Answer, Error, Request};
use ww_dataplane::{Dataplane, Statistics};

/// The statistics of all dataplanes that were replaced, or why one did not tell its own.
pub(crate) struct Past(Mutex<Result<Statistics, Error>>);

impl Default for Past {
    fn default() -> Self {
        Self(Mutex::new(Ok(Statistics::default())))
    }
}

impl Past {
    /// Adds those of a dataplane at its end.
    pub fn add(&self, dataplane: &mut dyn Dataplane) {
        let more = dataplane.handle(Request::Statistics {}).and_then(statistics);
        let mut all = self.0.lock();
        match (all.as_mut(), more) {
            (Ok(sum), Ok(more)) => sum.add(more),
            (Ok(_), Err(error)) => *all = Err(error),
            // The first reason stays.
            (Err(_), _) => {}
        }
    }

    /// The sum.
    pub fn sum(&self) -> Result<Statistics, Error> {
        self.0.lock().clone()
    }
}

fn statistics(answer: Answer) -> Result<Statistics, Error> {
    answer.try_into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ww_dataplane::{Picoseconds, PortId, Status, Transmit};

    struct Ended(Option<u64>);

    impl Dataplane for Ended {
        fn receive(&mut self, _: PortId, _: Picoseconds, _: &[u8], _: &mut Vec<Transmit>) {}

        fn advance(&mut self, _: Picoseconds, _: &mut Vec<Transmit>) {}

        fn status(&self) -> Status {
            Status::default()
        }

        fn handle(&mut self, request: Request) -> Result<Answer, Error> {
            let refused = request.refused_by("a dataplane at its end");
            let received = self.0.ok_or(refused)?;
            Ok(Statistics { received, ..Statistics::default() }.into())
        }
    }

    #[test]
    fn statistics_add_up_and_a_missing_one_is_told() {
        let past = Past::default();
        past.add(&mut Ended(Some(3)));
        past.add(&mut Ended(Some(4)));
        assert_eq!(past.sum().map(|sum| sum.received), Ok(7));
        past.add(&mut Ended(None));
        past.add(&mut Ended(Some(5)));
        let error = past.sum().expect_err("one is missing").to_string();
        assert_eq!(error, "a dataplane at its end does not handle the request `statistics`");
    }
}
