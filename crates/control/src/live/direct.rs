//! Changes without a server.

use super::ledger::{Failed, Ledger};
use super::protocol::{Message, Request, parse, read_change};
use super::resolve;
use super::step::apply_all;
use ww_dataplane::control::Control;

/// Carries out one message, a change or a `transaction`, all or nothing. The error is the message
/// for whoever wrote it.
pub fn carry_out<C: Control>(ledger: &mut Ledger<C>, line: &[u8]) -> Result<(), String> {
    let schema = ledger.schema();
    let resolved = |change| resolve::change(&schema, change);
    let steps = match parse(line).1? {
        Message::Change(change) => vec![resolved(*change)?],
        Message::Request(request) => match *request {
            Request::Transaction { changes } => {
                let steps =
                    changes.into_iter().map(|change| read_change(change).and_then(resolved));
                steps.collect::<Result<_, _>>()?
            }
            _ => return Err("this request is no change".to_owned()),
        },
    };
    apply_all(ledger, &steps).map(|_| ()).map_err(|failed| match failed {
        Failed::Work((change, message)) => format!("change {change}: {message}"),
        Failed::Stuck(error) => error.to_string(),
    })
}
