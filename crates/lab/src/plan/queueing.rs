//! `[queueing]`: what the queues of switches do when they are full.

use ww_config::quantity::{Bytes, Probability};
use ww_config::reader::Reader;
use ww_sim::network::queueing::{Pause, Queueing, Trim};

#[derive(Clone, Copy)]
enum Kinds {
    Trim,
    Pause,
}

const KINDS: [(&str, Kinds); 2] = [("trim", Kinds::Trim), ("pause", Kinds::Pause)];

/// Bytes by which a queue has to fall before it resumes, if that is not said: two full packets.
const HYSTERESIS: u64 = 3_000;

/// Reads the table. What its numbers have to be, [`ww_sim::network::queueing::check`] says.
pub(super) fn queueing(reader: Option<Reader<'_>>) -> Queueing {
    let Some(reader) = reader else { return Queueing::DropTail };
    let Some(kind) = reader.needed_choice("kind", &KINDS) else { return Queueing::DropTail };
    let bytes = |key, usual| reader.get_or(key, Bytes(usual)).0;
    let queueing = match kind {
        Kinds::Trim => {
            let usual = Trim::default();
            Queueing::Trim(Trim {
                packets: reader.get_or("packets", usual.packets),
                header_bytes: bytes("headers", usual.header_bytes),
            })
        }
        Kinds::Pause => {
            let usual = Pause::default();
            let pause_above = bytes("pause_above", usual.pause_above);
            Queueing::Pause(Pause {
                pause_above,
                resume_below: bytes("resume_below", pause_above.saturating_sub(HYSTERESIS)),
                headroom: bytes("headroom", usual.headroom),
                mark_from: bytes("mark_from", usual.mark_from),
                mark_all: bytes("mark_all", usual.mark_all),
                mark_most: reader.get_or("mark_most", Probability(usual.mark_most)).0,
            })
        }
    };
    reader.finish();
    queueing
}
