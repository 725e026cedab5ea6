//! Components that carry out requests, and those that pass them on.

use std::sync::Arc;
use ww_dataplane::control::handler::Handler;
use ww_dataplane::control::{
    Answer, Control, CounterIndex, CounterValue, Error, RegisterIndex, Request, Schema,
};

/// Knows counters only.
#[derive(Default)]
struct Counting(CounterValue);

impl Handler for Counting {
    fn component(&self) -> &'static str {
        "a counter"
    }

    fn counter_read(&mut self, _: CounterIndex, _: u64) -> Result<CounterValue, Error> {
        Ok(self.0)
    }
}

impl Control for Counting {
    fn schema(&self) -> Arc<Schema> {
        Arc::default()
    }

    fn handle(&mut self, request: Request) -> Result<Answer, Error> {
        request.carry_out(self)
    }
}

/// Knows registers only, and passes on the rest.
struct Registers<C>(C);

impl<C: Control> Handler for Registers<C> {
    fn component(&self) -> &'static str {
        "a register"
    }

    fn otherwise(&mut self, request: Request) -> Result<Answer, Error> {
        self.0.handle(request)
    }

    fn register_read(
        &mut self,
        _: RegisterIndex,
        index: u64,
    ) -> Result<ww_dataplane::control::BigUint, Error> {
        Ok(index.into())
    }
}

impl<C: Control> Control for Registers<C> {
    fn schema(&self) -> Arc<Schema> {
        self.0.schema()
    }

    fn handle(&mut self, request: Request) -> Result<Answer, Error> {
        request.carry_out(self)
    }
}

/// Answers everything in the same way.
struct Stubborn;

impl Control for Stubborn {
    fn schema(&self) -> Arc<Schema> {
        Arc::default()
    }

    fn handle(&mut self, _: Request) -> Result<Answer, Error> {
        Ok(Answer::Done)
    }
}

#[test]
fn requests_go_to_the_component_that_knows_them() {
    let mut control = Registers(Counting(CounterValue { packets: 3, bytes: 99 }));
    let control: &mut dyn Control = &mut control;
    assert_eq!(control.register_read(RegisterIndex(0), 7), Ok(7u32.into()));
    let counted = control.counter_read(CounterIndex(0), 0);
    assert_eq!(counted, Ok(CounterValue { packets: 3, bytes: 99 }));
    let refused = control.generation().expect_err("neither knows it");
    let by = Error::Refused { request: "generation", component: "a counter".to_owned() };
    assert_eq!(refused, by);
}

#[test]
fn an_answer_of_the_wrong_kind_is_an_error() {
    assert_eq!(Stubborn.hold(), Ok(()));
    let error = Stubborn.generation().expect_err("not a number");
    assert_eq!(error, Error::WrongAnswer { expected: "Count", found: "Done" });
}

#[test]
fn answers_convert_both_ways() {
    assert_eq!(u64::try_from(Answer::from(5u64)), Ok(5));
    assert_eq!(<()>::try_from(Answer::from(())), Ok(()));
    let error = <()>::try_from(Answer::from(5u64)).expect_err("a number");
    assert_eq!(error, Error::WrongAnswer { expected: "Done", found: "Count" });
}
