//! What it takes to stand between a world and a dataplane.

use ww_dataplane::control::{Answer, Error, Request};
use ww_dataplane::{Dataplane, DropReason, Picoseconds, PortId, Statistics, Status, Transmit};

struct Wrapper<D>(D);

// A wrapper that does nothing.
impl<D: Dataplane> Dataplane for Wrapper<D> {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.0.receive(port, now, frame, out);
    }
    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        self.0.advance(now, out);
    }
    fn status(&self) -> Status {
        self.0.status()
    }
    fn handle(&mut self, request: Request) -> Result<Answer, Error> {
        self.0.handle(request)
    }
}
// End of the wrapper.

/// Drops every second frame for want of room, and answers one request.
#[derive(Default)]
struct Narrow {
    received: u64,
}

impl Narrow {
    fn refused(&self) -> u64 {
        self.received / 2
    }
}

impl Dataplane for Narrow {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.received += 1;
        if !self.received.is_multiple_of(2) {
            out.push(Transmit { port, at: now, frame: frame.to_vec() });
        }
    }

    fn advance(&mut self, _: Picoseconds, _: &mut Vec<Transmit>) {}

    fn status(&self) -> Status {
        Status { next_event: None, refused: self.refused() }
    }

    fn handle(&mut self, request: Request) -> Result<Answer, Error> {
        match request {
            Request::Statistics {} => {
                let dropped = [(DropReason::QueueFull, self.refused())].into();
                let received = self.received;
                Ok(Statistics { received, dropped, ..Statistics::default() }.into())
            }
            other => Err(other.refused_by("narrow")),
        }
    }
}

/// Takes in frames, and answers nothing.
struct Silent;

impl Dataplane for Silent {
    fn receive(&mut self, _: PortId, _: Picoseconds, _: &[u8], _: &mut Vec<Transmit>) {}

    fn advance(&mut self, _: Picoseconds, _: &mut Vec<Transmit>) {}

    fn status(&self) -> Status {
        Status::default()
    }
}

#[test]
fn a_wrapper_is_short() {
    let text = include_str!("wrapper.rs");
    let (begin, end) = ("// A wrapper that does nothing.\n", "// End of the wrapper.\n");
    let wrapper = text.split(begin).nth(1).and_then(|rest| rest.split(end).next());
    assert!(wrapper.expect("it is above").lines().count() < 15);
}

#[test]
fn a_wrapper_loses_nothing() {
    let mut dataplane = Wrapper(Wrapper(Box::new(Narrow::default()) as Box<dyn Dataplane>));
    let mut out = Vec::new();
    for n in 0..5 {
        dataplane.receive(3, n, &[n as u8; 60], &mut out);
    }
    assert_eq!(out.iter().map(|sent| sent.at).collect::<Vec<_>>(), [0, 2, 4]);
    assert_eq!(dataplane.status(), Status { next_event: None, refused: 2 });
    let statistics = dataplane.handle(Request::Statistics {}).and_then(Statistics::try_from);
    let statistics = statistics.expect("it answers this");
    assert_eq!((statistics.received, statistics.drops(DropReason::QueueFull)), (5, 2));
}

#[test]
fn what_nobody_handles_is_refused_by_name() {
    let mut dataplane = Wrapper(Narrow::default());
    let error = dataplane.handle(Request::TakeDigests {}).expect_err("nobody handles it");
    let expected = Error::Refused { request: "take_digests", component: "narrow".to_owned() };
    assert_eq!(error, expected);
    assert_eq!(error.to_string(), "narrow does not handle the request `take_digests`");
    // Without a word on requests: the name of the type.
    let error = Wrapper(Silent).handle(Request::Statistics {}).expect_err("nobody handles it");
    let Error::Refused { request: "statistics", component } = error else { panic!("{error}") };
    assert!(component.ends_with("Silent"), "{component}");
}
