//! Fields of the ports of `rtl/toe`, by the names that its packages give them.

use crate::bench::Bench;
use crate::layout::Layouts;
use crate::library;
use crate::runner::Error;
use crate::runner::model::Signal;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use ww_tcp::session::{End, Events, State};
use ww_tcp::settings::{Behaviour, Ecn, KeepAlive};

/// The fields of one port.
pub(super) struct Fields {
    pub(super) port: Signal,
    of: &'static str,
    layouts: Rc<Layouts>,
    /// Where they are, by path.
    bits: BTreeMap<String, Range<usize>>,
}

impl Fields {
    /// Ports with the structures that they carry, which these packages declare.
    pub(super) fn of<const N: usize>(
        bench: &Bench,
        packages: &[&str],
        ports: [(&str, &'static str); N],
    ) -> Result<[Self; N], Error> {
        let mut text = String::new();
        for package in packages {
            let block = library::block(package)
                .ok_or_else(|| Error::Model(format!("no package {package} is in rtl/")))?;
            text.push_str(block.text);
        }
        let layouts = Rc::new(Layouts::read(&text).map_err(Error::Model)?);
        let signals = bench.ports(ports.map(|(name, _)| name))?;
        let mut at = 0;
        Ok(signals.map(|port| {
            at += 1;
            Self { port, of: ports[at - 1].1, layouts: layouts.clone(), bits: BTreeMap::new() }
        }))
    }

    /// Where a field is.
    pub(super) fn range(&mut self, path: &str) -> Range<usize> {
        if let Some(range) = self.bits.get(path) {
            return range.clone();
        }
        let range = self
            .layouts
            .field(self.of, path)
            .unwrap_or_else(|| panic!("{} has no field {path}", self.of));
        self.bits.insert(path.to_owned(), range.clone());
        range
    }

    /// Drives a field.
    pub(super) fn put(&mut self, bench: &mut Bench, path: &str, value: u64) {
        let range = self.range(path);
        bench.set_field(self.port, range, value);
    }

    /// Reads a field.
    pub(super) fn get(&mut self, bench: &Bench, path: &str) -> u64 {
        let range = self.range(path);
        bench.field(self.port, range)
    }

    /// The number of an enumeration's name.
    pub(super) fn value(&self, of: &str, name: &str) -> u64 {
        self.layouts.value(of, name).unwrap_or_else(|| panic!("{of} has no value {name}"))
    }

    pub(super) fn put_keep_alive(&mut self, bench: &mut Bench, keep: Option<KeepAlive>) {
        self.put(bench, "keep_alive.on", u64::from(keep.is_some()));
        self.put(bench, "keep_alive.idle", keep.map_or(0, |k| k.idle));
        self.put(bench, "keep_alive.interval", keep.map_or(0, |k| k.interval));
        self.put(bench, "keep_alive.probes", keep.map_or(0, |k| u64::from(k.probes)));
    }

    /// The registers of how TCP behaves.
    pub(super) fn put_behaviour(&mut self, bench: &mut Bench, behaviour: &Behaviour) {
        let b = behaviour;
        let ecn = match b.ecn {
            Ecn::Off => 0,
            Ecn::Accept => 1,
            Ecn::Request => 2,
        };
        let values = [
            ("mss", u64::from(b.mss)),
            ("scales", u64::from(b.window_scale.is_some())),
            ("scale", u64::from(b.window_scale.unwrap_or(0))),
            ("timestamps", u64::from(b.timestamps)),
            ("sack", u64::from(b.sack)),
            ("ecn", ecn),
            ("tail_probe", u64::from(b.tail_loss_probe)),
            ("forward_rto", u64::from(b.forward_rto)),
            ("nagle", u64::from(b.nagle)),
            ("rto_min", b.rto_min),
            ("delayed_ack", b.delayed_ack),
            ("initial_window", u64::from(b.initial_window)),
            ("restarts", u64::from(b.slow_start_after_idle)),
            ("time_wait", b.time_wait),
            ("syn_retries", u64::from(b.syn_retries)),
            ("syn_patience", b.syn_patience()),
            ("syn_linear", u64::from(b.syn_linear)),
            ("retries", u64::from(b.retries)),
            ("patience", b.patience()),
            ("published", u64::from(b.published)),
            ("most_records", u64::from(b.most_records)),
            ("most_ranges", u64::from(b.most_ranges)),
        ];
        for (path, value) in values {
            self.put(bench, path, value);
        }
        self.put_keep_alive(bench, b.keep_alive);
    }

    /// The field `events`.
    pub(super) fn events(&mut self, bench: &Bench) -> Events {
        let ended = match self.get(bench, "events.ended") {
            0 => None,
            1 => Some(End::Closed),
            2 => Some(End::Reset),
            3 => Some(End::Refused),
            4 => Some(End::TimedOut),
            _ => Some(End::Aborted),
        };
        Events {
            opened: self.get(bench, "events.opened") != 0,
            readable: self.get(bench, "events.readable") != 0,
            writable: self.get(bench, "events.writable") != 0,
            peer_closed: self.get(bench, "events.peer_closed") != 0,
            ended,
        }
    }

    /// The field `state`.
    pub(super) fn state(&mut self, bench: &Bench) -> State {
        [
            State::Closed,
            State::SynSent,
            State::SynReceived,
            State::Established,
            State::FinWait1,
            State::FinWait2,
            State::Closing,
            State::TimeWait,
            State::CloseWait,
            State::LastAck,
        ][self.get(bench, "state") as usize]
    }
}
