//! The control bus of a model: AXI4-Lite, or the plain bus behind it.

use super::Error;
use super::model::{Model, Signal};
use std::fmt;

/// Through which door requests go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Door {
    /// `cfg_*`, with fewer clocks a word.
    #[default]
    Back,
    /// `s_axil_*`, as software has it in hardware.
    Axi,
}

/// A word to be read or written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    pub door: Door,
    /// Byte address.
    pub address: u32,
    /// To be written.
    pub word: Option<u32>,
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.word {
            Some(word) => write!(f, "a write of {word:#010x} to {:#08x}", self.address),
            None => write!(f, "a read of {:#08x}", self.address),
        }
    }
}

struct Back {
    valid: Signal,
    write: Signal,
    object: Signal,
    address: Signal,
    wdata: Signal,
    ready: Signal,
    rdata: Signal,
}

struct Axi {
    awaddr: Signal,
    awvalid: Signal,
    awready: Signal,
    wdata: Signal,
    wstrb: Signal,
    wvalid: Signal,
    wready: Signal,
    bresp: Signal,
    bvalid: Signal,
    bready: Signal,
    araddr: Signal,
    arvalid: Signal,
    arready: Signal,
    rdata: Signal,
    rresp: Signal,
    rvalid: Signal,
    rready: Signal,
}

/// What of a request is still to be done.
struct Pending {
    request: Request,
    /// The address is still to be taken.
    address: bool,
    /// The word is still to be taken.
    word: bool,
}

/// The ports of the control bus, and the request on it.
pub(super) struct BusPorts {
    back: Back,
    axi: Axi,
    pending: Option<Pending>,
    answer: Option<Result<u32, Error>>,
}

impl BusPorts {
    pub fn of(model: &Model) -> Result<Self, Error> {
        let cfg = |name: &str, bits| model.expect(&format!("cfg_{name}"), bits);
        let axil = |name: &str, bits| model.expect(&format!("s_axil_{name}"), bits);
        Ok(Self {
            back: Back {
                valid: cfg("valid", 1)?,
                write: cfg("write", 1)?,
                object: cfg("object", 12)?,
                address: cfg("address", 12)?,
                wdata: cfg("wdata", 32)?,
                ready: cfg("ready", 1)?,
                rdata: cfg("rdata", 32)?,
            },
            axi: Axi {
                awaddr: axil("awaddr", 24)?,
                awvalid: axil("awvalid", 1)?,
                awready: axil("awready", 1)?,
                wdata: axil("wdata", 32)?,
                wstrb: axil("wstrb", 4)?,
                wvalid: axil("wvalid", 1)?,
                wready: axil("wready", 1)?,
                bresp: axil("bresp", 2)?,
                bvalid: axil("bvalid", 1)?,
                bready: axil("bready", 1)?,
                araddr: axil("araddr", 24)?,
                arvalid: axil("arvalid", 1)?,
                arready: axil("arready", 1)?,
                rdata: axil("rdata", 32)?,
                rresp: axil("rresp", 2)?,
                rvalid: axil("rvalid", 1)?,
                rready: axil("rready", 1)?,
            },
            pending: None,
            answer: None,
        })
    }

    /// Takes up a request; there is one at a time.
    pub fn begin(&mut self, request: Request) {
        let is_write = request.word.is_some();
        self.pending = Some(Pending { request, address: true, word: is_write });
        self.answer = None;
    }

    /// The answer, once it is there.
    pub fn answer(&mut self) -> Option<Result<u32, Error>> {
        self.answer.take()
    }

    /// Puts the request on the wires.
    pub fn drive(&self, model: &mut Model) {
        let (back, axi) = (&self.back, &self.axi);
        let pending = self.pending.as_ref();
        let door = pending.map(|pending| pending.request.door);
        model.set(back.valid, u64::from(door == Some(Door::Back)));
        for signal in [axi.awvalid, axi.wvalid, axi.arvalid] {
            model.set(signal, 0);
        }
        let Some(Pending { request, address, word }) = pending else { return };
        let at = u64::from(request.address);
        match request.door {
            Door::Back => {
                model.set(back.write, u64::from(request.word.is_some()));
                model.set(back.object, at >> 12);
                model.set(back.address, at & 0xfff);
                model.set(back.wdata, u64::from(request.word.unwrap_or(0)));
            }
            Door::Axi => {
                model.set(axi.bready, 1);
                model.set(axi.rready, 1);
                match request.word {
                    Some(data) => {
                        model.set(axi.awaddr, at);
                        model.set(axi.awvalid, u64::from(*address));
                        model.set(axi.wdata, u64::from(data));
                        model.set(axi.wstrb, 0xf);
                        model.set(axi.wvalid, u64::from(*word));
                    }
                    None => {
                        model.set(axi.araddr, at);
                        model.set(axi.arvalid, u64::from(*address));
                    }
                }
            }
        }
    }

    /// Looks what the design answers in this clock.
    pub fn sample(&mut self, model: &Model) {
        let (back, axi) = (&self.back, &self.axi);
        let Some(pending) = &mut self.pending else { return };
        let on = |signal| model.get(signal) == 1;
        let request = pending.request;
        let answer = match (request.door, request.word) {
            (Door::Back, _) => on(back.ready).then(|| (0, model.get(back.rdata))),
            (Door::Axi, Some(_)) => {
                let answer = on(axi.bvalid).then(|| (model.get(axi.bresp), 0));
                pending.address &= !on(axi.awready);
                pending.word &= !on(axi.wready);
                answer
            }
            (Door::Axi, None) => {
                let answer = on(axi.rvalid).then(|| (model.get(axi.rresp), model.get(axi.rdata)));
                pending.address &= !on(axi.arready);
                answer
            }
        };
        if let Some((response, word)) = answer {
            self.pending = None;
            self.answer = Some(match response {
                0 => Ok(word as u32),
                _ => Err(Error::Control(format!("the design refuses {request}"))),
            });
        }
    }
}
